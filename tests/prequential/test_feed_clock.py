"""How far a feed has come: one wrong time does not move it, many that agree do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamgauge.prequential.feed_clock import FIRST, FOLLOWERS, FeedClock, count_order

FAR = 10**6


def counted(times: list[int], timeout: int = 50) -> list[int]:
    """The times that count, in order."""
    order = count_order(np.array(times, np.int64), timeout)
    return [times[number] for number in order.tolist()]


@pytest.mark.parametrize("place", [0, 5, 9, 10, 50, 99])
def test_one_wrong_time_is_set_aside(place: int) -> None:
    times = list(range(100))
    wrong = [*times[:place], FAR, *times[place:]]
    assert counted(wrong) == times


def test_wrong_times_again_and_again_are_set_aside() -> None:
    rng = np.random.default_rng(1)
    times = np.cumsum(rng.integers(0, 3, 20_000))
    wrong = rng.random(len(times)) < 0.2
    mixed = np.where(wrong, times + rng.integers(FAR, 2 * FAR, len(times)), times)
    assert count_order(mixed, 50).tolist() == np.flatnonzero(~wrong).tolist()


def test_a_feed_that_moves_on_after_a_pause_is_followed() -> None:
    times = [*range(100), *range(FAR, FAR + 100)]
    assert counted(times) == times
    assert counted(times[: 100 + FOLLOWERS]) == times[: 100 + FOLLOWERS]
    assert counted(times[: 99 + FOLLOWERS]) == times[:100]  # not enough have followed


def test_an_event_waits_until_others_have_come_as_far() -> None:
    times = [*range(100), 180, *range(100, 200)]
    found = counted(times)
    assert sorted(found) == sorted(times)
    assert found.index(180) == found.index(130) + 1


def test_a_feed_with_few_events_in_a_time_out_is_not_held() -> None:
    times = [100 * i for i in range(60)]
    assert counted(times) == times


def test_nearly_no_events_are_never_far_ahead() -> None:
    times = [0, FAR, 5]
    assert counted(times) == times
    assert len(times) < FIRST


def test_without_a_time_out_nothing_is_far_ahead() -> None:
    times = np.array([*range(50), FAR, 50])
    assert count_order(times, None).tolist() == list(range(52))


_time = st.one_of(st.integers(0, 60), st.integers(0, 400), st.sampled_from([-FAR, FAR, 2 * FAR]))


@given(
    times=st.lists(_time, max_size=80), timeout=st.integers(1, 40),
    lateness=st.integers(0, 80), cuts=st.lists(st.integers(0, 80), max_size=6),
)  # fmt: skip
def test_the_answer_does_not_depend_on_when_events_are_read(
    times: list[int], timeout: int, lateness: int, cuts: list[int]
) -> None:
    def run(cuts: list[int]) -> tuple[list[int], int, int, int, int]:
        clock = FeedClock(timeout, lateness)
        order: list[int] = []
        late = 0
        for part in np.split(np.array(times, np.int64), sorted(cuts)):
            placed = clock.place(part)
            order += placed.order.tolist()
            late += placed.late_count
        placed = clock.end()
        order += placed.order.tolist()
        late += placed.late_count
        return order, late, clock.newest, clock.latest, clock.waiting

    order, late, _, latest, waiting = whole = run([])
    assert run(cuts) == whole
    assert len(order) == len(set(order)) == len(times) - late - waiting
    assert latest == max((times[number] for number in order), default=latest)
