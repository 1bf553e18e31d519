"""The same cells mean the same in every source: missing labels, blanks, exact integers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import streamgauge as sg
from tests.streams.tables import whole, write

Source = Callable[[Path, Sequence[Any]], Callable[..., sg.Stream]]


def _csv_text(labels: Sequence[Any]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([("a", "y"), *((i, label) for i, label in enumerate(labels))])
    return out.getvalue()


def from_csv(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    path = write(folder / "t.csv", _csv_text(labels))
    return lambda **options: sg.read(path, "y", **options)


def from_quoted_csv(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    lines = [f'{i},"{label}"\n' for i, label in enumerate(labels)]
    path = write(folder / "q.csv.gz", "a,y\n" + "".join(lines))
    return lambda **options: sg.read(path, "y", **options)


def from_arff(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    rows = "".join(f"{i},'{label}'\n" for i, label in enumerate(labels))
    header = "@attribute a numeric\n@attribute y string\n@data\n"
    path = write(folder / "t.arff", header + rows)
    return lambda **options: sg.read(path, "y", **options)


def _table(labels: Sequence[Any]) -> pa.Table:
    return pa.table({"a": range(len(labels)), "y": pa.array(labels)})


def from_parquet(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    pq.write_table(_table(labels), folder / "t.parquet")
    return lambda **options: sg.read(folder / "t.parquet", "y", **options)


def from_arrow_file(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    feather.write_feather(_table(labels), folder / "t.arrow")
    return lambda **options: sg.read(folder / "t.arrow", "y", **options)


def frame(make: Callable[[dict[str, Any]], Any]) -> Source:
    def source(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
        made = make({"a": list(range(len(labels))), "y": list(labels)})
        return lambda **options: sg.from_frame(made, "y", **options)

    return source


def categories(columns: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(columns).astype({"y": "category"})


def from_arrays(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    X = np.arange(len(labels))[:, None]
    return lambda **options: sg.from_arrays(X, labels, **options)


def from_rows(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    pairs = [({"a": i}, label) for i, label in enumerate(labels)]
    return lambda **options: sg.from_rows(pairs, **options)


def from_events(folder: Path, labels: Sequence[Any]) -> Callable[..., sg.Stream]:
    lines = [f"{i},{2 * i},{i},\n{i},{2 * i + 1},,{label}\n" for i, label in enumerate(labels)]
    path = write(folder / "log.csv", "id,t,a,y\n" + "".join(lines))
    return lambda **options: sg.read_events(
        path, "y", id="id", time="t", on_conflict="skip", **options
    )


TEXT_SOURCES: dict[str, Source] = {
    "csv": from_csv,
    "quoted csv": from_quoted_csv,
    "arff": from_arff,
    "parquet": from_parquet,
    "arrow": from_arrow_file,
    "pandas": frame(pd.DataFrame),
    "categories": frame(categories),
    "polars": frame(pl.DataFrame),
    "table": frame(pa.table),
    "arrays": from_arrays,
    "rows": from_rows,
}
SOURCES = TEXT_SOURCES | {"events": from_events}


def labels_of(stream: sg.Stream) -> list[Any]:
    classes = stream.schema.classes
    return [None if code < 0 else classes[code] for code in whole(stream).y.tolist()]


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    return lambda labels: SOURCES[request.param](tmp_path, labels)


@pytest.mark.parametrize("word", ["None", "NA", "nan", "null", "N/A"])
def test_label_that_may_be_missing_must_be_declared(source: Any, word: str) -> None:
    """Only the user knows whether a label "None" is a class."""
    read = source(["yes", word, "no", word, "yes"])
    with pytest.raises(sg.InputError) as caught:
        read()
    message = str(caught.value)
    assert f"holds {word!r}: is it a class, or a missing label?" in message
    assert f"classes={[word, 'no', 'yes']} if it is one of them" in message
    assert labels_of(read(classes=["yes", "no", word])) == ["yes", word, "no", word, "yes"]
    assert labels_of(read(classes=["no", "yes"])) == ["yes", None, "no", None, "yes"]


@pytest.mark.parametrize("word", ["", "?", " "])
def test_empty_label_is_missing_unless_declared(source: Any, word: str) -> None:
    read = source(["yes", word, "no"])
    assert labels_of(read()) == ["yes", None, "no"]
    assert labels_of(read(classes=["no", "yes"])) == ["yes", None, "no"]


@pytest.mark.parametrize("name", [name for name in TEXT_SOURCES if name != "arff"])
def test_declared_empty_label_is_a_class(tmp_path: Path, name: str) -> None:
    read = SOURCES[name](tmp_path, ["yes", "", "no"])
    assert labels_of(read(classes=["yes", "no", ""])) == ["yes", "", "no"]


def test_declared_empty_label_in_arff_is_a_quoted_one(tmp_path: Path) -> None:
    header = "@attribute a numeric\n@attribute y {yes, '', no}\n@data\n"
    path = write(tmp_path / "t.arff", header + "1,yes\n2,''\n3,\n4,?\n5,no\n")
    assert labels_of(sg.read(path, "y")) == ["yes", "", None, None, "no"]


def test_empty_label_cannot_be_a_class_of_an_event_log(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="'' cannot be a class of an event log"):
        from_events(tmp_path, ["yes", "no"])(classes=["yes", "no", ""])


def test_surrounding_blanks_are_not_part_of_a_label(source: Any) -> None:
    read = source([" yes", "no ", " yes", "\tmay be"])
    assert read().schema.classes == ("may be", "no", "yes")
    assert labels_of(read()) == ["yes", "no", "yes", "may be"]
    assert labels_of(read(classes=["yes ", "no", "may be"])) == ["yes", "no", "yes", "may be"]


def test_labels_that_differ_only_in_blanks_are_never_merged_silently(source: Any) -> None:
    read = source(["yes", "no", "yes "])
    with pytest.raises(sg.InputError) as caught:
        read()
    assert "'yes' and 'yes ', which differ only in surrounding blanks" in str(caught.value)
    assert labels_of(read(classes=["yes", "no"])) == ["yes", "no", "yes"]


NUMBER_SOURCES = [name for name in SOURCES if name != "categories"]


@pytest.mark.parametrize("name", NUMBER_SOURCES)
def test_integer_classes_beyond_2_53_are_not_merged(tmp_path: Path, name: str) -> None:
    labels = [2**53, 2**53 + 1, 2**53, 2**53 + 1, 5]
    stream = SOURCES[name](tmp_path, labels)()
    assert labels_of(stream) == labels
    assert len(stream.schema.classes) == 3


def from_csv_features(folder: Path, cells: Sequence[Any], quote: str = "") -> Any:
    lines = "".join(f"{quote}{cell}{quote},{i % 2}\n" for i, cell in enumerate(cells))
    path = write(folder / "f.csv", "a,y\n" + lines)
    return lambda **options: sg.read(path, "y", **options)


def feature_sources(folder: Path, cells: Sequence[Any]) -> dict[str, Any]:
    y = [i % 2 for i in range(len(cells))]
    columns: dict[str, Any] = {"a": list(cells), "y": y}
    table = pa.table(columns)
    pq.write_table(table, folder / "f.parquet")
    text = "".join(f"{cell},{label}\n" for cell, label in zip(cells, y, strict=True))
    arff = write(folder / "f.arff", "@attribute a numeric\n@attribute y {0,1}\n@data\n" + text)
    X = [[cell] for cell in cells]
    return {
        "csv": from_csv_features(folder, cells),
        "quoted": from_csv_features(folder, cells, '"'),
        "arff": lambda: sg.read(arff, "y"),
        "parquet": lambda: sg.read(folder / "f.parquet", "y"),
        "pandas": lambda: sg.from_frame(pd.DataFrame(columns), "y"),
        "polars": lambda: sg.from_frame(pl.DataFrame(columns), "y"),
        "rows": lambda: sg.from_rows(
            [({"a": a}, label) for a, label in zip(cells, y, strict=True)]
        ),
        "lists": lambda: sg.from_arrays(X, y),
        "array": lambda: sg.from_arrays(np.array(X), y),
        "frame as X": lambda: sg.from_arrays(pd.DataFrame({"a": cells}), y),
    }


def test_feature_that_float64_cannot_hold_is_refused_in_every_source(tmp_path: Path) -> None:
    cells = [1, 2**60, 2**53 + 1, 4]
    for name, read in feature_sources(tmp_path, cells).items():
        with pytest.raises(sg.InputError, match=r"row 2.* is 9007199254740993, an integer beyond"):
            whole(read())  # an ARFF file is checked as its rows are read
        assert name


def test_large_numbers_that_float64_holds_are_exact_in_every_source(tmp_path: Path) -> None:
    cells = [1, 2**60, -(2**53), 10**22]
    for read in feature_sources(tmp_path, [1, 2**60, -(2**53), 3]).values():
        assert whole(read()).X[:, 0].tolist() == [1.0, 2.0**60, -(2.0**53), 3.0]
    for quote in ("", '"'):
        assert whole(from_csv_features(tmp_path, cells, quote)()).X[:, 0].tolist() == cells
    spelt = ["1e300", "123456789012345678901234.5", "-2.5e17"]
    for quote in ("", '"'):
        found = whole(from_csv_features(tmp_path, spelt, quote)()).X[:, 0].tolist()
        assert found == [float(cell) for cell in spelt]


def test_identifiers_can_be_dropped_or_nominal(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", f"id,y\n{2**53},u\n{2**53 + 1},v\n")
    assert sg.read(path, "y", drop=["id"]).schema.features == ()
    nominal = sg.read(path, "y", nominal=["id"])
    assert whole(nominal).X[:, 0].tolist() == [0, 1]


def test_late_large_integer_of_a_big_file_is_found(tmp_path: Path) -> None:
    """The fast parser must not round it in a part that is not scanned again."""
    lines = [f"{i}.5,{i % 2}\n" for i in range(100_000)]
    lines[90_000] = f"{2**53 + 1},0\n"
    path = write(tmp_path / "t.csv", "a,y\n" + "".join(lines))
    with pytest.raises(sg.InputError, match=r"row 90,000 \(line 90,002\): column 'a' is 90071992"):
        sg.read(path, "y")


def test_regression_target_that_float64_cannot_hold_is_refused(tmp_path: Path) -> None:
    targets = [2**53 + 1 + i for i in range(300)]
    for name in NUMBER_SOURCES:
        if name not in ("arff", "events"):
            with pytest.raises(sg.InputError, match="an integer beyond 2\\^53"):
                SOURCES[name](tmp_path, targets)()
    with pytest.raises(sg.InputError, match="an integer beyond 2\\^53"):
        sg.score([2**53 + 1, 2], [1, 2], task="regression")


def test_scored_labels_follow_the_same_rules(tmp_path: Path) -> None:
    with pytest.raises(sg.InputError, match="y_true holds 'None': is it a class"):
        sg.score(["a", "None", "b"], ["a", "b", "b"])
    run = sg.score(["a", "None", "b"], ["a", "None", "b"], classes=["None", "a", "b"])
    assert run.overall["accuracy"] == 1.0
    assert sg.score(["a", "None", "b"], ["a", "b", "b"], classes=["a", "b"]).counts.unlabelled == 1
    big = [2**53, 2**53 + 1] * 3
    assert sg.score(big, big[::-1]).overall["accuracy"] == 0.0
    lines = "".join(f"{i},{label},{label + 1 - 2 * (i % 2)}\n" for i, label in enumerate(big))
    path = write(tmp_path / "log.csv", "id,y,p\n" + lines)
    assert sg.score(path, true="y", pred="p").overall["accuracy"] == 0.0
    log = write(tmp_path / "words.csv", "id,y,p\n1,None,None\n2,1,None\n3,1,1\n")
    assert sg.score(log, true="y", pred="p", classes=["1", "None"]).overall["accuracy"] == 2 / 3
    with pytest.raises(sg.InputError, match="p holds 'None': is it a class"):
        sg.score(write(tmp_path / "x.csv", "y,p\na,a\nb,None\na,b\n"), true="y", pred="p")


def test_decimals_are_numbers(tmp_path: Path) -> None:
    frame = pa.table({"a": [Decimal("1.50"), Decimal("2.25")], "y": [Decimal("1.0"), Decimal(2)]})
    stream = sg.from_frame(frame, "y")
    assert stream.schema.classes == (1, 2)
    assert whole(stream).X[:, 0].tolist() == [1.5, 2.25]
