"""Opens the source that a configuration names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from streamgauge._support.errors import UsageError
from streamgauge.monitoring.sources.base import Source
from streamgauge.monitoring.sources.folder import FORMATS, Folder
from streamgauge.monitoring.sources.growing_file import GrowingFile
from streamgauge.monitoring.sources.lines import PARSERS
from streamgauge.monitoring.sources.standard_input import StandardInput

STANDARD_INPUT = "-"


def open_source(
    path: str, form: str | None, columns: Sequence[str], home: Path, repeats: bool
) -> Source:
    """A source by its path, relative to `home`: a file, a folder, or "-" for standard input.

    `form` says how lines are written, by default by the ending of the name; `repeats`, whether
    standard input sends everything again after a restart.
    """
    if path == STANDARD_INPUT:
        return StandardInput(PARSERS[form or "csv"](columns, "standard input"), repeats)
    place = home / path
    kind = form or FORMATS.get(place.suffix)
    if place.is_dir() or (kind is None and not place.suffix):
        return Folder(place, columns)
    if kind is None or kind == "parquet":
        hint = "name the folder that holds the Parquet files" if kind else "say format = 'csv'"
        raise UsageError(
            f"{path}: expected a file that grows line by line (.csv or .jsonl), a folder, or '-' "
            f"for standard input; {hint}"
        )
    if place.exists() and not place.is_file():
        raise UsageError(
            f"{path}: expected a file or a folder, found a pipe or a device; name '-' and send the "
            "lines to standard input"
        )
    return GrowingFile(place, PARSERS[kind](columns, str(place)))
