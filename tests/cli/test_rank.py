"""streamgauge rank: tables of scores, saved runs and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import Shell


def test_table_of_scores_is_ranked(shell: Shell) -> None:
    Path("scores.csv").write_text(
        "stream,tree,bayes,last\nelec2,0.5,0.4,0.7\nweather,0.3,0.2,0.1\nrialto,0.2,0.1,0\n"
    )
    code, out, err = shell("rank", "scores.csv", "--plot", "ranks.svg", "--json", "ranks.json")
    assert (code, err) == (0, "")
    assert "tree ranks first, not clearly ahead of any other" in out
    assert "Figure saved to ranks.svg" in out
    assert "<svg" in Path("ranks.svg").read_text(encoding="utf-8")
    written = json.loads(Path("ranks.json").read_text(encoding="utf-8"))
    assert written["streams"] == ["elec2", "weather", "rialto"]
    assert written["average_ranks"]["tree"] == pytest.approx(4 / 3)
    _, out, _ = shell("rank", "scores.csv", "--lower")
    shown = " ".join(out.split())
    assert "bayes and last share the first rank, not clearly ahead of any other." in shown
    _, out, _ = shell("rank", "scores.csv", "--metric", "error", "--higher")
    assert "tree ranks first" in out
    code, _, err = shell("rank", "scores.csv", "--metric", "beauty")
    assert code == 2
    assert "--lower, --higher" in err


def test_saved_runs_are_ranked(shell: Shell) -> None:
    for rows in ("500", "900"):
        shell(
            "evaluate", "table.csv", "--rows", rows, "--learner", "NaiveBayes", "--learner",
            "Majority",
        )  # fmt: skip
    saved = sorted(map(str, Path("results").iterdir()))
    code, out, err = shell("rank", *saved, "--metric", "accuracy")
    assert (code, err) == (0, "")
    assert "2 learners · 2 streams · higher accuracy is better" in out
    assert "NaiveBayes ranks first" in out


def test_store_and_its_table_are_ranked(shell: Shell) -> None:
    Path("bench.toml").write_text(
        'streams = [{generate = "SEA(200)"}, {generate = "Sine1(200)"}]\n'
        'learners = ["NaiveBayes()", "Majority()"]\n'
        'labels = ["Immediate()", "Delay(20)"]\nseeds = 2\nname = "small"\n'
    )
    shell("run", "bench.toml", "--workers", "0")
    code, out, err = shell(
        "rank", "results", "--where", "labels=Delay(20)", "--metric", "accuracy", "-v"
    )
    assert (code, err) == (0, "")
    assert "2 learners · 2 streams · higher accuracy is better" in out
    assert "Each score is the mean of 2 runs" in out
    _, table, _ = shell("table", "results", "--csv", "--value", "accuracy")
    Path("table.csv").write_text(table)
    same = shell("rank", "table.csv", "--where", "labels=Delay(20)", "-v").out
    named = same.replace("scores are better", "accuracy is better").replace("score\n", "accuracy\n")
    assert named.split() == out.split()  # a table does not say what its scores are
    code, both, _ = shell("rank", "results", "--plot", "ranks.svg", "--json", "ranks.json")
    assert both.startswith("2 learners · 2 streams under 2 label policies · ")
    assert "Figure saved to ranks.svg" in both
    written = json.loads(Path("ranks.json").read_text(encoding="utf-8"))
    assert [each["variant"] for each in written] == ["Immediate()", "Delay(20)"]
    code, out, _ = shell(
        "rank", "results", "--where", "labels=Delay(20)", "--control", "Majority",
        "--equal-within", "0.05", "--experiment", "small", "--forget", "Cumulative()", "-v",
    )  # fmt: skip
    assert code == 0
    assert "Against Majority: too few streams" in out
    assert "Equal within ±0.05 (" in " ".join(out.split())
    run = str(next(Path("results").glob("SEA*")))
    for arguments, complaint in (
        (["results", "--where", "labels=Delay(2)"], "no such value (did you mean 'Delay(20)'?)"),
        (["results", "--where", "label=x"], "did you mean 'labels'"),
        (["results", "--where", "labels"], "expected KEY=VALUE"),
        (["results", "--where", "stream=SEA(200)"], "2 learners on 1 stream within each of"),
        (["results", "--where", "learner=Majority"], "1 learner on 2 streams within each of"),
        (["results", "--control", "NB"], "control: no learner 'NB'"),
        (["results", "--equal-within", "-1"], "equal_within=-1.0: expected the largest"),
        (["results", "--experiment", "other"], "no experiment 'other'"),
        (["results", "--forget", "Fading(0.5)"], "the runs have Cumulative()"),
        (["results", run], "results is not a saved run; give a store by itself"),
        ([run, run, "--experiment", "small"], "--experiment: only a store has experiments"),
    ):
        code, _, err = shell("rank", *arguments)
        assert code == 2
        assert complaint in " ".join(err.split())


def test_invalid_tables_are_errors(shell: Shell) -> None:
    Path("bad.csv").write_text("stream,a,b\none,1,2\ntwo,x,3\n")
    Path("holes.csv").write_text("stream,a,b\none,1,2\ntwo,,3\n")
    for arguments, complaint in (
        (["bad.csv"], "column 'a': expected one number per stream"),
        (["holes.csv"], "no score of a on two"),
        (
            ["bad.csv", "holes.csv"],
            "got 2 tables; expected a store, one table, or directories",
        ),
        (["none.csv"], "no such file"),
    ):
        code, _, err = shell("rank", *arguments)
        assert code == 2
        assert complaint in " ".join(err.split())
