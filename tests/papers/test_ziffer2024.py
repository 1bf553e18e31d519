"""ziffer2024 run again, in miniature; its claims judged on its own printed numbers."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.claims import (
    Claim,
    claims_of_fig_3,
    claims_of_ranks,
    claims_of_table_ii,
)
from streamgauge.papers.ziffer2024.figures import fig_5_real, fig_5_synthetic
from streamgauge.papers.ziffer2024.plan import (
    LEARNERS,
    PARTS,
    PROFILES,
    Profile,
    check_parts,
    grids,
    synthetic,
)
from streamgauge.papers.ziffer2024.reproduce import Report, reproduce
from streamgauge.papers.ziffer2024.scores import Outcome, Scores

_HT, _NB = "HoeffdingTree(grace_period=50)", "NaiveBayes()"
STANDING_IN = {  # so that a miniature takes seconds
    "HAT": _HT,
    "ARF": _NB,
    "SWT HAT": f"SWT({_HT}, order=2)",
    "SWT ARF": f"SWT({_NB}, order=2)",
    "cLSTM": f"SWT({_HT}, order=3)",
    "HAT+past": f"SWT({_HT}, order=2, features=True)",
    "ARF+past": f"SWT({_NB}, order=2, features=True)",
}
TINY = Profile("tiny", 600, 1, 2, (0, 1, 2, 4), ("abrupt",), ("STAGGER", "Sine1"), (), STANDING_IN)


def as_printed() -> Scores:
    """The paper's own tables as if they were runs."""
    found: dict[tuple[str, str], list[Outcome]] = {}
    for key, row in printed.TABLE_II.items():
        for name, kappa in zip(printed.LEARNERS, row, strict=False):
            references = {"No-Change": row[-1], "Transition": np.nan}
            outcome = Outcome(kappa, np.nan, references, False, Path())
            found[synthetic(*key), name] = [outcome]
    for stream, row in printed.TABLE_III.items():
        for name, kappa in zip(printed.LEARNERS, row, strict=True):
            found[stream, name] = [Outcome(kappa, np.nan, {}, False, Path())]
    return Scores(found)


def test_averages_and_ranks_are_those_the_paper_prints() -> None:
    """So the tables were typed in right."""
    scores, full = as_printed(), PROFILES["full"]
    names = (*printed.LEARNERS, printed.NO_CHANGE)
    for injected, means in (
        (False, (80.4, 83.98, 79.51, 81.75, 84.53, -0.59)),
        (True, (32.0, 31.8, 45.65, 45.66, 66.78, 48.14)),
    ):
        streams = [synthetic(*key) for key in full.keys(injected)]
        assert scores.table(streams, names).mean(axis=0) == pytest.approx(means, abs=0.006)
    real = scores.table(list(printed.TABLE_III), printed.LEARNERS).mean(axis=0)
    assert real == pytest.approx((34.3, 47.6, 36.5, 59.9, 67.8), abs=0.06)
    both = fig_5_synthetic(scores, full).ours
    assert both is not None
    assert both.average_ranks == pytest.approx(
        {"HAT": 3.89, "ARF": 3.36, "SWT HAT": 3.21, "SWT ARF": 2.89, "cLSTM": 1.64}, abs=0.006
    )
    assert fig_5_real(scores, full).paper.critical_difference == pytest.approx(2.49, abs=0.005)


def test_the_papers_claims_hold_on_the_papers_numbers() -> None:
    scores, full = as_printed(), PROFILES["full"]
    claims = claims_of_table_ii(scores, full)
    assert [claim.holds for claim in claims] == [True] * 6 + [None]  # the last one is ours
    ranks = fig_5_synthetic(scores, full).ours
    assert [claim.holds for claim in claims_of_ranks(ranks, None)] == [True, True]
    curves = {
        (name, injected): np.array([30.0, 44, 46, 46.5]) if injected else np.array([80, 80, 79, 70])
        for name in ("HAT", "ARF")
        for injected in (True, False)
    }
    assert all(claim.holds for claim in claims_of_fig_3((0, 1, 2, 14), curves))
    assert claims_of_fig_3((1, 2, 14), curves) == []


@pytest.mark.parametrize(
    ("learner", "kappa", "broken"),
    [("HAT", 60.0, 1), ("SWT ARF", 60.0, 2), ("SWT HAT", 30.0, 2), ("cLSTM", 50.0, 3)],
)
def test_claims_can_fail(learner: str, kappa: float, broken: int) -> None:
    full = PROFILES["full"]
    found = dict(as_printed()._outcomes)
    for key in full.keys(True):
        place = synthetic(*key), learner
        found[place] = [found[place][0]._replace(kappa=kappa)]
    assert claims_of_table_ii(Scores(found), full)[broken].holds is False


def test_a_claim_is_a_line() -> None:
    assert str(Claim("It flies", True, "wings 2")) == "It flies: holds (wings 2)"
    assert str(Claim("It flies", False, "wings 0")) == "It flies: does NOT hold (wings 0)"
    assert str(Claim("It flies", None, "")) == "It flies: not run"


