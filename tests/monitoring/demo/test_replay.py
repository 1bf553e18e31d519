"""The replay: every line is written when its time has come, and once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from streamgauge._support.types import NEVER
from streamgauge.monitoring.demo._logs import DemoLog
from streamgauge.monitoring.demo._replay import ANSWERS, ASKED, Replay

SECOND = 10**9
LOG = DemoLog(
    "x", "about", ("a", "b"), np.array([0, 10, 20]) * SECOND,
    np.array([25 * SECOND, NEVER, 22 * SECOND]), ["a", "", "b"],
    {"m": ["a", "a", "b"], "n": ["b", "", "b"]}, None, 0.5, 0.6, "1d",
)  # fmt: skip


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()[1:]


def test_lines_are_written_as_their_time_comes(tmp_path: Path) -> None:
    replay = Replay(LOG, tmp_path)
    replay.write_until(11 * SECOND)
    assert lines(tmp_path / ASKED) == [
        "0,1970-01-01T00:00:00Z,m,a", "0,1970-01-01T00:00:00Z,n,b",
        "1,1970-01-01T00:00:10Z,m,a", "1,1970-01-01T00:00:10Z,n,",
    ]  # fmt: skip
    assert lines(tmp_path / ANSWERS) == []
    assert not replay.done
    replay.write_until(23 * SECOND)
    replay.write_until(23 * SECOND)
    assert lines(tmp_path / ANSWERS) == ["2,1970-01-01T00:00:22Z,b"]
    replay.write_until(replay.end)
    assert replay.done
    assert lines(tmp_path / ANSWERS)[1:] == ["0,1970-01-01T00:00:25Z,a"]
    assert len(lines(tmp_path / ASKED)) == 6
    replay.close()


def test_replay_begins_and_ends_with_the_log(tmp_path: Path) -> None:
    replay = Replay(LOG, tmp_path)
    assert (replay.start, replay.end) == (0, 25 * SECOND + 1)
    replay.close()
