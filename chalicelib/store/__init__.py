"""DynamoDB: one file per table, its PynamoDB models and the few queries on them."""
