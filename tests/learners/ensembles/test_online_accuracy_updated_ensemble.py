"""OnlineAccuracyUpdatedEnsemble: against its oracle, after drifts, with threads, at limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.learners.adaptive import AdaptiveLearnerTests
from tests.oracles.hoeffding_tree import Tree
from tests.oracles.weighted_ensembles import AccuracyUpdated


class TestOnlineAccuracyUpdatedEnsemble(AdaptiveLearnerTests):
    def learner(self, **tree: Any) -> Any:
        return sg.OnlineAccuracyUpdatedEnsemble(n_models=3, window_size=60, **tree)

    def oracle(self, tree: dict[str, Any]) -> Any:
        return AccuracyUpdated(3, lambda: Tree(**tree), 3, 60)

    def test_streams_without_information(self) -> None:
        y = np.arange(300) % 2
        for X in (np.ones((300, 3)), np.full((300, 3), np.nan)):
            run = sg.evaluate(sg.from_arrays(X, y), self.learner(grace_period=20))
            assert run.overall["coverage"] == 240 / 300  # all but the first window


def test_threads_do_not_change_the_result() -> None:
    stream = sg.splice([sg.Sine1(1000, seed=1), sg.Sine1(1000, seed=2, reverse=True)], at=[1000])
    one, three = (
        sg.evaluate(stream, sg.OnlineAccuracyUpdatedEnsemble(4, window_size=100, n_jobs=n))
        for n in (1, 3)
    )
    assert one.predictions.equals(three.predictions)


def test_one_class_for_a_window_leaves_finite_weights() -> None:
    X = np.random.default_rng(1).normal(size=(400, 2))
    y = np.arange(400) >= 300
    stream = sg.from_arrays(X, y.astype(int))
    run = sg.evaluate(stream, sg.OnlineAccuracyUpdatedEnsemble(3, window_size=50))
    weights = [member.record[1] for member in run.learner._members[:-1]]
    assert np.isfinite(weights).all()
    assert run.overall["accuracy"] > 0.6


def test_memory_limit_is_shared_by_all_trees() -> None:
    stream = sg.RandomTree(6000, seed=3)
    options: dict[str, Any] = {"n_models": 3, "grace_period": 20, "delta": 0.3}
    free = sg.evaluate(stream, sg.OnlineAccuracyUpdatedEnsemble(**options)).learner
    bound = sg.evaluate(
        stream, sg.OnlineAccuracyUpdatedEnsemble(**options, max_byte_size=1_000_000)
    ).learner
    assert bound.nbytes <= 1_000_000 < free.nbytes


@pytest.mark.parametrize("max_byte_size", [25_000, 50_000, 100_000])
def test_new_trees_have_room_after_others_ran_out_of_it(max_byte_size: int) -> None:
    stream = sg.RandomRBFDrift(8000, seed=1)
    learner = sg.OnlineAccuracyUpdatedEnsemble(
        3, window_size=100, grace_period=20, delta=0.3, max_byte_size=max_byte_size
    )
    run = sg.evaluate(stream, learner)
    assert run.learner.nbytes <= max_byte_size
    assert run.overall["accuracy"] > run.references["Majority"]["accuracy"] + 0.1


@pytest.mark.parametrize("wrong", [{"n_models": 0}, {"window_size": 0}, {"n_jobs": 0}])
def test_parameters_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(sg.UsageError, match=f"expected .*{next(iter(wrong))}"):
        sg.OnlineAccuracyUpdatedEnsemble(**wrong)
