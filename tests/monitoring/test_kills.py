"""A monitor that is killed at any moment goes on with the same figures and alarms."""

from __future__ import annotations

import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from streamgauge.monitoring.sources import growing_file
from tests.monitoring.logs import corrected, facts, make_monitor, random_log, write_events
from tests.oracles.monitoring import joined

KILLS = 30
RULES: dict[str, Any] = {
    "scores": {
        "forget": ["Cumulative()", "Window(20)", "Fading(0.9)", "TimeWindow(30)"],
        "every": 10,
        "points": 100,
        "detectors": ["ADWIN()", "DDM()"],
    },
    "alarms": [
        {"below": 0.66, "clear": 0.67, "rows": 20},
        {"over": "Window(20)", "below": 0.5, "clear": 0.6, "rows": 20},
        {"detector": "DDM()"},
    ],
}


def kill_counts() -> dict[str, int]:
    """How often the long tier kills a monitor."""
    return {"kills": KILLS}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_killed_at_any_moment_it_goes_on_with_the_same_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log grows while the monitor is killed, with snapshots all the time."""
    monkeypatch.setattr(growing_file, "PIECE_BYTES", 300)
    predictions, labels = random_log(6000, seed=2)
    drifted = [event._replace(value="a") for event in predictions[2000:4000]]
    predictions, labels = [*predictions[:2000], *drifted, *predictions[4000:]], corrected(labels, 4)
    assert joined(predictions, labels, 0, 50, 20).counts["corrections"] > 1000
    write_events(tmp_path / "p.csv", predictions, "prediction")
    write_events(tmp_path / "l.csv", labels, "label")
    whole = make_monitor(tmp_path, **RULES, state="whole")  # kernels are loaded by now
    whole.finish()
    rng = np.random.default_rng(3)
    tell = ["sh", "-c", f"echo $STREAMGAUGE_ID >> '{tmp_path / 'told'}'"]
    read = []
    for part in np.linspace(0.1, 1, KILLS):
        write_events(tmp_path / "p.csv", predictions[: int(part * len(predictions))], "prediction")
        write_events(tmp_path / "l.csv", labels[: int(part * len(labels))], "label")
        child = get_context("fork").Process(
            target=lambda: make_monitor(tmp_path, **RULES, snapshot="1ms", command=tell).run()
        )
        child.start()
        time.sleep(float(rng.uniform(0.05, 0.8)))
        child.kill()
        child.join()
        read.append(make_monitor(tmp_path, **RULES).status()["lines"]["predictions"])
    assert len(set(read)) > 5  # it was killed at different places
    monitor = make_monitor(tmp_path, **RULES, command=tell)
    monitor.finish()
    monitor.save()
    assert facts(monitor) == facts(whole)
    told = (tmp_path / "told").read_text().split()
    ids = [event["id"] for event in whole.events]
    assert set(told) == set(ids)  # each at least once
    assert len(set(ids)) == len(ids)
    assert len(told) <= len(ids) + KILLS  # again only where a kill came before the note
    assert {event["alarm"] for event in whole.events} >= {"DDM() alarms"}
    assert len(whole.events) > 5
