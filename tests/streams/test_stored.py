"""Streams in files: the same rows, names and fingerprints as the original's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge._support.inside import Inside
from streamgauge.streams.stored import StoredStream, write_stream
from streamgauge.testing import check_stream
from tests.streams.tables import whole


@pytest.mark.parametrize(
    "stream",
    [
        sg.from_rows([({"a": 1, "b": "u"}, True), ({"a": None, "b": "v"}, False)], name="pairs"),
        sg.from_arrays([[1.0], [2.0], [3.0]], [0.5, np.nan, 1.5], task="regression"),
        sg.from_arrays([[1.0], [2.0]], ["p", "q"], arrives=[1, 2], revealed=[3, 4]),
        sg.from_arrays(
            [[1.0], [2.0]], ["p", "q"], arrives=["2020-01-01T00:00Z"] * 2, name="with a clock"
        ),
        sg.splice([sg.SEA(90), sg.SEA(90, variant=1)]).take(100),
        sg.from_events(
            pa.table(
                {
                    "id": [1, 2, 1, 2, 1],
                    "time": [1, 2, 3, 4, 5],
                    "a": [0.0, 1.0, 5.0, None, None],
                    "y": [None, None, None, "p", "q"],
                }
            ),
            "y",
            id="id",
            time="time",
        ),
    ],
    ids=lambda stream: stream.name,
)
def test_stored_stream_equals_the_original(stream: sg.Stream, tmp_path: Path) -> None:
    write_stream(stream, Inside(tmp_path, "streams", "it.npz"))
    stored = StoredStream(tmp_path / "streams" / "it.npz")
    assert [p.name for p in (tmp_path / "streams").iterdir()] == ["it.npz"]
    for field in ("name", "schema", "rows", "drifts"):
        assert getattr(stored, field) == getattr(stream, field)
    assert repr(stored.schema) == repr(stream.schema)  # True is not 1
    assert stored.fingerprint() == stream.fingerprint()
    assert super(StoredStream, stored).fingerprint() == sg.Stream.fingerprint(stream)
    assert (whole(stored).updates is None) == (whole(stream).updates is None)
    check_stream(stored)


def test_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "it.npz").write_bytes(b"nothing")
    with pytest.raises(sg.InputError, match=r"it\.npz: not a stored stream"):
        StoredStream(tmp_path / "it.npz")
