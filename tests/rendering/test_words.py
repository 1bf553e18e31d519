"""Words for counts."""

from __future__ import annotations

import pytest

from streamgauge.rendering.words import plural


@pytest.mark.parametrize(
    ("count", "noun", "expected"),
    [
        (1, "row", "1 row"),
        (0, "row", "0 rows"),
        (12_345, "row", "12,345 rows"),
        (2, "class", "2 classes"),
        (3, "batch", "3 batches"),
    ],
)
def test_plural_adds_the_ending_and_thousands_separators(
    count: int, noun: str, expected: str
) -> None:
    assert plural(count, noun) == expected
