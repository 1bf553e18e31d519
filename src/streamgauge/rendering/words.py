"""Numbers, lists and names as they read in a sentence or a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import count


def p_text(p: float) -> str:
    """A p-value with its relation sign, to follow the letter p.

    >>> p_text(0.01234), p_text(1e-9)
    ('= 0.0123', '< 0.0001')
    """
    return "undefined" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"= {p:.4f}"


def signed_text(value: float, digits: int = 1) -> str:
    """A number with its sign.

    >>> signed_text(2.345), signed_text(-0.5, 3)
    ('+2.3', '−0.500')
    """
    return "undefined" if math.isnan(value) else f"{value:+.{digits}f}".replace("-", "−")


def percent_text(fraction: float) -> str:
    """A fraction in per cent, with as many digits as it needs.

    >>> percent_text(0.99), percent_text(0.995)
    ('99 %', '99.5 %')
    """
    return f"{100 * fraction:.4g} %"


def join_words(words: Sequence[str]) -> str:
    """A list as it reads in a sentence.

    >>> join_words(["48", "336", "1,344"])
    '48, 336 and 1,344'
    """
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count_words(count: int) -> str:
    """A number in a sentence: words up to ten.

    >>> count_words(2), count_words(1200)
    ('two', '1,200')
    """
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else f"{count:,}"


def sentence(text: str) -> str:
    """A text as a sentence: with a capital letter and a full stop.

    >>> sentence("try KNN()")
    'Try KNN().'
    """
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 row, 2 rows, 3 classes, 4 batches."""
    ending = "" if count == 1 else "es" if noun.endswith(("s", "ch")) else "s"
    return f"{count:,} {noun}{ending}"


def about_rows(rows: int) -> str:
    """A number of rows to two digits.

    >>> about_rows(1696), about_rows(17)
    ('about 1,700 rows', 'about 17 rows')
    """
    return f"about {float(f'{rows:.2g}'):,.0f} rows"


def unique_names(names: Iterable[str]) -> list[str]:
    """Names made unique: the second of a name gets a number.

    >>> unique_names(["tree", "bayes", "tree"])
    ['tree', 'bayes', 'tree #2']
    """
    unique: list[str] = []
    for name in names:
        candidates = (name if i == 1 else f"{name} #{i}" for i in count(1))
        unique.append(next(each for each in candidates if each not in unique))
    return unique
