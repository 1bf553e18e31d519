"""Run ids: the learner's code is part of them, and so is the version of our numbers."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from streamgauge.experiments._parsing import make_learner
from streamgauge.runs.identity import NUMBERS, identity_of

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
    rivers = identity_of(make_learner("river:naive_bayes.GaussianNB()", ()))
    assert re.search(r"\(river \d+\.\d+", rivers)


def test_changelog_states_the_current_numbers_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text().partition("### Numbers change")[2]
    assert re.search(rf"`NUMBERS` is {NUMBERS}\b", changes)
