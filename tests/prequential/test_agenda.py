"""The order of events under every label policy, against the literal oracle."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from streamgauge._support.types import LEARN, PREDICT
from streamgauge.prequential.labels import Chunks, Delay, FromStream, Immediate
from tests.oracles import agenda as oracle
from tests.prequential.agenda_cases import block_of, cut_rows, times, write


@given(cut_rows(), st.integers(1, 45))
def test_events_of_row_policies_equal_the_oracle_for_any_block_cut(
    rows: tuple[int, list[bool], list[int]], size: int
) -> None:
    n, known, cuts = rows
    block = block_of(n, known)
    expected = oracle.events("immediate", n, known=known)
    assert write(Immediate(), block, cuts) == expected
    assert write(Delay(1), block, cuts) == expected
    assert write(Delay(size), block, cuts) == oracle.events("delay", n, delay=size, known=known)
    assert write(Chunks(size), block, cuts) == oracle.events("chunks", n, chunk=size, known=known)


@given(times(), st.lists(st.integers(0, 30), max_size=4), st.booleans())
def test_events_at_reveal_times_equal_the_oracle_for_any_block_cut(
    case: tuple[list[int], list[int | None]], cuts: list[int], labels_first: bool
) -> None:
    arrives, revealed = case
    n = len(arrives)
    ties = "labels_first" if labels_first else "arrivals_first"
    policy = FromStream("labels_first" if labels_first else "arrivals_first")
    events = write(policy, block_of(n, None, arrives, revealed), [c for c in cuts if c <= n])
    assert events == oracle.events("from_stream", n, arrives=arrives, revealed=revealed, ties=ties)


@given(cut_rows(), st.integers(1, 9))
def test_from_stream_equals_delay_only_with_labels_first(
    rows: tuple[int, list[bool], list[int]], delay: int
) -> None:
    n, known, cuts = rows
    late: list[int | None] = [i + delay for i in range(n)]
    timed_block = block_of(n, known, None, late)
    delayed = write(Delay(delay), block_of(n, known), cuts)
    assert write(FromStream("labels_first"), timed_block, cuts) == delayed
    assert write(FromStream(), timed_block, cuts) == write(
        Delay(delay + 1), block_of(n, known), cuts
    )


def test_delay_longer_than_the_stream_reveals_all_labels_after_the_last_row() -> None:
    events = write(Delay(5000), block_of(1000), [400, 800])
    assert events == [("P", i) for i in range(1000)] + [("L", i) for i in range(1000)]


def test_operations_have_the_codes_that_kernels_rely_on() -> None:
    assert (PREDICT, LEARN) == (0, 1)
