"""Progress without a terminal: a line every 30 seconds; nothing if it is not wanted."""

from __future__ import annotations

import sys
import time

import pytest

import streamgauge as sg
from streamgauge._support import progress
from streamgauge._support.progress import Progress, duration, show_message
from tests.cli.running import Terminal
from tests.hostile_text import hostile, problems


class Clock:
    """Replaces time.monotonic."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "monotonic", clock)
    return clock


@pytest.mark.usefixtures("not_quiet")
def test_line_every_30_seconds(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("elec2", 45_312) as shown:
        for second in range(0, 95, 5):
            clock.now = 100.0 + second
            shown.advance(second * 250)
    assert capsys.readouterr().err.splitlines() == [
        "elec2: 7,500 of 45,312 rows (17%), 250 rows/s, about 3 min left",
        "elec2: 15,000 of 45,312 rows (33%), 250 rows/s, about 2 min left",
        "elec2: 22,500 of 45,312 rows (50%), 250 rows/s, about 91 s left",
    ]


@pytest.mark.usefixtures("not_quiet")
def test_line_without_a_total_and_before_the_first_unit(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with Progress("reading x", None) as rows, Progress("grid", 8, unit="cells") as cells:
        clock.now += 40
        rows.advance(4)
        cells.advance(0)
    assert capsys.readouterr().err.splitlines() == [
        "reading x: 4 rows, 0.1 rows/s",
        "grid: 0 of 8 cells (0%), 0 cells/s",
    ]


@pytest.mark.usefixtures("not_quiet")
def test_names_are_shown_as_they_are(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No markup of rich, whose colours and errors they would cause; no escape sequences."""
    with Progress(hostile("[/] a"), 100) as lines:
        clock.now += 40
        lines.advance(10)
    show_message(hostile("b"))
    assert problems(capsys.readouterr().err) == []
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setenv("COLUMNS", "300")
    with Progress("[red]a[/] [/b] \x1b[2J", 100) as bar:
        clock.now += 40
        bar.advance(10)
    assert "[red]a[/] [/b] \\x1b[2J" in terminal.text


def test_closed_stderr_is_silent(
    clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAUGE_QUIET", "0")
    monkeypatch.setattr(sys, "stderr", None)
    for shown in (None, True):
        with Progress("a", 100, shown) as bar:
            clock.now += 40
            bar.advance(10)
    show_message("b")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("shown", [None, False])
def test_quiet_is_silent(
    clock: Clock,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    shown: bool | None,
) -> None:
    monkeypatch.setenv("STREAMGAUGE_QUIET", "1" if shown is None else "0")
    with Progress("elec2", 100, shown) as bar:
        clock.now += 100
        bar.advance(50)
    assert capsys.readouterr().err == ""
    show_message("shown unless quiet")
    assert capsys.readouterr().err == ("" if shown is None else "shown unless quiet\n")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with Progress("elec2", 100, shown) as bar:
        clock.now += 100
        bar.advance(50)
    assert terminal.text == ""


@pytest.mark.usefixtures("not_quiet")
def test_evaluation_and_experiment_show_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    sg.evaluate("SEA(100)", "Majority")  # compiles, if the cache is empty
    capsys.readouterr()
    monkeypatch.setattr(progress, "_LINE_EVERY", 0.0)  # as if every block took long
    sg.evaluate("SEA(300, seed=1)", "Majority", block_rows=200)
    assert capsys.readouterr().err.startswith("SEA(300, seed=1): 200 of 300 rows (67%), ")
    sg.evaluate("SEA(300, seed=1)", "Majority", progress=False)
    assert capsys.readouterr().err == ""
    grid = sg.Grid([{"generate": "SEA(100)"}], ["Majority", "NaiveBayes"], name="two")
    sg.run_grid(grid, str(tmp_path), workers=0)
    assert "two: 1 of 2 cells (50%), " in capsys.readouterr().err


def test_durations() -> None:
    shown = [duration(seconds) for seconds in (0.4, 40, 119, 720, 7199, 12_600, 200_000)]
    assert shown == ["0 s", "40 s", "119 s", "12 min", "120 min", "3.5 h", "2.3 days"]
