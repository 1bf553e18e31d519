"""Open a table file: its format by the ending of its name."""

from __future__ import annotations

from pathlib import Path

from streamgauge._support.errors import InputError, UsageError, shown
from streamgauge._support.file_stamp import FileStamp
from streamgauge.streams.formats.file_format import (
    COMPRESSED,
    endings_of,
    format_named,
    format_of,
)
from streamgauge.streams.formats.table import TableFile

_OTHERS = "csv"  # the format of files with any other ending


def open_table(path: str | Path) -> TableFile:
    """Open a file by its ending; one that no format has is CSV. Text may be compressed."""
    if not isinstance(path, str | Path):
        raise UsageError(f"expected the path of a file, got {type(path).__name__}: {shown(path)}")
    path = Path(path)
    if not _is_utf_8(path):
        raise InputError(
            f"{path}: the file's name is not UTF-8; rename it, or use a UTF-8 locale, such as "
            "LC_ALL=C.UTF-8"
        )
    packed = path.suffix.lower() in COMPRESSED
    found = format_of(path.stem if packed else path.name) or format_named(_OTHERS)
    stamp = FileStamp(path, _expected())
    if found.table is None:
        raise UsageError(
            f"{path}: only a monitor reads files of the format {found.name!r}; expected a file "
            f"that ends in {', '.join(endings_of('table'))}: convert it"
        )
    return found.table(stamp)


def _expected() -> str:
    endings = ", ".join(endings_of("table", only_ours=True))
    return f"a file ({endings}, also .csv.gz) or the name of a data set such as elec2"


def _is_utf_8(path: Path) -> bool:
    """Whether Arrow can open it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True
