"""ARFF files with long lines: the time is linear in their length."""

from __future__ import annotations

import time
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
def test_long_lines_take_linear_time(tmp_path: Path, kind: str) -> None:
    """Each of them took a minute or more in a version that was quadratic."""
    parts = {
        "values": ",".join(f"v{i}" for i in range(40_000)),
        "sparse": ",".join(f"{i} 1" for i in range(40_000)),
        "blanks": " " * 300_000 + "x",
        "row": "'a'," * 60_000,
    }
    path = tmp_path / "t.arff"
    path.write_text(LONG_LINES[kind] % parts[kind])
    started = time.process_time()
    if kind == "values":
        assert len(sg.read(path, "y").schema.values[0]) == 40_000
    else:
        with pytest.raises(sg.InputError) as caught:
            whole(sg.read(path, "y"))
        assert len(str(caught.value)) < 1000
    assert time.process_time() - started < 5


def test_line_without_end_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "t.arff"
    path.write_bytes(b"@attribute a numeric\n@attribute y {u,v}\n@data\n1,u\n" + b"%" * (1 << 24))
    started = time.process_time()
    assert whole(sg.read(path, "y")).X.tolist() == [[1.0]]
    assert time.process_time() - started < 5
