"""Pairing (编排): the next round of an event, for every kind. Start with ``draw``."""

from chalicelib.rules.pairing.draw import draw
from chalicelib.rules.pairing.result import Drawn, Refusal, to_json

__all__ = ["Drawn", "Refusal", "draw", "to_json"]
