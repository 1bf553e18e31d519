"""The monitor: equal to `score` however lines come, whenever it stops."""

from __future__ import annotations

import mmap
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import streamgauge as sg
from streamgauge.monitoring.sources import growing_file
from streamgauge.prequential import feed_clock
from streamgauge.prequential.reasons import FAR_AHEAD, REASONS, REPLACED
from tests.monitoring.logs import (
    CLASSES,
    assert_same,
    config,
    make_monitor,
    random_log,
    score_of,
    write_events,
)
from tests.oracles.monitoring import Event, Log, joined

COUNTED = (
    "repeated predictions", "labels too late", "labels before", "timed out", "orphans",
    "repeated labels", "corrections",
)  # fmt: skip

events = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 60), st.sampled_from(CLASSES)), max_size=40
).map(lambda found: [Event(str(i), time, value) for i, time, value in found])


def monitored(folder: Path, predictions: list[Event], labels: list[Event], **changes: Any) -> Any:
    write_events(folder / "p.csv", predictions, "prediction")
    write_events(folder / "l.csv", labels, "label")
    monitor = make_monitor(folder, **changes)
    monitor.finish()
    return monitor


def model_counts(monitor: sg.Monitor) -> dict[str, int]:
    model = monitor.status()["models"]["monitor"]["counts"]
    return {name: model.get(reason, 0) for name, reason in zip(COUNTED, REASONS, strict=True)}


def confusion(log: Log) -> list[list[int]]:
    """True class by predicted class, with corrected labels; no model abstains."""
    pairs = Counter((row.corrected, row.prediction) for row in log.rows)
    return [[*(pairs[true, guess] for guess in CLASSES), 0] for true in CLASSES]


def test_figures_equal_those_of_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monitor = monitored(tmp_path, *random_log(400, seed=1))
    expected = sg.score(
        "p.csv", true="label", pred="prediction", label_log="l.csv", id="id", arrives="time",
        revealed="time", timeout=50, classes=CLASSES, every=10, name="monitor",
        forget=[sg.Cumulative(), sg.Window(20), sg.Fading(0.9), sg.TimeWindow(30)],
    )  # fmt: skip
    assert_same(monitor.runs["monitor"], expected)
    assert expected.counts.scored > 300
    assert monitor.runs["monitor"].counts.awaited == expected.counts.awaited


@given(
    predictions=events,
    labels=events,
    lateness=st.integers(0, 40),
    timeout=st.integers(1, 40),
    remember=st.integers(0, 30),
    piece=st.integers(20, 400),
)
def test_any_events_are_joined_by_the_rules(
    tmp_path_factory: pytest.TempPathFactory,
    predictions: list[Event],
    labels: list[Event],
    lateness: int,
    timeout: int,
    remember: int,
    piece: int,
) -> None:
    folder = tmp_path_factory.mktemp("log")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing_file, "PIECE_BYTES", piece)
        rules = {"timeout": timeout, "remember": remember, "lateness": lateness}
        monitor = monitored(folder, predictions, labels, join=rules)
    log = joined(predictions, labels, lateness, timeout, remember)
    counts = monitor.counts
    assert counts.get("a prediction later than the watermark", 0) == log.counts["late predictions"]
    assert counts.get("a label later than the watermark", 0) == log.counts["late labels"]
    if not log.rows:
        return
    found = model_counts(monitor)
    now = monitor.watermark
    assert now is not None
    silent = sum(row.revealed is None and now - timeout > row.arrives for row in log.rows)
    assert found.pop("timed out") == silent
    waiting = sum(now > label.time + remember for label in log.early)
    assert found.pop("orphans") == log.counts["orphans"] + waiting
    for name, count in found.items():
        assert count == log.counts[name], name
    run = monitor.runs["monitor"]
    assert run.confusion.tolist() == confusion(log)
    if any(row.revealed is not None for row in log.rows) and not log.counts["corrections"]:
        assert_same(run, score_of(log, timeout))


@given(seed=st.integers(0, 1000), shuffled=st.randoms(use_true_random=False))
def test_any_order_within_the_watermark_gives_the_same_figures(
    tmp_path_factory: pytest.TempPathFactory, seed: int, shuffled: Any
) -> None:
    predictions, labels = random_log(120, seed)
    distinct = [event._replace(time=2 * place) for place, event in enumerate(predictions)]
    arrives = {event.id: event.time for event in distinct}
    labels = [
        event._replace(time=arrives[event.id] + 1 + 2 * (int(event.id) % 7)) for event in labels
    ]
    expected = score_of(joined(distinct, labels, 1000, 50, 20))
    folder = tmp_path_factory.mktemp("log")
    shuffled.shuffle(distinct)
    shuffled.shuffle(labels)
    rules = {"timeout": 50, "remember": 20, "lateness": 1000}
    monitor = monitored(folder, distinct, labels, join=rules)
    assert_same(monitor.runs["monitor"], expected)


