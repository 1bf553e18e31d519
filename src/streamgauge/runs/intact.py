"""Read the run.json of a saved run that is intact: its fields and all its files."""

from __future__ import annotations

from pathlib import Path

from streamgauge._support.errors import InputError
from streamgauge.runs.directories import RUN_FILE
from streamgauge.runs.document import RunDocument, read_document
from streamgauge.runs.integrity import REMEDY, check_files, check_id


def read_intact(directory: Path, run_id: str | None = None, quick: bool = False) -> RunDocument:
    """Read run.json; raise an error unless it and all files of the run are as they were written.

    `run_id` is the id that the run must have. `quick` is that of `integrity.check_files`.
    """
    document = read_document(directory)
    check_id(directory / RUN_FILE, document.id, run_id)
    check_files(directory / RUN_FILE, document.files, REMEDY, quick)
    return document


def damage_of_fields(directory: Path, run_id: str | None = None) -> str | None:
    """Why a saved run cannot be used, as `integrity.damage`, but after reading every field too."""
    try:
        read_intact(directory, run_id)
    except InputError as error:
        return str(error)
    return None
