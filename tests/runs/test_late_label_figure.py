"""`run.plot_late_labels`: scores in both orders, waits by class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.figures.specs import caption, heading, marks
from tests.runs.test_late_labels import late_stream

pytest.importorskip("altair")


def values(chart: Any, order: str) -> list[float]:
    return [row["value"] for row in marks(chart)["line"] if row.get("order") == order]


def test_both_orders_are_means_over_equal_parts_of_the_predictions() -> None:
    run = sg.evaluate(late_stream(), sg.NaiveBayes())
    table = run.predictions.to_pydict()
    hits = np.array(table["y"], object) == np.array(table["prediction"], object)
    chart = run.plot_late_labels(parts=6)
    by_reveal = [part.mean() for part in np.split(hits.astype(float), 6)]
    np.testing.assert_allclose(values(chart, "as labels came"), by_reveal)
    arrived = hits[np.argsort(table["row"])]
    by_arrival = [part.mean() for part in np.split(arrived.astype(float), 6)]
    np.testing.assert_allclose(values(chart, "as rows arrived"), by_arrival)
    assert by_reveal != by_arrival
    assert "waits depend on the class" in caption(chart)
    assert heading(chart).endswith("NaiveBayes, labels FromStream()")


def test_waits_of_a_fixed_delay_are_its_rows_and_saved_runs_draw_the_same(tmp_path: Path) -> None:
    run = sg.evaluate(sg.SEA(500, seed=1), sg.NaiveBayes(), labels=sg.Delay(20))
    chart = run.plot_late_labels()
    assert {row["median"] for row in marks(chart)["tick"]} == {19.0}
    assert "in the order of the rows" in caption(chart)
    assert sg.open_run(run.save(tmp_path)).plot_late_labels().to_dict() == chart.to_dict()


def test_regression_draws_errors_of_all_rows() -> None:
    X, y = [[0.0]] * 300, [i % 5 + 0.5 for i in range(300)]
    stream = sg.from_arrays(X, y, task="regression")
    run = sg.evaluate(stream, sg.Mean(), labels=sg.Delay(7))
    chart = run.plot_late_labels(parts=3)
    assert len(values(chart, "as labels came")) == 3
    assert [row["series"] for row in marks(chart)["tick"]] == ["all rows"]


@pytest.mark.parametrize(
    ("parts", "message"),
    [(0, "parts=0: expected 1 or more"), ("x", "parts: expected an integer, got 'x'")],
)
def test_bad_number_of_parts_is_named(parts: Any, message: str) -> None:
    run = sg.evaluate(sg.SEA(100, seed=1), sg.NaiveBayes())
    with pytest.raises(sg.UsageError, match=message):
        run.plot_late_labels(parts)


def test_run_without_predictions_says_how_to_keep_them() -> None:
    run = sg.evaluate(sg.SEA(100, seed=1), sg.NaiveBayes(), predictions=False)
    with pytest.raises(sg.UsageError, match="did not keep its predictions; to keep them"):
        run.plot_late_labels()
