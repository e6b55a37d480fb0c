"""报名: whether an event takes registrations, what people do on its page, and who gets the places there are."""

from chalicelib.services.registration.closing import closed_at, due_actions, ends_at, is_open

__all__ = ["closed_at", "due_actions", "ends_at", "is_open"]
