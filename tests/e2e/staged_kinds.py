"""Events of the kinds that are not plain pairs, in their second round, with names as long as they may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, StorageState

from tests.e2e.kinds import open_hall, teams
from tests.e2e.organizing import Organizer, sign_in

HAN = ("东海之滨听潮观云联队甲队", "荷塘月色诗词雅集掼蛋小队", "滨海新区老年大学棋牌协会", "晚照")
LATIN = ("Northern Lights Bridge Partners", "Alexandrina Featherstonehaugh", "Riverside Card Club", "Bo Li")
CLUBS = ("滨海新区老年大学棋牌协会", "Riverside Card Club of the North", "北山")
EVENT = "秋季城市公开赛暨俱乐部联队资格赛"
DAY = 86_400_000


@dataclass(frozen=True)
class Kind:
    """How an event is set up: its kind, how many enter, with how many names each, and what else it shows."""

    kind: str
    entries: int
    players: int = 2
    settings: dict[str, Any] = field(default_factory=dict)
    views: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()


KINDS = {
    "mitchell": Kind("mitchell", 9, settings={"boards_per_round": 4, "rounds": 4}, pages=("boards",)),
    "open_ended": Kind("open_ended", 6),
    "league": Kind(
        "league", 7, 3, {"rounds": 7, "match_days": [1_800_000_000_000 + 7 * n * DAY for n in range(7)]},
        ("calendar",), ("calendar",),
    ),
    "individual": Kind("individual", 9, 1, {"partners": "new_each_round"}),
    "rotation": Kind("rotation", 9, 1, {"boards_per_round": 4}),
    "team_of_four": Kind("team_of_four", 4, 4, {"boards_per_round": 4}, pages=("boards",)),
    "knockout": Kind(
        "pairs", 16, settings={"knockout": True, "third_place_match": True, "rounds": 4},
        views=("bracket",), pages=("bracket",),
    ),
    "clubs": Kind(
        "clubs", 8, settings={"clubs": list(CLUBS), "club_ranking": {"on": True, "best": 2}},
        views=("clubs",), pages=("clubs",),
    ),
}  # fmt: skip


@dataclass
class KindEvent:
    """An event of a kind, and what opens it."""

    kind: Kind
    organizer: Organizer
    known: StorageState
    links: dict[str, str]
    draft: str
    """Another event of the kind, whose first round is a draft."""

    @property
    def event_id(self) -> str:
        """The event's id."""
        return self.organizer.event_id


def named(kind: Kind) -> list[dict[str, Any]]:
    """Entries with long and short names; persons are told apart by a number at the end."""
    found = []
    for place, team in enumerate(teams(kind.entries, kind.players)):
        name = (HAN if place % 2 == 0 else LATIN)[place // 2 % 4]
        players = [
            {**player, "name": f"{(LATIN if (place + seat) % 3 == 0 else HAN)[seat % 4][:26]}{place:02d}"}
            for seat, player in enumerate(team["players"])
        ]
        club = CLUBS[place % 3] if kind.kind == "clubs" else ""
        found.append(
            {**team, "name": f"{name[:28]}{place}" if kind.players > 1 else "", "club": club, "players": players}
        )
    return found


def rule_all(organizer: Organizer) -> None:
    """A result for every table of the round in play, no two alike."""
    grid = organizer.get(organizer.path("/current-tables"))
    for place, table in enumerate(grid["tables"]):
        if grid["scoring"]["by"] == "levels":
            score: dict[str, Any] = {"ns_level": "A+", "ew_level": str(3 + place % 7)}
        else:
            results = [3 if n <= place % 4 else -1 for n, _ in enumerate(table["to_play"])]
            boards = [{"board": one["board"], "result": r} for one, r in zip(table["to_play"], results, strict=True)]
            score = {"boards": boards}
        body = {"version": table["version"], "outcome": "played", "reason": "以纸条为准", **score}
        organizer.post(organizer.path(f"/rounds/{grid['round']}/tables/{table['table']}/ruling"), body)


def stage_kind(browser: Browser, url: str, name: str) -> KindEvent:
    """Make the event, through the API: a settled round and one in play; and another with a draft."""
    kind = KINDS[name]
    context = browser.new_context(base_url=url)
    organizer = sign_in(context.new_page())
    organizer.event_id = organizer.post("/events", {"name": EVENT, "kind": kind.kind})["event_id"]
    for entry in named(kind):
        organizer.post(organizer.path("/entries"), entry)
    organizer.draw()
    draft = organizer.event_id
    open_hall(organizer, kind.kind, named(kind), **kind.settings)
    rule_all(organizer)
    organizer.settle()
    organizer.play_round()
    links = {role: organizer.link(role) for role in ("referee", "display")}
    return KindEvent(kind, organizer, context.storage_state(), links, draft)
