"""What `rank` accepts besides tables: runs and results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg

LEARNERS = [sg.NaiveBayes(), sg.Majority(), sg.Persistent()]


def runs_of(*streams: sg.Stream, labels: sg.LabelPolicy | None = None) -> list[sg.Run]:
    return [run for stream in streams for run in sg.evaluate(stream, LEARNERS, labels=labels)]


def test_runs_give_a_score_table() -> None:
    runs = runs_of(*(sg.SEA(500, seed=1, noise=noise) for noise in (0.0, 0.1, 0.2)))
    ranking = sg.rank(runs, metric="accuracy")
    assert ranking.learners == ("NaiveBayes", "Majority", "Persistent")
    assert ranking.table.scores[1, 0] == runs[3].overall["accuracy"]
    assert ranking.table.streams[1] == "SEA(500, seed=1, noise=0.1)"
    assert list(ranking.average_ranks) == ["NaiveBayes", "Majority", "Persistent"]
    assert sg.rank(runs, metric="error").average_ranks == ranking.average_ranks  # lower is better
    with pytest.raises(sg.InputError, match=r"no score of Persistent on .* missing='drop'"):
        sg.rank(runs[:-1])
    with pytest.raises(sg.InputError, match=r"two scores of NaiveBayes on SEA.* with seed 1;"):
        sg.rank([*runs, runs[0]])
    with pytest.raises(sg.UsageError, match="metric='beauty': expected one of"):
        sg.rank(runs, metric="beauty")


def test_seeds_of_one_stream_are_one_row() -> None:
    sea = runs_of(*(sg.SEA(300, seed=seed, noise=0.1) for seed in (1, 2, 3)))
    sine = runs_of(*(sg.Sine1(300, seed=seed) for seed in (1, 2, 3)))
    ranking = sg.rank([*sea, *sine], metric="accuracy")
    assert ranking.table.streams == ("SEA(300, noise=0.1)", "Sine1(300)")
    scores = [run.overall["accuracy"] for run in sea[::3]]
    assert ranking.table.scores[0, 0] == pytest.approx(np.mean(scores))
    assert ranking.table.sd is not None
    assert ranking.table.sd[0, 0] == pytest.approx(np.std(scores, ddof=1))
    assert "Each score is the mean of 3 runs; their sd is" in ranking.details
    with pytest.raises(sg.InputError, match=r"3 learners on 1 stream.*its 3 runs are one row"):
        sg.rank(sea, metric="accuracy")


def test_label_policies_and_injections_are_ranked_apart() -> None:
    streams = [sg.SEA(300, noise=0.1), sg.Sine1(300), sg.STAGGER(300)]
    late = runs_of(*streams, labels=sg.Delay(20))
    runs = [*runs_of(*streams), *late]
    rankings = sg.rank(runs, metric="accuracy")
    assert list(rankings) == ["Immediate()", "Delay(20)"]
    expected = sg.rank(late, metric="accuracy")
    assert rankings["Delay(20)"].average_ranks == expected.average_ranks
    chosen = sg.rank(runs, metric="accuracy", where={"labels": "Delay(20)"})
    assert chosen.to_dict() == expected.to_dict()
    injected = runs_of(*(sg.inject(stream, order=2) for stream in streams[:2]))
    rankings = sg.rank([*runs_of(*streams), *injected], metric="accuracy")
    assert list(rankings) == ["original labels", "inject=2"]
    assert rankings["inject=2"].table.streams == (
        "inject(SEA(300, seed=1, noise=0.1), order=2)",
        "inject(Sine1(300, seed=1), order=2)",
    )


def test_a_metric_of_ones_own_is_ranked_by_its_direction(tmp_path: Path) -> None:
    loss = sg.Metric("own_loss", lambda s: 1 - s.accuracy, direction="lower")
    silent = sg.Metric("silent", lambda s: 1 - s.accuracy)
    runs = [
        run
        for noise in (0.0, 0.1, 0.2)
        for run in sg.evaluate(
            sg.SEA(500, seed=1, noise=noise), LEARNERS, metrics=["labels", loss, silent]
        )
    ]
    for run in runs:
        run.save(tmp_path)
    expected = sg.rank(runs, metric="accuracy").average_ranks
    for scores in (runs, sg.results(tmp_path)):
        assert sg.rank(scores, metric="own_loss").average_ranks == expected
        assert sg.rank(scores, metric="silent", lower_is_better=True).average_ranks == expected
        with pytest.raises(sg.UsageError, match="metric='silent' does not declare whether higher"):
            sg.rank(scores, metric="silent")


def test_a_table_is_ranked_by_what_the_named_metric_declares() -> None:
    scores = {"A": [1.0, 2.0], "B": [2.0, 3.0]}
    assert [*sg.rank(scores).average_ranks] == ["B", "A"]
    for name in ("error", "rmse", "seconds", "model_bytes"):
        assert [*sg.rank(scores, metric=name).average_ranks] == ["A", "B"]
    with pytest.raises(sg.UsageError, match="metric='beauty' does not declare"):
        sg.rank(scores, metric="beauty")
    assert [*sg.rank(scores, metric="beauty", lower_is_better=False).average_ranks] == ["B", "A"]


def test_results_of_an_experiment_are_ranked(tmp_path: Path) -> None:
    grid = sg.Grid(
        [{"generate": "SEA(200, noise=0.1)"}, {"generate": "Sine1(200)"}],
        {"NB": "NaiveBayes()", "Maj": "Majority()"},
        seeds=2,
        labels=["Immediate()", "Delay(30)"],
    )
    results = sg.run_grid(grid, tmp_path, workers=0)
    rankings = sg.rank(results, metric="accuracy")
    assert list(rankings) == ["Immediate()", "Delay(30)"]
    table = results.table(value="accuracy", where={"labels": "Delay(30)"})
    np.testing.assert_allclose(rankings["Delay(30)"].table.scores, table.mean)
    assert rankings["Delay(30)"].table.runs.tolist() == [[2, 2], [2, 2]]
    windowed = sg.rank(results, forget="Window(1000)", where={"labels": "Delay(30)", "seed": 1})
    assert windowed.table.scores[0, 0] == pytest.approx(
        results.run(stream="SEA(200, noise=0.1)", learner="NB", labels="Delay(30)", seed=1)
        .curve["kappa", "Window(1000)"][-1]
    )  # fmt: skip
    assert sg.rank(results, metric="seconds", where={"labels": "Delay(30)"}).lower_is_better
    with pytest.raises(sg.UsageError, match="no metric or cost 'beauty'"):
        sg.rank(results, metric="beauty")
    with pytest.raises(sg.UsageError, match=r"labels=Delay\(3\): no such value \(did you mean"):
        sg.rank(results, where={"labels": "Delay(3)"})
