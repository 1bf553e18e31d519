"""What does not depend on the seed runs once, and counts once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.seeding import is_random

FIXED = sg.from_arrays(
    np.random.default_rng(1).random((600, 3)), np.random.default_rng(2).integers(0, 2, 600)
)
BOTH = {"bayes": "NaiveBayes", "bagging": "OnlineBagging(n_models=3)"}


class Silent:
    """A learner that does not say whether it is random."""

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: Any) -> Any:
        return np.eye(self.k)[np.zeros(len(X), int)]

    def learn(self, X: Any, y: Any, w: Any) -> None:
        pass


class Declared(Silent):
    random = False


class Inherits(Declared):
    """May draw random numbers in what it adds."""


class Mine(sg.NaiveBayes):
    """A user's subclass of ours, which does not say."""


def counts(grid: sg.Grid) -> dict[str, int]:
    found: dict[str, int] = {}
    for cell in grid.cells:
        found[cell.learner] = found.get(cell.learner, 0) + 1
    return found


def test_learner_without_randomness_on_a_fixed_stream_has_one_cell() -> None:
    assert counts(sg.Grid([FIXED], BOTH, seeds=3)) == {"bayes": 1, "bagging": 3}
    assert counts(sg.Grid(["SEA(500, seed=4)"], BOTH, seeds=3)) == {"bayes": 1, "bagging": 3}
    assert counts(sg.Grid(["SEA(500)"], BOTH, seeds=3)) == {"bayes": 3, "bagging": 3}


@pytest.mark.parametrize(
    ("options", "cells"),
    [
        ({"labels": ["Delay(10)"]}, 1),
        ({"labels": ["RandomDelay('geometric(0.1)')"]}, 3),
        ({"labels": ["RandomDelay('geometric(0.1)', seed=4)"]}, 1),
        ({"labels": ["Sampled(0.5)"]}, 3),
        ({"protocol": "PrequentialCV(2)"}, 2),
        ({"protocol": "PrequentialCV(2, mode='bootstrap')"}, 6),
        ({"references": ["KNN"]}, 1),
        ({"references": ["OnlineBagging"]}, 3),
        ({"detectors": ["DDM"]}, 1),
        ({"detectors": ["RandomAlarm(0.01)"]}, 3),
        ({"detectors": ["RandomAlarm(0.01, seed=3)"]}, 1),
    ],
)
def test_settings_that_depend_on_the_seed_make_a_cell_for_each(
    options: dict[str, Any], cells: int
) -> None:
    assert counts(sg.Grid([FIXED], ["NaiveBayes"], seeds=3, **options)) == {"NaiveBayes": cells}


def test_learner_that_does_not_say_runs_for_every_seed() -> None:
    grid = sg.Grid(
        [FIXED],
        {"silent": Silent(), "declared": Declared(), "inherits": Inherits(), "mine": Mine()},
        seeds=2,
    )
    assert counts(grid) == {"silent": 2, "declared": 1, "inherits": 2, "mine": 2}


def test_wrapper_is_random_if_a_part_of_it_is() -> None:
    assert not is_random(sg.Resetting("NaiveBayes", sg.DDM()))
    assert is_random(sg.Resetting("NaiveBayes", sg.RandomAlarm(0.01)))
    assert is_random(sg.Resetting("OnlineBagging", sg.DDM()))
    assert is_random(sg.TemporallyAugmented(Silent()))
    assert not is_random(sg.TemporallyAugmented("KNN"))


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> sg.Results:
    folder = tmp_path_factory.mktemp("seeds")
    grid = sg.Grid([FIXED, "Sine1(400)"], BOTH, seeds=3)
    return sg.run_grid(grid, folder, workers=0, progress=False)


def test_run_is_found_by_every_seed(results: sg.Results) -> None:
    stream = next(name for name in {c.cell.stream for c in results.cell_results} if "(" not in name)
    assert len(results) == 1 + 3 + 6
    found = [results.run(stream=stream, learner="bayes", seed=seed).id for seed in (1, 2, 3)]
    assert len(set(found)) == 1
    drawn = [results.run(stream=stream, learner="bagging", seed=seed).id for seed in (1, 2, 3)]
    assert len(set(drawn)) == 3
    alone = sg.evaluate(FIXED, "NaiveBayes", seed=3)
    once = results.run(stream=stream, learner="bayes")
    assert once.overall == alone.overall  # the same numbers, whatever the seed


