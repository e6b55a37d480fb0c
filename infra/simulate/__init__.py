"""A day of an event in virtual time, on the real handlers: what it asks of the cloud, what it costs, what it loses.

``guanjun simulate``; docs/costs.md holds the tables of a real run and says how to read them.
"""
