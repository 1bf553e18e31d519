"""Options of `evaluate` in all pairs: the same numbers however the stream is cut."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import streamgauge as sg
from tests import combinations
from tests.combinations import OPTIONS, Case

_CASES = [*combinations.covering(OPTIONS, combinations.refused())]
_REFUSED = sorted(tuple(sorted(pair)) for pair in combinations.refused())
_DEFAULTS = {option: next(iter(values)) for option, values in OPTIONS.items()}


def test_every_pair_of_values_occurs_or_is_refused() -> None:
    found = {frozenset(pair) for case in _CASES for pair in itertools.combinations(case.items(), 2)}
    places = [(option, value) for option in OPTIONS for value in OPTIONS[option]]
    pairs = {frozenset(pair) for pair in itertools.combinations(places, 2) if len(dict(pair)) == 2}
    assert found == pairs - combinations.refused()


@pytest.mark.parametrize("pair", _REFUSED, ids=lambda pair: "-".join(dict(pair).values()))
def test_options_that_contradict_each_other_are_refused(pair: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises((sg.UsageError, sg.InputError)):
        combinations.result({**_DEFAULTS, **dict(pair)}, combinations.ROWS)


@pytest.mark.parametrize("case", _CASES[::8], ids=lambda case: "-".join(case.values()))
def test_results_do_not_depend_on_blocks(case: Case) -> None:
    few, many = combinations.result(case, 17), combinations.result(case, combinations.ROWS)
    assert repr(few) == repr(many)  # NaN is equal to NaN


@pytest.mark.long
def test_results_depend_neither_on_blocks_nor_on_what_memory_held(tmp_path: Path) -> None:
    """With bounds checks; new memory is filled with two different bytes."""
    found = defaultdict(set)
    for garbage in ("1", "165"):
        printed = subprocess.run(
            [sys.executable, "-m", "tests.combinations"],
            cwd=Path(__file__).parents[1],
            env={
                **os.environ, "NUMBA_BOUNDSCHECK": "1", "MALLOC_PERTURB_": garbage,
                "STREAMGAUGE_CACHE": str(tmp_path), "STREAMGAUGE_QUIET": "1",
            },
            capture_output=True,
            text=True,
            check=True,
        ).stdout  # fmt: skip
        for line in printed.splitlines():
            case, _, result = line.split("\t")
            found[case].add(result)
    assert len(found) == len(_CASES)
    assert {case: len(results) for case, results in found.items() if len(results) > 1} == {}
