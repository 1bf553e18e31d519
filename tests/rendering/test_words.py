"""Words for counts, and names."""

from __future__ import annotations

import pytest

from streamgauge.rendering.words import plural, unique_names


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


def test_repeated_names_get_numbers_that_are_not_taken() -> None:
    assert unique_names(["a", "b", "a", "a"]) == ["a", "b", "a #2", "a #3"]
    assert unique_names(["a #2", "a", "a"]) == ["a #2", "a", "a #3"]