def crash_often(folder: Path, seed: int, **changes: Any) -> sg.Monitor:
    """Read a little, write a snapshot or not, and start again, until all is read."""
    rng = np.random.default_rng(seed)
    while True:
        monitor = make_monitor(folder, **changes)
        more = all(monitor.poll() for _ in range(int(rng.integers(1, 8))))
        if not more:
            monitor.finish()
            return monitor
        if rng.random() < 0.7:
            monitor.save()
        monitor.close()  # a crash would let go of the lock, too


@pytest.mark.parametrize("seed", range(3))
def test_stopped_anywhere_it_goes_on_with_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(growing_file, "PIECE_BYTES", 150)
    predictions, labels = random_log(150, seed=4)
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", labels, "label")
    rules = {"scores": {"detectors": ["ADWIN()", "DDM()"], "every": 10}}
    rules["alarms"] = [{"over": "Window(20)", "below": 0.75, "clear": 0.8, "rows": 20}]  # type: ignore[assignment]
    crashed = crash_often(tmp_path, seed, **rules)
    whole = make_monitor(tmp_path, **rules, state="whole")
    whole.finish()
    assert crashed.status() == whole.status()
    assert whole.status()["events"]
    assert_same(crashed.runs["monitor"], whole.runs["monitor"])


def test_what_waits_beyond_a_bound_is_on_disk(tmp_path: Path) -> None:
    predictions, labels = random_log(300, seed=6, wait=200)
    rules = {"timeout": 300, "remember": 20}
    memory = monitored(tmp_path, predictions, labels, join=rules, state="memory")
    disk = monitored(tmp_path, predictions, labels, join=rules, state="disk", waiting_in_memory=50)
    room = disk._engine.models["monitor"].room
    assert isinstance(room.arrives.base, mmap.mmap)
    assert_same(disk.runs["monitor"], memory.runs["monitor"])
    disk.save()
    disk.close()
    again = make_monitor(tmp_path, join=rules, state="disk", waiting_in_memory=50)
    assert isinstance(again._engine.models["monitor"].room.arrives.base, mmap.mmap)
    assert_same(again.runs["monitor"], memory.runs["monitor"])


def test_a_partial_last_line_waits(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,0,a\n2,1,b\n3,2")
    (tmp_path / "l.csv").write_text("id,time,label\n1,5,a\n2,6,a\n")
    monitor = make_monitor(tmp_path)
    monitor.catch_up()
    assert monitor.status()["lines"] == {"predictions": 2, "labels": 2}
    with (tmp_path / "p.csv").open("a") as file:
        file.write(",c\n4,9,a\n")
    monitor.finish()
    assert monitor.runs["monitor"].counts.rows == 4


def test_events_wait_for_the_feed_that_is_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_clock, "FIRST", 1)
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,0,a\n2,10,b\n3,20,b\n")
    (tmp_path / "l.csv").write_text("id,time,label\n1,5,a\n")
    monitor = make_monitor(tmp_path)
    monitor.catch_up()
    assert monitor.watermark == 5
    assert monitor.status()["held"] == 3  # the label at 5 itself, too: another one may come
    monitor.finish()
    assert monitor.status()["held"] == 0


