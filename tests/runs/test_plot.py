"""`plot` and `Run.plot`: which curves of which runs are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import streamgauge as sg
from streamgauge.figures.colours import CONTEXT, shades
from streamgauge.runs.text import columns_of, value_text
from tests.figures.specs import caption, mark_kinds, rows_with, units


@pytest.fixture(scope="module")
def runs() -> Sequence[sg.Run]:
    stream = sg.splice([sg.SEA(3000, seed=1), sg.SEA(3000, variant=3, seed=2)], at=[2000])
    learners = [sg.NaiveBayes(), sg.HoeffdingTree()]
    found: Sequence[sg.Run] = sg.evaluate(stream.take(4000), learners, every=100)
    return found


def points(chart: Any) -> list[dict[str, Any]]:
    return rows_with(chart, "series", "rows", "value")


def of(chart: Any, name: str) -> list[float]:
    return [each["value"] for each in points(chart) if each["series"] == name]


def test_curve_is_that_of_the_run(runs: Sequence[sg.Run]) -> None:
    run = runs[0]
    chart = run.plot()
    assert of(chart, "NaiveBayes") == run.curve["accuracy", "Window(1000)"].tolist()
    assert of(chart, "Persistent") == run.curve["accuracy_persistent", "Window(1000)"].tolist()
    assert caption(chart).startswith("NaiveBayes is better than")


def test_several_runs_and_a_metric(runs: Sequence[sg.Run]) -> None:
    chart = sg.plot(runs, "kappa_temporal")
    assert {each["series"] for each in points(chart)} == {"NaiveBayes", "HoeffdingTree"}
    assert of(chart, "HoeffdingTree") == runs[1].curve["kappa_temporal", "Window(1000)"].tolist()
    assert "HoeffdingTree against Majority: better" in caption(chart)


def test_kappas_are_not_mistaken_for_references(runs: Sequence[sg.Run]) -> None:
    chart = runs[0].plot("kappa")
    assert {each["series"] for each in points(chart)} == {"NaiveBayes"}
    assert "0: no better than predicting at random." in caption(chart)
    assert of(runs[0].plot("error"), "Majority") == pytest.approx(
        1 - runs[0].curve["accuracy_majority", "Window(1000)"]
    )


@pytest.mark.parametrize(
    "metric",
    ["accuracy", "error", "coverage", "recall[1]", "kappa", "auc", "own", "plain", "seconds_lost"],
)
def test_per_cent_is_the_same_in_text_report_and_figure(metric: str, tmp_path: Path) -> None:
    own = [
        sg.Metric("own", lambda s: s.accuracy, direction="higher", unit="fraction"),
        sg.Metric("plain", lambda s: s.accuracy),
        sg.Metric("seconds_lost", lambda s: s.accuracy, direction="lower", unit="seconds"),
    ]
    again = sg.Reevaluate(every=10, bins=3)
    run = sg.evaluate(
        sg.SEA(300, seed=1), sg.NaiveBayes(), metrics=["all", *own], labels=sg.Delay(20),
        reevaluate=again,
    )  # fmt: skip
    wanted = run.scales[metric].unit == "fraction"
    axis = str(run.plot(metric).to_dict())
    assert ("'format': '~%'" in axis) == wanted
    if metric in run.bins.metrics:
        assert ("'format': '~%'" in str(run.bins.plot("wait", metric).to_dict())) == wanted
        assert ("'format': '~%'" in str(run.bins.plot("time", metric).to_dict())) == wanted
    shown = value_text(run, metric, run.summary[metric])
    assert shown.endswith("%") == wanted
    if metric in columns_of(run):
        assert shown in run.details
        page = sg.report(run, tmp_path / "page.html").read_text(encoding="utf-8")
        assert f">{value_text(run, metric, run.overall[metric])}<" in page


def test_some_references(runs: Sequence[sg.Run]) -> None:
    chart = runs[0].plot(references=["Persistent"])
    assert {each["series"] for each in points(chart)} == {"NaiveBayes", "Persistent"}
    with pytest.raises(sg.UsageError, match=r"no reference 'Persist' \(did you mean 'Persistent'"):
        runs[0].plot(references=["Persist"])


def test_dict_gives_the_names(runs: Sequence[sg.Run]) -> None:
    chart = sg.plot({"first": runs[0], "second": runs[1]}, references=False)
    assert {each["series"] for each in points(chart)} == {"first", "second"}


def test_forgettings_are_panels(runs: Sequence[sg.Run]) -> None:
    chart = sg.plot(runs, forget=[sg.Cumulative(), "Window(1000)"], references=False)
    panels = chart.to_dict()["vconcat"]
    assert [each["title"]["text"] for each in panels] == ["Cumulative()", "Window(1000)"]
    assert len(points(chart)) == 2 * 2 * len(runs[0].curve)


def test_drift_and_alarms_are_at_the_rows_scored_by_then(runs: Sequence[sg.Run]) -> None:
    chart = sg.plot(runs, alarms=[2100])
    assert rows_with(chart, "rows", "end") == [{"rows": 2000, "end": 2000}]
    assert rows_with(chart, "rows") == [{"rows": 2100}]


def test_missing_labels_move_drifts_and_show_a_strip() -> None:
    stream = sg.splice([sg.SEA(30_000, seed=1), sg.SEA(30_000, variant=3, seed=2)], at=[20_000])
    run = sg.evaluate(
        stream.take(40_000), sg.NaiveBayes(), labels=sg.Sampled(0.25), warmup=4000, block_rows=2000
    )
    chart = run.plot(alarms=[0, 4000])
    (drift,) = rows_with(chart, "rows", "end")
    expected = (run.predictions["row"].to_numpy() < 20_000).sum()
    assert drift["rows"] == drift["end"] == pytest.approx(expected, abs=60)
    assert rows_with(chart, "rows") == [{"rows": 0}]  # both before the first scored row
    assert "area" in mark_kinds(chart)
    assert "At the end the labels of 2" in caption(chart)
    (last,) = [each["value"] for each in rows_with(chart, "rows", "value")[-1:]]
    assert last == pytest.approx(run.counts.scored / 36_000)


def test_directories_of_saved_runs(runs: Sequence[sg.Run], tmp_path: Path) -> None:
    paths = [run.save(tmp_path) for run in runs]
    assert points(sg.plot(paths)) == points(sg.plot(runs))
    assert points(sg.plot(str(paths[0]))) == points(runs[0].plot())


def test_runs_of_one_learner_are_told_apart() -> None:
    stream = sg.SEA(500, seed=1)
    late = [sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(n)) for n in (1, 50)]
    names = {each["series"] for each in points(sg.plot(late, references=False))}
    assert names == {"NaiveBayes, labels Delay(1)", "NaiveBayes, labels Delay(50)"}
    same = {each["series"] for each in points(sg.plot([late[0]] * 2, references=False))}
    assert same == {"NaiveBayes", "NaiveBayes #2"}


def test_kappas_at_one_glance(runs: Sequence[sg.Run]) -> None:
    chart = sg.plot(runs, "kappas")
    rows = {
        (row["series"], row["metric"].split(":")[0]): row
        for row in rows_with(chart, "series", "metric", "value", "low", "high", "shown")
    }
    assert len(rows) == 2 * 6
    tree = runs[1]
    row = rows["HoeffdingTree", "kappa_temporal"]
    assert row["value"] == tree.overall["kappa_temporal"]
    curve = tree.curve["kappa_temporal", "Window(1000)"]
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(curve, [0.1, 0.9])))
    with pytest.raises(sg.UsageError, match="got 2 forgettings; 'kappas' shows one"):
        sg.plot(runs, "kappas", forget=["Cumulative()", "Window(1000)"])
    x = np.random.default_rng(1).random((200, 2))
    regression = sg.evaluate(sg.from_arrays(x, x.sum(axis=1)), sg.AMRules())
    with pytest.raises(sg.UsageError, match="kappas are for classification"):
        regression.plot("kappas")


def test_regression() -> None:
    x = np.random.default_rng(1).random((1000, 2))
    run = sg.evaluate(sg.from_arrays(x, x.sum(axis=1)), sg.AMRules())
    line = next(units(run.plot().to_dict()))
    assert line["encoding"]["y"]["title"] == "mae"
    assert "format" not in line["encoding"]["y"].get("axis", {})
    assert of(run.plot(), "LastValue (whole stream)") == [run.references["LastValue"]["mae"]] * 2


def test_failed_run_is_drawn_as_far_as_it_came() -> None:
    class Tired:
        def start(self, schema: Any, seed: int) -> None:
            self.learned = 0

        def predict(self, X: Any) -> Any:
            if self.learned > 600:
                raise RuntimeError("enough")
            return np.full((len(X), 2), 0.5)

        def learn(self, X: Any, y: Any, w: Any) -> None:
            self.learned += len(X)

    with pytest.raises(sg.LearnerError) as failed:
        sg.evaluate(sg.SEA(2000, seed=1), [Tired(), sg.NaiveBayes()])
    chart = sg.plot(failed.value.runs)
    assert "Tired failed at row" in caption(chart)
    assert "enough" in caption(chart)
    assert max(each["rows"] for each in points(chart) if each["series"] == "Tired") < 700


def test_folds_are_drawn_as_one_run_each() -> None:
    folds = sg.evaluate(sg.SEA(1000, seed=1), ["NaiveBayes"], protocol=sg.PrequentialCV(3))
    assert len({each["series"] for each in points(sg.plot(folds, references=False))}) == 3


def test_undefined_metric_says_why() -> None:
    run = sg.score([1, 1, 1], [1, 1, 1], classes=[0, 1])
    chart = run.plot("kappa")
    said = " ".join(each["why"] for each in rows_with(chart, "line", "why"))
    assert said.startswith("kappa is undefined on the whole stream: ")


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([], {}, "got none to plot; expected at least one run"),
        ({}, {}, "got none to plot"),
        ([3], {}, "got int; expected runs of sg.evaluate"),
        (None, {"metric": "kapa"}, r"no metric 'kapa' \(did you mean 'kappa'\?\)"),
        (None, {"forget": sg.Window(7)}, r"did not keep Window\(7\)"),
        (None, {"forget": []}, r"forget=\[\]: expected a forgetting"),
        (None, {"alarms": ["x"]}, "alarms: got 'x'; expected row numbers"),
    ],
)
def test_wrong_arguments(
    runs: Sequence[sg.Run], given: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(sg.UsageError, match=message):
        sg.plot(runs if given is None else given, **options)


def test_different_streams_are_refused(runs: Sequence[sg.Run]) -> None:
    other = sg.evaluate(sg.Sine1(500, seed=1), sg.NaiveBayes())
    with pytest.raises(sg.UsageError, match=r"different streams: .*Sine1.* draw a figure for each"):
        sg.plot([runs[0], other])


@pytest.fixture(scope="module")
def seeds() -> list[sg.Run]:
    learners = [sg.NaiveBayes(), sg.HoeffdingTree()]
    return [
        run
        for seed in (1, 2, 3)
        for run in sg.evaluate(sg.SEA(2000, seed=seed), learners, every=100)
    ]


def test_several_seeds_are_their_mean_in_a_band(seeds: list[sg.Run]) -> None:
    chart = sg.plot(seeds)
    values = np.stack([run.curve["accuracy", "Window(1000)"] for run in seeds[::2]])
    assert of(chart, "NaiveBayes") == pytest.approx(values.mean(axis=0))
    band = [
        each
        for each in rows_with(chart, "series", "rows", "low", "high")
        if each["series"] == "NaiveBayes"
    ]
    spread = values.std(axis=0, ddof=1)
    assert [each["high"] for each in band] == pytest.approx(values.mean(axis=0) + spread)
    assert {each["series"] for each in points(chart)} >= {"NaiveBayes", "HoeffdingTree"}
    assert "NaiveBayes against Majority: better for 3 of 3 seeds." in caption(chart)
    assert "means over 3 seeds" in caption(chart)


def test_a_dict_says_which_runs_are_seeds_of_one(seeds: list[sg.Run]) -> None:
    chart = sg.plot({"bayes": seeds[::2], "tree": seeds[1::2]}, references=False)
    assert {each["series"] for each in points(chart)} == {"bayes", "tree"}


def test_learners_of_different_seeds_are_not_drawn_together(seeds: list[sg.Run]) -> None:
    with pytest.raises(sg.UsageError, match="different streams"):
        sg.plot([seeds[0], seeds[3]])


def test_log_with_dates_has_an_axis_of_dates() -> None:
    hours = np.datetime64("2024-01-01T00", "us") + np.arange(600).astype("timedelta64[h]")
    answers = np.tile([0, 1, 1], 200)
    log = pa.table({"y": answers, "p": np.tile([0, 1], 300), "t": hours, "later": hours + 3600})
    run = sg.score(log, true="y", pred="p", arrives="t", revealed="later", every=50)
    chart = run.plot(alarms=[300])
    line = next(units(chart.to_dict()))
    assert line["encoding"]["x"]["type"] == "temporal"
    times = [each["rows"] for each in points(chart) if each["series"] == "p"]
    assert run.curve.times is not None
    assert times == run.curve.times.astype("datetime64[ms]").astype(np.int64).tolist()
    (alarm,) = rows_with(chart, "rows")
    assert times[0] < alarm["rows"] < times[-1]


def test_of_many_learners_the_best_and_those_asked_for_have_colour(seeds: list[sg.Run]) -> None:
    named = {f"learner {i}": seeds[0] for i in range(7)} | {"tree": seeds[1]}
    chart = sg.plot(named, references=False, highlight=["tree", "learner 6"])
    scale = next(units(chart.to_dict()))["encoding"]["color"]["scale"]
    grey = [n for n, c in zip(scale["domain"], scale["range"], strict=True) if c == CONTEXT]
    assert 3 <= len(grey) <= 5
    assert not {"tree", "learner 6"} & set(grey)
    with pytest.raises(sg.UsageError, match="did you mean 'tree'"):
        sg.plot(named, highlight="tre")
    assert "8 learners against Majority: 8 better." in caption(chart)


def test_one_learner_under_several_policies_has_ordered_shades(seeds: list[sg.Run]) -> None:
    stream = sg.SEA(1000, seed=1)
    runs = [sg.evaluate(stream, sg.NaiveBayes(), labels=sg.Delay(n)) for n in (1, 10, 100)]
    chart = sg.plot(runs, references=False)
    scale = next(units(chart.to_dict()))["encoding"]["color"]["scale"]
    assert scale["range"] == shades(3)