def test_the_full_profile_is_the_papers() -> None:
    full = PROFILES["full"]
    assert (full.rows, full.seeds, full.runs, full.orders) == (100_000, 10, 20, tuple(range(15)))
    assert len(full.keys(True) + full.keys(False)) == 28
    assert full.learners is LEARNERS
    made = grids(replace(full, learners=STANDING_IN, seeds=1, runs=1, rows=1000, real=()), PARTS)
    assert {name: len(grid.cells) for name, grid in made.items()} == {
        "table2": 28 * 7,
        "fig3": 28 * 2 * 15,
    }


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    store = tmp_path_factory.mktemp("store")
    return reproduce(TINY, store=store, workers=0), store


def test_a_miniature(report: tuple[Report, Path]) -> None:
    made, store = report
    heads = [head for head, _ in made.sections]
    assert heads[:5] == [
        "Table I",
        "Table II",
        "Table III",
        "Figure 3",
        "Figure 4: STAGGER, abrupt, injected",
    ]
    tables = dict(made.sections)
    stream = sg.inject(sg.tenet_streams("gradual", 600, seed=1)["Sine1"], 2)
    ours = sg.evaluate(stream, sg.NaiveBayes())
    line = next(
        line
        for line in tables["Table II"].partition("injected")[2].splitlines()
        if line.startswith("Sine1 G")
    )
    assert f"{100 * ours.summary['kappa']:.1f} (36.5)" in line
    assert f"{100 * ours.references['Persistent']['kappa']:.1f} (49.3)" in line
    assert "- (60.9)" in tables["Table III"]  # a stream that was not run is a hole
    claims = {claim.words: claim for claim in made.claims}
    assert claims["Injected: plain HAT and ARF fall below No-Change"].holds is True
    assert (store / "report-tiny" / "report.md").read_text() == made.to_markdown()
    assert {path.name for path in made.files} == {"fig3.svg", "fig4.svg", "fig5-synthetic.svg"}
    for path in made.files:
        assert path.read_text().rstrip().endswith("</svg>")


def test_a_second_time_nothing_is_run(report: tuple[Report, Path]) -> None:
    made, store = report
    before = {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")}
    again = reproduce(TINY, store=store, workers=0)
    assert str(again) == str(made)
    assert before
    assert {path: path.stat().st_mtime_ns for path in store.glob("*/run.json")} == before


def test_parts_and_learners_alone(report: tuple[Report, Path]) -> None:
    _, store = report
    some = reproduce(TINY, ["fig4"], store, learners=["HAT", "SWT HAT"], workers=0)
    assert [head for head, _ in some.sections] == ["Figure 4: STAGGER, abrupt, injected"]
    assert "SWT HAT, kappa_temporal" in some.sections[0][1]
    assert "cLSTM" not in some.sections[0][1]
    assert some.claims == []


def test_without_matplotlib_there_are_the_numbers(
    report: tuple[Report, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _, store = report
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.backends.backend_svg"):
        monkeypatch.setitem(sys.modules, name, None)
    made = reproduce(TINY, ["fig3"], store, workers=0)
    assert made.files == []
    assert "pip install 'streamgauge[plot]'" in str(made)
    assert made.sections[0][1].splitlines()[0].split() == ["labels", "given", "0", "1", "2", "4"]


def test_what_is_missing_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("STREAMGAUGE_DATA", "/nowhere")
    monkeypatch.setenv("STREAMGAUGE_CACHE", "/nowhere")
    few = replace(PROFILES["quick"], real=("Rialto",))
    profile, remarks = few.without_what_is_missing(PARTS)
    assert "cLSTM" not in profile.learners
    assert profile.real == ()
    assert "cLSTM is left out: torch is not installed" in remarks[0]
    assert remarks[1].startswith("Rialto is left out: ")
    assert few.without_what_is_missing(["fig4"])[1] == remarks[:1]  # nobody asked for Rialto


def test_a_failed_cell_is_a_hole(tmp_path: Path) -> None:
    broken = replace(
        TINY,
        streams=("Sine1",),
        learners={"HAT": _NB, "ARF": "Resetting(Persistent(start_as=9), DDM())"},
    )
    made = reproduce(broken, ["table2"], tmp_path, workers=0)
    assert "table2: ARF on Sine1 abrupt, seed 1, failed: " in str(made)
    assert "- (96.2)" in dict(made.sections)["Table II"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"profile": "fast"}, "profile='fast': it is quick or full"),
        ({"only": ["table4"]}, "only='table4': ziffer2024 has table1, table2"),
        ({"learners": ["KNN"]}, "learner 'KNN': ziffer2024 has HAT, ARF"),
    ],
)
def test_what_is_refused(arguments: Any, complaint: str, tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        reproduce(store=tmp_path, **arguments)


def test_parts_come_in_the_papers_order() -> None:
    assert check_parts(["fig5", "table1"]) == ("table1", "fig5")
    assert check_parts([]) == PARTS
