"""演练: an event with robot players, played by the product itself from the first draw to the winners."""

from chalicelib.services.rehearsal.starting import Rehearsal, start, status, stop

__all__ = ["Rehearsal", "start", "status", "stop"]
