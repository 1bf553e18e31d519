"""What a profile says in words: the right thing of streams whose order is known."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.measures import sample_size as precision
from tests.inspection.test_profile import labels_only, numbers_only


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(11)


def chain(stay: float, random: np.random.Generator) -> list[int]:
    """Each label is the last one again with probability `stay`."""
    changes = random.random(4000) > stay
    return (np.cumsum(changes) % 2).tolist()  # type: ignore[no-any-return]


def test_labels_that_stay(random: np.random.Generator) -> None:
    profile = sg.inspect(labels_only(chain(0.9, random), 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Persistent", "positive", True,
    )  # fmt: skip
    text = str(profile)
    assert text.splitlines()[2].startswith(
        "The reference to beat is Persistent, repeating the last"
    )
    assert "The label order is worth using: " in text
    assert "The dependence is positive: labels repeat, P(T) " in text
    assert "recur" not in text


def test_labels_that_alternate(random: np.random.Generator) -> None:
    profile = sg.inspect(labels_only(chain(0.1, random), 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Transition", "other", True,
    )  # fmt: skip
    assert "of another kind: labels repeat less often than by chance" in str(profile)


@pytest.mark.parametrize("length", [2, 3, 10])
def test_a_cycle(length: int) -> None:
    profile = sg.inspect(labels_only(list(range(length)) * 100, length))
    assert (profile.p_temporal, profile.p_first_order) == (0, 1)
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Transition", "other", True,
    )  # fmt: skip
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [length]
    assert f"they go round in a cycle of {length} rows." in str(profile)
    assert "recur" not in str(profile)  # told once


@pytest.mark.parametrize("k", [2, 24])
def test_labels_without_order(k: int, random: np.random.Generator) -> None:
    """With many classes the best guess from the last label looks better by chance alone."""
    profile = sg.inspect(labels_only(random.integers(0, k, 2000).tolist(), k))
    if k == 24:
        assert profile.p_first_order > profile.p_majority + 0.04
        assert "is no more than chance makes of it" in str(profile)
    assert not profile.worth_using
    assert profile.dependence == "none"
    assert "Class priors move no more than by chance along the stream" in str(profile)
    assert "No dependence on the last label is to be seen (χ² = " in str(profile)


def test_a_dependence_too_weak_to_be_of_use(random: np.random.Generator) -> None:
    y = [0]
    for _ in range(5000):
        y.append(int(random.random() < (0.4 if y[-1] else 0.1)))
    profile = sg.inspect(labels_only(y, 2))
    assert (profile.to_beat, profile.dependence, profile.worth_using) == (
        "Majority", "weakly positive", False,
    )  # fmt: skip
    assert "not worth using on its own: knowing the last label changes no guess" in str(profile)
    assert "positive but weak: labels repeat more often than by chance" in str(profile)


def test_a_season_that_the_last_label_does_not_show(random: np.random.Generator) -> None:
    y = np.resize([0, 0, 0, 1, 1, 0, 1], 3000)  # after either label come both
    wrong = random.random(3000) < 0.05
    y[wrong] = 1 - y[wrong]
    profile = sg.inspect(labels_only(y.tolist(), 2))
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [7]
    assert "Labels recur every 7 rows (autocorrelation 0." in str(profile)
    share = profile.autocorrelation.peaks[0].same
    assert share == pytest.approx(0.95**2 + 0.05**2, abs=0.02)
    assert f"7 rows before is right in {share:.1%}".replace("%", " %, more than") in str(profile)


def test_how_many_rows_are_needed() -> None:
    y = [1] * 50 + [0] * 950
    text = str(sg.inspect(labels_only(y * 10, 2), window=1000))
    assert "the rarest class, b (500 rows), asks for Window(8000) or Fading(0.99975)" in text
    fading = precision.fading_for(8000)
    weighty = int(precision.important_rows(fading, 0.01))
    assert fading**weighty >= 0.01 > fading ** (weighty + 1)
    assert f"under which {weighty:,} rows weigh 1 % or more" in text
    assert "1,000 rows, if errors are independent, tell an accuracy to ± 3.2 %" in text
    assert (
        "Class priors move no more than by chance along the stream: a is 95.0 % to 95.0 %" in text
    )
    assert "± 1 % takes 10,000 (by Hoeffding's bound 18,445)" in text
    text = str(sg.inspect(labels_only(y, 2), window=100))
    assert "Class priors move along the stream: a is 50.0 % to 100.0 % of a window of 100" in text
    assert "b (50 rows), is too rare for any: it takes 400 rows of a class" in text
    assert "the whole stream has fewer of 1 of its 2 classes." in text


def test_precision() -> None:
    """gama2013 §3.4's own examples; its 3 % at 1000 rows is a half-width, its 18444 cut off."""
    assert precision.half_width(1000) == pytest.approx(0.03, abs=0.002)
    assert precision.rows_for(0.01) == 10_000
    assert precision.hoeffding_rows(0.01) - 1 == 18_444
    assert 2 * np.exp(-2 * 18_445 * 0.01**2) < 0.05 < 2 * np.exp(-2 * 18_444 * 0.01**2)
    assert precision.important_rows(0.995, 2.9e-7) == pytest.approx(3000, abs=5)
    a = precision.fading_for(500)
    weights = a ** np.arange(20_000)
    assert weights.sum() ** 2 / (weights**2).sum() == pytest.approx(500)  # semantics §3
    assert [precision.rows_for(precision.half_width(n)) for n in (7, 400, 12_345)] == [
        7, 400, 12_345,
    ]  # fmt: skip


def test_numbers_that_go_on(random: np.random.Generator) -> None:
    profile = sg.inspect(numbers_only(np.cumsum(random.normal(size=2000)).tolist()))
    assert (profile.to_beat, profile.worth_using) == ("LastValue", True)
    text = str(profile)
    assert text.splitlines()[2].startswith("The reference to beat is LastValue, repeating the last")
    assert "The order is worth using: each value resembles the one before it (lag-1" in text


def test_numbers_without_order(random: np.random.Generator) -> None:
    profile = sg.inspect(numbers_only(random.normal(size=2000).tolist()))
    assert (profile.to_beat, profile.worth_using) == ("Mean", False)
    assert "values do not resemble the one before them" in str(profile)
    noise = random.normal(size=5001)
    profile = sg.inspect(numbers_only((noise[1:] + 0.4 * noise[:-1]).tolist()))
    assert profile.to_beat == "Mean"
    assert "values depend on the one before them, too weakly for repeating it" in str(profile)


def test_numbers_with_a_season(random: np.random.Generator) -> None:
    day = np.tile(np.sin(np.arange(24) / 24 * 2 * np.pi), 100)
    profile = sg.inspect(numbers_only((day + random.normal(size=2400) / 5).tolist()))
    assert [peak.lag for peak in profile.autocorrelation.peaks] == [24]
    assert "Values recur every 24 rows (autocorrelation 0.9" in str(profile)
    assert "The values do not differ" in str(sg.inspect(numbers_only([1.5] * 30)))


def test_many_classes_are_not_all_shown(random: np.random.Generator) -> None:
    y = random.integers(0, 26, 3000).tolist()
    classes = tuple(f"c{i}" for i in range(40))
    stream = sg.from_arrays(np.zeros((3000, 1)), [classes[i] for i in y], classes=classes)
    text = str(sg.inspect(stream))
    assert "the 30 most frequent of 40 classes" in text
    assert "last ↓ next →" not in text
