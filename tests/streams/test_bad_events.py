"""Invalid event logs: errors name the line or the argument."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.streams.events import OnConflict
from tests.streams.logs import (
    CLASSES,
    RIGHT,
    Line,
    arff_text,
    arrow,
    assert_same_in_all,
    columns_of,
    csv_text,
    from_arff,
    from_arrow,
    from_csv,
    from_pandas,
    from_parquet,
    from_polars,
    message_of,
)
from tests.streams.tables import whole, write


@pytest.mark.parametrize("on_conflict", ["error", "skip"])
@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ("3,,7,instance,", "empty time in column 't'; every event needs one"),
        (",2,7,instance,", "empty id in column 'id'; every event needs one"),
        ("3,2,7,arrival,", "column 'kind' is 'arrival'; expected instance, label or update"),
        ("3,noon,7,instance,", "column 't' is 'noon'; expected an integer or an ISO 8601 time"),
        ("3,2,seven,instance,", "column 'a' is 'seven', but "),
        ("3,2,inf,instance,", "column 'a' is infinite; expected a finite number"),
    ],
)
def test_invalid_line_is_named(
    tmp_path: Path, wrong: str, complaint: str, on_conflict: OnConflict
) -> None:
    """These lines are not conflicts, so on_conflict does not skip them."""
    right = "1,0,5,instance,\n2,1,6,instance,\n{}1,3,,label,yes\n2,4,,label,no\n"
    text = "id,t,a,kind,y\n" + right.format(wrong + "\n")
    path = write(tmp_path / "log.csv", text)
    with pytest.raises(sg.InputError) as caught:
        sg.read_events(path, "y", id="id", time="t", kind="kind", on_conflict=on_conflict)
    assert str(caught.value).startswith(f"{path}: row 2 (line 4): {complaint}")
    rows = [["?" if cell == "" else cell for cell in row] for row in csv.reader(text.splitlines())]
    header = "@relation r\n@attribute id string\n@attribute t string\n@attribute a numeric\n"
    header += "@attribute kind string\n@attribute y {no, yes}\n@data\n"
    body = "".join(",".join(row) + "\n" for row in rows[1:])
    path = write(tmp_path / "log.arff", header + body)
    with pytest.raises(sg.InputError) as caught:
        sg.read_events(path, "y", id="id", time="t", kind="kind", on_conflict=on_conflict)
    assert str(caught.value).startswith(f"{path}: row 2 (line 10): {complaint}")


def test_log_without_labels_needs_declared_classes(tmp_path: Path) -> None:
    log = [Line("a", 0, 1.0, "blue"), Line("b", 1, 2.0, "red, dark")]
    message = message_of(tmp_path, log)
    assert message == "log: target 'y' is empty in every row; expected labels"
    stream = from_csv(tmp_path, log, classes=CLASSES)
    assert whole(stream).y.tolist() == [-1, -1]
    one = [*log, Line("a", 2, None, None, "yes")]
    assert "log: target 'y' is 'yes' in every row" in message_of(tmp_path, one)


def test_arff_log_without_labels_uses_its_header(tmp_path: Path) -> None:
    log = [Line("a", 0, 1.0, "blue"), Line("b", 1, 2.0, "red, dark")]
    stream = from_arff(tmp_path, log)
    assert stream.schema.classes == CLASSES
    assert whole(stream).y.tolist() == [-1, -1]


def test_undeclared_class_is_named_with_its_line(tmp_path: Path) -> None:
    log = [replace(line, kind=None) for line in RIGHT]
    message = message_of(tmp_path, log, classes=["yes", "no"])
    assert "log.csv: row 6 (line 8): label 'maybe' is not one of the declared classes" in message
    text = arff_text(log, False).replace("'maybe', ", "")
    with pytest.raises(sg.InputError) as caught:
        sg.read_events(write(tmp_path / "log.arff", text))
    assert str(caught.value).startswith(
        f"{tmp_path / 'log.arff'}: row 6 (line 13): column 'y' is 'maybe', which the header"
    )


def test_kinds_ignore_case(tmp_path: Path) -> None:
    shouted = [replace(line, kind=str(line.kind).upper()) for line in RIGHT]
    stream = from_csv(tmp_path, shouted, kind="kind")
    assert_same_in_all(stream, from_csv(tmp_path, RIGHT, kind="kind"))
    lost = [*RIGHT[:2], replace(RIGHT[2], kind=None), *RIGHT[3:]]
    message = message_of(tmp_path, lost, kind="kind")
    assert "log.csv: row 2 (line 4): column 'kind' is " in message
    assert message.endswith("expected instance, label or update")


def test_label_line_without_label_is_an_error(tmp_path: Path) -> None:
    """The line announces a label but has none; it does not mean a label that is never revealed."""
    log = [*RIGHT[:4], replace(RIGHT[4], y=None), *RIGHT[5:]]
    assert "row 4 (line 6): " in message_of(tmp_path, log, kind="kind", classes=CLASSES)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"on_conflict": "ignore"}, "on_conflict='ignore': expected 'error' or 'skip'"),
        ({"target": None}, "missing the target column of the event log; pass target=..."),
        ({"id": None}, "missing the id column of the event log; pass id=..."),
        ({"time": None}, "missing the time column of the event log; pass time=..."),
        ({"target": "Y"}, "no column 'Y'"),
        (
            {"id": "idd"},
            "no column 'idd' (did you mean 'id'?)",
        ),
        ({"time": "time"}, "no column 'time'"),
        ({"kind": "kinds"}, "no column 'kinds' (did you mean 'kind'?)"),
        ({"drop": "size"}, "drop='size': expected a list"),
        ({"features": ["sise"]}, "no column 'sise' (did you mean 'size'?)"),
    ],
)
def test_invalid_argument_is_named(tmp_path: Path, options: dict[str, Any], complaint: str) -> None:
    path = write(tmp_path / "log.csv", csv_text(columns_of(RIGHT)))
    named: dict[str, Any] = {"target": "y", "id": "id", "time": "t", "kind": "kind"} | options
    with pytest.raises(sg.UsageError) as caught:
        sg.read_events(path, **named)
    assert complaint in str(caught.value)
    if None not in named.values():
        with pytest.raises(sg.UsageError) as caught:
            sg.from_events(arrow(RIGHT), **named)
        assert complaint in str(caught.value)


def test_invalid_source_is_an_input_error(tmp_path: Path) -> None:
    nothing: list[Line] = []
    with pytest.raises(sg.InputError, match=r"no such file: .*nowhere\.csv"):
        sg.read_events(tmp_path / "nowhere.csv", "y", id="id", time="t")
    assert message_of(tmp_path, nothing).endswith(
        "log.csv: has a header but no rows; expected at least one row"
    )
    assert message_of(tmp_path, nothing, from_parquet).endswith("expected at least one row")
    for source in (from_pandas, from_polars, from_arrow):
        assert "expected at least one" in message_of(tmp_path, nothing, source)
    frames: list[Any] = [np.zeros((3, 3)), [1, 2], {"id": [1]}]
    for frame in frames:
        with pytest.raises(sg.InputError, match="expected a pandas, polars or Arrow data frame"):
            sg.from_events(frame, "y", id="id", time="t")
