"""`compare`: what it accepts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg

STREAM = sg.SEA(3000, seed=1, noise=0.1)


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    return sg.evaluate(STREAM, [sg.NaiveBayes(), sg.Majority(), sg.HoeffdingTree()])


def test_runs_saved_runs_and_columns_give_the_same_result(runs: sg.Runs, tmp_path: Path) -> None:
    table = runs[0].predictions
    y = np.array(table["y"])
    columns = [np.array(run.predictions["prediction"]) for run in runs[:2]]
    of_runs = sg.compare(runs[0], runs[1])
    saved = sg.compare(str(runs[0].save(tmp_path)), runs[1].save(tmp_path))
    given = sg.compare(columns[0], columns[1], y=y, names=["NaiveBayes", "Majority"])
    for other in (saved, given):
        assert other.names == of_runs.names == ("NaiveBayes", "Majority")
        assert other.answer == of_runs.answer == "A"
        np.testing.assert_array_equal(other.curve["mcnemar"], of_runs.curve["mcnemar"])
        np.testing.assert_array_equal(other.anytime.low, of_runs.anytime.low)
        assert other.stretches == of_runs.stretches
        assert other.batch_means == of_runs.batch_means
    assert str(saved) == str(of_runs)
    assert str(sg.compare(runs[0], runs[1].save(tmp_path))) == str(of_runs)
    assert "labels assumed immediate" in str(given)
    lost = [(column != y).astype(float) for column in columns]
    losses = sg.compare(lost[0], lost[1], loss="given", bound=1)
    np.testing.assert_allclose(losses.anytime.low, of_runs.anytime.low)


def test_reference_is_compared_by_name(runs: sg.Runs) -> None:
    against = sg.compare(runs[0], "Majority")
    np.testing.assert_array_equal(against.pair.losses, sg.compare(runs[0], runs[1]).pair.losses)
    with pytest.raises(sg.UsageError, match="give the run first"):
        sg.compare("Persistent", runs[0])
    with pytest.raises(sg.UsageError, match="no reference 'mean'; expected one of Majority"):
        sg.compare(runs[0], "Mean")


def test_models_of_a_cross_validation_are_compared_one_by_one() -> None:
    models = sg.evaluate(
        sg.SEA(600, seed=1), [sg.NaiveBayes(), sg.Majority()], protocol=sg.PrequentialCV(2)
    )
    a, b = models.by_learner.values()
    assert len(sg.compare(a[0], b[0])) == 300
    with pytest.raises(sg.UsageError, match="got 2 runs"):
        sg.compare(a, b)
    with pytest.raises(sg.InputError, match="their models of the cross-validation differ: 0 and 1"):
        sg.compare(a[0], b[1])


def test_no_module_shadows_a_public_name() -> None:
    """A package called `compare` would hide the function of that name."""
    import importlib
    import pkgutil
    from types import ModuleType

    for info in pkgutil.walk_packages(sg.__path__, "streamgauge."):
        importlib.import_module(info.name)
    for name in sg.__all__:
        assert not isinstance(getattr(sg, name), ModuleType), name


def test_runs_of_one_evaluation_are_compared_as_they_are() -> None:
    stream = sg.SEA(500, seed=1)
    runs = sg.evaluate(stream, ["NaiveBayes", "Majority"])
    apart = sg.compare(runs[0], runs[1])
    assert str(sg.compare(runs)) == str(apart)
    named = sg.evaluate(stream, {"a": "NaiveBayes", "b": "Majority"})
    both = sg.compare(named, "Persistent")
    assert [each.names for each in both] == [("a", "b"), ("a", "Persistent")]  # type: ignore[attr-defined]
    with pytest.raises(sg.UsageError, match="got one participant"):
        sg.compare(sg.evaluate(stream, ["NaiveBayes"]))