def test_table_counts_it_once_and_the_row_is_complete(results: sg.Results) -> None:
    table = results.table(value="accuracy", references=True)
    fixed, drawn = (0, 1) if "(" not in table.rows[0] else (1, 0)
    bayes, bagging = table.columns.index("bayes"), table.columns.index("bagging")
    majority = table.columns.index("Majority")
    assert table.seeds == 3
    assert table.runs[fixed, [bayes, bagging, majority]].tolist() == [1, 3, 1]
    assert table.runs[drawn, [bayes, bagging, majority]].tolist() == [3, 3, 3]
    assert np.isnan(table.sd[fixed, [bayes, majority]]).all()
    assert table.complete.all()
    assert table.fixed == ("bayes",)
    assert any("bayes" in note for note in table.sheet.notes if "seed" in note)
    assert not results.table(value="accuracy", where={"learner": "bayes"}).is_fixed


def test_where_a_seed_is_asked_for_it_is_there(results: sg.Results) -> None:
    table = results.table(value="accuracy", where={"seed": 2})
    assert table.seeds == 1
    assert table.complete.all()
    with pytest.raises(sg.UsageError, match="seed=9"):
        results.table(value="accuracy", where={"seed": 9})


def test_ranking_uses_it(results: sg.Results, tmp_path: Path) -> None:
    ranking = sg.rank(results, metric="accuracy")
    assert not np.isnan(ranking.table.scores).any()
    assert ranking.table.runs is not None
    assert sorted(ranking.table.runs.ravel().tolist()) == [1, 3, 3, 3]
    file = tmp_path / "table.csv"
    file.write_text(results.table(value="accuracy").to_csv())
    again = sg.rank(pl.read_csv(file), lower_is_better=False)
    assert np.array_equal(again.table.scores, ranking.table.scores)


def test_frame_has_one_line_of_it(results: sg.Results) -> None:
    frame = results.to_frame("pandas").query("forgetting == 'Cumulative()'")
    lines = frame.groupby(["learner", "by_seed"]).size().to_dict()
    assert lines == {
        ("bayes", "nothing"): 1,
        ("bayes", "rows"): 3,
        ("bagging", "learner"): 3,
        ("bagging", "rows"): 3,
    }


def test_more_seeds_run_nothing_again_that_is_there(tmp_path: Path) -> None:
    lines: list[str] = []
    for seeds in (2, 4):
        grid = sg.Grid([FIXED], BOTH, seeds=seeds)
        sg.run_grid(grid, tmp_path, workers=0, progress=False, started=lines.append)
    assert "3 cells: 0 already done" in lines[0]
    assert "5 cells: 3 already done" in lines[1]
    assert "2 to run" in lines[1]


REGRESSION = sg.from_arrays(
    np.random.default_rng(1).random((1500, 3)), np.random.default_rng(2).random(1500)
)
LONG = sg.RandomRBF(3000, seed=1)


def _predictions(learner: Any, stream: sg.Stream, seed: int) -> str:
    run = sg.evaluate(stream, learner, seed=seed)
    return repr(run.predictions["prediction"].to_pylist())


def _learners() -> list[Any]:
    names = [n for n in registry.own_names("learner", "reference") if n != "CLSTM"]
    made = [registry.find(name, "learner", "reference")() for name in names]
    made.append(sg.HoeffdingTreeRegressor(leaf_prediction="mean"))
    made += [sg.HoeffdingTree(compat="moa"), sg.HoeffdingTree(max_byte_size=100_000)]
    for wrapper in (sg.TemporallyAugmented, sg.LabelsOnly, sg.TemporalCorrection):
        made += [wrapper("NaiveBayes"), wrapper("OnlineBagging(n_models=3)")]
    made += [sg.Windowed("NaiveBayes", 200, 200), sg.Resetting("NaiveBayes", sg.DDM())]
    return [*made, sg.Resetting("NaiveBayes", sg.RandomAlarm(0.01))]


@pytest.mark.parametrize("learner", _learners(), ids=repr)
def test_declaration_is_true(learner: Any) -> None:
    """A few learners may draw numbers that change no prediction here; none may hide them."""
    stream = REGRESSION if getattr(learner, "task", None) == "regression" else LONG
    one, other = (_predictions(learner, stream, seed) for seed in (1, 2))
    if not is_random(learner):
        assert one == other
    elif not isinstance(learner, sg.HoeffdingAdaptiveTree | sg.HoeffdingTree | sg.SAMkNN):
        assert one != other


@pytest.mark.parametrize("name", registry.own_names("detector"))
def test_declaration_of_a_detector_is_true(name: str) -> None:
    given = {"RandomAlarm": (0.05,), "PeriodicAlarm": (50,), "EDetector": (0.3,)}
    errors = np.random.default_rng(1).integers(0, 2, 3000).astype(float)
    detector = registry.find(name, "detector")(*given.get(name, ()))
    one, other = (detector.detect(errors, seed=seed).tolist() for seed in (1, 2))
    assert (one != other) == is_random(detector)
