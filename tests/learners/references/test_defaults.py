"""Custom references: in the table, the verdict, metrics, bins and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import streamgauge as sg

STREAM = sg.SEA(800, noise=0.1, seed=5)


class First:
    """Always predicts the first class."""

    as_reference = sg.Reference("First", "always predicting the first class")

    def start(self, schema: sg.Schema, seed: int) -> None:
        self.k = len(schema.classes)

    def predict(self, X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.eye(self.k)[np.zeros(len(X), int)]

    def learn(self, X: Any, y: Any, w: Any) -> None:
        pass


class FailsAt(First):
    """Fails when it learns its nth row."""

    as_reference = sg.Reference("Fails", "failing")

    def __init__(self, n: int) -> None:
        self.n, self.learned = n, 0

    def learn(self, X: Any, y: Any, w: Any) -> None:
        self.learned += len(X)
        if self.learned >= self.n:
            raise RuntimeError("no more")


def test_joins_table_and_verdict_with_its_own_phrase() -> None:
    run = sg.evaluate(STREAM, sg.NaiveBayes(), references=[First()])
    assert list(run.references) == ["Majority", "Persistent", "Transition", "Seasonal", "First"]
    y = np.array(run.predictions["y"].to_pylist())
    assert run.references["First"]["accuracy"] == (y == 0).mean()
    assert run.verdict["First"].word == "better"
    assert run.verdict["First"].phrase == "always predicting the first class"
    assert run.verdict["First"].phrase in str(run.verdict)
    assert run.predictions["first"].to_pylist() == [0] * len(y)


def test_has_its_own_accuracy_and_kappa() -> None:
    run = sg.evaluate(STREAM, sg.NaiveBayes(), references=[First()], forget=[sg.Window(100)])
    p, reference = run.summary["accuracy"], run.summary["accuracy_first"]
    assert run.summary["kappa_first"] == pytest.approx((p - reference) / (1 - reference))


def test_any_learner_goes_by_its_name() -> None:
    tree = sg.evaluate(STREAM, "HoeffdingTree")
    run = sg.evaluate(
        STREAM, "NaiveBayes", references=["HoeffdingTree", sg.Majority(forget=sg.Window(9))]
    )
    assert run.references["HoeffdingTree"] == {
        name: value
        for name, value in (tree.overall | _against(run)).items()
        if name in run.references["HoeffdingTree"]
    }
    assert "Majority(forget=Window(9))" in run.references
    assert "HoeffdingTree (" in str(run.verdict)


def _against(run: sg.Run) -> dict[str, float]:
    """The metrics that compare with the added references, which the other run has not."""
    tree = run.references["HoeffdingTree"]
    return {name: value for name, value in tree.items() if name.endswith(("tree", "window_9"))}


def test_changes_nothing_else() -> None:
    alone = sg.evaluate(STREAM, sg.NaiveBayes())
    run = sg.evaluate(STREAM, sg.NaiveBayes(), references=[First(), "HoeffdingTree"])
    for name in alone.curve.metrics:
        np.testing.assert_array_equal(alone.curve[name], run.curve[name])
    for reference in alone.references:
        assert alone.verdict[reference].test == run.verdict[reference].test
    assert alone.id != run.id


def test_joins_bins_of_the_wait() -> None:
    run = sg.evaluate(
        STREAM, sg.NaiveBayes(), labels=sg.Delay(30), reevaluate=sg.Reevaluate(10, 3),
        references=[First()],
    )  # fmt: skip
    share = run.references["First"]["accuracy"]
    np.testing.assert_allclose(run.bins.references["First"]["accuracy"], share)
    assert run.bins.verdicts[4]["First"].phrase in str(run.bins.verdicts[4])


def test_works_in_regression() -> None:
    rng = np.random.default_rng(0)
    stream = sg.from_arrays(rng.normal(size=(300, 2)), rng.normal(size=300))
    run = sg.evaluate(stream, sg.Mean(), references=["HoeffdingTreeRegressor"])
    assert run.references["HoeffdingTreeRegressor"]["mae"] > 0
    assert "HoeffdingTreeRegressor (MAE" in str(run.verdict)


def test_reference_that_uses_label_order_is_named_in_the_advice() -> None:
    class Echo(First):
        as_reference = sg.Reference("Echo", "echoing", uses_label_order=True, tie_rank=0)

        def start(self, schema: sg.Schema, seed: int) -> None:
            super().start(schema, seed)
            self.last = 0

        def predict(self, X: Any) -> Any:
            return np.eye(self.k)[np.full(len(X), self.last)]

        def learn(self, X: Any, y: Any, w: Any) -> None:
            self.last = int(y[-1])

    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(60) % 2, random.integers(20, 30, 60))
    stream = sg.from_arrays(np.zeros((len(labels), 1)), labels)
    run = sg.evaluate(stream, sg.Majority(), references=[Echo()])
    assert run.verdict.against[0].reference == "Echo"
    assert "The order of the labels carries information" in str(run.verdict)


def test_reference_may_describe_what_it_found_in_the_run() -> None:
    class Finder(First):
        @property
        def as_reference(self) -> sg.Reference:  # type: ignore[override]
            if not hasattr(self, "seen"):
                return sg.Reference("Finder", "looking")
            found = sg.Reference("Other", f"having seen {self.seen} rows")
            return found._replace(note="It saw them all.")

        def start(self, schema: sg.Schema, seed: int) -> None:
            super().start(schema, seed)
            self.seen = 0

        def learn(self, X: Any, y: Any, w: Any) -> None:
            self.seen += len(X)

    run = sg.evaluate(STREAM, sg.NaiveBayes(), references=[Finder()])
    assert run.verdict["Finder"].phrase == "having seen 800 rows"  # its name stays
    assert run.verdict.notes[-1] == "It saw them all."
    assert run.verdict.notes[-1] in str(run.verdict)


def test_failing_reference_stops_the_run_and_keeps_the_rows_before() -> None:
    with pytest.raises(sg.LearnerError, match=r"reference FailsAt failed at row 299: Runtime") as e:
        sg.evaluate(STREAM, sg.NaiveBayes(), references=[FailsAt(300)], progress=False)
    (run,) = e.value.runs
    whole = sg.evaluate(STREAM.take(run.counts.scored), sg.NaiveBayes())
    assert 290 <= run.counts.scored <= 300
    assert run.overall["accuracy"] == whole.overall["accuracy"]


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ("HoeffdingTree", "expected a list"),
        (["Majority"], "the name 'Majority' is taken"),
        ([First(), First()], "the name 'First' is taken"),
        (["NaiveBaies"], "did you mean 'NaiveBayes'"),
        (["Mean"], "Mean is for regression"),
    ],
)
def test_invalid_references_are_refused(references: Any, message: str) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.evaluate(STREAM, sg.NaiveBayes(), references=references)


def test_reference_with_parameters_is_found_by_one_name_everywhere(tmp_path: Path) -> None:
    name = "Majority(forget=Window(100))"
    run = sg.evaluate(STREAM, sg.NaiveBayes(), references=[name], forget=[sg.Window(300)])
    column = "majority_forget_window_100"
    assert column in run.predictions.column_names
    assert f"accuracy_{column}" in run.summary
    assert name in {each["series"] for each in _drawn(run.plot())}
    opened = sg.open_run(run.save(tmp_path))
    assert sg.compare(opened, name).names == ("NaiveBayes", name)
    table = sg.results(tmp_path).table(value="accuracy", references=True, forget="Window(300)")
    place = table.columns.index(name)
    assert table.mean[0, place] == run.summary[f"accuracy_{column}"]


def _drawn(chart: Any) -> list[dict[str, Any]]:
    """The data of a chart."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows if "series" in row]
