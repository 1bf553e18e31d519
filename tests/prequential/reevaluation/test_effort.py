"""N_C, N_B and N_R, against the literal oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from tests.oracles import reevaluation as oracle
from tests.oracles.reevaluation_costs import counts_after
from tests.prequential.reevaluation.cases import Case, cases, play


@given(cases(), st.integers(1, 9), st.integers(0, 5))
def test_efforts_equal_the_oracle(case: Case, every: int, scored_from: int) -> None:
    rows, updates, _, labels_first = case
    ids, _, effort = play(case, Reevaluate(every, 3), False, scored_from)
    events = oracle.events(rows, every, labels_first, updates)
    labelled = [row for kind, row, _ in events if kind == "L"]
    after = [m for m, row in enumerate(labelled, start=1) if row >= scored_from]
    assert ids == [labelled[m - 1] for m in after]
    for m, counted in zip(after, effort.tolist(), strict=True):
        assert tuple(counted) == pytest.approx(counts_after(events, m))
