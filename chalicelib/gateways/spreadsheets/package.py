"""The zip package of an .xlsx file: looked through and bounded before any library parses it.

A workbook is a zip archive of XML parts. openpyxl trusts both, so each part is first run through a bare
expat parser that counts what costs memory or time; what openpyxl gets to see is a new archive in memory
that holds exactly the parts that passed.
"""

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass, field
from xml.parsers import expat

import msgspec

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.faults import Unreadable
from chalicelib.gateways.spreadsheets.sheet import MergedCells

STRICT_NAMESPACE = "http://purl.oclc.org/ooxml/"
ENCRYPTED_FLAG = 0x1
CELL_ELEMENTS = frozenset({"row", "c", "v", "f", "is", "si", "t", "r"})
XML_ENDINGS = (".xml", ".rels")


@dataclass
class PartContents:
    """What one XML part holds, as far as openpyxl's read-only mode would not tell."""

    root: str = ""
    namespace: str = ""
    sheets: list[tuple[str, str]] = field(default_factory=list)  # (name, relationship id)
    relationships: dict[str, str] = field(default_factory=dict)  # id -> target
    merged: list[MergedCells] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    formulas_without_value: dict[int, list[int]] = field(default_factory=dict)  # row -> columns
    last_column: int = 1  # the last one that holds a value or a formula


class CheckedPackage(msgspec.Struct, frozen=True):
    """A workbook that passed: the archive to parse, and the contents of its sheets by sheet name."""

    archive: io.BytesIO
    sheets: dict[str, PartContents]


class ElementBudget:
    """How many XML elements all parts of one package may still hold together."""

    def __init__(self) -> None:
        self._left = limits.MAX_XML_ELEMENTS
        self._others_left = limits.MAX_OTHER_ELEMENTS

    def spend(self, name: str) -> None:
        self._left -= 1
        if name not in CELL_ELEMENTS:
            self._others_left -= 1
        if self._left < 0 or self._others_left < 0:
            raise Unreadable("too_complex")


def column_and_row(reference: str) -> tuple[int, int]:
    """`"AB12"` -> (28, 12); (0, 0) for anything else."""
    letters = reference.rstrip("0123456789")
    digits = reference[len(letters) :]
    if not (letters.isascii() and letters.isalpha() and len(letters) <= 3 and 0 < len(digits) <= 7):
        return 0, 0
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column, int(digits)


