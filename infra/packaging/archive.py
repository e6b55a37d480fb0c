"""A zip that depends on its contents only: equal files give an equal SHA-256."""

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

_NO_TIME = (1980, 1, 1, 0, 0, 0)
_ANYBODY_READS = 0o100644 << 16


def read(archive: Path) -> dict[str, bytes]:
    """All files of a zip by name."""
    with zipfile.ZipFile(archive) as opened:
        return {entry.filename: opened.read(entry) for entry in opened.infolist() if not entry.is_dir()}


def names(archive: Path) -> list[str]:
    """The names of all files of a zip."""
    with zipfile.ZipFile(archive) as opened:
        return opened.namelist()


def write(files: Mapping[str, bytes], directory: Path) -> Path:
    """Write the files in the order of their names, without times; the zip's name is its own SHA-256 and `.zip`."""
    directory.mkdir(parents=True, exist_ok=True)
    draft = directory / "draft.zip"
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as opened:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.external_attr = _ANYBODY_READS
            entry.compress_type = zipfile.ZIP_DEFLATED
            opened.writestr(entry, files[name])
    return draft.replace(directory / f"{hashlib.sha256(draft.read_bytes()).hexdigest()}.zip")
