"""被退回的行: the rows of a roster file that an import would not take, as a workbook to correct and import again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chalicelib.gateways.spreadsheets import Workbook, write_workbook
from chalicelib.services import imports
from chalicelib.services.exports import Language, rejected_sheet
from chalicelib.services.finding import known_event
from chalicelib.services.privacy.keys import demanded
from chalicelib.services.problems import Problem
from chalicelib.services.roster import Correction
from chalicelib.services.world import World

FILE_NAMES: Final[dict[Language, str]] = {"zh": "被退回的行.xlsx", "en": "rejected rows.xlsx"}


def of_file(
    world: World,
    event_id: str,
    content: str,
    columns: dict[str, str] | None,
    corrections: Sequence[Correction],
    language: Language,
    digits: str,
) -> bytes:
    """The rejected rows of a file (base64) that is checked again for it: nothing of them is kept anywhere.

    Raises event_ended, bad_value, too_large, nothing_rejected; of an encrypted event digits_needed and digits_wrong.
    """
    demanded(world, known_event(event_id)[0], digits)
    found = workbook(imports.check(world, event_id, imports.decoded(content), columns, corrections), language)
    if found is None:
        raise Problem("nothing_rejected")
    return found


def workbook(checked: imports.Checked, language: Language) -> bytes | None:
    """The rejected rows of a file that was checked; None if there are none, or it is no table at all."""
    sheets, faults = checked.sheets, checked.report.faults
    if not isinstance(sheets, tuple) or not sheets or not any(fault.row for fault in faults):
        return None
    sheet = next((each for each in sheets if each.name == checked.read.sheet), sheets[0])
    return write_workbook(Workbook((rejected_sheet(sheet, checked.read, faults, language),)))
