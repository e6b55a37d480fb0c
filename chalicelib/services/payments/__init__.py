"""Payments 在线收费: orders that hold a place, money that comes and goes back, and what the organizer is due."""
