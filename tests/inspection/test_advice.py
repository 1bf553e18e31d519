"""The advice of a profile, on streams whose order is known."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.measures import sample_size
from tests.inspection.test_profile import label_stream, regression_stream


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(11)


def chain(stay: float, random: np.random.Generator) -> list[int]:
    """Each label is the last one again with probability `stay`."""
    changes = random.random(4000) > stay
    return (np.cumsum(changes) % 2).tolist()  # type: ignore[no-any-return]


def test_repeating_labels_advise_persistent(random: np.random.Generator) -> None:
    profile = sg.inspect(label_stream(chain(0.9, random), 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Persistent", "positive", True,
    )  # fmt: skip
    text = profile.details
    assert text.splitlines()[2].startswith(
        "The reference to beat is Persistent, repeating the last"
    )
    assert profile.last_label.helps
    assert "The last label is worth using: the best guess is right in 90." in text
    assert "The dependence is positive: labels repeat, P(T) " in text
    assert "recur" not in text


def test_alternating_labels_advise_transition(random: np.random.Generator) -> None:
    profile = sg.inspect(label_stream(chain(0.1, random), 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Transition", "other", True,
    )  # fmt: skip
    assert "not positive: labels do not repeat more often than by chance" in profile.details


@pytest.mark.parametrize("length", [2, 3, 10])
def test_cycle_is_named(length: int) -> None:
    profile = sg.inspect(label_stream(list(range(length)) * 100, length))
    assert (profile.p_temporal, profile.p_first_order) == (0, 1)
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Transition", "other", True,
    )  # fmt: skip
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [length]
    assert f"they follow a cycle of {length} rows." in profile.details
    assert "recur" not in profile.details  # one sentence is enough


@pytest.mark.parametrize("k", [2, 24])
def test_independent_labels_are_not_worth_using(k: int, random: np.random.Generator) -> None:
    """With many classes the best guess from the last label looks better by chance alone."""
    profile = sg.inspect(label_stream(random.integers(0, k, 2000).tolist(), k))
    if k == 24:
        assert profile.p_first_order > profile.p_majority + 0.04
        assert (
            "The last label is not clearly worth using: the best guess is right" in profile.details
        )
    assert not profile.worth_using
    assert profile.last_label.p > 0.01
    assert profile.dependence == "none"
    assert profile.to_beat == "Majority"
    assert not profile.priors.change.clear
    assert "Class priors do not clearly change along the stream: " in profile.details
    assert "No significant dependence on the last label (χ² = " in profile.details


def test_weak_dependence_is_not_worth_using(random: np.random.Generator) -> None:
    y = [0]
    for _ in range(5000):
        y.append(int(random.random() < (0.4 if y[-1] else 0.1)))
    profile = sg.inspect(label_stream(y, 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Majority", "weakly positive", False,
    )  # fmt: skip
    assert profile.p_first_order == profile.pairs.sum(axis=0).max() / profile.pairs.sum()
    assert (
        "The last label is not worth using on its own: it does not change the best"
        in profile.details
    )
    assert "positive but weak: labels repeat more often than by chance" in profile.details


def test_season_beats_the_references(random: np.random.Generator) -> None:
    y = np.resize([0, 0, 0, 1, 1, 0, 1], 3000)  # after either label come both
    wrong = random.random(3000) < 0.05
    y[wrong] = 1 - y[wrong]
    profile = sg.inspect(label_stream(y.tolist(), 2))
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [7]
    assert "Labels recur every 7 rows (autocorrelation 0." in profile.details
    share = profile.autocorrelation.peaks[0].same
    assert share == pytest.approx(0.95**2 + 0.05**2, abs=0.02)
    assert profile.to_beat == "Seasonal"
    assert profile.seasonal_lag == 7
    assert (
        "The reference to beat is Seasonal, repeating the label of 7 rows earlier: 8"
        in profile.details
    )


def test_season_that_no_reference_searches_is_named(random: np.random.Generator) -> None:
    y = np.resize(random.integers(0, 2, 1500), 8000)
    text = sg.inspect(label_stream(y.tolist(), 2)).details
    assert "Repeating the label from 1,500 rows earlier is right in 100.0 % of the rows" in text


def test_seasonal_lag_is_named_also_for_late_labels(random: np.random.Generator) -> None:
    y = np.repeat(random.integers(0, 2, 12), 8)  # runs of 8 rows, the same every 96 rows
    y = np.resize(y, 6000)
    wrong = random.random(6000) < 0.08
    y = np.where(np.repeat(wrong[::8], 8), 1 - y, y)  # whole runs
    profile = sg.inspect(label_stream(y.tolist(), 2))
    assert profile.seasonal_lag == 1
    late = profile.autocorrelation.same[96]
    assert f"rows late, that of 96 rows earlier: {late:.1%}".replace("%", " %") in profile.details


def test_window_advice_covers_the_rarest_class() -> None:
    y = [1] * 50 + [0] * 950
    profile = sg.inspect(label_stream(y * 10, 2), window=1000)
    text = profile.details
    assert (
        "recall of the rarest class, b (500 rows), to ± 5 %, use Window(8000) or Fading(0.99975)"
        in text
    )
    fading = sample_size.fading_for(8000)
    weighty = int(sample_size.important_rows(fading, 0.01))
    assert fading**weighty >= 0.01 > fading ** (weighty + 1)
    assert f"under which {weighty:,} rows have a weight of 1 % or more" in text
    assert "if errors are independent, an accuracy over 1,000 rows is known to ± 3.2 %" in text
    assert not profile.priors.change.clear
    assert (
        "Class priors do not clearly change along the stream: a makes up 95.0 % to 95.0 %" in text
    )
    assert "± 1 % takes 10,000 rows (18,445 by Hoeffding's bound)" in text
    text = sg.inspect(label_stream(y, 2), window=100).details
    assert "No window is large enough for the rarest class, b (50 rows)," in text
    assert "takes 400 of its rows, and the whole stream has fewer for 1 of its 2 classes." in text


@pytest.mark.parametrize("end", [0.5, 0.8])
def test_moving_priors_are_said_to_change(end: float, random: np.random.Generator) -> None:
    y = random.random(5000) < np.linspace(0.5, end, 5000)
    profile = sg.inspect(label_stream(y.astype(int).tolist(), 2))
    assert profile.priors.change.clear == (end > 0.5)
    how = "change along" if end > 0.5 else "do not clearly change along"
    assert f"Class priors {how} the stream: " in profile.details


@pytest.mark.parametrize("rows", [40, 200, 1000])
def test_independent_labels_advise_majority(rows: int, random: np.random.Generator) -> None:
    """Which of the references is highest is a lottery then."""
    profile = sg.inspect(label_stream(random.integers(0, 3, rows).tolist()))
    assert profile.to_beat == "Majority"
    highest = max(profile.references, key=lambda name: profile.references[name])
    said = "on these rows no other is better by more than chance" in profile.details
    assert said == (highest != "Majority")


def test_regression_random_walk_is_worth_using(random: np.random.Generator) -> None:
    profile = sg.inspect(regression_stream(np.cumsum(random.normal(size=2000)).tolist()))
    assert (profile.to_beat, profile.worth_using) == ("LastValue", True)
    text = profile.details
    assert text.splitlines()[2].startswith("The reference to beat is LastValue, repeating the last")
    assert "The last value is worth using: each value resembles the previous one (lag-1" in text


def test_independent_regression_targets_are_not_worth_using(random: np.random.Generator) -> None:
    profile = sg.inspect(regression_stream(random.normal(size=2000).tolist()))
    assert (profile.to_beat, profile.worth_using) == ("Mean", False)
    assert "values do not resemble the previous one" in profile.details
    noise = random.normal(size=5001)
    profile = sg.inspect(regression_stream((noise[1:] + 0.4 * noise[:-1]).tolist()))
    assert profile.to_beat == "Mean"
    assert profile.autocorrelation[1] > profile.autocorrelation.band[1]
    assert (
        "values depend on the previous one, but repeating it does not clearly help"
        in profile.details
    )


def test_regression_season_is_named(random: np.random.Generator) -> None:
    day = np.tile(np.sin(np.arange(24) / 24 * 2 * np.pi), 100)
    profile = sg.inspect(regression_stream((day + random.normal(size=2400) / 5).tolist()))
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [24]
    assert "Values recur every 24 rows (autocorrelation 0.9" in profile.details
    assert "All values are equal" in sg.inspect(regression_stream([1.5] * 30)).details


def test_report_shows_the_most_frequent_classes(random: np.random.Generator) -> None:
    y = random.integers(0, 26, 3000).tolist()
    classes = tuple(f"c{i}" for i in range(40))
    stream = sg.from_arrays(np.zeros((3000, 1)), [classes[i] for i in y], classes=classes)
    text = sg.inspect(stream).details
    assert "the 30 most frequent of 40 classes" in text
    assert "last ↓ next →" not in text
