"""The one door for uploaded spreadsheets: bytes in, sheets or one fault out."""

from chalicelib.gateways.spreadsheets import limits
from chalicelib.gateways.spreadsheets.delimited import read_delimited
from chalicelib.gateways.spreadsheets.excel import read_excel
from chalicelib.gateways.spreadsheets.faults import FileFault, Unreadable
from chalicelib.gateways.spreadsheets.sheet import Sheet

ZIP = b"PK\x03\x04"
COMPOUND_DOCUMENT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
OLD_WORKBOOK_STREAMS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))
OTHER_FORMATS = (
    b"%PDF",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"Rar!",
    b"7z\xbc\xaf",
    b"\x1f\x8b",
    b"{\\rtf",
    b"PK\x05\x06",
)
WEB_PAGE_STARTS = (b"<!doctype html", b"<html", b"<table", b"<meta", b"<head", b"<style")


def read_sheets(data: bytes) -> tuple[Sheet, ...] | FileFault:
    """Read an uploaded .xlsx or .csv file.

    The content decides what it is, not the name. Gives the visible sheets that have rows (a .csv file
    is one sheet), or the reason why the file is refused; no exception leaves this function.
    """
    try:
        sheets = tuple(sheet for sheet in _read(data) if sheet.rows)
        if not sheets:
            raise Unreadable("no_rows")
    except Unreadable as unreadable:
        return unreadable.fault()
    return sheets


def _read(data: bytes) -> tuple[Sheet, ...]:
    if not data:
        raise Unreadable("file_empty")
    if len(data) > limits.MAX_FILE_BYTES:
        raise Unreadable("file_too_large")
    if data.startswith(ZIP):
        return read_excel(data)
    if data.startswith(COMPOUND_DOCUMENT):
        if ENCRYPTED_STREAM in data:
            raise Unreadable("encrypted")
        old = any(stream in data for stream in OLD_WORKBOOK_STREAMS)
        raise Unreadable("old_xls" if old else "unsupported_format")
    if data.startswith(OTHER_FORMATS):
        raise Unreadable("unsupported_format")
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if start.startswith(WEB_PAGE_STARTS):
        raise Unreadable("web_page")
    if start.startswith(b"<?xml"):  # "XML Spreadsheet 2003" and web pages with an XML declaration
        raise Unreadable("web_page" if b"<html" in start else "unsupported_format")
    return read_delimited(data)
