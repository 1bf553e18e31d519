"""Monitor and `score` join by the same rules: figures and counts are equal, bit for bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.monitoring.sources import growing_file
from streamgauge.prequential.reasons import CORRECTION, ORPHAN, REASONS
from tests.monitoring.logs import (
    CLASSES,
    assert_same,
    corrected,
    make_monitor,
    random_log,
    write_events,
)
from tests.oracles.monitoring import Event

FOR_EVER = 10**6
FORGET: list[sg.Forgetting] = [sg.Cumulative(), sg.Window(20), sg.Fading(0.9), sg.TimeWindow(30)]
TARGETS = ["0.5", "1.0", "1", "-3", "1e6"]


def any_events(values: list[str]) -> st.SearchStrategy[list[Event]]:
    """Events of few ids at few times, in any order."""
    times = st.one_of(st.integers(0, 60), st.sampled_from([500, 501, 9000, -400]))  # some are wrong
    one = st.builds(Event, st.integers(0, 12).map(str), times, st.sampled_from(values))
    return st.lists(one, min_size=1, max_size=40)


def both(
    folder: Path, predictions: list[Event], labels: list[Event], timeout: int, **changes: Any
) -> tuple[sg.Monitor, sg.Run | None]:
    """What the monitor and what `score` say; None if it has nothing to score."""
    write_events(folder / "p.csv", predictions, "prediction")
    write_events(folder / "l.csv", labels, "label")
    rules = {"timeout": timeout, "remember": FOR_EVER, "lateness": FOR_EVER}
    monitor = make_monitor(folder, join=rules, **changes)
    monitor.finish()
    options = {key: changes.get(key, CLASSES) for key in ("classes",)}
    options |= {"task": changes["task"]} if "task" in changes else {}
    try:
        run = sg.score(
            folder / "p.csv", true="label", pred="prediction", label_log=folder / "l.csv", id="id",
            arrives="time", revealed="time", timeout=timeout, every=10, name="monitor",
            forget=FORGET, **options,
        )  # fmt: skip
    except sg.InputError:  # no label has a prediction
        return monitor, None
    return monitor, run


def check(monitor: sg.Monitor, run: sg.Run | None) -> None:
    ours = monitor.runs["monitor"]
    if run is None:
        assert not ours.counts.scored
        return
    assert_same(ours, run)
    assert (ours.counts.unlabelled, ours.counts.awaited) == (
        run.counts.unlabelled,
        run.counts.awaited,
    )
    counted = dict(run.counts.skipped)
    waiting = counted.pop(ORPHAN, 0)
    assert dict(ours.counts.skipped) == counted
    status = monitor.status()["models"]["monitor"]
    assert status["labels_waiting_for_a_prediction"] == waiting


@given(
    predictions=any_events(CLASSES),
    labels=any_events(CLASSES),
    timeout=st.integers(1, 80),
    piece=st.integers(20, 400),
)
def test_any_log_of_classes(
    tmp_path_factory: pytest.TempPathFactory,
    predictions: list[Event],
    labels: list[Event],
    timeout: int,
    piece: int,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing_file, "PIECE_BYTES", piece)
        check(*both(tmp_path_factory.mktemp("log"), predictions, labels, timeout))


@given(predictions=any_events(TARGETS), labels=any_events(TARGETS), timeout=st.integers(1, 80))
def test_any_log_of_numbers(
    tmp_path_factory: pytest.TempPathFactory,
    predictions: list[Event],
    labels: list[Event],
    timeout: int,
) -> None:
    folder = tmp_path_factory.mktemp("log")
    check(*both(folder, predictions, labels, timeout, task="regression", classes=None))


@given(seed=st.integers(0, 1000), shuffled=st.randoms(use_true_random=False))
def test_long_logs_with_everything(
    tmp_path_factory: pytest.TempPathFactory, seed: int, shuffled: Any
) -> None:
    predictions, labels = random_log(200, seed)
    labels = corrected(labels, seed)
    labels += [Event(str(i), i // 2, "a") for i in range(150, 170)]  # before their prediction
    labels += [Event(f"x{i}", i, "b") for i in range(5)]
    predictions += [Event(str(i), predictions[-1].time + 9, "c") for i in range(10)]
    shuffled.shuffle(labels)
    monitor, run = both(tmp_path_factory.mktemp("log"), predictions, labels, timeout=30)
    check(monitor, run)
    assert run is not None
    rows = "a prediction without a label within the time-out"  # not an event
    assert set(run.counts.skipped) == set(REASONS) - {rows}


def test_corrections_with_probabilities_of_two_models(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 300)
    p = np.clip(y * 0.4 + rng.random(300) * 0.6, 0.01, 0.99).round(3)
    lines = [f"{i},{i},{p[i]},{p[-i]}" for i in range(300)]
    (tmp_path / "p.csv").write_text("\n".join(["id,time,new,old", *lines]) + "\n")
    labels = [Event(str(i), i + int(rng.integers(0, 30)), str(y[i])) for i in range(300)]
    labels += [Event(str(i), i + 40, str(1 - y[i])) for i in range(0, 300, 3)]
    write_events(tmp_path / "l.csv", labels, "label")
    runs = sg.score(
        tmp_path / "p.csv", true="label", proba=["new", "old"], label_log=tmp_path / "l.csv",
        id="id", arrives="time", revealed="time", timeout=50, every=10, name=["monitor", "other"],
        forget=FORGET, classes=[0, 1],
    )  # fmt: skip
    for column, run in zip(("new", "old"), runs, strict=True):
        monitor = make_monitor(
            tmp_path,
            predictions={"path": "p.csv", "proba": {column: "1"}},
            classes=[0, 1],
            join={"timeout": 50, "remember": FOR_EVER, "lateness": FOR_EVER},
            state=column,
        )
        monitor.finish()
        assert run.counts.skipped == {CORRECTION: 100}
        ours = monitor.runs["monitor"]
        assert ours.curve.metrics == run.curve.metrics
        for mine, other in zip(ours.curve.values, run.curve.values, strict=True):
            assert np.array_equal(mine, other, equal_nan=True)
        assert repr(ours.references) == repr(run.references)


def test_a_correction_without_times_comes_right_after_its_label(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,p\n1,a\n2,a\n3,b\n")
    (tmp_path / "l.csv").write_text("id,y\n1,a\n2,b\n3,b\n1,b\n1,b\n")
    run = sg.score(
        tmp_path / "p.csv", true="y", pred="p", label_log=tmp_path / "l.csv", id="id", every=1,
        forget=[sg.Cumulative(), sg.Window(5)],
    )  # fmt: skip
    assert run.curve["accuracy"].tolist() == [1, 0, 1 / 3]
    assert run.curve["accuracy", "Window(5)"].tolist() == [1, 1 / 2, 2 / 3]
    assert run.confusion is not None
    assert run.confusion.tolist() == [[0, 0, 0], [2, 1, 0]]
