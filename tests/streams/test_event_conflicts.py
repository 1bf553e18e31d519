"""Conflicting events: errors name the line, and on_conflict='skip' leaves the line out."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
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
BEFORE = "expected its instance before its label or update"
WRONG = {  # the wrong line, its row, the reason counted, the message
    "label of an unknown id": (
        Line("z", 5, None, None, "no", "label"),
        5, "unknown id", f"id 'z' never arrives; {BEFORE}",
    ),
    "label before its instance": (
        Line("r", 2, None, None, "no", "label"),
        2, "unknown id", f"id 'r' arrives only later; {BEFORE}",
    ),
    "duplicate label": (
        Line("p", 4, None, None, "yes", "label"),
        5, "duplicate label", "second label for id 'p'; expected one label per id",
    ),
    "update after label": (
        Line("q", 6, 9.0, "blue", None, "update"),
        6, "update after label",
        "update of id 'q' after its label; expected updates before it",
    ),
    "time goes backwards": (
        Line("s", 3, 9.0, "blue", None, "instance"),
        5, "time goes backwards",
        "id 's' has time 3, earlier than the line before; expected non-decreasing times: "
        "sort the events by time",
    ),
    "update of an unknown id": (
        Line("z", 1, 9.0, "blue", None, "update"),
        2, "unknown id", f"id 'z' never arrives; {BEFORE}",
    ),
    "update before its instance": (
        Line("r", 1, 9.0, "blue", None, "update"),
        2, "unknown id", f"id 'r' arrives only later; {BEFORE}",
    ),
    "duplicate instance": (
        Line("p", 3, 9.0, "blue", None, "instance"),
        4, "duplicate instance", "id 'p' arrives a second time; expected unique ids",
    ),
    "duplicate instance, after its label": (
        Line("p", 7, 9.0, "blue", None, "instance"),
        7, "duplicate instance", "id 'p' arrives a second time; expected unique ids",
    ),
}  # fmt: skip
NEEDS_KIND = {
    "update of an unknown id",
    "update before its instance",
    "duplicate instance",
    "duplicate instance, after its label",
}
ADVICE = "correct the line, or use on_conflict='skip' to leave out and count such lines"


def with_line(case: str) -> list[Line]:
    line, place, *_ = WRONG[case]
    log = [*RIGHT[:place], line, *RIGHT[place:]]
    return log if case in NEEDS_KIND else [replace(line, kind=None) for line in log]


def kind_of(log: Log) -> dict[str, str]:
    return {} if log[0].kind is None else {"kind": "kind"}


@pytest.mark.parametrize("case", WRONG)
@each_source
def test_conflict_is_named_with_its_line(tmp_path: Path, source: Source, case: str) -> None:
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
def test_conflict_can_be_skipped(tmp_path: Path, source: Source, case: str) -> None:
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


def test_skipped_lines_are_counted_and_reported(tmp_path: Path) -> None:
    log = [replace(line, kind=None) for line in RIGHT]
    log[5:5] = [Line("z", 5, None, None, "no")] * 2 + [Line("p", 5, None, None, "no")]
    stream = from_csv(tmp_path, log, on_conflict="skip")
    left_out = {"unknown id": 2, "duplicate label": 1}
    assert dict(stream.skipped) == left_out
    assert dict(stream.take(2).skipped) == left_out
    run = evaluated(stream)
    assert run.counts.skipped == left_out
    assert (run.counts.rows, run.counts.scored) == (3, 3)
    header = run.details.splitlines()[0]
    assert header.startswith("log · 3 rows · 2 features · 3 classes · labels FromStream()")
    assert "2 events skipped (unknown id)" in header
    assert re.search(r"\b1 events? skipped \(duplicate label\)", header)
    assert run.to_dict()["counts"]["skipped"] == left_out
    clean = evaluated(from_csv(tmp_path, [replace(line, kind=None) for line in RIGHT]))
    assert clean.counts.skipped == {}
    assert "left out" not in str(clean).splitlines()[0]
    assert_same_runs(run, clean)


@pytest.mark.parametrize("place", [0, 1, 4])
def test_skipped_line_does_not_advance_time(tmp_path: Path, place: int) -> None:
    """The skipped line has an unknown id and a time far ahead of the next lines."""
    clean = [replace(line, kind=None) for line in RIGHT]
    log = [*clean[:place], Line("z", 1000, None, None, "no"), *clean[place:]]
    stream = from_csv(tmp_path, log, on_conflict="skip")
    assert dict(stream.skipped) == {"unknown id": 1}
    assert_same_in_all(stream, from_csv(tmp_path, clean))


def test_cells_of_a_skipped_line_are_ignored(tmp_path: Path) -> None:
    text = "id,t,a,y\n1,0,1,\n2,1,2,\n1,2,,yes\n{}2,3,,no\n"
    clean = sg.read_events(write(tmp_path / "log.csv", text.format("")), "y", id="id", time="t")
    path = write(tmp_path / "log.csv", text.format("9,2,text among numbers,maybe\n"))
    stream = sg.read_events(path, "y", id="id", time="t", on_conflict="skip")
    assert dict(stream.skipped) == {"unknown id": 1}
    assert_same_in_all(stream, clean)


def sort_out(log: Log) -> tuple[list[Line], dict[str, int]]:
    """The lines without conflict, and the number of other lines by reason."""
    kept: list[Line] = []
    reasons: dict[str, int] = {}
    arrived: set[str] = set()
    done: set[str] = set()
    for line in log:
        kind = line.kind or ("label" if line.y else "update" if line.id in arrived else "instance")
        reason = None
        if kept and line.t < kept[-1].t:
            reason = "time goes backwards"
        elif kind == "instance" and line.id in arrived:
            reason = "duplicate instance"
        elif kind != "instance" and line.id not in arrived:
            reason = "unknown id"
        elif kind != "instance" and line.id in done:
            reason = "duplicate label" if kind == "label" else "update after label"
        if reason is None:
            kept.append(line)
            if kind != "update":
                (arrived if kind == "instance" else done).add(line.id)
        else:
            reasons[reason] = reasons.get(reason, 0) + 1
    return kept, reasons


@st.composite
def any_logs(draw: st.DrawFn, in_order: bool) -> list[Line]:
    """Lines about few ids, in any order; with or without a kind column."""
    has_kind = draw(st.booleans())
    kinds = st.sampled_from(["instance", "label", "update"]) if has_kind else st.none()
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
@given(data=st.data())
def test_skipping_equals_a_log_without_the_conflicts(
    folder: Path, in_order: bool, data: st.DataObject
) -> None:
    log = data.draw(any_logs(in_order))
    kept, reasons = sort_out(log)
    options: dict[str, Any] = {"classes": CLASSES, **kind_of(log)}
    if not kept:
        with pytest.raises(sg.InputError, match="no instance arrives; expected at least one"):
            from_arff(folder, log, on_conflict="skip", **options)
        return
    if reasons:
        with pytest.raises(sg.InputError, match=re.escape(ADVICE)):
            from_arff(folder, log, **options)
    stream = from_arff(folder, log, on_conflict="skip", **options)
    assert dict(stream.skipped) == reasons
    assert_same_in_all(stream, from_arff(folder, kept, **options))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


@pytest.mark.parametrize("gap", ["\n", "% a comment\n", "\n% two\n%\n"])
def test_line_numbers_count_empty_lines_and_comments(tmp_path: Path, gap: str) -> None:
    """Empty lines and comments count as lines, though not as rows."""
    log = with_line("duplicate label")  # row 5
    if gap == "\n":
        lines = csv_text(columns_of(log)).splitlines(keepends=True)
        path = write(tmp_path / "log.csv", "".join([*lines[:3], gap, *lines[3:]]))
        with pytest.raises(sg.InputError, match=r"\(line 8\): second label for id 'p'"):
            sg.read_events(path, "y", id="id", time="t")
    lines = arff_text(log, False).splitlines(keepends=True)
    text = "".join([*lines[: ARFF_HEADER + 1], gap, *lines[ARFF_HEADER + 1 :]])
    line = 1 + next(i for i, ln in enumerate(text.splitlines()) if ln.endswith("yes,p,4")) + 1
    assert text.splitlines()[line - 1].endswith("yes,p,4")
    with pytest.raises(sg.InputError, match=rf"\(line {line}\): second label for id 'p'"):
        sg.read_events(write(tmp_path / "log.arff", text))
