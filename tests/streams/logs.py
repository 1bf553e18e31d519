"""Event logs for tests: histories, their lines, every source, and the expected blocks."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER, Block, Updates
from tests.streams.tables import whole, write

COLOURS = ("blue", "red, dark", "sea green")
CLASSES = ("maybe", "no", "yes")
ARFF_HEADER = 6  # lines before the first row of an ARFF log without declared ids


@dataclass(frozen=True)
class Line:
    """One event; None is an empty cell."""

    id: str
    t: Any
    size: float | None = None
    colour: str | None = None
    y: str | None = None
    kind: str | None = None


@dataclass(frozen=True)
class Row:
    """One instance: first features, label, reveal time, and updates (time, size, colour)."""

    arrives: int
    revealed: int | None
    size: float | None
    colour: str | None
    y: str | None
    changes: tuple[tuple[int, float | None, str | None], ...] = ()


Log = Sequence[Line]


def log_of(rows: Sequence[Row], kind: bool = False) -> list[Line]:
    """The rows as events in order of time: arrivals, then updates, then labels."""
    events: list[tuple[int, int, int, Line]] = []
    for i, row in enumerate(rows):
        who = f"n{i}"
        first = Line(who, row.arrives, row.size, row.colour, None, "instance")
        events.append((row.arrives, 0, i, first))
        for time, size, colour in row.changes:
            events.append((time, 1, i, Line(who, time, size, colour, None, "update")))
        if row.revealed is not None:
            label = Line(who, row.revealed, None, None, row.y, "label")
            events.append((row.revealed, 2, i, label))
    lines = [line for *_, line in sorted(events, key=lambda event: event[:3])]
    return lines if kind else [replace(line, kind=None) for line in lines]


def columns_of(log: Log) -> dict[str, list[Any]]:
    """The log by columns, `kind` only if a line has one."""
    names = ["id", "t", "size", "colour", "y", "kind"]
    if all(line.kind is None for line in log):
        names.pop()
    return {name: [getattr(line, name) for line in log] for name in names}


def csv_text(columns: dict[str, list[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue()


def listed(values: Sequence[str]) -> str:
    return ", ".join(f"'{value}'" for value in values)


def arff_text(log: Log, declared: bool) -> str:
    """Features, class, id and time; the last two may be undeclared."""
    kinds = any(line.kind is not None for line in log)
    header = ["@relation log", "@attribute size numeric"]
    header += [f"@attribute colour {{{listed(COLOURS)}}}"]
    header += ["@attribute kind {instance, label, update}"] if kinds else []
    header += [f"@attribute y {{{listed(CLASSES)}}}"]
    header += ["@attribute id string", "@attribute t numeric"] if declared else []
    rows = []
    for line in log:
        colour = "?" if line.colour is None else f"'{line.colour}'"
        cells: list[Any] = ["?" if line.size is None else line.size, colour]
        cells += [line.kind] if kinds else []
        cells += ["?" if line.y is None else line.y, line.id, line.t]
        rows.append(",".join(map(str, cells)))
    return "\n".join([*header, "", "@data", *rows, ""])


def arrow(log: Log) -> pa.Table:
    """As an Arrow table, with explicit types for columns that may be empty."""
    columns = columns_of(log)
    whole_numbers = all(isinstance(time, int) for time in columns["t"])
    types = {"size": pa.float64(), "t": pa.int64() if whole_numbers else pa.string()}
    return pa.table({n: pa.array(c, types.get(n, pa.string())) for n, c in columns.items()})


def from_csv(folder: Path, log: Log, **options: Any) -> sg.Stream:
    path = write(folder / "log.csv", csv_text(columns_of(log)))
    return sg.read_events(path, "y", id="id", time="t", **options)


def from_gz(folder: Path, log: Log, **options: Any) -> sg.Stream:
    path = write(folder / "log.csv.gz", csv_text(columns_of(log)))
    return sg.read_events(path, "y", id="id", time="t", **options)


def from_parquet(folder: Path, log: Log, **options: Any) -> sg.Stream:
    pq.write_table(arrow(log), folder / "log.parquet", row_group_size=7)
    return sg.read_events(folder / "log.parquet", "y", id="id", time="t", **options)


def from_arff(folder: Path, log: Log, **options: Any) -> sg.Stream:
    return sg.read_events(write(folder / "log.arff", arff_text(log, False)), **options)


def from_declared_arff(folder: Path, log: Log, **options: Any) -> sg.Stream:
    path = write(folder / "log.arff.gz", arff_text(log, True))
    return sg.read_events(path, "y", id="id", time="t", **options)


def from_pandas(folder: Path, log: Log, **options: Any) -> sg.Stream:
    frame = pd.DataFrame(columns_of(log)).astype({"size": float})
    return sg.from_events(frame, "y", id="id", time="t", **options)


def from_polars(folder: Path, log: Log, **options: Any) -> sg.Stream:
    frame = pl.DataFrame(columns_of(log), schema_overrides={"size": pl.Float64})
    return sg.from_events(frame, "y", id="id", time="t", **options)


def from_arrow(folder: Path, log: Log, **options: Any) -> sg.Stream:
    return sg.from_events(arrow(log), "y", id="id", time="t", **options)


Source = Callable[..., sg.Stream]
SOURCES: list[Source] = [
    from_csv,
    from_gz,
    from_parquet,
    from_arff,
    from_declared_arff,
    from_pandas,
    from_polars,
    from_arrow,
]


def example(rows: int = 80, changes: bool = False) -> list[Row]:
    """Instances with ties, immediate labels, missing labels and cells, and changing features."""
    random = np.random.default_rng(7)
    out = []
    arrives = 0
    for i in range(rows):
        arrives += int(random.integers(0, 3))
        size = None if random.random() < 0.1 else float(np.round(random.normal(), 2))
        colour = None if random.random() < 0.1 else COLOURS[random.integers(3)]
        wait = int(random.integers(0, 30))
        unlabelled = random.random() < 0.1
        y = CLASSES[(int((size or 0) > 0) + (colour == COLOURS[1]) + (i % 5 == 0)) % 3]
        moments = sorted(random.integers(0, wait + 1, size=random.integers(0, 4)).tolist())
        updates = tuple(
            (arrives + m, [None, 1.5, -2.25][int(random.integers(3))], [None, *COLOURS][m % 4])
            for m in moments
        )
        revealed = None if unlabelled else arrives + wait
        y_known = None if unlabelled else y
        out.append(Row(arrives, revealed, size, colour, y_known, updates if changes else ()))
    return out


def row_form(folder: Path, rows: Sequence[Row]) -> sg.Stream:
    """One line per instance, with the reveal time of its label."""
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in rows]
        for name in ("arrives", "size", "colour", "revealed", "y")
    }
    path = write(folder / "rows.csv", csv_text(columns))
    return sg.read(path, "y", arrives="arrives", revealed="revealed")


def assert_same(ours: sg.Stream, theirs: sg.Stream) -> None:
    """The same schema, rows and times."""
    assert ours.schema == theirs.schema
    assert ours.rows == theirs.rows
    first, second = whole(ours), whole(theirs)
    for name in ("X", "y", "arrives", "revealed"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name), name)
        assert getattr(first, name).dtype == getattr(second, name).dtype


def assert_same_updates(ours: Updates | None, theirs: Updates | None) -> None:
    assert ours is not None
    assert theirs is not None
    for name in Updates._fields:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)


def assert_same_in_all(ours: sg.Stream, theirs: sg.Stream) -> None:
    assert_same(ours, theirs)
    assert_same_updates(whole(ours).updates, whole(theirs).updates)


def evaluated(stream: sg.Stream) -> sg.Run:
    again = sg.Reevaluate(3, 5)
    return sg.evaluate(stream, sg.NaiveBayes(), labels=sg.FromStream(), reevaluate=again)


def assert_same_runs(ours: sg.Run, theirs: sg.Run) -> None:
    assert ours.predictions.equals(theirs.predictions)
    assert ours.bins["accuracy"].tolist() == theirs.bins["accuracy"].tolist()
    assert ours.counts.unlabelled == theirs.counts.unlabelled


def code(value: str | None, values: Sequence[str]) -> float:
    return np.nan if value is None else float(values.index(value))


def expected_block(log: Log) -> Block:
    """The block of a valid log, built line by line."""
    first: list[list[float]] = []
    arrives: list[int] = []
    labels: dict[int, tuple[int, str]] = {}
    updates: list[tuple[int, int, int, list[float]]] = []
    place: dict[str, int] = {}
    now: dict[int, list[float]] = {}
    for line in log:
        cells = [np.nan if line.size is None else line.size, code(line.colour, COLOURS)]
        if line.id not in place:
            row = place[line.id] = len(arrives)
            arrives.append(line.t)
            first.append(cells)
            now[row] = cells
        elif line.y is not None:
            labels[place[line.id]] = (line.t, line.y)
        else:
            row = place[line.id]
            now[row] = [
                old if new != new else new for old, new in zip(now[row], cells, strict=True)
            ]
            updates.append((row, line.t, len(arrives) - 1, now[row]))
    n = len(arrives)
    return Block(
        0,
        np.array(first).reshape(n, 2),
        np.array([CLASSES.index(labels[i][1]) if i in labels else -1 for i in range(n)], np.int32),
        np.array(arrives, np.int64),
        np.array([labels[i][0] if i in labels else NEVER for i in range(n)], np.int64),
        Updates(
            np.array([row for row, *_ in updates], np.int64),
            np.array([time for _, time, *_ in updates], np.int64),
            np.array([after for *_, after, _ in updates], np.int64),
            np.array([x for *_, x in updates]).reshape(len(updates), 2),
        ),
    )


sizes = st.none() | st.integers(-8, 8).map(lambda number: number / 4)
colours = st.none() | st.sampled_from(COLOURS)

RIGHT = [  # a log without errors
    Line("p", 0, 1.0, "blue", None, "instance"),
    Line("q", 1, 2.0, "red, dark", None, "instance"),
    Line("p", 2, 5.0, None, None, "update"),
    Line("r", 3, 3.0, "blue", None, "instance"),
    Line("p", 4, None, None, "yes", "label"),
    Line("q", 6, None, None, "no", "label"),
    Line("r", 7, None, None, "maybe", "label"),
]


def message_of(folder: Path, log: Log, source: Source = from_csv, **options: Any) -> str:
    """The message of the InputError that reading this log raises."""
    with pytest.raises(sg.InputError) as caught:
        source(folder, log, **options)
    return str(caught.value)
