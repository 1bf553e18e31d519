"""Figures, alarms and their times do not depend on how the input is cut into reads.

Labels are repeated and corrected, come before their predictions, and come late; predictions are
repeated. An oracle lets one event happen at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streamgauge as sg
from tests.monitoring.logs import CLASSES, FORGET, facts
from tests.oracles.monitor_figures import AlarmEvent, Replay, Rule, alarms, classified, predicted
from tests.oracles.monitoring import Event, Log, Row, joined

ROWS = 60
CUTS = 12
MANY = 250  # logs of each kind in the long tier
Pieces = list[tuple[str, int, bool]]  # the feed, the number of lines, whether to start again after
JOIN = {"timeout": 40, "remember": 30, "lateness": 25}
LABELS = ["accuracy", "kappa", "kappa_temporal", "kappa_seasonal", "macro_f1"]
PROBABILITIES = [*LABELS, "log_loss", "brier"]
NUMBERS = ["mae", "rmse", "r2"]
KINDS = ("classes", "probabilities", "regression", "models")
RULES = [
    Rule("Cumulative()", "accuracy", 0.5, 0.55, 6),
    Rule("Window(20)", "accuracy", 0.45, 0.5, 6),
    Rule("TimeWindow(30)", "kappa", 0.2037, 0.3037, 6),
    Rule("Cumulative()", "kappa", 0.2113, 0.2217, 6),
]

cuts = st.lists(st.tuples(st.sampled_from("pl"), st.integers(1, 25), st.booleans()), max_size=CUTS)


def cut_counts() -> dict[str, int]:
    """How many logs the long tier reads, each whole and in pieces; and in how many at most."""
    logs = MANY * len(KINDS)
    return {"logs": logs, "reads of a log, at most": 2 + CUTS, "predictions": logs * ROWS}


def hostile_log(seed: int, numbers: bool = False) -> tuple[list[Event], list[Event]]:
    """Predictions and labels, of which many are repeated, corrected, early or out of order."""
    rng = np.random.default_rng(seed)

    def value() -> str:
        return f"{rng.normal():.3f}" if numbers else str(rng.choice(CLASSES))

    predictions, labels = [], []
    times = np.cumsum(rng.integers(0, 4, ROWS))
    for row, time in enumerate(times.tolist()):
        name = str(row if rng.random() < 0.95 else rng.integers(0, ROWS))
        guess = value()
        predictions.append(Event(name, time, guess))
        revealed = time + int(rng.integers(-8, 45))
        for _ in range(int(rng.choice([0, 1, 1, 2, 3, 4]))):
            label = guess if rng.random() < 0.4 else value()
            if numbers and row > 25 and rng.random() < 0.1:
                label = "1e9"  # a slip, often corrected later
            labels.append(Event(name, revealed, label))
            revealed += int(rng.choice([0, 0, 1, 5, 20]))
    return _mixed(predictions, rng), _mixed(labels, rng)


def _mixed(events: list[Event], rng: np.random.Generator) -> list[Event]:
    """Events as they may be written: out of order by a little."""
    return sorted(events, key=lambda event: event.time + float(rng.uniform(-12, 12)))


def probabilities(value: str, time: int) -> list[float]:
    """Of each class; the predicted one has the largest."""
    weights = [1 + (3 * time + 5 * c) % 7 + 8 * (each == value) for c, each in enumerate(CLASSES)]
    return [weight / sum(weights) for weight in weights]


def model_of(event: Event) -> str:
    return ("x", "y", "(no model)", "")[(int(event.id) // 3 + event.time) % 4]


def line_of(kind: str, event: Event) -> str:
    """The line of a prediction."""
    cells = list(map(str, event))
    if kind == "probabilities":
        cells += map(repr, probabilities(event.value, event.time))
    elif kind == "models":
        cells += [model_of(event), "north" if int(event.id) % 3 else "south"]
    return ",".join(cells)


def lines_of(kind: str, predictions: list[Event], labels: list[Event]) -> dict[str, list[str]]:
    """The lines of both files, headers first."""
    more = {"probabilities": "".join(f",p_{each}" for each in CLASSES), "models": ",model,region"}
    header = "id,time,prediction" + more.get(kind, "")
    return {
        "p": [header, *(line_of(kind, event) for event in predictions)],
        "l": ["id,time,label", *(",".join(map(str, event)) for event in labels)],
    }


def config_of(kind: str, every: int, points: int) -> dict[str, Any]:
    feed: dict[str, Any] = {"path": "p.csv", "prediction": "prediction"}
    scores: dict[str, Any] = {"forget": FORGET, "every": every, "points": points}
    rules: list[dict[str, Any]] = [
        {"over": r.over, "metric": r.metric, "below": r.below, "clear": r.clear, "rows": r.rows}
        for r in RULES
    ]
    config: dict[str, Any] = {"labels": {"path": "l.csv"}, "join": JOIN, "classes": CLASSES}
    if kind == "probabilities":
        feed["proba"] = {f"p_{each}": each for each in CLASSES}
        rules.append({"over": "Cumulative()", "metric": "log_loss", "above": 1.0, "rows": 6})
    elif kind == "regression":
        config |= {"task": "regression", "classes": None}
        rules = [{"over": "Cumulative()", "metric": "mae", "above": 0.9, "clear": 0.8, "rows": 6}]
    elif kind == "models":
        feed |= {"model": "model", "segments": ["region"]}
        scores |= {"compare": [["x", "y"]], "detectors": ["ADWIN()", "DDM()"]}
        rules += [{"detector": "DDM()"}, {"segment": "region=north", "below": 0.5, "rows": 6}]
    return config | {"predictions": feed, "scores": scores, "alarms": rules}


def read_in_pieces(
    folder: Path,
    lines: dict[str, list[str]],
    config: dict[str, Any],
    pieces: Pieces,
) -> sg.Monitor:
    """Let the files grow piece by piece, read each, and at some of them start again."""
    folder.mkdir()
    done = {"p": 0, "l": 0}
    monitor = sg.Monitor(config, home=folder)
    for feed, count, restart in [*pieces, ("p", 1 << 30, False), ("l", 1 << 30, False)]:
        with (folder / f"{feed}.csv").open("a") as file:
            file.writelines(line + "\n" for line in lines[feed][done[feed] : done[feed] + count])
        done[feed] += count
        monitor.catch_up()
        if restart:
            monitor.save()
            monitor.close()
            monitor = sg.Monitor(config, home=folder)
    monitor.finish()
    return monitor


def assert_as_expected(monitor: sg.Monitor, expected: Replay, rules: list[Rule] = RULES) -> None:
    curve = monitor.curves["monitor"]
    assert curve.moments is not None
    every = [point.rows for point in expected.points]
    assert curve.rows.tolist()[: len(every)] == every
    assert curve.moments.tolist()[: len(every)] == [point.time for point in expected.points]
    told = [(point.rows, point.figures) for point in expected.points]
    if told and told[-1][0] == curve.rows[-1]:  # the last point has all corrections
        told.pop()
    for place, (_, figures) in enumerate([*told, (0, expected.end)]):
        for over, values in figures.items():
            for name, value in values.items():
                found = curve[name, over][place]
                assert found == pytest.approx(value, rel=1e-9, abs=1e-9, nan_ok=True), (over, name)
    events = [event for event in monitor.events if " below " in event["alarm"]]
    names = [f"{rule.metric} over {rule.over} below {rule.below:g}" for rule in rules]
    found_events = [
        AlarmEvent(e["time"], names.index(e["alarm"]), e["state"], e["row"], e["value"])
        for e in events
    ]
    wanted = alarms(expected.points, rules)
    assert [event[:4] for event in found_events] == [event[:4] for event in wanted]
    assert [event.value for event in found_events] == pytest.approx([e.value for e in wanted])


def expected_of(kind: str, log: Log, every: int) -> Replay:
    def proba(row: Row) -> list[float]:
        return probabilities(row.prediction, row.arrives)

    if kind == "regression":
        return predicted(log, every, NUMBERS)
    if kind == "classes":
        return classified(log, CLASSES, every, LABELS)
    return classified(log, CLASSES, every, PROBABILITIES, proba)


def check(folder: Path, kind: str, seed: int, every: int, pieces: Pieces, few: bool) -> None:
    """Read a log whole and in pieces: both say the same, which is what the oracle says."""
    predictions, labels = hostile_log(seed, kind == "regression")
    lines = lines_of(kind, predictions, labels)
    config = config_of(kind, every, 5 if few else 2000)
    whole = read_in_pieces(folder / "whole", lines, config, [])
    cut = read_in_pieces(folder / "cut", lines, config, pieces)
    assert facts(cut) == facts(whole)
    if kind != "models" and not few:
        log = joined(predictions, labels, JOIN["lateness"], JOIN["timeout"], JOIN["remember"])
        assert log.counts["corrections"] > 3
        rules = [] if kind == "regression" else RULES
        assert_as_expected(whole, expected_of(kind, log, every), rules)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=4)
@given(seed=st.integers(0, 10**6), every=st.integers(1, 7), pieces=cuts, few=st.booleans())
def test_cuts_change_nothing_and_all_is_as_one_event_at_a_time(
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    seed: int,
    every: int,
    pieces: Pieces,
    few: bool,
) -> None:
    check(tmp_path_factory.mktemp("log"), kind, seed, every, pieces, few)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_cuts_of_many_logs_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    for seed in range(MANY):
        rng = np.random.default_rng(seed)
        pieces = [
            ("pl"[int(rng.integers(2))], int(rng.integers(1, 26)), bool(rng.random() < 0.3))
            for _ in range(int(rng.integers(1, CUTS + 1)))
        ]
        folder = tmp_path_factory.mktemp("log")
        check(folder, kind, seed, int(rng.integers(1, 8)), pieces, bool(rng.random() < 0.3))
