"""`profile.plot`: what each panel shows is what the profile holds."""

from __future__ import annotations

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks
from tests.runs.test_late_labels import late_stream

pytest.importorskip("altair")


@pytest.fixture(scope="module")
def profile() -> sg.Profile:
    return sg.inspect(sg.inject(sg.SEA(2000, seed=1), order=2), lags=50)


def test_overview_has_four_panels_and_the_advice(profile: sg.Profile) -> None:
    chart = profile.plot()
    assert len(chart.to_dict()["concat"]) == 4
    assert profile.advice[0] in caption(chart)
    assert heading(chart).endswith("the order of the labels")


def test_panels_show_the_numbers_of_the_profile(profile: sg.Profile) -> None:
    lags = marks(profile.plot("autocorrelation"))["line"]
    assert [row["lag"] for row in lags] == list(range(1, 51))
    assert lags[6]["value"] == profile.autocorrelation[7]
    cells = marks(profile.plot("transitions"))["rect"]
    assert [row["value"] for row in cells] == profile.transition.ravel().tolist()
    shares = marks(profile.plot("priors"))["line"]
    assert [row["share"] for row in shares] == profile.priors.shares.ravel().tolist()
    deltas = marks(profile.plot("repeats"))["line"]
    together = [row["delta"] for row in deltas if row["series"] == "all classes"]
    kept = profile.repeats.pooled_rows[1:12] >= 30
    np.testing.assert_allclose(together, profile.repeats.pooled_delta[:11][kept[: len(together)]])


def test_many_classes_are_cut_to_the_most_frequent_and_it_says_so() -> None:
    y = [f"c{i % 20}" for i in range(2000)] + ["c19"] * 100
    chart = sg.inspect(sg.from_arrays(np.zeros((2100, 1)), y), lags=5).plot()
    assert "Only the most frequent of 20 classes are drawn." in caption(chart)
    assert len({row["last"] for row in marks(chart)["rect"]}) == 12
    assert "c19" in {row["series"] for row in marks(chart)["line"] if "series" in row}


def test_very_many_lags_are_thinned_but_keep_the_peaks() -> None:
    y = ["a" if i % 49 == 0 else "b" for i in range(17_000)]
    profile = sg.inspect(sg.from_arrays(np.zeros((17_000, 1)), y), lags=4100)
    found = marks(profile.plot("autocorrelation"))
    assert len(found["line"]) <= 2001
    assert profile.autocorrelation.peaks[0].lag in [row["lag"] for row in found["line"]]


def test_waits_are_those_of_the_stream() -> None:
    profile = sg.inspect(late_stream())
    chart = profile.plot("waits")
    ticks = {row["series"]: row["median"] for row in marks(chart)["tick"]}
    assert profile.waits is not None
    assert ticks == {str(i): each.median for i, each in enumerate(profile.waits.classes)}
    assert "Waits depend on the class" in caption(chart)


def test_waits_of_timestamps_have_a_unit_that_reads_well() -> None:
    when = np.datetime64("2020-01-01T00:00") + 60 * np.arange(400).astype("timedelta64[m]")
    late = when + np.timedelta64(5, "h")
    stream = sg.from_arrays(np.zeros((400, 1)), ["a", "b"] * 200, arrives=when, revealed=late)
    chart = sg.inspect(stream).plot("waits")
    assert {row["median"] for row in marks(chart)["tick"]} == {5.0}
    assert "wait (hours)" in str(chart.to_dict())


def test_regression_has_lags_only() -> None:
    y = [i % 7 + 0.5 for i in range(400)]
    profile = sg.inspect(sg.from_arrays(np.zeros((400, 1)), y, task="regression"), lags=20)
    assert set(marks(profile.plot())) >= {"line", "area"}
    (text,) = marks(profile.plot("transitions"))["text"]
    assert text["why"] == "a regression stream has no classes"


def test_too_few_labels_say_why() -> None:
    profile = sg.inspect(sg.from_arrays([[0.0]] * 3, ["a", None, None], classes=["a", "b"]))
    (text,) = marks(profile.plot("transitions"))["text"]
    assert text["why"] == "too few labels (1)"


def test_bad_input_is_named(profile: sg.Profile) -> None:
    with pytest.raises(sg.UsageError, match=r"plot\('prior'\): unknown figure \(did you mean"):
        profile.plot("prior")
    with pytest.raises(sg.UsageError, match=r"no reveal times; expected a stream with a column"):
        profile.plot("waits")
