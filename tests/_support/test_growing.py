"""Arrays that grow with the rows seen."""

from __future__ import annotations

import numpy as np

from streamgauge._support.growing import FIRST_ROOM, grown


def test_array_grows_to_what_is_needed_and_keeps_its_entries() -> None:
    longer = grown(np.arange(3), FIRST_ROOM + 5, 10**9, fill=-1)
    assert len(longer) == FIRST_ROOM + 5
    assert longer[:4].tolist() == [0, 1, 2, -1]


def test_array_at_least_doubles_but_never_exceeds_the_most() -> None:
    array = np.zeros(FIRST_ROOM)
    assert len(grown(array, FIRST_ROOM + 1, 10**9)) == 2 * FIRST_ROOM
    assert len(grown(array, 10**9, FIRST_ROOM + 7)) == FIRST_ROOM + 7


def test_long_enough_array_is_the_same_object() -> None:
    array = np.zeros((2, 5))
    assert grown(array, 5, 10**9, axis=1) is array
    assert grown(array, 10**9, 5, axis=1) is array


def test_array_grows_along_another_axis() -> None:
    longer = grown(np.ones((2, 0)), 3, 3, fill=np.nan, axis=1)
    assert longer.shape == (2, 3)
    assert np.isnan(longer).all()
