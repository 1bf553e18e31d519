"""The answer of a profile: what to beat, the findings, a small table, in lines that fit."""

from __future__ import annotations

import numpy as np

import streamgauge as sg
from tests.widths import details_fit, fits


def labels(y: object, names: list[str] | None = None) -> sg.Profile:
    codes = np.asarray(y)
    X = np.random.default_rng(1).random((len(codes), 2))
    return sg.inspect(sg.from_arrays(X, np.asarray(names)[codes] if names else codes))


def runs_of_labels() -> sg.Profile:
    return labels(np.repeat(np.random.default_rng(1).integers(0, 2, 400), 10))


def test_reference_to_beat_comes_first_and_merges_those_that_predict_the_same() -> None:
    profile = runs_of_labels()
    assert profile.to_beat == "Persistent"
    second = " ".join(str(profile).split("\n\n")[0].split("\n")[1:])
    score = f"{100 * profile.references['Persistent']:.1f} %"
    assert second.startswith(f"To beat: repeating the last label, {score} (Persistent")
    assert "Majority" in second


def test_findings_are_a_line_each() -> None:
    text = str(runs_of_labels())
    assert "The last label is worth using: " in text
    assert len(text.splitlines()) <= 12
    drift = labels(np.r_[np.zeros(3000, int), np.ones(3000, int)] ^ (np.arange(6000) % 7 == 0))
    assert drift.priors.change.clear
    assert "Class priors change along the stream: " in str(drift)


def test_table_has_shares_in_per_cent() -> None:
    profile = runs_of_labels()
    line = next(line for line in str(profile).splitlines() if line.startswith("1 "))
    assert f"{100 * profile.prior[1]:.1f} %" in line
    assert f"{100 * profile.stays[1]:.1f} %" in line


def test_details_keep_the_mathematics() -> None:
    profile = runs_of_labels()
    details = profile.details
    facts = [
        f"{profile.p_majority:,.4f}", f"{profile.p_temporal:,.4f}", f"{profile.p_chance:,.4f}",
        f"{profile.independence.chi2:,.1f}", f"{profile.transition[0, 1]:,.4f}", "by Hoeffding",
        f"{profile.autocorrelation[5]:,.3f}", "P(i|i)", "Fading(", "Window:",
    ]  # fmt: skip
    assert [fact for fact in facts if fact not in details] == []


def test_answer_and_details_fit_the_terminal() -> None:
    names = [f"a class with a long name, number {i}" for i in range(12)]
    many = np.random.default_rng(1).integers(0, 12, 3000)
    series = sg.from_arrays(np.zeros((2000, 1)), np.sin(np.arange(2000.0) / 4), task="regression")
    for profile in (runs_of_labels(), labels(many, names), sg.inspect(series)):
        fits(profile)
        details_fit(profile)
    assert "and 4 more classes (-v)" in str(labels(many, names))


def test_few_labels_and_one_class() -> None:
    for rows, text in ((1, "order cannot be judged"), (50, "nothing to learn")):
        stream = sg.from_arrays(np.zeros((rows, 1)), np.ones(rows, int), classes=[0, 1])
        assert text in str(sg.inspect(stream))
