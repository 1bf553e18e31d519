"""`results.plot("worth")`: the best learner and the best reference of each stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading

pytest.importorskip("altair")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    noise = np.random.default_rng(1).normal(size=(3000, 2))
    runs = sg.from_arrays(noise, np.arange(3000) // 10 % 2, name="runs")
    grids = [
        sg.Grid(["SEA(3000)", runs], ["NaiveBayes()", "KNN()", "Persistent()"], name="two"),
        sg.Grid(["SEA(2000)"], ["NaiveBayes()"], labels=["Immediate()", "Delay(50)"], seeds=2,
                name="late"),
        sg.Grid(["SEA(500)"], ["Majority()"], name="references"),
    ]  # fmt: skip
    for grid in grids:
        sg.run_grid(grid, folder, workers=0)
    return folder


def drawn(chart: Any) -> dict[str, dict[str, Any]]:
    (rows,) = chart.to_dict()["datasets"].values()
    return {row["stream"]: row for row in rows}


def test_best_learner_is_shown_against_the_best_reference_of_its_verdict(store: Path) -> None:
    results = sg.results(store, "two")
    rows = drawn(results.plot("worth"))
    assert set(rows) == {"SEA(3000)", "runs"}
    for stream, row in rows.items():
        runs = [results.run(stream=stream, learner=name) for name in ("NaiveBayes", "KNN")]
        best = max(runs, key=lambda run: run.overall["accuracy"])
        against = best.verdict.against[0]  # the strongest
        assert row["learner"] == best.name
        assert row["reference"] == against.reference
        assert (row["score"], row["reference_score"]) == (
            against.learner_score, against.reference_score,
        )  # fmt: skip
        assert row["word"] == against.word


def test_title_counts_the_streams_without_a_better_learner(store: Path) -> None:
    results = sg.results(store, "two")
    chart = results.plot("worth")
    unbeaten = [row for row in drawn(chart).values() if row["word"] != "better"]
    assert len(unbeaten) == 1
    assert heading(chart).startswith("On 1 of 2 streams, no learner is clearly better")
    one = results.plot("worth", where={"stream": "SEA(3000)"})
    assert heading(one) == "SEA(3000): a learner is better than past labels alone"


def test_label_policies_have_bars_of_their_own_and_seeds_are_averaged(store: Path) -> None:
    results = sg.results(store, "late")
    chart = results.plot("worth")
    rows = drawn(chart)
    assert set(rows) == {"SEA(2000), labels at once", "SEA(2000), labels Delay(50)"}
    runs = [results.run(labels="Delay(50)", seed=seed) for seed in (1, 2)]
    mean = sum(run.overall["accuracy"] for run in runs) / 2
    assert rows["SEA(2000), labels Delay(50)"]["score"] == pytest.approx(mean)
    assert "2 seeds" in caption(chart)


def test_references_alone_are_an_error(store: Path) -> None:
    with pytest.raises(sg.UsageError, match="learners that are not references"):
        sg.results(store, "references").plot("worth")
