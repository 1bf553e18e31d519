"""Scores over the bins: means, bands, the best."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.papers.grzenda2019.scores import BinScores, at, best_by_bin
from tests.papers.grzenda2019.small import line, made_up


def bayes(seed: int) -> sg.Run:
    again = sg.Reevaluate(every=10, bins=4)
    stream = sg.SEA(300, seed=seed, noise=0.1)
    return sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(50), reevaluate=again)


def test_scores_of_several_seeds_are_their_mean_with_its_band() -> None:
    runs = [bayes(seed) for seed in (1, 2, 3)]
    scores = BinScores(runs)
    each = 100 * np.array([run.bins["accuracy"] for run in runs])
    assert scores.mean.tolist() == pytest.approx(each.mean(axis=0).tolist())
    half = 1.96 * each.std(axis=0, ddof=1) / math.sqrt(3)
    assert (scores.band[:, 1] - scores.mean).tolist() == pytest.approx(half.tolist())
    assert scores.gain() == pytest.approx(scores.mean[-1] - scores.mean[0])


def test_band_of_a_single_run_is_that_of_its_bins() -> None:
    run = bayes(1)
    scores = BinScores([run])
    assert scores.band.tolist() == (100 * run.bins.band("accuracy")).tolist()
    assert np.isnan(scores.sd).all()


def test_best_by_bin_names_the_highest_or_the_lowest() -> None:
    scores = {"A": made_up(line(50, 60)), "B": made_up(line(60, 50))}
    assert best_by_bin(scores)[0] == "B"
    assert best_by_bin(scores)[-1] == "A"
    assert best_by_bin(scores, lower=True)[0] == "A"
    assert at(scores, "B", 0) == 60
    assert math.isnan(at(scores, "C", 0))
