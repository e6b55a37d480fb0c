"""HTTP: parse, authorize, call one service, render. No logic."""
