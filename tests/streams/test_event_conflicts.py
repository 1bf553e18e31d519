"""Events that contradict earlier ones: which line is named, and what is left out on demand."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.testing import check_stream
from tests.streams.logs import (
    ARFF_HEADER,
    CLASSES,
    RIGHT,
    SOURCES,
    Line,
    Log,
    Source,
    arff_text,
    assert_same_in_all,
    assert_same_runs,
    colours,
    columns_of,
    csv_text,
    evaluated,
    from_arff,
    from_csv,
    from_declared_arff,
    from_gz,
    from_parquet,
    message_of,
    sizes,
)
from tests.streams.tables import write

each_source = pytest.mark.parametrize("source", SOURCES)
BEFORE = "expected its instance before its label or an update"
WRONG = {  # the wrong line, where it stands, the reason it is counted under, what is said of it
    "label of an unknown id": (
        Line("z", 5, None, None, "no", "label"),
        5, "unknown id", f"id 'z' never arrived; {BEFORE}",
    ),
    "label before its instance": (
        Line("r", 2, None, None, "no", "label"),
        2, "unknown id", f"id 'r' arrives only later; {BEFORE}",
    ),
    "label twice": (
        Line("p", 4, None, None, "yes", "label"),
        5, "label twice", "a second label of id 'p'; expected one",
    ),
    "update after its label": (
        Line("q", 6, 9.0, "blue", None, "update"),
        6, "update after its label",
        "an update of id 'q' after its label; expected updates before it",
    ),
    "time running backwards": (
        Line("s", 3, 9.0, "blue", None, "instance"),
        5, "time running backwards",
        "id 's' at time 3, earlier than the line before; expected times that never run backwards: "
        "sort the events by time",
    ),
    "update of an unknown id": (
        Line("z", 1, 9.0, "blue", None, "update"),
        2, "unknown id", f"id 'z' never arrived; {BEFORE}",
    ),
    "update before its instance": (
        Line("r", 1, 9.0, "blue", None, "update"),
        2, "unknown id", f"id 'r' arrives only later; {BEFORE}",
    ),
    "instance twice": (
        Line("p", 3, 9.0, "blue", None, "instance"),
        4, "instance twice", "id 'p' arrives a second time; expected ids that are used once",
    ),
    "instance twice, after its label": (
        Line("p", 7, 9.0, "blue", None, "instance"),
        7, "instance twice", "id 'p' arrives a second time; expected ids that are used once",
    ),
}  # fmt: skip
NEEDS_KIND = {
    "update of an unknown id",
    "update before its instance",
    "instance twice",
    "instance twice, after its label",
}
ADVICE = "repair it, or on_conflict='skip' leaves such lines out and counts them"


def with_line(case: str) -> list[Line]:
    line, place, *_ = WRONG[case]
    log = [*RIGHT[:place], line, *RIGHT[place:]]
    return log if case in NEEDS_KIND else [replace(line, kind=None) for line in log]


def kind_of(log: Log) -> dict[str, str]:
    return {} if log[0].kind is None else {"kind": "kind"}


@pytest.mark.parametrize("case", WRONG)
@each_source
def test_a_conflict_is_named_with_its_line(tmp_path: Path, source: Source, case: str) -> None:
    _, place, _, complaint = WRONG[case]
    log = with_line(case)
    message = message_of(tmp_path, log, source, **kind_of(log))
    header = {from_csv: 1, from_gz: 1, from_arff: ARFF_HEADER, from_declared_arff: ARFF_HEADER + 2}
    where = f"row {place}"
    if source in header:
        more = log[0].kind is not None and "arff" in source.__name__  # declares one more column
        where += f" (line {header[source] + more + place + 1})"
    suffixes = {from_csv: "csv", from_gz: "csv.gz", from_parquet: "parquet", from_arff: "arff"}
    suffixes |= {from_declared_arff: "arff.gz"}
    if source in suffixes:
        where = f"{tmp_path / 'log'}.{suffixes[source]}: {where}"
    assert message == f"{where}: {complaint}; {ADVICE}"


@pytest.mark.parametrize("case", WRONG)
@each_source
def test_a_conflict_may_be_left_out(tmp_path: Path, source: Source, case: str) -> None:
    reason = WRONG[case][2]
    log = with_line(case)
    options = kind_of(log)
    stream = source(tmp_path, log, on_conflict="skip", **options)
    check_stream(stream)
    assert dict(stream.skipped) == {reason: 1}
    clean = RIGHT if options else [replace(line, kind=None) for line in RIGHT]
    expected = source(tmp_path, clean, **options)
    assert dict(expected.skipped) == {}
    assert_same_in_all(stream, expected)


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    log = [replace(line, kind=None) for line in RIGHT]
    log[5:5] = [Line("z", 5, None, None, "no")] * 2 + [Line("p", 5, None, None, "no")]
    stream = from_csv(tmp_path, log, on_conflict="skip")
    left_out = {"unknown id": 2, "label twice": 1}
    assert dict(stream.skipped) == left_out
    assert dict(stream.take(2).skipped) == left_out
    run = evaluated(stream)
    assert run.counts.skipped == left_out
    assert (run.counts.rows, run.counts.scored) == (3, 3)
    header = str(run).splitlines()[0]
    assert header.startswith("log · 3 rows · 2 features · 3 classes · labels FromStream()")
    assert "2 events left out (unknown id)" in header
    assert re.search(r"\b1 events? left out \(label twice\)", header)
    assert run.to_dict()["counts"]["skipped"] == left_out
    clean = evaluated(from_csv(tmp_path, [replace(line, kind=None) for line in RIGHT]))
    assert clean.counts.skipped == {}
    assert "left out" not in str(clean).splitlines()[0]
    assert_same_runs(run, clean)


@pytest.mark.parametrize("place", [0, 1, 4])
def test_a_line_left_out_does_not_move_the_clock(tmp_path: Path, place: int) -> None:
    """The id is unknown, and its time far ahead of the lines that follow."""
    clean = [replace(line, kind=None) for line in RIGHT]
    log = [*clean[:place], Line("z", 1000, None, None, "no"), *clean[place:]]
    stream = from_csv(tmp_path, log, on_conflict="skip")
    assert dict(stream.skipped) == {"unknown id": 1}
    assert_same_in_all(stream, from_csv(tmp_path, clean))


def test_a_line_left_out_is_not_looked_at(tmp_path: Path) -> None:
    text = "id,t,a,y\n1,0,1,\n2,1,2,\n1,2,,yes\n{}2,3,,no\n"
    clean = sg.read_events(write(tmp_path / "log.csv", text.format("")), "y", id="id", time="t")
    path = write(tmp_path / "log.csv", text.format("9,2,text among numbers,maybe\n"))
    stream = sg.read_events(path, "y", id="id", time="t", on_conflict="skip")
    assert dict(stream.skipped) == {"unknown id": 1}
    assert_same_in_all(stream, clean)


def sort_out(log: Log) -> tuple[list[Line], dict[str, int]]:
    """The lines that contradict no earlier one that stays, and why the others go."""
    kept: list[Line] = []
    why: dict[str, int] = {}
    arrived: set[str] = set()
    done: set[str] = set()
    for line in log:
        kind = line.kind or ("label" if line.y else "update" if line.id in arrived else "instance")
        reason = None
        if kept and line.t < kept[-1].t:
            reason = "time running backwards"
        elif kind == "instance" and line.id in arrived:
            reason = "instance twice"
        elif kind != "instance" and line.id not in arrived:
            reason = "unknown id"
        elif kind != "instance" and line.id in done:
            reason = "label twice" if kind == "label" else "update after its label"
        if reason is None:
            kept.append(line)
            if kind != "update":
                (arrived if kind == "instance" else done).add(line.id)
        else:
            why[reason] = why.get(reason, 0) + 1
    return kept, why


@st.composite
def muddles(draw: st.DrawFn, in_order: bool) -> list[Line]:
    """Lines about few ids, in any order; with or without a kind column."""
    told = draw(st.booleans())
    kinds = st.sampled_from(["instance", "label", "update"]) if told else st.none()
    n = draw(st.integers(1, 25))
    steps = draw(st.lists(st.integers(0 if in_order else -2, 2), min_size=n, max_size=n))
    log = []
    for time in itertools.accumulate(steps):
        kind = draw(kinds)
        is_label = kind == "label" or (kind is None and draw(st.booleans()))
        y = draw(st.sampled_from(CLASSES)) if is_label else None
        who = draw(st.sampled_from(["a", "b", "c", "d"]))
        log.append(Line(who, time, draw(sizes), draw(colours), y, kind))
    return log


@pytest.mark.parametrize("in_order", [True, False])
@settings(max_examples=50)
@given(data=st.data())
def test_what_stays_is_as_if_the_rest_had_never_been(
    folder: Path, in_order: bool, data: st.DataObject
) -> None:
    log = data.draw(muddles(in_order))
    kept, why = sort_out(log)
    options: dict[str, Any] = {"classes": CLASSES, **kind_of(log)}
    if not kept:
        with pytest.raises(sg.InputError, match="no instance arrives; expected at least one"):
            from_arff(folder, log, on_conflict="skip", **options)
        return
    if why:
        with pytest.raises(sg.InputError, match=re.escape(ADVICE)):
            from_arff(folder, log, **options)
    stream = from_arff(folder, log, on_conflict="skip", **options)
    assert dict(stream.skipped) == why
    assert_same_in_all(stream, from_arff(folder, kept, **options))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.mark.parametrize("gap", ["\n", "% a comment\n", "\n% two\n%\n"])
def test_lines_are_counted_as_in_an_editor(tmp_path: Path, gap: str) -> None:
    """Empty lines and comments are no rows, but they are lines."""
    log = with_line("label twice")  # row 5
    if gap == "\n":
        lines = csv_text(columns_of(log)).splitlines(keepends=True)
        path = write(tmp_path / "log.csv", "".join([*lines[:3], gap, *lines[3:]]))
        with pytest.raises(sg.InputError, match=r"\(line 8\): a second label of id 'p'"):
            sg.read_events(path, "y", id="id", time="t")
    lines = arff_text(log, False).splitlines(keepends=True)
    text = "".join([*lines[: ARFF_HEADER + 1], gap, *lines[ARFF_HEADER + 1 :]])
    line = 1 + next(i for i, ln in enumerate(text.splitlines()) if ln.endswith("yes,p,4")) + 1
    assert text.splitlines()[line - 1].endswith("yes,p,4")
    with pytest.raises(sg.InputError, match=rf"\(line {line}\): a second label of id 'p'"):
        sg.read_events(write(tmp_path / "log.arff", text))
