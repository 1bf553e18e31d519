"""`run.bins.plot`: over the wait for several runs, along the stream, the cost of re-evaluation."""

from __future__ import annotations

import itertools
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks

pytest.importorskip("altair")


def evaluate(*learners: Any, bins: int = 4, **options: Any) -> list[sg.Run]:
    again = sg.Reevaluate(every=10, bins=bins)
    stream = sg.SEA(900, seed=1, noise=0.1)
    options = {"labels": sg.Delay(50), **options}
    return list(sg.evaluate(stream, list(learners), reevaluate=again, **options))


@pytest.fixture(scope="module")
def runs() -> list[sg.Run]:
    return evaluate(sg.NaiveBayes(), sg.HoeffdingTree())


def test_figure_has_the_values_and_bands_of_learners_and_references(runs: list[sg.Run]) -> None:
    chart = runs[0].bins.plot(others=runs[1:])
    lines = marks(chart)["line"]
    assert list(dict.fromkeys(row["series"] for row in lines)) == [
        "NaiveBayes", "HoeffdingTree", "Majority", "Persistent", "Transition", "Seasonal",
    ]  # fmt: skip
    own = [row for row in lines if row["series"] == "HoeffdingTree"]
    assert [row["value"] for row in own] == runs[1].bins["accuracy"].tolist()
    assert [row["low"] for row in own] == runs[1].bins.band("accuracy")[:, 0].tolist()
    assert [row["bin"] for row in own] == [0, 1, 2, 3, 4, 5]
    majority = [row["value"] for row in lines if row["series"] == "Majority"]
    assert majority == runs[0].bins.references["Majority"]["accuracy"].tolist()
    assert heading(chart) == "SEA(900, seed=1, noise=0.1): accuracy while labels are awaited"
    assert "After 900 labels" in caption(chart)


def test_metric_names_and_references_can_be_chosen(runs: list[sg.Run]) -> None:
    chart = runs[0].bins.plot(metric="kappa", others={"tree": runs[1]}, references=False)
    lines = marks(chart)["line"]
    assert {row["series"] for row in lines} == {"NaiveBayes", "tree"}
    assert lines[0]["value"] == runs[0].bins["kappa"][0]
    twice = runs[0].bins.plot(others=[runs[0]], references=False)
    assert {row["series"] for row in marks(twice)["line"]} == {"NaiveBayes", "NaiveBayes #2"}


def test_fewer_bins_are_stretched_to_the_most(runs: list[sg.Run]) -> None:
    (coarse,) = evaluate(sg.NaiveBayes(), bins=2)
    chart = runs[0].bins.plot(others={"coarse": coarse}, references=False)
    places = [row["bin"] for row in marks(chart)["line"] if row["series"] == "coarse"]
    assert places == [0, 2, 4, 5]
    assert "stretched to 4" in caption(chart)
    (none,) = evaluate(sg.NaiveBayes(), bins=0)
    assert [row["bin"] for row in marks(none.bins.plot(references=False))["line"]] == [0, 1]


def test_heat_map_equals_the_difference_of_tables_of_bins(runs: list[sg.Run]) -> None:
    bins, run = runs[0].bins, runs[0]
    table = bins.over_time("accuracy", parts=7).to_pydict()
    edges = sorted({*table["first"], *table["last"]})
    assert len(edges) == 8
    for first, last in itertools.pairwise(edges):
        until = run.bins_at(last)["accuracy"] * last
        before = run.bins_at(first)["accuracy"] * first if first else 0
        value = [v for v, f in zip(table["value"], table["first"], strict=True) if f == first]
        np.testing.assert_allclose(value, (until - before) / (last - first))
    cells = marks(bins.plot("time", parts=7))["rect"]
    assert [cell["value"] for cell in cells] == table["value"]


def test_regression_draws_mean_absolute_errors() -> None:
    X, y = [[float(i % 7)] for i in range(400)], [i % 5 + 0.5 for i in range(400)]
    stream, again = sg.from_arrays(X, y, task="regression"), sg.Reevaluate(every=10, bins=3)
    run = sg.evaluate(stream, sg.Mean(), labels=sg.Delay(20), reevaluate=again)
    chart = run.bins.plot()
    assert "Lowest mae" in caption(chart)
    assert marks(run.bins.plot("time", metric="r2", parts=3))["rect"]


def test_effort_is_that_of_the_run_with_at_most_a_thousand_points(runs: list[sg.Run]) -> None:
    rows = marks(runs[0].bins.plot("effort"))["line"]
    assert rows[-1]["n_b"] == runs[0].bins.effort["n_b"][-1]
    stream = sg.SEA(1500, seed=1)
    again = sg.Reevaluate(every=10, bins=1)
    run = sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(50), reevaluate=again, every=1)
    points = marks(run.bins.plot("effort"))["line"]
    assert len(points) == 2000, "a thousand in each panel"
    assert points[999]["rows"] == 1500


def test_saved_run_draws_the_same(runs: list[sg.Run], tmp_path: Path) -> None:
    again = sg.open_run(runs[0].save(tmp_path))
    for what in ("wait", "time", "effort"):
        assert again.bins.plot(what).to_dict() == runs[0].bins.plot(what).to_dict()


def test_undefined_metric_says_why() -> None:
    stream = sg.from_arrays([[0.0]] * 300, ["a"] * 299 + ["b"])
    again = sg.Reevaluate(every=10, bins=2)
    run = sg.evaluate(stream.take(299), sg.NaiveBayes(), labels=sg.Delay(20), reevaluate=again)
    assert all(map(math.isnan, run.bins["mcc"]))
    (text,) = marks(run.bins.plot(metric="mcc"))["text"]
    assert text["why"] == "mcc is undefined in every bin"
    (text,) = marks(run.bins.plot("time", "mcc"))["text"]
    assert "undefined" in text["why"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"what": "waits"}, r"plot\('waits'\): unknown figure \(did you mean 'wait'\?\); expected"),
        ({"metric": "kapa"}, "no metric 'kapa' per bin .did you mean 'kappa'"),
        ({"metric": "auc"}, "auc is not defined per bin"),
        ({"what": "time", "parts": 0}, "parts=0: expected 1 or more parts"),
        ({"what": "time", "parts": 2.5}, "parts: expected an integer, got 2.5"),
        ({"others": ["NaiveBayes"]}, "others: expected runs, got str"),
    ],
)
def test_bad_input_is_named(runs: list[sg.Run], options: dict[str, Any], message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        runs[0].bins.plot(**options)


def test_runs_on_other_streams_or_without_bins_are_refused(runs: list[sg.Run]) -> None:
    again = sg.Reevaluate(every=10, bins=4)
    other = sg.evaluate(sg.SEA(300, seed=2), sg.NaiveBayes(), labels=sg.Delay(9), reevaluate=again)
    with pytest.raises(sg.UsageError, match=r"different streams: SEA.*draw a figure for each"):
        runs[0].bins.plot(others=[other])
    plain = sg.evaluate(sg.SEA(300, seed=2), sg.NaiveBayes())
    with pytest.raises(sg.UsageError, match="this run has no bins"):
        runs[0].bins.plot(others=[plain])
    with pytest.raises(sg.UsageError, match=r"use run\.bins\.over_time"):
        runs[0].bins_at(100).plot("time")


def test_without_altair_the_pip_line_is_named(
    runs: list[sg.Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    profile = sg.inspect(sg.SEA(300, seed=1))
    for draw in (runs[0].bins.plot, runs[0].plot_confusion, runs[0].plot_late_labels, profile.plot):
        with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
            draw()
