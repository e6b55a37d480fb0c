"""Holding the tables of a round for a moment, so that no word can change between looking at them and settling.

A hold is known by its end, which stands at each table and in the round's header; each is later than the one before.
Whoever begins one takes the round from whoever held it: the older hold can neither be taken further nor be settled
under. It ends by itself (if its process dies, players go on two minutes later), or at once by one write to the header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from botocore.exceptions import BotoCoreError
from pynamodb.exceptions import PynamoDBException, UpdateError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from chalicelib.services.finding import IN_PLAY
from chalicelib.services.once import transaction
from chalicelib.services.problems import Problem
from chalicelib.services.world import World
from chalicelib.store.events import RoundHeader
from chalicelib.store.matches import Match, partition, table_key
from chalicelib.store.pace import paced
from chalicelib.store.transaction import patiently

PORTION = 25
TRANSACTED = 2
"""Tables that are held in one transaction, and the write units of each in it."""
HOLD = 120_000
"""How long tables are held, in milliseconds."""
TIME_TO_SETTLE = 80_000
"""The settlement itself must follow within that: a word that was under way when the hold began is refused by the hold,
one that sets out later sees the settled round. What is left of the hold is longer than a request may take (28 s), with
the settlement's own transaction."""
CONDITION_FAILED = "ConditionalCheckFailedException"


def stale_round(old: object) -> Problem:
    """Somebody else changed the round's header first."""
    return Problem("stale_version")


class Hold(msgspec.Struct, frozen=True):
    """Tables of a round that take no words until the hold is over or released. ``shared``: by several steps of a job,
    of which one that is stopped may not release what another goes on with."""

    world: World
    header: RoundHeader
    until: int
    shared: bool = False

    def still_good(self) -> bool:
        """Whether there is time left to settle under this hold."""
        return self.world.now() < self.until - HOLD + TIME_TO_SETTLE

    def unbroken(self) -> Condition:
        """The condition on the round's header that nobody began another hold, and that this one was not given up."""
        kept = RoundHeader.released.does_not_exist() | (RoundHeader.released < self.until)
        ours = (RoundHeader.hold == self.until) & (RoundHeader.generation == self.header.generation)
        unbroken: Condition = ours & kept
        return unbroken

    def take(self, numbers: Sequence[int], first: int = 0) -> Iterator[int]:
        """Hold these tables, in portions, after the ``first`` of them, which are held; yields how many are, each time.

        Raises stale_version when somebody else holds the round by now.
        """
        pk, world = partition(self.header.pk, int(self.header.number)), self.world
        for portion in paced(len(numbers), PORTION, TRANSACTED, world.sleep, world.now, first // PORTION):
            work = transaction(world)
            work.check(self.header, self.unbroken(), stale_round)
            for number in numbers[portion]:
                # A hold moves no rank, so it must not wake the standings.
                actions: list[Action] = [Match.held_until.set(self.until), Match.wakes.set(0)]
                work.update(
                    Match(pk, table_key(number)),
                    actions,
                    condition=Match.generation == self.header.generation,
                    otherwise=lambda old: Problem("round_not_found"),
                )
            work.commit()
            yield portion.stop

    def release(self) -> None:
        """Let the tables take words again, unless somebody else holds them by now."""
        give_up(self.world, self.header.pk, self.header.sk, self.until)


def give_up(world: World, event_id: str, round_key: str, until: int) -> None:
    """Release the hold of a round that ends at ``until``; does nothing if it is not the newest."""
    write(
        world,
        RoundHeader(event_id, round_key),
        [RoundHeader.released.set(until)],
        (RoundHeader.hold == until) & RoundHeader.phase.is_in(*IN_PLAY),
    )


def write(world: World, header: RoundHeader, actions: Sequence[Action], condition: Condition) -> bool:
    """One change of a round's header; False if the condition does not hold."""
    try:
        patiently(lambda: header.update(actions=list(actions), condition=condition), world.sleep, world.random.fraction)
    except UpdateError as error:
        if error.cause_response_code != CONDITION_FAILED:
            raise
        return False
    return True


def begin(world: World, header: RoundHeader, *, shared: bool = False) -> Hold:
    """Begin to hold a round as it was read: nothing is held yet. Raises stale_version when it is another by now."""
    seen = int(header.hold)
    until = max(world.now() + HOLD, seen + 1)
    same = RoundHeader.hold == seen if seen else (RoundHeader.hold == 0) | RoundHeader.hold.does_not_exist()
    condition = (
        (RoundHeader.generation == header.generation)
        & (RoundHeader.version == header.version)
        & RoundHeader.phase.is_in(*IN_PLAY)
        & (same | (RoundHeader.hold == until))
    )
    if not write(world, RoundHeader(header.pk, header.sk), [RoundHeader.hold.set(until)], condition):
        raise stale_round(None)
    return Hold(world, header, until, shared)


@contextmanager
def released_when_refused(held: Hold | None) -> Iterator[None]:
    """Around what follows a hold: if that is refused, players need not wait for the end of the hold."""
    try:
        yield
    except (PynamoDBException, BotoCoreError):
        # Whether it was written is not known; if it was, a word that sets out now must not slip in.
        raise
    except Exception as error:
        if held is not None and (not held.shared or isinstance(error, Problem)):
            held.release()
        raise
