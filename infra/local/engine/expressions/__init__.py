"""DynamoDB's expression language: parse, bind the placeholders, evaluate."""
