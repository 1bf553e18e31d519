"""Feeds that are idle: they no longer hold the watermark, and nothing that comes later is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.monitoring._engine import BEHIND
from streamgauge.prequential import feed_clock
from tests.monitoring.logs import CLASSES, assert_same, make_monitor, score_of
from tests.oracles.monitoring import Event, Reader, joined

FILES = {"p": ("p.csv", "prediction"), "l": ("l.csv", "label")}
IDLE = 10.0

event = st.tuples(st.integers(0, 12), st.integers(0, 40), st.sampled_from(CLASSES)).map(
    lambda given: Event(str(given[0]), given[1], given[2])
)
steps = st.lists(
    st.tuples(
        st.sampled_from("pl"),
        st.lists(event, min_size=1, max_size=8),
        st.sampled_from([0.0, 6.0, 11.0]),  # seconds before these lines are written
    ),
    max_size=12,
)


@pytest.fixture(autouse=True, scope="module")
def _known_from_the_first_event_on() -> Iterator[None]:
    """These feeds have few events."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feed_clock, "FIRST", 1)
        yield


class Clock:
    """This computer's clock, moved by hand."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = 1e9
        patch.setattr("streamgauge.monitoring._feed.time.time", lambda: self.now)


def append(folder: Path, feed: str, events: list[Event]) -> None:
    name, value = FILES[feed]
    path = folder / name
    with path.open("a") as file:
        if not file.tell():
            file.write(f"id,time,{value}\n")
        file.writelines(f"{each.id},{each.time},{each.value}\n" for each in events)


def rules(lateness: int = 0, timeout: int = 30) -> dict[str, Any]:
    return {"timeout": timeout, "remember": 20, "lateness": lateness, "idle": f"{IDLE:.0f}s"}


@given(steps=steps, lateness=st.integers(0, 20), timeout=st.integers(40, 60))
def test_events_happen_as_one_at_a_time(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, list[Event], float]],
    lateness: int,
    timeout: int,
) -> None:
    folder = tmp_path_factory.mktemp("log")
    expected, heard = Reader(lateness), dict.fromkeys("pl", 1e9)
    with pytest.MonkeyPatch.context() as patch:
        clock = Clock(patch)
        monitor = make_monitor(folder, join=rules(lateness, timeout))
        for feed, events, wait in steps:
            clock.now += wait
            monitor.catch_up()
            expected.idle = {each for each in "pl" if clock.now - heard[each] >= IDLE}
            expected.move()
            append(folder, feed, events)
            heard[feed] = clock.now
            monitor.catch_up()
            expected.read(feed, events)
            assert monitor.watermark == expected.watermark
        monitor.finish()
    log = joined(expected.events["p"], expected.events["l"], 10**6, timeout, 20)
    assert monitor.counts.get(BEHIND, 0) == expected.behind
    if any(row.revealed is not None for row in log.rows) and not log.counts["corrections"]:
        assert_same(monitor.runs["monitor"], score_of(log, timeout))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def silent_labels(folder: Path, clock: Clock) -> sg.Monitor:
    """Predictions up to 40, and a label feed that has been silent since 5."""
    append(folder, "p", [Event(str(i), i, "a") for i in range(41)])
    append(folder, "l", [Event("1", 5, "a")])
    monitor = make_monitor(folder, join=rules())
    monitor.catch_up()
    assert (monitor.watermark, monitor.status()["idle"]) == (5, [])
    clock.now += IDLE
    monitor.catch_up()
    return monitor


def test_silent_labels_let_predictions_time_out(tmp_path: Path, clock: Clock) -> None:
    monitor = silent_labels(tmp_path, clock)
    status = monitor.status()
    assert (status["watermark"], status["idle"]) == ("40", ["predictions", "labels"])
    assert status["models"]["monitor"]["timed_out"] == 9  # 0 to 9, but for 1
    assert "1 held (predictions and labels idle)" in str(monitor)


def test_labels_that_come_again_count_from_the_watermark_on(tmp_path: Path, clock: Clock) -> None:
    monitor = silent_labels(tmp_path, clock)
    append(tmp_path, "l", [Event("20", 22, "a"), Event("2", 23, "b")])
    monitor.finish()
    model = monitor.status()["models"]["monitor"]
    assert model["scored"] == 2
    assert model["counts"]["a label after the time-out"] == 1
    assert monitor.counts[BEHIND] == 2


def test_silence_lasts_over_a_restart(tmp_path: Path, clock: Clock) -> None:
    append(tmp_path, "p", [Event(str(i), i, "a") for i in range(41)])
    append(tmp_path, "l", [Event("1", 5, "a")])
    monitor = make_monitor(tmp_path, join=rules())
    monitor.catch_up()
    monitor.save()
    monitor.close()
    clock.now += IDLE
    again = make_monitor(tmp_path, join=rules())
    again.catch_up()
    assert again.watermark == 40


def test_without_the_option_a_silent_feed_holds_the_watermark(tmp_path: Path, clock: Clock) -> None:
    append(tmp_path, "p", [Event(str(i), i, "a") for i in range(41)])
    append(tmp_path, "l", [Event("1", 5, "a")])
    monitor = make_monitor(tmp_path)
    monitor.catch_up()
    clock.now += 1000 * IDLE
    monitor.catch_up()
    assert monitor.watermark == 5
