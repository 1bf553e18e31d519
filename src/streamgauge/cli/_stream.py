"""Opens the stream that a verb works on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    from streamgauge.streams.base import Stream


def check_task(task: str | None) -> None:
    """Check the value of --task."""
    if task not in (None, "classification", "regression"):
        raise UsageError(f"--task {task}: expected classification or regression")


def open_stream(
    data: str, columns: dict[str, Any], variant: str | None = None, seed: int = 1
) -> Stream:
    """Open a stream by name or text, or a file with the columns that the options name."""
    from streamgauge.streams.coerce import open_by_text

    return open_by_text(data, columns, variant, seed=seed, option="--{}")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """The options that were given, as on a command line; one with several values is repeated."""
    found = []
    for name, value in options.items():
        values = value if isinstance(value, list) else [value]
        found += [part for each in values if each is not None for part in (f"--{name}", str(each))]
    return found
