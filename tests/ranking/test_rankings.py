"""Rankings within several label policies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import streamgauge as sg

SCORES = {
    "stream": ["x", "y", "x", "y", "z"],
    "labels": ["Immediate()", "Immediate()", "Delay(9)", "Delay(9)", "Chunks(5)"],
    "A": [0.9, 0.8, 0.5, 0.4, 0.3],
    "B": [0.8, 0.7, 0.6, 0.5, 0.2],
}


def test_each_policy_has_its_ranking() -> None:
    rankings = sg.rank(SCORES)
    assert len(rankings) == 2
    assert rankings["Immediate()"].average_ranks == {"A": 1.0, "B": 2.0}
    text = rankings.details
    assert text.startswith("Ranked within each of Immediate() and Delay(9): the same streams under")
    assert "Left out, with fewer than two streams: Chunks(5)." in text
    assert "Delay(9) · 2 learners · 2 streams · higher scores are better" in text
    with pytest.raises(sg.UsageError, match="'Delay': expected one of Immediate"):
        rankings["Delay"]
    with pytest.raises(sg.InputError, match="2 learners on 1 stream within each of I, D: expected"):
        sg.rank({"stream": ["x", "x"], "labels": ["I", "D"], "A": [1, 2], "B": [2, 1]})
    holes = SCORES | {"A": [0.9, 0.8, None, 0.4, 0.3]}
    with pytest.raises(sg.InputError, match=r"no score of A on x within Delay\(9\) \(1 of 4"):
        sg.rank(holes)


def test_plain_values_frames_and_diagrams(tmp_path: Path) -> None:
    rankings = sg.rank(SCORES)
    written = json.loads(json.dumps(rankings.to_dict(), allow_nan=False))
    assert [each["variant"] for each in written] == ["Immediate()", "Delay(9)"]
    frame = rankings.to_frame("ranks", "pandas")
    assert frame["variant"].tolist() == ["Immediate()"] * 4 + ["Delay(9)"] * 4
    both = rankings.plot().to_dict()["vconcat"]
    assert [each["title"]["text"][0].split(" · ")[0] for each in both] == list(rankings)
