"""Content hash, P(M) and P(T): equal for the same table from any source, and for no other."""

from __future__ import annotations

import hashlib
import json
import math
import struct
from pathlib import Path

import pytest
from hypothesis import given

import streamgauge as sg
from streamgauge.streams.datasets.content_hash import ContentSummary, summarise_content
from streamgauge.streams.formats.schema_inference import key_of
from tests.streams.tables import SampleTable, sample_tables, whole, write

TEXT = "a,colour,t,r,y\n-0.0,red,1,5,no\n2.50,,2,,yes\n,blue,3,9,\n1e1,red,4,4,yes\n2,red,5,6,yes\n"


def contents(path: Path, **roles: object) -> ContentSummary:
    return summarise_content(sg.read(path, "y", arrives="t", revealed="r", **roles))  # type: ignore[arg-type]


def naive(stream: sg.Stream) -> str:
    """The hash as content_hash.py describes it, cell by cell."""
    block, schema = whole(stream), stream.schema
    entries: list[list[object]] = []

    def numbers(name: str, cells: list[float]) -> None:
        packed = b"".join(struct.pack("<d", math.nan if v != v else v + 0.0) for v in cells)
        entries.append([name, "number", hashlib.sha256(packed).hexdigest()])

    def names(name: str, cells: list[str | None]) -> None:
        seen = list(dict.fromkeys(cell for cell in cells if cell is not None))
        places = [-1 if cell is None else seen.index(cell) for cell in cells]
        packed = b"".join(struct.pack("<i", place) for place in places)
        entries.append([name, "name", hashlib.sha256(packed).hexdigest(), seen])

    for j, (name, values) in enumerate(zip(schema.features, schema.values, strict=True)):
        cells = block.X[:, j].tolist()
        if values:
            names(name, [None if v != v else values[int(v)] for v in cells])
        else:
            numbers(name, cells)
    if schema.regression:
        numbers("target", block.y.tolist())
    else:
        names("target", [None if v < 0 else key_of(schema.classes[v]) for v in block.y])
    for name in ("arrives", "revealed"):
        times = getattr(block, name)
        if times is not None:
            packed = b"".join(struct.pack("<q", v) for v in times.tolist())
            entries.append([name, "time", hashlib.sha256(packed).hexdigest()])
    text = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@given(sample_tables())
def test_hash_agrees_with_slow_version(
    tmp_path_factory: pytest.TempPathFactory, table: SampleTable
) -> None:
    stream = sg.read(table.to_csv(tmp_path_factory.mktemp("t") / "t.csv"), "y")
    assert summarise_content(stream).sha256 == naive(stream)


def test_hash_ignores_file_format(tmp_path: Path) -> None:
    expected = contents(write(tmp_path / "t.csv", TEXT))
    assert expected.sha256 == naive(sg.read(tmp_path / "t.csv", "y", arrives="t", revealed="r"))
    same = {
        "packed.csv.gz": TEXT,
        "order.csv": "y,r,t,colour,a\nno,5,1,red,0\nyes,,2,,2.5\n,9,3,blue,NA\nyes,4,4,red,10\n"
        "yes,6,5,red,2.0\n",
        "quoted.csv": TEXT.replace("red", '"red"').replace("-0.0", "0.000"),
        "listed.arff": "@relation t\n@attribute a numeric\n@attribute colour {green,red,blue}\n"
        "@attribute t numeric\n@attribute r numeric\n@attribute y {yes,maybe,no}\n@data\n"
        "0,red,1,5,no\n2.5,?,2,?,yes\n?,blue,3,9,?\n10,red,4,4,yes\n2,red,5,6,yes\n",
    }
    for name, text in same.items():
        path = write(tmp_path / name, text)
        assert contents(path, features=["a", "colour"]) == expected, name
    assert contents(tmp_path / "t.csv", classes=["yes", "no", "maybe"]) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2.50", "2.51"), ("2.50", ""), ("blue", "green"), (",blue", ","), ("4,yes", "4,no"),
        ("no\n", "nope\n"), (",3,9,\n", ",3,9,no\n"), ("2,,yes", "2,7,yes"), ("3,9", "3,8"),
        ("a,colour", "b,colour"), ("colour", "color"), ("1e1,red,4,4,yes\n", ""),
    ],
)  # fmt: skip
def test_hash_changes_with_content(tmp_path: Path, old: str, new: str) -> None:
    before = contents(write(tmp_path / "t.csv", TEXT)).sha256
    assert contents(write(tmp_path / "u.csv", TEXT.replace(old, new, 1))).sha256 != before


def test_fractions_are_over_labelled_rows(tmp_path: Path) -> None:
    found = contents(write(tmp_path / "t.csv", TEXT))  # no yes - yes yes
    assert (found.rows, found.p_majority, found.p_persistent) == (5, 3 / 4, 2 / 3)
    numbers = summarise_content(sg.read(write(tmp_path / "n.csv", "a,y\n1,2.5\n2,2.5\n"), "y"))
    assert numbers[:3] == (2, None, None)
    one = summarise_content(
        sg.read(write(tmp_path / "o.csv", "a,y\n1,\n2,x\n"), "y", classes=["x", "z"])
    )
    assert one[:3] == (2, None, None)


def test_fractions_span_blocks(tmp_path: Path) -> None:
    labels = [i // 5000 % 2 for i in range(40_000)]
    path = write(tmp_path / "t.csv", "a,y\n" + "".join(f"1,{y}\n" for y in labels))
    found = summarise_content(sg.read(path, "y"))
    assert found.p_persistent == (39_999 - 7) / 39_999
