"""A log of loans for tests: two models, two regions, late labels, a model that gets worse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg

_START = np.datetime64("2026-01-01T00:00", "s")
ALARM = "accuracy too low"


def write_loans(folder: Path, rows: int = 1500, seed: int = 1) -> None:
    """Write asked.csv and answers.csv; model A gets worse after 60 % of the rows."""
    rng = np.random.default_rng(seed)
    times = _START + np.cumsum(rng.integers(1, 60, rows)).astype("timedelta64[s]")
    y = rng.random(rows) < 0.4
    right = rng.random(rows) < np.where(np.arange(rows) < 0.6 * rows, 0.9, 0.5)
    guess = {"A": np.where(right, y, ~y), "B": rng.random(rows) < 0.4}
    names = np.array(["no", "yes"])
    asked = [
        f"{i},{times[i]}Z,{names[int(guess[model][i])]},{model},{'ns'[i % 2]}"
        for i in range(rows)
        for model in ("A", "B")
    ]
    waits = 60 + rng.exponential(np.where(y, 3000, 1500)).astype(np.int64)
    came = times + waits.astype("timedelta64[s]")
    known = rng.random(rows) < 0.9
    answers = [f"{i},{came[i]}Z,{names[int(y[i])]}" for i in np.argsort(came).tolist() if known[i]]
    _write(folder / "asked.csv", "id,time,prediction,model,region", asked)
    _write(folder / "answers.csv", "id,time,label", answers)


def _write(path: Path, header: str, lines: list[str]) -> None:
    path.write_text("\n".join([header, *lines]) + "\n")


CONFIG = f"""\
name = "loans"
classes = ["no", "yes"]

[predictions]
path = "asked.csv"
prediction = "prediction"
model = "model"
segments = ["region"]

[labels]
path = "answers.csv"

[join]
timeout = "6h"

[scores]
forget = ["Window(200)", "Cumulative()"]
detectors = ["DDM()"]
compare = [["A", "B"]]
every = 20

[[alarms]]
name = "{ALARM}"
over = "Window(200)"
below = 0.75
clear = 0.8
model = "A"

[[alarms]]
name = "B worse than guessing"
over = "Window(200)"
worse_than = "Majority"
model = "B"

[[alarms]]
name = "errors of A change"
detector = "DDM()"
model = "A"
"""


def make_loans(folder: Path, rows: int = 1500) -> Path:
    """The log and its monitor.toml; the path of the latter."""
    write_loans(folder, rows)
    path = folder / "monitor.toml"
    path.write_text(CONFIG)
    return path


def caught_up(folder: Path, rows: int = 1500) -> Any:
    """A monitor that has read the whole log."""
    monitor = sg.Monitor(make_loans(folder, rows))
    monitor.catch_up()
    return monitor
