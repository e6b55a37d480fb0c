"""Faults 问题 of a roster: a stable code, the place, a sentence in both languages."""

from collections.abc import Iterable
from itertools import islice
from typing import Final

import msgspec

from chalicelib.gateways.spreadsheets import FileFault

# code -> (Chinese, English); {cell} is the cell as spreadsheets name it, {detail} what makes the fault concrete.
SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "digits_lost": (
        "{cell}：科学计数法丢失了数字（{detail}），请把这一列设为文本后重新填写。",
        "{cell}: digits were lost to scientific notation ({detail}); format the column as text and type it again.",
    ),
    "phone_length": (
        "{cell}：手机号应为 11 位数字，这里是 {detail} 位。",
        "{cell}: a phone number has 11 digits, this one has {detail}.",
    ),
    "phone_not_mobile": ("{cell}：手机号应以 1 开头。", "{cell}: a mobile number begins with 1."),
    "phone_characters": (
        "{cell}：手机号里有不是数字的字符。",
        "{cell}: the phone number holds characters that are not digits.",
    ),
    "phone_several": (
        "{cell}：一个单元格里有多个手机号，只能留一个。",
        "{cell}: several phone numbers in one cell; keep one.",
    ),
    "phone_date": (
        "{cell}：手机号单元格是日期格式，请设为文本后重新填写。",
        "{cell}: the phone cell holds a date; format it as text and type the number again.",
    ),
    "phone_duplicate": (
        "{cell}：与第 {detail} 行的手机号相同。",
        "{cell}: the same phone number stands in row {detail}.",
    ),
    "date_instead_of_text": (
        "{cell}：这里是日期，不是文字；可能被表格软件自动改写，请设为文本后重新填写。",
        "{cell}: a date stands here instead of text; the program may have changed it, format the cell as text.",
    ),
    "cell_error": (
        "{cell}：单元格是错误值 {detail}。",
        "{cell}: the cell shows the error {detail}.",
    ),
    "formula_without_value": (
        "{cell}：公式没有保存结果，请在 Excel 或 WPS 里打开并保存，或粘贴为数值。",
        "{cell}: the formula was saved without its result; open and save the file, or paste the value.",
    ),
    "control_characters": (
        "{cell}：含有不可见的控制字符，请重新输入。",
        "{cell}: holds invisible control characters; type it again.",
    ),
    "too_long": ("{cell}：超过 {detail} 个字。", "{cell}: longer than {detail} characters."),
    "player_missing": ("{cell}：缺少第 {detail} 名选手的姓名。", "{cell}: the name of player {detail} is missing."),
    "too_many_players": (
        "{cell}：这支队伍已有 {detail} 名选手，不能再加。",
        "{cell}: this team already has {detail} players.",
    ),
    "team_missing": (
        "{cell}：缺少队名或队号，不知道属于哪一队。",
        "{cell}: no team name or number, so the team is unknown.",
    ),
    "club_missing": ("{cell}：缺少团体。", "{cell}: the club is missing."),
    "club_differs": (
        "{cell}：与同队其他选手的团体不同。",
        "{cell}: differs from the club of the same team's other players.",
    ),
    "club_duplicate": ("{cell}：与第 {detail} 行的团体相同。", "{cell}: the same club stands in row {detail}."),
    "no_heading": (
        "找不到表头行；需要一行写明“姓名”“手机号”等列名，也可以手工指定各列。",
        "No heading row was found; one row must name the columns, or choose the columns by hand.",
    ),
    "no_player_column": ("没有选手姓名列。", "There is no column with players' names."),
    "no_partner_column": (
        "每队需要 {detail} 名选手，但只找到一列姓名，也没有队名或队号列。",
        "Each team needs {detail} players, but there is one column of names and no team name or number.",
    ),
    "no_club_column": ("没有“团体名称”列。", "There is no column with the names of the clubs."),
    "no_rows": ("表头下面没有数据。", "There are no rows under the heading."),
    "bad_mapping": ("指定的列不成立：{detail}。", "The chosen columns do not work: {detail}."),
}


MOST_OTHERS = 5
"""Other rows that the sentence of a duplicate names: it must not grow with the number of its likes."""


class Fault(msgspec.Struct, frozen=True):
    """What is wrong, and where: `row` from 1 and the heading of `column`; None and "" for the whole file."""

    row: int | None
    column: str
    code: str
    message_zh: str
    message_en: str


def fault(code: str, row: int | None = None, column: str = "", cell: str = "", detail: str = "") -> Fault:
    """The fault of one place with its sentences filled in."""
    chinese, english = SENTENCES[code]
    return Fault(row, column, code, chinese.format(cell=cell, detail=detail), english.format(cell=cell, detail=detail))


def other_rows(rows: Iterable[int], own: int) -> str:
    """The first of ``rows`` besides ``own``, as a sentence names them; looks at no more than it names."""
    return ", ".join(map(str, islice((row for row in rows if row != own), MOST_OTHERS)))


def fault_of_file(file: FileFault) -> Fault:
    """A file that could not be read at all, told like every other fault."""
    return Fault(None, "", file.code, file.message_zh, file.message_en)
