"""An event log from any source gives the same stream as one row per instance."""

from __future__ import annotations

import io
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge._support.types import NEVER, Updates
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, check_stream
from tests.streams.logs import (
    CLASSES,
    COLOURS,
    SOURCES,
    Line,
    Row,
    Source,
    arff_text,
    arrow,
    assert_same,
    assert_same_in_all,
    assert_same_runs,
    assert_same_updates,
    colours,
    evaluated,
    example,
    expected_block,
    from_csv,
    from_pandas,
    from_parquet,
    log_of,
    row_form,
    sizes,
)
from tests.streams.tables import numbers, whole, write

each_source = pytest.mark.parametrize("source", SOURCES)


@each_source
def test_log_equals_one_row_per_instance(tmp_path: Path, source: Source) -> None:
    rows = example()
    stream = source(tmp_path, log_of(rows))
    check_stream(stream)
    assert stream.schema.features == ("size", "colour")
    assert stream.schema.values == ((), COLOURS)
    assert stream.schema.classes == CLASSES
    assert stream.schema.time
    assert dict(stream.skipped) == {}
    expected = row_form(tmp_path, rows)
    assert_same(stream, expected)
    assert_same_runs(evaluated(stream), evaluated(expected))


@each_source
def test_kind_column_agrees_with_inferred_kinds(tmp_path: Path, source: Source) -> None:
    rows = example(changes=True)
    with_kinds = source(tmp_path, log_of(rows, kind=True), kind="kind")
    assert with_kinds.schema.features == ("size", "colour")
    assert_same_in_all(with_kinds, from_csv(tmp_path, log_of(rows)))


@each_source
def test_updates_are_read_from_every_source(tmp_path: Path, source: Source) -> None:
    """Compared with a hand-made block."""
    rows = example(changes=True)
    stream = source(tmp_path, log_of(rows))
    check_stream(stream)
    made = ArrayStream("made", stream.schema, expected_block(log_of(rows)))
    updates = whole(stream).updates
    assert updates is not None
    assert len(updates.rows) > 50
    assert_same_in_all(stream, made)
    run = evaluated(stream)
    assert_same_runs(run, evaluated(made))
    plain = evaluated(row_form(tmp_path, rows))
    assert run.bins["accuracy"].tolist() != plain.bins["accuracy"].tolist()  # updates matter
    assert run.predictions.column("row").equals(plain.predictions.column("row"))


def test_learner_results_do_not_depend_on_block_size_with_updates(tmp_path: Path) -> None:
    stream = from_csv(tmp_path, log_of(example(60, changes=True)))
    assert check_learner(sg.NaiveBayes(), stream) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@st.composite
def histories(draw: st.DrawFn) -> list[Row]:
    """Instances with any waits, ties, updates and missing labels; times of any size."""
    start = draw(st.sampled_from([0, -50, 1_700_000_000_000_000_000]))
    rows = []
    for step in draw(st.lists(st.integers(0, 3), min_size=1, max_size=12)):
        start += step
        wait = draw(st.none() | st.integers(0, 9))
        moments = draw(st.lists(st.integers(0, 9 if wait is None else wait), max_size=3))
        changes = tuple((start + m, draw(sizes), draw(colours)) for m in sorted(moments))
        y = None if wait is None else draw(st.sampled_from(CLASSES))
        revealed = None if wait is None else start + wait
        rows.append(Row(start, revealed, draw(sizes), draw(colours), y, changes))
    return rows


def decoded(X: Any, schema: sg.Schema) -> list[list[Any]]:
    """Cells as they were written; an empty column has no type."""
    return [
        [
            None if cell != cell else values[int(cell)] if values else cell
            for cell, values in zip(row, schema.values, strict=True)
        ]
        for row in X.tolist()
    ]


