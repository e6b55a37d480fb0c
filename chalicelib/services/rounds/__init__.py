"""Rounds 编排: draft -> published -> playing -> settled."""

from chalicelib.services.rounds.deleting import delete
from chalicelib.services.rounds.drawing import draw, rearrange
from chalicelib.services.rounds.publishing import publish
from chalicelib.services.rounds.settling import reopen, settle
from chalicelib.services.rounds.viewing import read

__all__ = ["delete", "draw", "publish", "read", "rearrange", "reopen", "settle"]
