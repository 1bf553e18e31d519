"""The agenda writer checks the times of rows."""

from __future__ import annotations

import pytest

from streamgauge._support.errors import InputError
from streamgauge.prequential.labels import FromStream
from tests.prequential.agenda_cases import block_of, write


@pytest.mark.parametrize("cuts", [[], [2]])
def test_arrival_before_the_previous_row_names_the_row_even_across_blocks(cuts: list[int]) -> None:
    block = block_of(4, None, [1, 5, 3, 9], [10, 10, 10, 10])
    with pytest.raises(InputError, match=r"row 2: arrives at 3.*\(5\)"):
        write(FromStream(), block, cuts)
