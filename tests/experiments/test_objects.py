"""Grids of custom objects: those that no text describes run in this process, which says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.experiments.plans import plan_to_toml, plans


class Constant:
    """Predicts one class."""

    def __init__(self, code: int) -> None:
        self.code = code

    def start(self, schema: Any, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Any) -> Any:
        return np.tile(np.arange(self.k) == self.code, (len(X), 1)).astype(float)

    def learn(self, X: Any, y: Any, w: Any) -> None:
        pass


class Nightly(sg.Chunks):
    """A custom label policy."""


def hits(sums: Any) -> Any:
    return sums.accuracy


OWN: dict[str, Any] = {
    "labels": [Nightly(7)],
    "metrics": ["labels", sg.Metric("hits", hits)],
    "references": [Constant(0)],
    "cost": np.array([[0, 1], [5, 0]]),
}


@pytest.mark.parametrize("workers", [0, 1])
def test_objects_give_the_runs_of_evaluate(
    workers: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("STREAMGAUGE_QUIET", raising=False)
    learners = {"one": Constant(1), "bayes": "NaiveBayes"}
    grid = sg.Grid(["SEA(200, seed=2)"], learners, name="own", **OWN)
    results = sg.run_grid(grid, tmp_path, workers=workers)
    for name, learner in learners.items():
        once = sg.evaluate("SEA(200, seed=2)", learner, **OWN | {"labels": Nightly(7)})
        found = results.run(learner=name, labels=repr(Nightly(7)))
        assert (found.id, str(found.overall)) == (once.id, str(once.overall))
        assert found.overall["hits"] == found.overall["accuracy"]
    said = capsys.readouterr().err
    assert ("2 cells will run in this process" in said) == (workers == 1)
    (plan,) = plans(tmp_path)
    assert plan_to_toml(plan) is None


def test_only_cells_with_such_objects_stay_here(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STREAMGAUGE_QUIET", raising=False)
    grid = sg.Grid(["SEA(200)"], [Constant(0), "NaiveBayes", sg.Majority()])
    assert [cell.learner for cell in grid.cells] == ["Constant", "NaiveBayes", "Majority"]
    assert [bool(job.kept) for job in grid.jobs] == [True, False, False]
    assert len(sg.run_grid(grid, tmp_path, workers=1)) == 3
    assert "1 cell will run in this process" in capsys.readouterr().err


def test_limits_cannot_stop_this_process(tmp_path: Path) -> None:
    grid = sg.Grid(["SEA(200)"], [Constant(0)], timeout=9.0)
    with pytest.raises(sg.UsageError, match="Constant is only in this process"):
        sg.run_grid(grid, tmp_path, workers=1)


def test_equal_names_of_different_objects_are_an_error() -> None:
    with pytest.raises(sg.UsageError, match="'Constant'"):
        sg.Grid(["SEA(200)"], [Constant(0), Constant(1)])
    named = sg.Grid(["SEA(200)"], {"a": Constant(0), "b": Constant(1)})
    assert len({cell.id for cell in named.cells}) == 2


def test_modules_define_metrics_label_policies_and_references(tmp_path: Path) -> None:
    (tmp_path / "own_parts.py").write_text(
        "import streamgauge as sg\n"
        "score = sg.Metric('score', lambda sums: sums.accuracy)\n"
        "def scaled(by):\n    return sg.Metric('scaled', lambda sums: by * sums.accuracy)\n"
        "class Nightly(sg.Chunks):\n    pass\n"
        "class Guess(sg.Majority):\n    pass\n"
    )
    (tmp_path / "x.toml").write_text(
        'streams = ["SEA(200)"]\nlearners = ["own_parts:Guess()"]\nmodules = ["own_parts"]\n'
        'metrics = ["labels", "own_parts:score", "own_parts:scaled(2)"]\n'
        'labels = ["own_parts:Nightly(7)"]\nreferences = ["own_parts:Guess()"]\n'
    )
    (run,) = sg.run_grid(tmp_path / "x.toml", tmp_path / "store", workers=1, progress=False)
    assert run.overall["score"] == run.overall["accuracy"] == run.overall["scaled"] / 2
    (tmp_path / "y.toml").write_text(
        (tmp_path / "x.toml").read_text().replace("own_parts:score", "own_parts:no_such")
    )
    with pytest.raises(sg.UsageError, match=r"metrics\[1\].*does not define"):
        sg.Grid.read(tmp_path / "y.toml")