def test_a_snapshot_has_what_waits_its_turn(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,0,a\n2,10,b\n")
    monitor = make_monitor(tmp_path)
    monitor.catch_up()
    monitor.save()
    monitor.close()
    (tmp_path / "l.csv").write_text("id,time,label\n1,5,a\n")
    again = make_monitor(tmp_path)
    assert again.status()["held"] == 2
    again.finish()
    assert again.runs["monitor"].counts.scored == 1


def test_corrections_change_what_is_cumulative_only(tmp_path: Path) -> None:
    predictions = [Event(str(i), i, "a") for i in range(30)]
    labels = [Event(str(i), i + 1, "a") for i in range(30)]
    labels.append(Event("25", 35, "b"))
    monitor = monitored(
        tmp_path, predictions, labels, scores={"forget": ["Cumulative()", "Window(20)"]}
    )
    run = monitor.runs["monitor"]
    assert run.curve.last("Cumulative()")["accuracy"] == 29 / 30
    assert run.curve.last("Window(20)")["accuracy"] == 1
    assert run.overall["accuracy"] == 29 / 30
    # Persistent abstains on two rows: a label does not come before a row of the same time.
    assert run.references["Persistent"]["accuracy"] == 27 / 30
    assert run.curve.last("Cumulative()")["accuracy_persistent"] == 27 / 30
    assert model_counts(monitor)["corrections"] == 1


def test_classes_are_learned_from_the_first_labels_and_then_fixed(tmp_path: Path) -> None:
    predictions = [Event(str(i), i, "ab"[i % 2]) for i in range(40)]
    labels = [Event(str(i), i + 1, "ab"[i % 2] if i < 30 else "z") for i in range(40)]
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", labels, "label")
    monitor = make_monitor(tmp_path, classes=None, learn_classes=10)
    monitor.finish()
    status = monitor.status()
    assert status["classes"] == "a, b (learned from the first 10 labels)"
    assert status["counts"] == {"a label of a class that is not known": 10}
    assert status["models"]["monitor"]["scored"] == 30


def test_several_models_share_the_labels(tmp_path: Path) -> None:
    predictions, labels = random_log(200, seed=3)
    lines = ["id,time,model,prediction"]
    other = [event._replace(value="a") for event in predictions[::2]]
    for event in predictions:
        lines.append(f"{event.id},{event.time},new,{event.value}")
        if event._replace(value="a") in other:
            lines.append(f"{event.id},{event.time},old,a")
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    write_events(tmp_path / "l.csv", labels, "label")
    feed = {"path": "p.csv", "prediction": "prediction", "model": "model"}
    scores = {"compare": [["new", "old"]], "every": 10, "forget": config()["scores"]["forget"]}
    monitor = make_monitor(tmp_path, predictions=feed, scores=scores)
    monitor.finish()
    for name, own in (("new", predictions), ("old", other)):
        log = joined(own, labels, 0, 50, 20)
        assert_same(monitor.runs[name], score_of(log, name=name))
    (pair,) = monitor.status()["comparisons"]
    new, old = (joined(own, labels, 0, 50, 20) for own in (predictions, other))
    both = {row.id: row for row in old.rows if row.label}
    hits = [
        (row.prediction == row.label, row.label == "a")
        for row in new.rows
        if row.id in both and row.label
    ]
    assert pair["rows"] == len(hits)
    assert pair["a_score"] == np.mean([hit for hit, _ in hits])
    assert pair["only_a"] == sum(hit and not other for hit, other in hits)
    assert pair["word"] == "too few rows to say"


def test_a_new_model_gets_labels_that_came_before_its_predictions(tmp_path: Path) -> None:
    lines = ["id,time,model,prediction", *(f"{i},{i},one,a" for i in range(20)), "7,21,two,a"]
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    write_events(tmp_path / "l.csv", [Event("7", 15, "a"), Event("8", 30, "b")], "label")
    feed = {"path": "p.csv", "prediction": "prediction", "model": "model"}
    monitor = make_monitor(tmp_path, predictions=feed)
    monitor.finish()
    assert monitor.status()["models"]["two"]["scored"] == 1


def test_segments_are_scored_apart(tmp_path: Path) -> None:
    predictions, labels = random_log(200, seed=5)
    lines = ["id,time,region,prediction"]
    lines += [
        f"{e.id},{e.time},{'north' if int(e.id) % 3 else 'south'},{e.value}" for e in predictions
    ]
    (tmp_path / "p.csv").write_text("\n".join(lines) + "\n")
    write_events(tmp_path / "l.csv", labels, "label")
    feed = {"path": "p.csv", "prediction": "prediction", "segments": ["region"]}
    monitor = make_monitor(tmp_path, predictions=feed)
    monitor.finish()
    segments = monitor.status()["models"]["monitor"]["segments"]["region"]
    south = Log(
        [row for row in joined(predictions, labels, 0, 50, 20).rows if int(row.id) % 3 == 0]
    )
    expected = score_of(south).curve
    assert segments["south"]["scored"] == sum(row.label is not None for row in south.rows)
    for over, figures in segments["south"]["figures"].items():
        for metric in ("accuracy", "kappa", "macro_f1"):
            assert figures[metric] == expected.last(over)[metric]


def test_probabilities_are_scored_as_by_score(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    times, y, p = np.arange(100), rng.integers(0, 2, 100), rng.random(100).round(3)
    lines = [f"{i},{times[i]},{p[i]},{y[i]},{times[i] + 5}" for i in range(100)]
    (tmp_path / "log.csv").write_text("\n".join(["id,t,p,y,r", *lines]) + "\n")
    feed = {"path": "log.csv", "time": "t", "proba": "p", "label": "y", "label_time": "r"}
    monitor = sg.Monitor(
        {"predictions": feed, "classes": [0, 1], "join": {"timeout": 50}, "scores": {"every": 10}},
        home=tmp_path,
    )
    monitor.finish()
    expected = sg.score(y, y_proba=p, arrives=times, revealed=times + 5, every=10, name="monitor")
    run = monitor.runs["monitor"]
    assert run.summary["brier"] == expected.summary["brier"]
    assert_same(run, expected)


def test_regression_is_scored_as_by_score(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    times, y = np.arange(80), rng.normal(size=80).round(4)
    guess = (y + rng.normal(size=80)).round(4)
    lines = [f"{i},{times[i]},{guess[i]}" for i in range(80)]
    (tmp_path / "p.csv").write_text("\n".join(["id,time,prediction", *lines]) + "\n")
    lines = [f"{i},{times[i] + 7},{y[i]}" for i in range(80)]
    (tmp_path / "l.csv").write_text("\n".join(["id,time,label", *lines]) + "\n")
    monitor = make_monitor(
        tmp_path, classes=None, task="regression", scores={"every": 10}, join={"timeout": 30}
    )
    monitor.finish()
    expected = sg.score(
        y, guess, arrives=times, revealed=times + 7, task="regression", every=10, timeout=30,
        name="monitor",
    )  # fmt: skip
    run = monitor.runs["monitor"]
    assert run.summary["mae"] == expected.summary["mae"]
    assert repr(run.references) == repr(expected.references)
    assert str(run.verdict) == str(expected.verdict)


def test_another_configuration_is_refused(tmp_path: Path) -> None:
    monitored(tmp_path, *random_log(50, seed=1)).save()
    with pytest.raises(sg.InputError, match="belongs to another configuration"):
        make_monitor(tmp_path, join={"timeout": 51, "remember": 20})
    make_monitor(tmp_path, snapshot="1h")  # changes no figure


def test_a_source_that_was_replaced_meanwhile_is_read_from_its_start(tmp_path: Path) -> None:
    predictions, labels = random_log(50, seed=1)
    monitor = monitored(tmp_path, predictions, labels)
    monitor.save()
    monitor.close()
    later = [event._replace(id=f"x{event.id}", time=event.time + 900) for event in predictions]
    write_events(tmp_path / "p.csv", later * 2, "prediction")
    again = make_monitor(tmp_path)
    again.finish()
    status = again.status()
    assert status["lines"]["predictions"] == 150
    assert status["models"]["monitor"]["arrived"] == 100
    assert status["counts"][REPLACED] == 1
    (remark,) = again.take_remarks()
    assert "p.csv: the file was cut or replaced after" in remark
    assert again.take_remarks() == []


def test_a_state_folder_has_one_monitor(tmp_path: Path) -> None:
    monitor = monitored(tmp_path, *random_log(50, seed=1))
    with pytest.raises(sg.UsageError, match="another monitor is running"):
        make_monitor(tmp_path).poll()
    monitor.close()
    make_monitor(tmp_path).poll()


def test_unreadable_lines_are_counted_and_quoted(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(
        "id,time,prediction\n1,0,a\n2,soon,b\n,3,c\n4,4,a,extra\n5,5,a\n"
    )
    (tmp_path / "l.csv").write_text("id,time,label\n1,5,a\n5,6,\n5,7,b\n")
    monitor = make_monitor(tmp_path)
    monitor.finish()
    status = monitor.status()
    assert status["counts"] == {"a line that could not be read": 3, "a label that is empty": 1}
    place = tmp_path / "p.csv"
    assert set(status["examples"]) == {
        f"{place}, line 5: another number of cells than the 3 columns: '4,4,a,extra'",
        f"{place}, line 4: no id",
        f"{place}, line 3: 'time' is 'soon'; expected an integer, since timeout = 50",
    }
    assert status["models"]["monitor"]["scored"] == 2


@pytest.mark.parametrize("place", [0, 100])
def test_one_label_of_another_century_blinds_nothing(tmp_path: Path, place: int) -> None:
    predictions, labels = random_log(2000, seed=1)
    write_events(tmp_path / "p.csv", predictions, "prediction")
    wrong = labels[place]._replace(time=10**9)
    rest = [label for label in labels if label.id != wrong.id]
    rest.insert(place, wrong)
    write_events(tmp_path / "l.csv", rest, "label")
    monitor = make_monitor(tmp_path)
    monitor.catch_up()
    status = monitor.status()
    assert status["set_aside"] == {"predictions": 0, "labels": 1}
    assert status["counts"] == {FAR_AHEAD: 1}
    assert status["models"]["monitor"]["scored"] > 1700
    monitor.finish()
    assert monitor.runs["monitor"].counts.scored == len(labels) - 1
