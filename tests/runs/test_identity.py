"""Run ids depend on the settings, the learner's code and the version of our numbers."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.experiments._parsing import make_learner
from streamgauge.runs.identity import NUMBERS, identity_of
from streamgauge.testing import example_stream

ROOT = Path(__file__).parents[2]


def test_identity_contains_a_hash_of_user_code_and_package_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, str] = {}
    for text in ("x = 1", "x = 2"):
        name = f"own_{text[-1]}"
        (tmp_path / f"{name}.py").write_text(f"class Own:\n    {text}\n")
        monkeypatch.syspath_prepend(tmp_path)
        names[text] = identity_of(importlib.import_module(name).Own()).replace(name, "own")
    assert names["x = 1"] != names["x = 2"]
    rivers = identity_of(make_learner("river:naive_bayes.GaussianNB()", {}))
    assert re.search(r"\(river \d+\.\d+", rivers)


def test_changelog_states_the_current_numbers_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text().partition("### Numbers change")[2]
    assert re.search(rf"`NUMBERS` is {NUMBERS}\b", changes)


def test_id_depends_on_what_determines_the_numbers() -> None:
    def run(**options: object) -> sg.Run:
        return sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), **options)  # type: ignore[no-any-return, call-overload]

    assert run().id == run(block_rows=50).id == run(keep="none").id
    others = [run(seed=2), run(labels=sg.Delay(3)), run(warmup=9), run(forget=[sg.Window(5)])]
    assert len({r.id for r in [run(), *others]}) == 5


def test_id_depends_on_the_settings_of_re_evaluation() -> None:
    stream = example_stream()
    settings = [
        None,
        sg.Reevaluate(2, 3),
        sg.Reevaluate(2, 4),
        sg.Reevaluate(2, 3, compat="moa-fork"),
    ]
    runs = [sg.evaluate(stream, sg.NaiveBayes(), reevaluate=how) for how in settings]
    assert len({run.id for run in runs}) == 4
