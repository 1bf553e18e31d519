"""ARFF files with very long lines; bench/arff.py measures that their time is linear."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from tests.streams.tables import whole

LONG_LINES = {
    "values": "@attribute a {%s}\n@attribute y {u,v}\n@data\nv1,u\nv2,v\n",
    "sparse": "@attribute a numeric\n@attribute y {u,v}\n@data\n{%s}\n{1 v}\n",
    "blanks": "@attribute a numeric%s\n@attribute y {u,v}\n@data\n1,u\n2,v\n",
    "row": "@attribute a numeric\n@attribute y {u,v}\n@data\n%s\n1,v\n",
}


@pytest.mark.parametrize("kind", LONG_LINES)
def test_long_lines_are_read_or_named_in_a_short_message(tmp_path: Path, kind: str) -> None:
    parts = {
        "values": ",".join(f"v{i}" for i in range(40_000)),
        "sparse": ",".join(f"{i} 1" for i in range(40_000)),
        "blanks": " " * 300_000 + "x",
        "row": "'a'," * 60_000,
    }
    path = tmp_path / "t.arff"
    path.write_text(LONG_LINES[kind] % parts[kind])
    if kind == "values":
        assert len(sg.read(path, "y").schema.values[0]) == 40_000
    else:
        with pytest.raises(sg.InputError) as caught:
            whole(sg.read(path, "y"))
        assert len(str(caught.value)) < 1000


def test_comment_longer_than_a_chunk_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_bytes(b"@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n" + b"%" * (1 << 24))
    assert whole(sg.read(path, "y")).X.tolist() == [[1.0]]
