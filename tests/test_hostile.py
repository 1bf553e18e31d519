"""Nothing that is compiled crashes: every name of the registry, on extreme streams (hostile.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests import hostile
from tests.hostile_streams import ROWS

_ALL = [(kind, name) for kind in hostile.KINDS for name in hostile.names_of(kind)]
_LEARNERS = [(kind, name) for kind, name in _ALL if kind in hostile.LEARNERS]


def _failures(cases: Iterable[hostile.Case]) -> dict[str, str]:
    return {case.what: found for case in cases if (found := hostile.failure(case.run))}


@pytest.mark.parametrize(("kind", "name"), _LEARNERS)
def test_battery_passes_every_threshold_of_a_learner(kind: str, name: str) -> None:
    hostile.skip_without_package(kind, name)
    numbers = hostile.numbers_of(kind, name)
    assert numbers <= set(hostile.SMALL) | hostile.NO_THRESHOLDS, "is it a threshold?"
    small = [each for each in hostile.variants(kind, name).items() if each[0].startswith("small")]
    for what, make in small:  # none is refused
        learner = make()
        thresholds = {each: getattr(learner, each) for each in numbers & set(hostile.SMALL)}
        assert not {each for each, value in thresholds.items() if value > ROWS / 10}, what


def test_battery_tells_its_size() -> None:
    size = hostile.counts(("reference",))["reference"]
    assert size.names == len(hostile.names_of("reference"))
    assert size.rows > ROWS * size.names
    assert size.cases > 100 * size.names


@pytest.mark.parametrize(("kind", "name"), _LEARNERS)
def test_learner_plays_without_features_one_row_and_one_class(kind: str, name: str) -> None:
    hostile.skip_without_package(kind, name)
    cases = hostile.cases_of_learner(kind, name, quick=True)
    assert _failures(cases) == {}


@pytest.mark.parametrize(("kind", "name"), [each for each in _ALL if each[0] != "function"])
def test_odd_parameters_are_refused_in_words(kind: str, name: str) -> None:
    cases = hostile.cases_of_parameters(kind, name, used=False)
    assert _failures(cases) == {}


@pytest.mark.long
@pytest.mark.parametrize(("kind", "name"), _ALL)
def test_kernels_stay_within_bounds(
    kind: str, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In a process of its own, since compiled code may crash; with a cache of its own, because
    numba does not tell kernels with bounds checks from those without."""
    if kind in hostile.LEARNERS:
        hostile.skip_without_package(kind, name)
    cache = tmp_path_factory.getbasetemp().parent / "bounds-checked-kernels"
    environment = {
        **os.environ, "NUMBA_BOUNDSCHECK": "1", "STREAMGAUGE_CACHE": str(cache),
        "STREAMGAUGE_QUIET": "1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile", kind, name],
        cwd=Path(__file__).parents[1],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.strip().splitlines()[-5:]
    assert (done.returncode, done.stdout) == (0, ""), last
