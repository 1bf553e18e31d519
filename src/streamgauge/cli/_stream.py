"""How verbs find their data: a data set of the catalog, or a file and its columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    from streamgauge.streams.base import Stream

_USUAL_TARGETS = ("target", "class", "label", "y")


def check_task(task: str | None) -> None:
    """What --task may be."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"--task {task}: it is classification or regression")


def find_stream(data: str, columns: dict[str, Any], variant: str | None = None) -> Stream:
    """By name, or from a file with its columns as the options say."""
    from streamgauge.streams.datasets.catalog import is_card, known, load
    from streamgauge.streams.files import read
    from streamgauge.streams.generators.tenet import PREFIX, tenet_by_text

    by_name = data in known() and (columns["target"] is None or not Path(data).exists())
    made_up = data.startswith(PREFIX)
    meant = data.isidentifier() and not columns["target"] and not Path(data).exists()
    if by_name or made_up or meant or is_card(data):
        given = [f"--{name}" for name, value in columns.items() if value]
        if given:
            raise UsageError(f"{data} is a data set of known columns; leave out {' '.join(given)}")
        if not made_up:
            return load(data, variant)
    if variant is not None:
        kind = "is made up" if made_up else "is a file"
        raise UsageError(f"--variant {variant} is of a data set by name, and {data} {kind}")
    if made_up:
        return tenet_by_text(data)
    target = find_target(data, columns.pop("target"))
    return read(data, target, **{name: value for name, value in columns.items() if value})


def find_target(data: str, named: str | None) -> str:
    """The label's column: as named, or by its name."""
    from streamgauge.streams.formats.open import open_table

    if named is not None:
        return named
    usual = [name for name in open_table(data).names if name.lower() in _USUAL_TARGETS]
    if len(usual) != 1:
        raise UsageError(f"{data}: name the label's column with --target")
    return usual[0]
