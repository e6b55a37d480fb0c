"""The local stack: store engine, HTTP runner, stream pump, ticker."""
