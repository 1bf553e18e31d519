"""Score tables from runs, frames, dicts and arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import streamgauge as sg
from tests.comparison import tenet


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
        "a", "b", "nemenyi_p", "holm_wilcoxon_p",
    ]  # fmt: skip
    with pytest.raises(sg.UsageError, match=r"to_frame\('x'\): expected one of learners, ranks"):
        ranking.to_frame("x")


def test_runs_give_a_score_table() -> None:
    runs = [
        run
        for seed in (1, 2, 3)
        for run in sg.evaluate(
            sg.SEA(500, seed=seed, noise=0.1), [sg.NaiveBayes(), sg.Majority(), sg.Persistent()]
        )
    ]
    ranking = sg.rank(runs, metric="accuracy")
    assert ranking.learners == ("NaiveBayes", "Majority", "Persistent")
    assert ranking.table.scores[1, 0] == runs[3].overall["accuracy"]
    assert list(ranking.average_ranks) == ["NaiveBayes", "Majority", "Persistent"]
    assert sg.rank(runs, metric="error").average_ranks == ranking.average_ranks  # lower is better
    with pytest.raises(sg.InputError, match=r"no score of Persistent on .* missing='drop'"):
        sg.rank(runs[:-1])
    with pytest.raises(sg.UsageError, match="two runs of NaiveBayes on"):
        sg.rank([*runs, runs[0]])
    with pytest.raises(sg.UsageError, match="metric='beauty': expected one of"):
        sg.rank(runs, metric="beauty")


@pytest.mark.parametrize(
    ("table", "options", "complaint"),
    [
        ([], {}, "expected runs, or a table of scores"),
        (np.empty((0, 3)), {}, "the table is empty"),
        ({}, {}, "the table is empty"),
        (pd.DataFrame(), {}, "the table is empty"),
        ([[1.0, 2.0]], {}, r"2 learner\(s\) on 1 stream\(s\)"),
        ([[1.0], [2.0]], {}, r"1 learner\(s\) on 2 stream\(s\)"),
        ([[1.0, 2.0]] * 3, {"names": ["a"]}, "1 names for 2 columns"),
        ([[1.0, 2.0]] * 3, {"names": ["a", "a"]}, "two columns have the name 'a'"),
        ([[1.0, np.inf]] * 3, {}, "learner 2 on stream 1 is infinite"),
        ({"a": [1, 2], "b": [1]}, {}, "a has 2 scores and b 1"),
        ({"a": [1, 2], "b": ["x", "y"]}, {}, "column 'b': expected numbers"),
        ([["x", "y"]] * 3, {}, "expected runs, or a table of scores"),
        ([[1.0, 2.0]] * 3, {"missing": "skip"}, "missing='skip'"),
        ([[1.0, 2.0]] * 3, {"alpha": 1.0}, r"alpha=1\.0"),
    ],
)
def test_invalid_tables_are_refused(table: Any, options: Any, complaint: str) -> None:
    with pytest.raises((sg.InputError, sg.UsageError), match=complaint):
        sg.rank(table, **options)
