"""Stream-triggered and scheduled functions: thin and idempotent."""
