"""Bringing a stage up in AWS, updating it, looking after it and taking it down."""