@each_source
@given(rows=histories())
def test_any_history_is_read_correctly(folder: Path, source: Source, rows: list[Row]) -> None:
    log = log_of(rows)
    stream = source(folder, log, classes=CLASSES)
    block, expected = whole(stream), expected_block(log)
    full = sg.Schema(("size", "colour"), ((), COLOURS), CLASSES, True)
    assert stream.schema.features == full.features
    assert stream.schema.classes == CLASSES
    assert decoded(block.X, stream.schema) == decoded(expected.X, full)
    for name in ("y", "arrives", "revealed"):
        assert getattr(block, name).tolist() == getattr(expected, name).tolist()
    assert block.updates is not None
    assert expected.updates is not None
    for name in ("rows", "times", "after"):
        theirs = getattr(expected.updates, name).tolist()
        assert getattr(block.updates, name).tolist() == theirs
    assert decoded(block.updates.X, stream.schema) == decoded(expected.updates.X, full)


def test_time_formats_are_equivalent(tmp_path: Path) -> None:
    """ISO times with and without a zone, and timestamps of any unit, become nanoseconds."""
    seconds = [0, 60, 61, 3600, 3600]
    log = [
        Line("a", 0, 1.0, "blue"),
        Line("b", 0, 2.0, "blue"),
        Line("a", 0, None, None, "yes"),
        Line("c", 0, 3.0, "blue"),
        Line("b", 0, None, None, "no"),
    ]
    for zone in ("", "Z"):
        text = [f"{np.datetime64(second, 's')}{zone}" for second in seconds]
        stamped = [replace(line, t=time) for line, time in zip(log, text, strict=True)]
        for source in (from_csv, from_parquet, from_pandas):
            block = whole(source(tmp_path, stamped))
            assert block.arrives is not None
            assert block.revealed is not None
            assert block.arrives.tolist() == [0, 60 * 10**9, 3600 * 10**9]
            assert block.revealed.tolist() == [61 * 10**9, 3600 * 10**9, NEVER]
    as_text = whole(from_csv(tmp_path, stamped))
    for unit in ("s", "ms", "ns"):
        moments = pa.array(np.array(seconds, "M8[s]")).cast(pa.timestamp(unit, "UTC"))
        table = arrow(log).set_column(1, "t", moments)
        pq.write_table(table, tmp_path / "stamps.parquet")
        for stream in (
            sg.from_events(table, "y", id="id", time="t"),
            sg.read_events(tmp_path / "stamps.parquet", "y", id="id", time="t"),
        ):
            block = whole(stream)
            assert block.arrives is not None
            assert as_text.arrives is not None
            assert block.arrives.tolist() == as_text.arrives.tolist()


def test_ids_may_have_any_type() -> None:
    """Ids may be integers, text or categories; 1.0 is the same id as 1."""
    columns = {"t": [0, 1, 2, 3], "size": [1.0, 2.0, None, None], "y": [None, None, "no", "yes"]}
    for ids in (
        [1, 2, 2, 1],
        ["x", "y", "y", "x"],
        [1.0, 2.0, 2.0, 1.0],
        [True, False, False, True],
    ):
        for column in (pd.Series(ids), pd.Series(ids, dtype="category")):
            frame = pd.DataFrame({"id": column} | columns)
            block = whole(sg.from_events(frame, "y", id="id", time="t"))
            assert block.y.tolist() == [1, 0]
            assert block.revealed is not None
            assert block.revealed.tolist() == [3, 2]


def test_regression_targets_are_revealed_late(tmp_path: Path) -> None:
    log = "id,t,a,y\n1,0,5,\n2,1,6,\n3,1,7,\n2,4,,0.5\n1,9,,-1.25\n"
    rows = "arrives,a,revealed,y\n0,5,9,-1.25\n1,6,4,0.5\n1,7,,\n"
    stream = sg.read_events(write(tmp_path / "log.csv", log), "y", id="id", time="t")
    check_stream(stream)
    assert stream.schema.regression
    assert numbers(whole(stream).y) == [-1.25, 0.5, None]
    path = write(tmp_path / "rows.csv", rows)
    assert_same(stream, sg.read(path, "y", arrives="arrives", revealed="revealed"))
    run = sg.evaluate(stream, sg.Mean(), labels=sg.FromStream())
    assert (run.counts.scored, run.counts.unlabelled) == (2, 1)


