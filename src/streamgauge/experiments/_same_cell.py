"""Two runs that a table would show in the same cell: which they are and how they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from streamgauge._support.errors import shown
from streamgauge.experiments._cell_results import CellResult, Facts
from streamgauge.experiments._entries import Entry
from streamgauge.rendering.words import join_words

_MAX_LETTERS = 60  # of a value


def same_cell(entries: Sequence[Entry], later: Entry) -> str:
    """The error for an entry whose cell an earlier one fills already."""
    cell = later.cell
    earlier = next(
        each for each in entries if each.values is not None and _key(each) == _key(later)
    )
    origins = [each.origin for each in (earlier, later) if each.origin is not None]
    places = join_words([str(origin.path) for origin in origins])
    return (
        f"two runs of {cell.learner} on {cell.stream} with seed {cell.seed}: {places}; "
        f"{_difference(origins)}. A table shows one of them: remove the other folder, or save "
        "its run in a folder of its own (--save FOLDER)"
    )


def _key(entry: Entry) -> tuple[object, ...]:
    cell = entry.cell
    return cell.stream, cell.learner, cell.labels, cell.seed, cell.model


def _difference(origins: Sequence[CellResult]) -> str:
    """What differs, the value of the earlier run first."""
    first, second = (dict(_values(origin.facts)) for origin in origins if origin.facts is not None)
    differing = [
        f"{name} ({shown(first[name], _MAX_LETTERS)} and {shown(second[name], _MAX_LETTERS)})"
        for name in first
        if first[name] != second[name]
    ]
    if differing:
        return f"they differ in {join_words(differing)}"
    return (
        "their settings are equal, so the streams differ: in the rows, or in which columns are "
        "features or nominal (--drop, --nominal)"
    )


def _values(facts: Facts) -> Iterator[tuple[str, object]]:
    """What determines a run's numbers, by name."""
    yield "the learner", facts.identity
    yield "the number of features", facts.features
    yield "the rows of the stream", facts.stream_rows
    yield from asdict(facts.settings).items()
