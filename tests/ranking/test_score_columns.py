"""Scores from columns: files, frames, dicts and arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg
from streamgauge.ranking.score_columns import read_scores
from tests.ranking import tenet


def test_dict_pandas_and_polars_tables_give_the_same_ranks() -> None:
    by_column = {name: tenet.TABLE_III[:, i].tolist() for i, name in enumerate(tenet.LEARNERS)}
    expected = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS).average_ranks
    pandas = pd.DataFrame(by_column, index=pd.Index(tenet.STREAMS))
    for table in (
        by_column,
        pandas,
        pandas.reset_index(),
        pl.DataFrame({"stream": tenet.STREAMS} | by_column),
        {name: dict(zip(tenet.STREAMS, c, strict=True)) for name, c in by_column.items()},
    ):
        assert sg.rank(table).average_ranks == expected
    ranking = sg.rank(pandas)
    assert ranking.table.streams == tuple(tenet.STREAMS)
    frame = ranking.to_frame("ranks", "pandas")
    assert frame.loc[(frame.stream == "Rialto") & (frame.learner == "SWT ARF"), "rank"].item() == 1
    assert ranking.to_frame("pairs", "arrow").column_names == [
        "a", "b", "nemenyi_p", "wilcoxon_p", "holm_wilcoxon_p", "tied",
    ]  # fmt: skip
    with pytest.raises(sg.UsageError, match=r"to_frame\('x'\): expected one of learners, ranks"):
        ranking.to_frame("x")


@pytest.mark.parametrize(
    ("table", "options", "complaint"),
    [
        ([], {}, "expected runs, results, or a table of scores"),
        (np.empty((0, 3)), {}, "the table is empty"),
        ({}, {}, "the table is empty"),
        (pd.DataFrame(), {}, "the table is empty"),
        ([[1.0, 2.0]], {}, "2 learners on 1 stream: expected two or more of each"),
        ([[1.0], [2.0]], {}, "1 learner on 2 streams: expected two or more of each"),
        ([[1.0, 2.0]] * 3, {"names": ["a"]}, "1 names for 2 columns"),
        ([[1.0, 2.0]] * 3, {"names": ["a", "a"]}, "two columns have the name 'a'"),
        ([[1.0, np.inf]] * 3, {}, "learner 2 on stream 1 is infinite"),
        ({"a": [1, 2], "b": [1]}, {}, "column 'b' has 1 values, another one 2"),
        ({"stream": ["x"], "a": [1, 2], "b": [1, 2]}, {}, "column 'stream' has 1 values"),
        ({"stream": ["x", "x"], "a": [1, 2], "b": [1, 2]}, {}, "two scores of a on x;"),
        ({"seed": [1, 1], "stream": ["x", "x"], "a": [1, 2]}, {}, "two scores .* with seed 1"),
        ({"learner": ["a", "b"], "x": [1, 2]}, {}, "column 'learner': expected one line per"),
        ({"a": [1, 2], "b": ["x", "y"], "c": [1, 2]}, {}, "column 'b': expected numbers"),
        (pd.DataFrame([[1, 2], [1, 2]], columns=["a", "a"]), {}, "columns have the same name"),
        ({"a": [1, 2], "b": ["x", "y"]}, {}, "column 'b': expected numbers"),
        ([["x", "y"]] * 3, {}, "expected runs, results, or a table of scores"),
        ([[1.0, 2.0]] * 3, {"missing": "skip"}, "missing='skip'"),
        ([[1.0, 2.0]] * 3, {"alpha": 1.0}, r"alpha=1\.0"),
        (
            [[1.0, 2.0]] * 3,
            {"control": "learner 3"},
            "control: no learner 'learner 3'",
        ),
        ([[1.0, 2.0]] * 3, {"equal_within": 0}, "equal_within=0: expected the largest difference"),
        ([[1.0, 2.0]] * 3, {"equal_within": np.nan}, "equal_within=nan"),
        (
            [[1.0, 2.0]] * 3,
            {"where": {"color": "red"}},
            "where color: no such key; expected",
        ),
        ([[1.0, 2.0]] * 3, {"where": {"stream": "x"}}, "where stream=x: no such value; expected"),
        ([[1.0, 2.0]] * 3, {"forget": "Window(9)"}, "forget: only the results of an experiment"),
        (
            [[1.0, np.nan]] * 3,
            {"missing": "worst", "control": "learner 1"},
            "control and equal_within need every score",
        ),
    ],
)
def test_invalid_tables_are_refused(table: Any, options: Any, complaint: str) -> None:
    with pytest.raises((sg.InputError, sg.UsageError), match=complaint):
        sg.rank(table, **options)


def test_sd_and_run_counts_are_never_learners(tmp_path: Path) -> None:
    """As `streamgauge table --csv` writes them; a cell without all its seeds is missing."""
    path = tmp_path / "table.csv"
    path.write_text(
        "stream,A,A sd,A runs,B,B sd,B runs\n"
        "x,0.9,0.01,3,0.8,0.02,3\ny,0.7,0.03,3,0.6,0.04,3\nz,0.5,0.0,3,0.4,,2\n"
    )
    for table in (read_scores(path), pd.read_csv(path), pl.read_csv(path)):
        ranking = sg.rank(table, missing="drop")
        assert ranking.learners == ("A", "B")
        assert ranking.table.scores.tolist() == [[0.9, 0.8], [0.7, 0.6]]
        assert ranking.dropped == {"z": ("B",)}
        text = ranking.details
        assert "Each score is the mean of 3 runs; their sd is 0.025 on average" in text
        assert "Left out: z, without a score of B." in text
    alone = sg.rank({"A": [1, 2], "A sd": [3, 1], "B runs": [2, 3]})  # a learner may end in "runs"
    assert alone.learners == ("A", "B runs")


def test_label_and_seed_columns_describe_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(
        "data,labels,seed,A,B\n"
        "x,Immediate(),1,0.9,0.8\nx,Immediate(),2,0.7,0.8\ny,Immediate(),1,0.5,0.3\n"
        "x,Delay(9),1,0.1,0.2\ny,Delay(9),1,0.1,0.2\n"
    )
    rankings = sg.rank(read_scores(path))
    assert list(rankings) == ["Immediate()", "Delay(9)"]
    first = rankings["Immediate()"]
    np.testing.assert_allclose(first.table.scores, [[0.8, 0.8], [0.5, 0.3]])
    assert first.ranks.tolist() == [[1.5, 1.5], [1, 2]]  # a tie after averaging
    assert "Each score is the mean of 1 to 2 runs; their sd is 0.071 on average" in first.details
    chosen = sg.rank(read_scores(path), where={"labels": "Delay(9)"})
    assert chosen.average_ranks == {"B": 1.0, "A": 2.0}
