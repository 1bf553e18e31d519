"""Rankings of learners: published tables, reports, missing scores, diagrams."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import streamgauge as sg
from tests.comparison import tenet


def test_ranking_of_tenet_table_iii() -> None:
    """ziffer2024: six real streams, five learners; CD = 2.49."""
    ranking = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS)
    assert ranking.critical_difference == pytest.approx(2.49, abs=0.005)
    printed = dict(zip(tenet.LEARNERS, [4.3, 2.8, 3.8, 2.3, 1.7], strict=True))
    for learner, rank in printed.items():
        assert ranking.average_ranks[learner] == pytest.approx(rank, abs=0.051)
    np.testing.assert_array_equal(ranking.ranks, tenet.RANKS_III)
    assert next(iter(ranking.average_ranks)) == "cLSTM"
    assert ranking.groups == (
        ("cLSTM", "SWT ARF", "ARF", "SWT HAT"),
        ("SWT ARF", "ARF", "SWT HAT", "HAT"),
    )
    text = str(ranking)
    assert (
        "cLSTM ranks first, clearly ahead of HAT (Nemenyi, critical difference 2.49 at alpha 0.05)"
        in text
    )
    assert "No significant difference among cLSTM, SWT ARF, ARF and SWT HAT." in text
    assert (
        "too few streams for a significant difference in any of 10 pairs" in text
    )  # Wilcoxon: p >= 1/32


def test_ranking_of_tenet_table_ii() -> None:
    """Synthetic streams, original and injected; average ranks as printed, to two digits."""
    both = np.vstack([tenet.RANKS_II_ORIGINAL, tenet.RANKS_II_INJECTED])
    for scores, ranks, printed in (
        (tenet.TABLE_II_ORIGINAL, tenet.RANKS_II_ORIGINAL, [3.29, 2.21, 3.86, 3.36, 2.29]),
        (tenet.TABLE_II_INJECTED, tenet.RANKS_II_INJECTED, [4.5, 4.5, 2.57, 2.43, 1.0]),
        (
            np.vstack([tenet.TABLE_II_ORIGINAL, tenet.TABLE_II_INJECTED]),
            both,
            [3.89, 3.36, 3.21, 2.89, 1.64],
        ),
    ):
        ranking = sg.rank(scores, names=tenet.LEARNERS)
        np.testing.assert_array_equal(ranking.ranks, ranks)
        for learner, rank in zip(tenet.LEARNERS, printed, strict=True):
            assert ranking.average_ranks[learner] == pytest.approx(rank, abs=0.0051)
    # Their Fig. 5a, on all streams: cLSTM is alone, the others do not differ significantly.
    assert ranking.groups == (("SWT ARF", "SWT HAT", "ARF", "HAT"),)
    assert "cLSTM ranks first, clearly ahead of all others" in str(ranking)
    assert ranking.friedman.p < 0.001


@given(st.integers(2, 12), st.integers(3, 7), st.integers(0, 1000), st.booleans())
def test_friedman_and_iman_davenport_match_scipy(n: int, k: int, seed: int, ties: bool) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 4, (n, k)).astype(float) if ties else random.random((n, k))
    ranking = sg.rank(scores)
    if (ranking.ranks == (k + 1) / 2).all():
        assert np.isnan(ranking.friedman.p)
        return
    expected = stats.friedmanchisquare(*scores.T)
    assert ranking.friedman.chi2 == pytest.approx(expected.statistic)
    assert ranking.friedman.p == pytest.approx(expected.pvalue, abs=1e-12)
    f, (above, below), p = ranking.iman_davenport
    assert p == pytest.approx(stats.f.sf(f, above, below), abs=1e-12)
    chi2 = ranking.friedman.chi2
    if np.isfinite(f):
        assert f == pytest.approx((n - 1) * chi2 / (n * (k - 1) - chi2))
    np.testing.assert_allclose(ranking.ranks.sum(axis=1), k * (k + 1) / 2)
    turned = sg.rank(-scores, lower_is_better=True)
    assert turned.average_ranks == ranking.average_ranks


def test_two_learners_with_the_same_order_on_every_stream() -> None:
    ranking = sg.rank([[2.0, 1.0]] * 6)
    assert ranking.average_ranks == {"learner 1": 1.0, "learner 2": 2.0}
    assert ranking.friedman.chi2 == pytest.approx(6.0)
    assert (ranking.iman_davenport.f, ranking.iman_davenport.p) == (np.inf, 0.0)
    assert ranking.holm_wilcoxon[0].p == pytest.approx(2 / 2**6)  # exact
    json.dumps(ranking.to_dict(), allow_nan=False)


def test_learners_that_always_tie() -> None:
    ranking = sg.rank(np.ones((4, 3)))
    assert np.isnan(ranking.friedman.chi2)
    assert np.isnan(ranking.iman_davenport.p)
    assert [pair.p for pair in ranking.holm_wilcoxon] == [1.0] * 3
    assert "All learners tie on every stream" in str(ranking)
    assert ranking.groups == (("learner 1", "learner 2", "learner 3"),)


def test_nemenyi_p_values_agree_with_the_critical_difference() -> None:
    ranking = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS)
    ranks = ranking.average_ranks
    for (a, b), p in ranking.nemenyi.items():
        assert (p < 0.05) == (abs(ranks[a] - ranks[b]) > ranking.critical_difference)
    for pair in ranking.holm_wilcoxon:
        i, j = tenet.LEARNERS.index(pair.a), tenet.LEARNERS.index(pair.b)
        expected = stats.wilcoxon(tenet.TABLE_III[:, i], tenet.TABLE_III[:, j]).pvalue
        assert pair.p == pytest.approx(expected)
    assert max(p.p_holm for p in ranking.holm_wilcoxon) <= 1


def test_missing_scores_raise_drop_or_rank_last() -> None:
    holes = tenet.TABLE_III.copy()
    holes[2, 1] = holes[2, 3] = np.nan
    with pytest.raises(sg.InputError, match=r"no score of ARF on stream 3 \(2 of 30 are missing\)"):
        sg.rank(holes, names=tenet.LEARNERS)
    dropped = sg.rank(holes, names=tenet.LEARNERS, missing="drop")
    whole = np.delete(tenet.TABLE_III, 2, axis=0)
    assert dropped.average_ranks == sg.rank(whole, names=tenet.LEARNERS).average_ranks
    assert dropped.dropped == ("stream 3",)
    assert "1 stream left out, scores were missing" in str(dropped)
    worst = sg.rank(holes, names=tenet.LEARNERS, missing="worst")
    assert worst.ranks[2].tolist() == [3, 4.5, 2, 4.5, 1]
    assert "Holm" not in str(worst)
    with pytest.raises(sg.UsageError, match="Wilcoxon's test needs every score"):
        _ = worst.holm_wilcoxon
    json.dumps(worst.to_dict(), allow_nan=False)
    with pytest.raises(sg.InputError, match="streams without a missing score: 0"):
        sg.rank([[1, np.nan], [np.nan, 2]], missing="drop")


def test_diagram_as_svg(tmp_path: Path) -> None:
    names = ["a & b", "<tree>", "SWT HAT", "SWT ARF", "cLSTM"]
    ranking = sg.rank(tenet.TABLE_III, names=names)
    path = ranking.save_diagram(tmp_path / "ranks.svg")
    root = ET.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    words = [text.text for text in root.iter(f"{space}text")]
    assert "CD = 2.49" in words
    assert "cLSTM  1.67" in words
    assert "4.33  a & b" in words
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    for line in root.iter(f"{space}line"):
        assert 0 <= float(line.get("x1", "")) <= width
        assert 0 <= float(line.get("y2", "")) <= height
    bars = [line for line in root.iter(f"{space}line") if line.get("stroke-width") == "4"]
    assert len(bars) == len(ranking.groups) == 2
    assert ranking._repr_svg_() == path.read_text(encoding="utf-8")
    short = sg.rank([[2.0, 1.0]] * 3)
    assert "longer than the axis" in short.to_svg()


def test_diagram_as_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = sg.rank(tenet.TABLE_III, names=tenet.LEARNERS)
    path = ranking.save_diagram(tmp_path / "ranks.png")
    assert path.read_bytes().startswith(b"\x89PNG")
    assert path.stat().st_size > 5000
    with pytest.raises(sg.UsageError, match=r"expected \.svg or \.png"):
        ranking.save_diagram(tmp_path / "ranks.pdf")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        ranking.save_diagram(tmp_path / "again.png")
