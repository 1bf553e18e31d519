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
    code, out, err = shell("rank", "scores.csv", "--diagram", "ranks.svg", "--json", "ranks.json")
    assert (code, err) == (0, "")
    assert "tree ranks first, not clearly ahead of any other" in out
    assert "Diagram saved to ranks.svg" in out
    assert "<svg" in Path("ranks.svg").read_text(encoding="utf-8")
    written = json.loads(Path("ranks.json").read_text(encoding="utf-8"))
    assert written["streams"] == ["elec2", "weather", "rialto"]
    assert written["average_ranks"]["tree"] == pytest.approx(4 / 3)
    _, out, _ = shell("rank", "scores.csv", "--lower")
    assert "bayes ranks first" in out


def test_saved_runs_are_ranked(shell: Shell) -> None:
    for rows in ("500", "900"):
        shell(
            "evaluate", "table.csv", "--rows", rows, "--learner", "NaiveBayes", "--learner",
            "Majority",
        )  # fmt: skip
    saved = sorted(map(str, Path("results").iterdir()))
    code, out, err = shell("rank", *saved, "--metric", "accuracy")
    assert (code, err) == (0, "")
    assert "2 learners · 2 streams · higher scores are better" in out
    assert "NaiveBayes ranks first" in out


def test_invalid_tables_are_errors(shell: Shell) -> None:
    Path("bad.csv").write_text("stream,a,b\none,1,2\ntwo,x,3\n")
    Path("holes.csv").write_text("stream,a,b\none,1,2\ntwo,,3\n")
    for arguments, complaint in (
        (["bad.csv"], "column 'a': expected one number per stream"),
        (["holes.csv"], "no score of a on two"),
        (
            ["bad.csv", "holes.csv"],
            "got 2 tables; expected one table, or directories",
        ),
        (["none.csv"], "no such file"),
    ):
        code, _, err = shell("rank", *arguments)
        assert code == 2
        assert complaint in err
