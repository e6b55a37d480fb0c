"""Teams 队伍: entries out of rows, with all players in one row or with one player per row."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from chalicelib.services.roster.needs import Needs
from chalicelib.services.roster.rows import RosterRow, RowReader
from chalicelib.services.roster.texts import LONGEST_TEXT, comparable


class Player(msgspec.Struct, frozen=True):
    """`phone` is 11 digits, `+` and 8 to 15 digits, or ""."""

    name: str
    phone: str = ""


class Club(msgspec.Struct, frozen=True):
    """One 团体: name, 简称, 领队, 领队手机; "" for what is not known."""

    name: str
    short: str = ""
    leader: str = ""
    leader_phone: str = ""


class RosterEntry(msgspec.Struct, frozen=True):
    """One entry as an import would take it, and the rows of the file it comes from."""

    name: str
    club: str
    players: tuple[Player, ...]
    rows: tuple[int, ...]


@dataclass
class _Team:
    """One team while its rows are collected."""

    name: str
    members: list[RosterRow] = field(default_factory=list)


def entry_of(name: str, club: str, players: tuple[Player, ...], rows: Iterable[int]) -> RosterEntry:
    """An entry; without a team name it is called by its players."""
    called = name or "/".join(player.name for player in players)[:LONGEST_TEXT]
    return RosterEntry(called, club, players, tuple(rows))


def whole_rows(reader: RowReader, rows: Iterable[RosterRow], needs: Needs) -> list[RosterEntry]:
    """Entries of a file that has all players of a team in one row."""
    entries: list[RosterEntry] = []
    for row in rows:
        _check_players(reader, row, needs)
        players = tuple(Player(player.name, player.phone) for player in row.players if player.name)
        if needs.most == 1:
            entries += [entry_of(player.name, row.club, (player,), (row.number,)) for player in players]
        else:
            entries.append(entry_of(row.team, row.club, players, (row.number,)))
    return entries


def _check_players(reader: RowReader, row: RosterRow, needs: Needs) -> None:
    """Nobody may be missing before the last player that has a name or a phone, nor of as many as the kind needs."""
    used = [position for position, player in enumerate(row.players, start=1) if player.name or player.phone]
    asked = max([needs.fewest, *used])
    for position, player in enumerate(row.players[:asked], start=1):
        # A person's event takes each named person as an entry, so a gap there is none.
        spare = needs.most == 1 and bool(used) and not player.phone
        if not (player.name or player.broken_name or spare):
            reader.report("player_missing", row.number, player.name_index, str(position))
    if len(row.players) < needs.fewest:
        reader.report("player_missing", row.number, row.players[-1].name_index, str(len(row.players) + 1))
    named = [player for player in row.players if player.name]
    if 1 < needs.most < len(named):
        reader.report("too_many_players", row.number, named[needs.most].name_index, str(needs.most))


def shared_teams(reader: RowReader, rows: Iterable[RosterRow], needs: Needs) -> list[RosterEntry]:
    """Entries of a file with one player per row, put together by team number or team name.

    A blank team cell continues the team above, as long as that has room. Rows of one name that stand apart
    are one team, unless they are too many and each block by itself is a team: then the name occurs twice.
    """
    blocks: list[_Team] = []
    keys: list[str] = []
    for row in rows:
        key = row.team_number or row.team
        if not key and blocks and len(blocks[-1].members) < needs.most:
            blocks[-1].members.append(row)
        elif not key:
            reader.report("team_missing", row.number, reader.team_index())
        elif keys and keys[-1] == comparable(key):
            blocks[-1].members.append(row)
            blocks[-1].name = blocks[-1].name or row.team
        else:
            keys.append(comparable(key))
            blocks.append(_Team(row.team, [row]))
    entries = [_shared_entry(reader, team, needs) for team in _put_together(blocks, keys, needs)]
    return sorted((entry for entry in entries if entry is not None), key=lambda entry: entry.rows[0])


def _put_together(blocks: list[_Team], keys: list[str], needs: Needs) -> list[_Team]:
    by_key: dict[str, list[_Team]] = {}
    for key, block in zip(keys, blocks, strict=True):
        by_key.setdefault(key, []).append(block)
    teams: list[_Team] = []
    for same in by_key.values():
        together = [row for block in same for row in block.members]
        apart = all(needs.fewest <= len(block.members) <= needs.most for block in same)
        if len(together) > needs.most and apart:
            teams += same
        else:
            teams.append(_Team(next((block.name for block in same if block.name), ""), together))
    return teams


def _shared_entry(reader: RowReader, team: _Team, needs: Needs) -> RosterEntry | None:
    players: list[Player] = []
    club = ""
    for row in team.members:
        player = row.players[0]
        if not player.name and not player.broken_name:
            reader.report("player_missing", row.number, player.name_index, str(len(players) + 1))
        if len(players) == needs.most:
            reader.report("too_many_players", row.number, player.name_index, str(needs.most))
        if row.club and club and comparable(row.club) != comparable(club):
            reader.report("club_differs", row.number, reader.club_index())
        club = club or row.club
        players.append(Player(player.name, player.phone))
    if len(players) < needs.fewest:
        last = team.members[-1]
        reader.report("player_missing", last.number, last.players[0].name_index, str(len(players) + 1))
    return entry_of(team.name, club, tuple(players), (row.number for row in team.members))
