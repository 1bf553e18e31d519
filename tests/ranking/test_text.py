"""The printed ranking, as docs/compare.md shows it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"


def test_docs_show_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Many learners")[2]
    shown = re.findall(r"```python\n(.*?)```.*?```\n(.*?)```", section, re.DOTALL)
    assert len(shown) == 2
    for code, expected in shown:
        exec(compile(code, str(PAGE), "exec"), {"sg": sg})
        assert capsys.readouterr().out == expected


def test_many_pairs_are_counted_not_listed() -> None:
    scores = np.random.default_rng(1).normal(size=(14, 7)) + np.arange(7) * 3
    scores[:2, :5] = scores[:2, :1]  # ties of many pairs
    text = sg.rank(scores, equal_within=0.1).details
    assert re.search(r"Holm–Wilcoxon: \d+ of 21 pairs differ significantly; see", text)
    assert "Streams with equal scores are left out (10 pairs have such)." in text
    assert text.endswith('6 more pairs: ranking.to_frame("equivalence")')


def test_a_difference_that_no_pair_shows_is_explained() -> None:
    scores = np.random.default_rng(22).normal(size=(5, 4)).round(2) + np.arange(4) * 0.4
    ranking = sg.rank(scores)
    assert ranking.significant
    assert len(ranking.groups) == 1
    assert "They are not, but no pair stands out: both can be so" in ranking.details
    clear = sg.rank(np.arange(5.0)[:, None] + np.arange(4) * 9)
    assert clear.significant
    assert "no pair stands out" not in clear.details
