"""Standings 排名: one way from results to pages, never stale (see ``refreshing``)."""

from chalicelib.services.standings.clubs import public_clubs
from chalicelib.services.standings.comparing import compare, heal
from chalicelib.services.standings.opening import addends, public_addends
from chalicelib.services.standings.reading import read
from chalicelib.services.standings.refreshing import refresh

__all__ = ["addends", "compare", "heal", "public_addends", "public_clubs", "read", "refresh"]
