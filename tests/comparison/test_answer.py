"""The answer of a comparison: who is better by how much, in a few lines that fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Floats
from tests.widths import LONG, details_fit, fits


def of_differences(d: Floats, names: tuple[str, str] = ("A", "B"), **options: Any) -> sg.Comparison:
    losses = [np.maximum(d, 0), np.maximum(-d, 0)]
    pair = sg.compare(*losses, loss="given", bound=1, **options)
    assert isinstance(pair, sg.Comparison)
    return pair


@pytest.fixture(scope="module")
def runs() -> sg.Runs:
    learners = {LONG: sg.NaiveBayes(), f"{LONG} again": sg.Majority(), "tree": sg.HoeffdingTree()}
    return sg.evaluate(sg.SEA(3000, seed=1, noise=0.1), learners)


def test_answer_has_outcome_effect_and_interval(runs: sg.Runs) -> None:
    pair = sg.compare(runs["tree"], runs[f"{LONG} again"])
    answer = " ".join(str(pair).split("\n\n")[0].split())
    low, high = pair.batch_means.interval(0.99)
    effect = -100 * float(pair.pair.difference.mean())
    assert pair.batch_means.word == "worse"
    assert (
        f"▼ worse: B is {effect:.1f} points less accurate ({-100 * high:.1f} to {-100 * low:.1f})"
    ) in answer
    assert "in 10 of 10 parts" in answer


@pytest.mark.parametrize(
    ("word", "differences"),
    [
        ("▲ better", np.random.default_rng(1).choice([-1.0, 0, 1], 4000, p=[0.05, 0.8, 0.15])),
        ("▼ worse", np.random.default_rng(1).choice([-1.0, 0, 1], 4000, p=[0.15, 0.8, 0.05])),
        ("· no clear difference", np.random.default_rng(1).choice([-1.0, 0, 1], 4000)),
        ("○ open", np.repeat([-1.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0, 1.0], 500)),
        ("too few rows to say", np.ones(20)),
        ("= equal", np.zeros(400)),
    ],
)
def test_every_outcome_has_its_mark(word: str, differences: Floats) -> None:
    pair = of_differences(differences)
    assert str(pair).splitlines()[1].startswith(f"{word}: ")
    assert len(str(pair).splitlines()) <= 12


def test_equal_within_a_margin_is_an_outcome() -> None:
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], 40_000, p=[0.02, 0.96, 0.02])
    assert str(of_differences(d, equal_within=0.05)).splitlines()[1].startswith("= equal: ")
    assert "Equal within ± 0.05." in str(of_differences(d, equal_within=0.05))
    assert "Not shown to be equal within ± 0.0001." in str(of_differences(d, equal_within=0.0001))


def test_several_pairs_have_a_line_each_the_best_first(runs: sg.Runs) -> None:
    pairs = sg.compare(runs["tree"], runs[LONG], runs[f"{LONG} again"], "Persistent")
    body = [line.split("  ") for line in str(pairs).split("\n\n")[1].splitlines()[1:]]
    errors = [float(next(cell for cell in cells[1:] if cell).split()[0]) for cells in body[:-1]]
    assert {cells[0] for cells in body[:-1]} == {pair.names[1] for pair in pairs}
    assert errors == sorted(errors)
    assert len(errors) == 3
    assert "3 comparisons, each at 99 %: the chance of at least one error is up to 3 %" in " ".join(
        str(pairs).split()
    )


def test_answers_and_details_fit_the_terminal(runs: sg.Runs) -> None:
    for shown in (
        sg.compare(runs[LONG], runs[f"{LONG} again"], equal_within=0.01),
        sg.compare(runs[LONG], runs["tree"]),
        sg.compare(runs["tree"], runs[LONG], runs[f"{LONG} again"], "Persistent"),
    ):
        fits(shown)
        details_fit(shown)


def test_details_keep_every_number(runs: sg.Runs) -> None:
    pair = sg.compare(runs["tree"], runs[LONG])
    facts = [
        f"t = {pair.batch_means.t:+.1f}".replace("-", "−"),
        f"{pair.summary['mcnemar']:+.1f}".replace("-", "−"),
        f"{100 * max(abs(pair.anytime.low[-1]), abs(pair.anytime.high[-1])):.2f}",
        f"{pair.summary['q']:+.3f}".replace("-", "−"),
        *(f"{each.start:,} to {each.stop - 1:,}" for each in pair.stretches),
        f"{pair.summary['only_a_wrong']:,.6g}",
        "Window(1000)",
    ]
    assert [fact for fact in facts if fact not in pair.details] == []
