"""Opens the stream that a verb works on: a catalog data set, a TENET stream, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    from streamgauge.streams.base import Stream

_USUAL_TARGETS = ("target", "class", "label", "y")


def check_task(task: str | None) -> None:
    """Check the value of --task."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"--task {task}: expected classification or regression")


def open_stream(data: str, columns: dict[str, Any], variant: str | None = None) -> Stream:
    """Open a stream by name, or a file with the columns that the options name."""
    from streamgauge.streams.datasets.catalog import dataset_names, is_card_path, load
    from streamgauge.streams.files import read
    from streamgauge.streams.generators.tenet import PREFIX, tenet_by_text

    is_file = Path(data).exists()
    in_catalog = data in dataset_names() and (columns["target"] is None or not is_file)
    generated = data.startswith(PREFIX)
    misspelt = data.isidentifier() and not columns["target"] and not is_file
    if in_catalog or generated or misspelt or is_card_path(data):
        given = [f"--{name}" for name, value in columns.items() if value]
        if given:
            raise UsageError(f"{data} is a data set with fixed columns; remove {' '.join(given)}")
        if not generated:
            return load(data, variant)
    if variant is not None:
        kind = "a generated stream" if generated else "a file"
        raise UsageError(f"--variant {variant}: only data sets have variants, and {data} is {kind}")
    if generated:
        return tenet_by_text(data)
    target = find_target(data, columns.pop("target"))
    return read(data, target, **{name: value for name, value in columns.items() if value})


def find_target(data: str, target: str | None) -> str:
    """The label column: the one given, or the only column with a usual name."""
    from streamgauge.streams.formats.open import open_table

    if target is not None:
        return target
    usual = [name for name in open_table(data).names if name.lower() in _USUAL_TARGETS]
    if len(usual) != 1:
        raise UsageError(f"{data}: cannot tell which column is the label; name it with --target")
    return usual[0]
