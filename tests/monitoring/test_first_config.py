"""A first configuration runs, and knows what is in the files."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.monitoring.first_config import first_config, write_first_config
from tests.monitoring.loans import write_loans
from tests.monitoring.logs import random_log, write_events


def run(folder: Path, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the configuration says, and the status of a monitor that it makes."""
    (folder / "monitor.toml").write_text(text)
    monitor = sg.Monitor(folder / "monitor.toml")
    monitor.finish()
    return tomllib.loads(text), monitor.status()


def test_columns_models_segments_and_waits_are_found(tmp_path: Path) -> None:
    write_loans(tmp_path, 3000)
    text = first_config(tmp_path / "asked.csv", tmp_path / "answers.csv", tmp_path)
    config, status = run(tmp_path, text)
    assert config["classes"] == ["no", "yes"]
    assert config["predictions"] == {
        "path": "asked.csv", "id": "id", "time": "time", "prediction": "prediction",
        "model": "model", "segments": ["region"],
    }  # fmt: skip
    assert config["labels"]["label"] == "label"
    assert config["join"]["timeout"].endswith(("h", "min"))
    assert len(config["alarms"]) == 3
    scored = {name: model["scored"] for name, model in status["models"].items()}
    assert all(count > 2500 for count in scored.values())
    assert any(each["firing"] for each in status["alarms"] if each["model"] == "A")


def test_integer_times_and_other_names(tmp_path: Path) -> None:
    predictions, labels = random_log(500, seed=3)
    write_events(tmp_path / "p.csv", predictions, "guess")
    write_events(tmp_path / "l.csv", labels, "outcome")
    for name, old in (("p.csv", "id,time"), ("l.csv", "id,time")):
        path = tmp_path / name
        path.write_text(path.read_text().replace(old, "key,ts", 1))
    config, status = run(tmp_path, first_config(tmp_path / "p.csv", tmp_path / "l.csv", tmp_path))
    assert config["predictions"]["id"] == "key"
    assert config["predictions"]["time"] == "ts"
    assert 39 <= config["join"]["timeout"] <= 60
    assert status["models"]["model"]["scored"] > 400


def test_numbers_are_a_regression(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=2000)
    guess = y + rng.normal(scale=0.1, size=2000)
    lines = [f'{{"id": {i}, "time": {i}, "prediction": {guess[i]}}}' for i in range(2000)]
    (tmp_path / "p.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "l.csv").write_text(
        "\n".join(["id,time,label", *(f"{i},{i + 5},{y[i]}" for i in range(2000))]) + "\n"
    )
    text = first_config(tmp_path / "p.jsonl", tmp_path / "l.csv", tmp_path)
    config, status = run(tmp_path, text)
    assert config["task"] == "regression"
    assert status["models"]["model"]["scored"] == 2000


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,time,prediction\n1,1,a\n2,2,b\n")
    (tmp_path / "l.csv").write_text("id,time,label\n8,1,a\n9,2,b\n")
    with pytest.raises(sg.InputError, match=r"p.csv"):
        first_config(tmp_path / "p.csv", tmp_path / "l.csv", tmp_path)


def test_a_configuration_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "monitor.toml").write_text("mine")
    with pytest.raises(sg.UsageError, match="exists; give another name"):
        write_first_config(tmp_path / "p.csv", tmp_path / "l.csv", tmp_path / "monitor.toml")