def test_column_options_work_as_in_read(tmp_path: Path) -> None:
    text = "id,when,a,b,c,label\n1,0,1,5,u,\n2,1,2,6,v,\n1,2,,,,1\n2,3,,,,0\n"
    path = write(tmp_path / "some.events.csv.gz", text)

    def read(**options: Any) -> sg.Stream:
        return sg.read_events(str(path), "label", id="id", time="when", **options)

    assert read().name == "some.events"
    assert read(name="mine").name == "mine"
    assert read().schema.features == ("a", "b", "c")
    assert read().schema.classes == (0, 1)
    assert read(drop=["b"]).schema.features == ("a", "c")
    assert read(features=["c", "a"]).schema.features == ("c", "a")
    assert read(nominal=["b"]).schema.values == ((), ("5", "6"), ("u", "v"))
    assert read(classes=[1, 0, 2]).schema.classes == (1, 0, 2)
    assert read(task="regression").schema.regression
    frame = pd.read_csv(io.StringIO(text))
    framed = sg.from_events(frame, "label", id="id", time="when", drop=["b"])
    assert framed.describe() == "events · 2 rows · 2 features · 2 classes"
    assert_same(framed, read(drop=["b"]))


def test_arff_defaults_to_last_three_columns(tmp_path: Path) -> None:
    """Class, id and time by default; the last two may be undeclared."""
    log = log_of(example(changes=True))
    expected = from_csv(tmp_path, log)
    for declared in (True, False):
        path = write(tmp_path / "log.arff", arff_text(log, declared))
        assert_same_in_all(sg.read_events(path), expected)
        names = ("id", "t") if declared else ("instanceId", "timestamp")
        for target, id, time in itertools.product(("y", None), (names[0], None), (names[1], None)):
            stream = sg.read_events(path, target, id=id, time=time)
            assert_same_in_all(stream, expected)


def test_fingerprint_depends_on_content(tmp_path: Path) -> None:
    rows = example(changes=True)
    same = from_csv(tmp_path, log_of(rows)).fingerprint()
    assert from_parquet(tmp_path, log_of(rows)).fingerprint() == same
    assert from_csv(tmp_path, log_of(example())).fingerprint() != same
    log = log_of(rows)
    seen: set[str] = set()
    later = []
    for i, line in enumerate(log):
        later += [i] if line.id in seen and line.y is None else []
        seen.add(line.id)
    log[later[3]] = replace(log[later[3]], size=77.0)
    assert from_csv(tmp_path, log).fingerprint() != same


def test_empty_cell_of_update_keeps_value(tmp_path: Path) -> None:
    log = [
        Line("a", 0, 1.0, "blue"),
        Line("b", 0, None, None),
        Line("a", 1, 2.0, None),  # the colour is unchanged
        Line("b", 2, None, "sea green"),
        Line("a", 3, None, "red, dark"),  # the size keeps its update
        Line("a", 4, None, None),  # no change
        Line("b", 5, None, None, "no"),
        Line("a", 5, None, None, "yes"),
    ]
    stream = from_csv(tmp_path, log)
    assert stream.schema.values == ((), ("blue", "red, dark", "sea green"))
    block = whole(stream)
    assert block.X[0].tolist() == [1, 0]
    assert np.isnan(block.X[1]).all()
    assert block.updates is not None
    assert block.updates.rows.tolist() == [0, 1, 0, 0]
    assert block.updates.times.tolist() == [1, 2, 3, 4]
    assert block.updates.after.tolist() == [1, 1, 1, 1]
    assert [numbers(x) for x in block.updates.X] == [[2, 0], [None, 2], [2, 1], [2, 1]]


