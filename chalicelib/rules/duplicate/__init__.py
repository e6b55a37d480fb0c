"""Duplicate boards (复式): presets of level and leader, and the record of the hands."""
