"""天梯: which events count for which ladder, their tables from event to event, and who manages them.

The ledger is what events give (``posting``); a table (``tables``) is a pure function of it and of the season's rules,
so nothing can be counted twice or lost, whatever is repeated or interrupted (docs/decisions/ladders.md).
"""
