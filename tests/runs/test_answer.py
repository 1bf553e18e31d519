"""The answer of runs: short, within the width, and with nothing lost that is not in the details."""

from __future__ import annotations

import re

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.rendering.layout import wide
from streamgauge.rendering.outcomes import MARKS, outcome_text
from streamgauge.runs.answer import to_beat

LEARNERS = [
    "NaiveBayes",
    "HoeffdingTree",
    "KNN",
    "TemporallyAugmented(NaiveBayes())",
    "HoeffdingTree(grace_period=50, delta=0.01, leaf_prediction='nba')",
]


def sticky(rows: int = 3000) -> sg.Stream:
    """Labels in runs of about ten, and features that tell a little."""
    random = np.random.default_rng(3)
    y = np.repeat(random.integers(0, 2, rows // 10), 10)
    return sg.from_arrays(y[:, None] + random.normal(size=(rows, 3)), y, name="sticky")


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    return sg.evaluate(sticky(), LEARNERS)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_lines_fit_and_are_few(runs: sg.Runs, columns: int) -> None:
    with wide(columns):
        lines = str(runs).split("\n")
    assert max(map(len, lines)) <= columns
    if columns >= 80:
        assert len(lines) <= 20
    assert len(str(runs[0]).split("\n")) <= 12


def test_learners_are_sorted_with_score_effect_and_outcome(runs: sg.Runs) -> None:
    with wide(120):
        text = str(runs)
    ordered = sorted(runs, key=lambda run: -run.overall["accuracy"])
    places = [text.index(f"\n{run.title} ") for run in ordered]
    assert places == sorted(places)
    for run in ordered:
        against = run.verdict.against[0]
        (line,) = (each for each in text.split("\n") if each.startswith(f"{run.title} "))
        ahead = 100 * (against.learner_score - against.reference_score)
        reach = 100 * (against.high - against.low) / 2
        assert f"{run.overall['accuracy']:.1%}".replace("%", " %") in line
        assert f"{ahead:+.1f} ± {reach:.1f}".replace("-", "−") in line
        assert line.endswith(outcome_text(against.word))


def test_references_that_predict_the_same_are_merged() -> None:
    run = sg.evaluate(sticky(), sg.NaiveBayes())
    first, *_ = run.verdict.same_predictions
    names = {each.reference for each in first}
    assert len(first) > 1
    assert "Persistent" in names
    for each in first:
        assert each.reference_score == first[0].reference_score
    assert f"and {['one', 'two', 'three'][len(first) - 2]} that predict" in to_beat(run)
    for group in run.verdict.same_predictions:
        assert f"{group[0].reference}" in to_beat(run)
        assert not any(f"{each.reference} " in to_beat(run) for each in group[1:])


def test_sentence_speaks_of_all_learners_together(runs: sg.Runs) -> None:
    words = [run.verdict.against[0].word for run in runs]
    (line,) = re.findall(r"\n\n([^\n]+(?:\n[^\n○·]+)*\.)\n?", str(runs))[-1:]
    assert ("No learner is clearly better" in line) == ("better" not in words)


def test_every_figure_of_before_is_in_the_details(runs: sg.Runs) -> None:
    text = runs.details
    for run in runs:
        for name in ("kappa", "kappa_temporal", "kappa_plus"):
            assert f"{run.overall[name]:.3f}" in text
        for sentence in str(run.verdict).splitlines():
            assert sentence in text
    for reference in runs[0].references:
        assert reference in text


def test_over_time_is_high_where_the_learner_is_ahead() -> None:
    stream = sticky()
    run = sg.evaluate(stream, sg.TemporallyAugmented(sg.NaiveBayes()))
    parts = run.verdict.against[0].test.parts
    with wide(120):
        drawn = next(re.finditer(r"[▀▔─▁▄]{10}", str(run)))[0]
    assert len(parts) == len(drawn) == 10
    for part, level in zip(parts, drawn, strict=True):
        assert level in ("▀▔─" if part > 0 else "▄▁─")


def test_warnings_failures_and_missing_predictions_are_never_one_step_deeper() -> None:
    class Fails:
        def start(self, schema: sg.Schema, seed: int) -> None:
            self.rows = 0

        def predict(self, X: np.ndarray) -> np.ndarray:
            self.rows += len(X)
            if self.rows > 400:
                raise ValueError("out of steam")
            return np.full((len(X), 2), np.nan)

        def learn(self, X: np.ndarray, y: np.ndarray, w: np.ndarray) -> None: ...

    with pytest.raises(sg.LearnerError) as failed:
        sg.evaluate(sticky(), {"weak": Fails()})
    text = str(sg.Runs(failed.value.runs))
    assert "out of steam" in text
    assert "weak predicted only 0.0" in text


def test_late_labels_show_coverage_and_what_waiting_adds() -> None:
    run = sg.evaluate(
        sticky(), sg.NaiveBayes(), labels=sg.Delay(100), reevaluate=sg.Reevaluate(10, 5)
    )
    text = str(run)
    assert "coverage" in text
    for place in (0, -1):
        assert f"{run.bins['accuracy'][place]:.1%}"[:-1] in text


def test_regression_and_few_rows_have_an_answer() -> None:
    y = np.cumsum(np.random.default_rng(1).normal(size=2000))
    run = sg.evaluate(sg.from_arrays(np.zeros((2000, 1)), y), sg.Mean())
    assert "To beat: repeating the last value, MAE" in str(run)
    assert MARKS["worse"] in str(run)
    few = sg.evaluate(sticky(100), sg.NaiveBayes())
    assert "Too few rows to compare NaiveBayes with" in str(few)


def test_large_errors_in_few_rows_have_no_interval() -> None:
    random = np.random.default_rng(1)
    y = np.where(np.arange(4000) % 400 == 0, 1e6, random.normal(size=4000))
    run = sg.evaluate(sg.from_arrays(np.zeros((4000, 1)), y), sg.Mean())
    against = run.verdict.against[0]
    assert against.test.by_few_rows
    assert against.word == "open"
    assert "a few rows with large errors decide" in str(run)
    assert "±" not in str(run)