def test_empty_updates_change_nothing(tmp_path: Path) -> None:
    rows = example()
    quiet = [replace(row, changes=((row.arrives, None, None),) * 2) for row in rows]
    stream = from_csv(tmp_path, log_of(quiet))
    updates = whole(stream).updates
    assert updates is not None
    assert len(updates.rows) == 160
    assert_same_runs(evaluated(stream), evaluated(row_form(tmp_path, rows)))


@pytest.mark.parametrize("cells", ["9,u", "9,never seen", "inf,7", "text among numbers,u"])
def test_cells_of_a_label_line_are_ignored(tmp_path: Path, cells: str) -> None:
    text = "id,t,a,b,y\n1,0,1,u,\n2,1,2,v,\n1,2,{},yes\n2,3,,,no\n"
    empty = write(tmp_path / "empty.csv", text.format(","))
    full = write(tmp_path / "full.csv", text.format(cells))
    stream = sg.read_events(full, "y", id="id", time="t")
    assert_same_in_all(stream, sg.read_events(empty, "y", id="id", time="t"))


def test_updates_do_not_depend_on_block_size(tmp_path: Path) -> None:
    stream = from_csv(tmp_path, log_of(example(changes=True)))
    expected = whole(stream).updates
    assert expected is not None
    for size in (1, 2, 7, 33, 79, 80, 81):
        parts = []
        for block in stream.blocks(size):
            assert block.updates is not None
            last = block.start + len(block)
            assert ((block.updates.after >= block.start) & (block.updates.after < last)).all()
            parts.append(block.updates)
        assert len(parts) == -(-80 // size)
        assert_same_updates(Updates(*map(np.concatenate, zip(*parts, strict=True))), expected)


@pytest.mark.parametrize("n", [1, 2, 13, 40, 79])
def test_take_keeps_first_instances(tmp_path: Path, n: int) -> None:
    rows = example()
    stream = from_csv(tmp_path, log_of(rows))
    taken = stream.take(n)
    check_stream(taken)
    assert (taken.rows, taken.name, taken.schema) == (n, f"log[:{n}]", stream.schema)
    assert_same(taken, row_form(tmp_path, rows).take(n))
    assert evaluated(taken).counts.rows == n


@pytest.mark.parametrize("n", [1, 2, 13, 40, 79])
def test_take_keeps_updates(tmp_path: Path, n: int) -> None:
    """As if the other instances had never been in the log."""
    rows = example(changes=True)
    taken = from_csv(tmp_path, log_of(rows)).take(n)
    alone = ArrayStream("alone", taken.schema, expected_block(log_of(rows[:n])))
    assert_same(taken, alone)
    for size in (1, 7, 1000):
        parts = [block.updates for block in taken.blocks(size) if block.updates is not None]
        assert parts
        joined = Updates(*map(np.concatenate, zip(*parts, strict=True)))
        assert_same_updates(joined, whole(alone).updates)
    assert_same_runs(evaluated(taken), evaluated(alone))


def test_missing_labels_are_never_revealed(tmp_path: Path) -> None:
    log = [
        Line("a", 0, 1.0, "blue"),
        Line("b", 1, 2.0, "blue"),
        Line("c", 2, 3.0, "blue"),
        Line("b", 2, 4.0),
        Line("a", 3, None, None, "yes"),
        Line("d", 4, 4.0, "blue"),
        Line("d", 4, None, None, "no"),
    ]
    stream = from_csv(tmp_path, log)
    block = whole(stream)
    assert block.y.tolist() == [1, -1, -1, 0]
    assert block.revealed is not None
    assert block.revealed.tolist() == [3, NEVER, NEVER, 4]
    run = evaluated(stream)
    assert (run.counts.rows, run.counts.scored, run.counts.unlabelled) == (4, 2, 2)
    assert run.predictions.column("row").to_pylist() == [0, 3]
