"""Reading .csv files: encoding and delimiter are found out, quotation marks must match."""

import csv
import re
from collections import Counter
from itertools import islice

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.faults import Unreadable
from chalicelib.gateways.spreadsheets.sheet import CellValue, Sheet, SheetRow

DELIMITERS = (",", "\t", ";", "|")
SAMPLE_ROWS = 50
SAMPLE_CHARACTERS = 100_000
BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
SEPARATOR_LINE = re.compile(r"\A\s*\"?sep=(.)\"?\s*(?:\r\n|\r|\n)", re.IGNORECASE)
# Two Chinese characters in UTF-8; GB18030 text hardly ever forms a whole line of valid UTF-8.
CHINESE_IN_UTF8 = re.compile(rb"(?:[\xe4-\xe9][\x80-\xbf]{2}){2}")


def read_delimited(data: bytes) -> tuple[Sheet, ...]:
    """The one sheet of a .csv file; every cell is text. Raises `Unreadable`."""
    text = decode(data)
    skipped = 0
    separator = SEPARATOR_LINE.match(text)
    if separator:  # Excel's own hint line; it is row 1 of the file, but no data
        delimiter, text, skipped = separator.group(1), text[separator.end() :], 1
    else:
        delimiter = guess_delimiter(text)
    return (Sheet("", _rows(text, delimiter, skipped)),)


def decode(data: bytes) -> str:
    """Text of a file in UTF-8 (with or without byte order mark), UTF-16 with one, or GB18030."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return _without_nul(data[len(mark) :].decode(encoding))
            except UnicodeDecodeError as error:
                raise Unreadable("unknown_encoding") from error
    if b"\0" in data:
        raise Unreadable("binary_file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    _refuse_mixed_encodings(data)
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError as error:
        raise Unreadable("unknown_encoding") from error


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise Unreadable("binary_file")
    return text


def _refuse_mixed_encodings(data: bytes) -> None:
    """Files pasted together from two sources would decode into wrong names without any error."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not CHINESE_IN_UTF8.search(line):
            continue
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            continue
        raise Unreadable("mixed_encoding", str(number))


def guess_delimiter(text: str) -> str:
    """The delimiter that cuts most of the first rows into the same number of fields, more than one."""
    lines = text[:SAMPLE_CHARACTERS].splitlines()
    best, best_score = ",", (0.0, 0)
    for delimiter in DELIMITERS:
        try:
            sample = islice(csv.reader(lines, delimiter=delimiter), SAMPLE_ROWS)
            widths = [len(row) for row in sample if row]
        except csv.Error:
            continue
        several = Counter(width for width in widths if width > 1)
        if not several:
            continue
        width, rows = max(several.items(), key=lambda item: (item[1], item[0]))
        score = (rows / len(widths), width)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(text: str, delimiter: str, skipped: int) -> tuple[SheetRow, ...]:
    # splitlines() would also break at U+2028 and form feeds inside a cell; csv wants real line ends only.
    reader = csv.reader(re.split(r"(?<=\n)|(?<=\r)(?!\n)", text), delimiter=delimiter, strict=True)
    rows: list[SheetRow] = []
    number = skipped
    try:
        for record in reader:
            number += 1
            values: list[CellValue] = [cell[: limits.MAX_CELL_CHARACTERS] if cell.strip() else None for cell in record]
            while values and values[-1] is None:
                values.pop()
            if not values:
                continue
            if len(values) > limits.MAX_COLUMNS:
                raise Unreadable("too_many_columns")
            if len(rows) == limits.MAX_ROWS:
                raise Unreadable("too_many_rows")
            rows.append(SheetRow(number, tuple(values)))
    except csv.Error as error:
        raise Unreadable("broken_csv", str(number + 1)) from error
    return tuple(rows)
