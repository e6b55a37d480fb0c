"""名单 of a ladder: who is posted at all. A line is a name and a phone; only who the phone stands for is kept, and its
masked form, by which administrators tell two of the same name apart."""

from __future__ import annotations

import msgspec

from chalicelib.gateways.spreadsheets import MAX_FILE_BYTES, read_sheets
from chalicelib.services import phones
from chalicelib.services.ladders.following import outdate
from chalicelib.services.ladders.known import known_ladder, open_season, season_of
from chalicelib.services.ladders.managing import save
from chalicelib.services.ladders.reading import view
from chalicelib.services.names import cleaned
from chalicelib.services.once import AlreadyDone, Once
from chalicelib.services.problems import Problem
from chalicelib.services.roster import needs_of, read_roster
from chalicelib.services.views.entries import RosterFault
from chalicelib.services.views.ladders import LadderMemberReport, LadderMembers, LadderView, ListedMember
from chalicelib.services.world import World
from chalicelib.store.ladders import MEMBERS, Ladder, Member, members_of, packed, season_key
from chalicelib.store.transaction import Transaction

MOST_MEMBERS = 5000
MOST_BYTES = 300_000
"""Of the packed list: an item of the store holds 400 kB."""
MOST_FAULTS = 500
_NO_PHONE = (
    "第 {row} 行没有手机号，天梯只能凭手机号认人。",
    "Row {row} has no phone: a ladder knows people by their phones alone.",
)
_TOO_MANY = ("名单最多 {most} 人。", "A list has at most {most} members.")


def read(ladder_id: str) -> LadderMembers:
    """The list of the latest season. Raises ladder_not_found."""
    ladder = known_ladder(ladder_id)
    season = season_of(ladder, None)
    members = [] if season is None else members_of(ladder_id, season.number)
    return LadderMembers(view(ladder), [_listed(member) for member in members])


def add(world: World, ladder_id: str, name: str, phone: str, actor: str, call_once: Once) -> LadderView:
    """One more member, or another name for one who is listed. Raises ladder_not_found, season_closed, bad_phone,
    bad_value, too_large, stale_version."""
    member = _member(world, cleaned(name, "name"), phones.normalise(phone))
    ladder, members = _open(ladder_id)
    after = [each for each in members if each.person != member.person]
    return _save(world, ladder, [*after, member], "ladder.add_member", actor, call_once)


def remove(world: World, ladder_id: str, person: str, actor: str, call_once: Once) -> LadderView:
    """One member less. Raises ladder_not_found, season_closed, ladder_member_not_found, stale_version."""
    ladder, members = _open(ladder_id)
    after = [each for each in members if each.person != person]
    if len(after) == len(members):
        raise Problem("ladder_member_not_found")
    return _save(world, ladder, after, "ladder.remove_member", actor, call_once)


def restrict(world: World, ladder_id: str, version: int, restricted: bool, actor: str, call_once: Once) -> LadderView:
    """Post members of the list only, or everybody. Raises ladder_not_found, season_closed, stale_version."""
    ladder, members = _open(ladder_id)
    if int(ladder.version) != version:
        raise Problem("stale_version", current=msgspec.to_builtins(view(ladder)))
    ladder.restricted = restricted
    return _save(world, ladder, members, "ladder.restrict" if restricted else "ladder.open", actor, call_once)


def run_import(
    world: World, ladder_id: str, data: bytes, commit: bool, version: int, actor: str, call_once: Once
) -> LadderMemberReport:
    """Check a list out of a file (姓名, 手机) and, with ``commit``, put it in place of the ladder's as it was at
    ``version``; the ladder is restricted to it from then on.

    Raises ladder_not_found, season_closed, too_large; on commit also roster_faults with the report, stale_version.
    """
    if commit and (given := call_once.earlier_reply()) is not None:
        raise AlreadyDone(given)
    ladder, before = _open(ladder_id)
    if len(data) > MAX_FILE_BYTES:
        raise Problem("too_large", "content", limit=f"{MAX_FILE_BYTES // 1024 // 1024} MB")
    members, report = _read_file(world, ladder, before, data)
    if not commit:
        return report
    if report.faults:
        raise Problem("roster_faults", current=msgspec.to_builtins(report), count=report.wrong)
    if int(ladder.version) != version:
        raise Problem("stale_version", current=msgspec.to_builtins(view(ladder)))
    ladder.restricted = True
    done = msgspec.structs.replace(report, committed=True, version=version + 1, members=[])
    _save(world, ladder, members, "ladder.import_members", actor, call_once, reply=done)
    return done


def _read_file(
    world: World, ladder: Ladder, before: list[Member], data: bytes
) -> tuple[list[Member], LadderMemberReport]:
    found = read_roster(read_sheets(data), needs_of("individual"))
    faults = [
        RosterFault(each.row or 0, each.column, each.code, each.message_zh, each.message_en) for each in found.faults
    ]
    members: list[Member] = []
    for entry in found.entries:
        for player in entry.players:
            if not player.phone:
                row = entry.rows[0]
                zh, en = (sentence.format(row=row) for sentence in _NO_PHONE)
                faults.append(RosterFault(row, "", "member_phone_missing", zh, en))
            else:
                members.append(_member(world, player.name, player.phone))
    if not _fits(members):
        zh, en = (sentence.format(most=MOST_MEMBERS) for sentence in _TOO_MANY)
        faults.append(RosterFault(0, "", "too_many_members", zh, en))
    kept = {member.person for member in members}
    report = LadderMemberReport(
        committed=False,
        version=int(ladder.version),
        rows_seen=found.rows_seen,
        members=[_listed(member) for member in members[:MOST_MEMBERS]],
        gone=sum(member.person not in kept for member in before),
        faults=faults[:MOST_FAULTS],
        wrong=len(faults),
    )
    return members, report


def _save(
    world: World,
    ladder: Ladder,
    members: list[Member],
    action: str,
    actor: str,
    call_once: Once,
    reply: LadderMemberReport | None = None,
) -> LadderView:
    if not _fits(members):
        raise Problem("too_large", limit=f"{MOST_MEMBERS}")
    season = open_season(ladder)
    assert season is not None
    ladder.members = len(members)

    def put(work: Transaction) -> None:
        work.put(packed(season_key(ladder.sk, season.number), MEMBERS, members))
        outdate(work, world, ladder.sk, season.number, actor)

    kept = None if reply is None else lambda _: reply
    return save(world, ladder, action, actor, call_once, also=put, details={"members": len(members)}, reply=kept)


def _open(ladder_id: str) -> tuple[Ladder, list[Member]]:
    ladder = known_ladder(ladder_id)
    season = open_season(ladder)
    if season is None:
        raise Problem("season_closed")
    return ladder, members_of(ladder_id, season.number)


def _fits(members: list[Member]) -> bool:
    return len(members) <= MOST_MEMBERS and len(packed("", "", members).body) <= MOST_BYTES


def _member(world: World, name: str, phone: str) -> Member:
    return Member(phones.person_of(world, phone), name, phones.mask(phone))


def _listed(member: Member) -> ListedMember:
    return ListedMember(member.person, member.name, member.phone)