class PartInspector:
    """Reads one XML part with expat, refuses what is dangerous, notes what the reader needs."""

    def __init__(self, budget: ElementBudget) -> None:
        self.contents = PartContents()
        self._budget = budget
        self._depth = 0
        self._counts = {"si": 0, "xf": 0}
        self._row = 0
        self._column = 0
        self._cells_in_row = 0
        self._has_formula = False
        self._has_value = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        # A package may not hold document types at all (ECMA-376 part 2), which rules out entity bombs.
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type
        self._parser.XmlDeclHandler = self._check_declaration

    def feed(self, chunk: bytes, last: bool) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            raise Unreadable("broken_workbook") from error

    def _refuse_document_type(self, *_: object) -> None:
        raise Unreadable("forbidden_xml")

    def _check_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        # Single-byte code pages can spell markup in bytes that nobody expects.
        if encoding is not None and encoding.lower() not in {"utf-8", "utf-16", "us-ascii", "ascii"}:
            raise Unreadable("forbidden_xml")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        self._budget.spend(name)
        self._depth += 1
        if self._depth > limits.MAX_XML_DEPTH:
            raise Unreadable("too_complex")
        if self._depth == 1:
            self.contents.root, self.contents.namespace = name, namespace
        if name == "c":
            self._start_cell(attributes)
        elif name == "f":
            self._has_formula = True
        elif name in {"v", "is"}:
            self._has_value = True
        elif name == "row":
            self._start_row(attributes)
        elif name == "mergeCell":
            self._merge(attributes.get("ref", ""))
        elif name in self._counts:
            self._counts[name] += 1
            if self._counts["si"] > limits.MAX_SHARED_STRINGS or self._counts["xf"] > limits.MAX_CELL_FORMATS:
                raise Unreadable("too_complex")
        elif name == "sheet" and self.contents.root == "workbook":
            self._sheet(attributes)
        elif name == "Relationship":
            self.contents.relationships[attributes.get("Id", "")] = attributes.get("Target", "")
        elif name in {"Override", "Default"} and "macroenabled" in attributes.get("ContentType", "").lower():
            raise Unreadable("macros")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        if (self._has_value or self._has_formula) and tag.endswith(" c"):
            self._end_used_cell()

    def _start_row(self, attributes: dict[str, str]) -> None:
        number = attributes.get("r")
        following = self._row + 1
        if number is not None:
            if not (number.isascii() and number.isdecimal() and len(number) <= 7):
                raise Unreadable("broken_workbook")
            following = int(number)
        # openpyxl passes over rows that go back; that would lose players without a word.
        if following <= self._row or following > limits.LAST_ROW_NUMBER:
            raise Unreadable("broken_workbook")
        self._row = following
        self._column = 0
        self._cells_in_row = 0
        if attributes.get("hidden") in {"1", "true"}:
            self.contents.hidden_rows.add(following)

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._cells_in_row += 1
        if self._cells_in_row > limits.MAX_CELLS_PER_ROW:
            raise Unreadable("too_complex")
        column, _ = column_and_row(attributes.get("r", ""))
        self._column = column or self._column + 1
        self._has_formula = self._has_value = False

    def _end_used_cell(self) -> None:
        if self._column > limits.MAX_COLUMNS:
            raise Unreadable("too_many_columns")
        self.contents.last_column = max(self.contents.last_column, self._column)
        if not self._has_value:
            self.contents.formulas_without_value.setdefault(self._row, []).append(self._column)
        self._has_value = self._has_formula = False

    def _merge(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        first_column, first_row = column_and_row(first)
        last_column, last_row = column_and_row(last)
        if not (0 < first_row <= last_row and 0 < first_column <= last_column):
            return
        self.contents.merged.append(MergedCells(first_row, first_column, last_row, last_column))
        if len(self.contents.merged) > limits.MAX_MERGED_CELLS:
            raise Unreadable("too_complex")

    def _sheet(self, attributes: dict[str, str]) -> None:
        identifier = next((value for key, value in attributes.items() if key.endswith(" id")), "")
        self.contents.sheets.append((attributes.get("name", ""), identifier))


def check_package(data: bytes) -> CheckedPackage:
    """Look through the zip archive of a workbook.

    Raises `Unreadable` with the code of what is wrong: another kind of file, macros, a password, too
    large or too intricate when unpacked, forbidden declarations, damage.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            _check_kind(parts)
            return _checked(archive, parts)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise Unreadable("broken_workbook") from error


def _check_kind(parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename.lower() for part in parts}
    if any(part.flag_bits & ENCRYPTED_FLAG for part in parts):
        raise Unreadable("encrypted")
    if any(name.endswith("vbaproject.bin") for name in names):
        raise Unreadable("macros")
    if any(name.endswith("xl/workbook.bin") for name in names):
        raise Unreadable("binary_workbook")
    if "[content_types].xml" not in names or not any(name.startswith("xl/") for name in names):
        raise Unreadable("unsupported_format")
    if len(parts) > limits.MAX_PACKAGE_PARTS:
        raise Unreadable("too_complex")
    if len(names) != len(parts):  # two parts of one name: programs disagree about which one counts
        raise Unreadable("broken_workbook")
    if sum(part.file_size for part in parts) > limits.MAX_UNPACKED_BYTES:
        raise Unreadable("unpacks_too_large")


def _checked(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> CheckedPackage:
    passed = io.BytesIO()
    contents: dict[str, PartContents] = {}
    budget = ElementBudget()
    with zipfile.ZipFile(passed, "w", zipfile.ZIP_STORED) as copy:
        for part in parts:
            # Pictures, printer settings and the like are never parsed, so they are left behind.
            if not part.filename.lower().endswith(XML_ENDINGS):
                continue
            inspector = PartInspector(budget)
            # zipfile never gives more bytes than the directory declares, and that sum is bounded above.
            text = archive.read(part)
            inspector.feed(text, last=True)
            contents[part.filename] = inspector.contents
            copy.writestr(part.filename, text)
    passed.seek(0)
    return CheckedPackage(passed, _sheets_by_name(contents))


def _sheets_by_name(contents: dict[str, PartContents]) -> dict[str, PartContents]:
    """The contents of each sheet under the name on its tab, found as openpyxl finds them."""
    found: dict[str, PartContents] = {}
    for path, part in contents.items():
        if part.root != "workbook":
            continue
        if part.namespace.startswith(STRICT_NAMESPACE):
            raise Unreadable("strict_workbook")
        folder, file = posixpath.split(path)
        relationships = contents.get(f"{folder}/_rels/{file}.rels", PartContents()).relationships
        for name, identifier in part.sheets:
            if name in found:  # what was found out about one would be taken for the other
                raise Unreadable("broken_workbook")
            target = relationships.get(identifier, "")
            sheet_path = target[1:] if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            if sheet_path in contents:
                found[name] = contents[sheet_path]
    return found
