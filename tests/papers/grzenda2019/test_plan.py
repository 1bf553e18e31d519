"""The cells of grzenda2019: data sets, learners, profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support.errors import DownloadError
from streamgauge.papers import study as study_module
from streamgauge.papers.grzenda2019 import plan
from streamgauge.papers.grzenda2019.plan import DATA, LEARNERS, run_learners, table1_runs
from streamgauge.papers.study import PaperStudy
from tests.conftest import real_data
from tests.papers.grzenda2019.small import make_small


@pytest.fixture
def study(tmp_path: Path) -> PaperStudy:
    return PaperStudy("quick", tmp_path, workers=0, progress=False)


def test_runs_stop_at_the_papers_label_and_follow_its_program(
    study: PaperStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(monkeypatch)
    (run,) = run_learners(study, "Airlines", {"NB": "NaiveBayes()"})["NB"]
    assert run.counts.scored == run.settings.max_labels == 300
    assert run.settings.labels == "Delay(60)"
    assert run.settings.reevaluate == "Reevaluate(every=10, bins=50, compat='moa-fork')"
    (exact,) = run_learners(study, "Airlines", {"NB": "NaiveBayes()"}, exact=True, bins=4)["NB"]
    assert exact.settings.reevaluate == "Reevaluate(every=10, bins=4)"


def test_runs_of_an_earlier_plan_in_the_store_do_not_count(
    study: PaperStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(monkeypatch)
    run_learners(study, "Airlines", {"NB": "NaiveBayes()", "MC": "Majority()"})
    again = PaperStudy("quick", study.store, workers=0, progress=False)
    runs = run_learners(again, "Airlines", {"NB": "NaiveBayes()", "MC": "Persistent()"})
    assert [each.name for each in runs["MC"]] == ["Persistent"]
    assert len(runs["NB"]) == 1


def test_data_that_cannot_be_had_give_no_runs_and_a_remark(
    study: PaperStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(name: str, variant: str | None) -> sg.Stream:
        raise DownloadError(f"{name} cannot be downloaded")

    monkeypatch.setattr(study_module, "load", gone)
    assert table1_runs(study, "LED") == {}
    assert study.missing == ["grzenda_led is missing: grzenda_led cannot be downloaded"]


def test_learners_of_moa_are_left_to_the_full_profile(
    study: PaperStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(monkeypatch)
    assert [*table1_runs(study, "Airlines")] == ["NB", "NC", "MC", "kNN"]
    monkeypatch.setattr(plan, "MOA_LEARNERS", {plan.MOA_HAT: "HoeffdingTree()"})
    full = PaperStudy("full", study.store, workers=0, progress=False)
    assert [*table1_runs(full, "Airlines")] == ["NB", "NC", "MC", "kNN", plan.MOA_HAT]


@pytest.mark.parametrize("text", LEARNERS.values())
def test_learners_are_texts_of_learners(text: str) -> None:
    assert sg.Grid(["SEA(10)"], [text]).cells


@pytest.mark.parametrize("name", ["Airlines", "Agrawal"])
def test_cells_have_the_printed_number_of_labels(name: str) -> None:
    """6,227 and 10,000 labels, as Table 1 says."""
    data = DATA[name]
    real_data(data.stream["load"])
    assert data.max_labels == 6227 if name == "Airlines" else data.max_labels is None
    stream = sg.load(data.stream["load"])
    assert stream.rows is not None
    assert stream.rows >= (data.max_labels or 10_000)
