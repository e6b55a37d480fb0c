"""Entries and tables as they stand in the store, read fast and handed to the rules; packs of what seldom changes."""
