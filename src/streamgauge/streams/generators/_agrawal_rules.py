"""The ten rules of Agrawal."""

from __future__ import annotations

from typing import Final

from streamgauge._support.jit import inlined, lean_inner, lean_kernel
from streamgauge._support.types import Codes, Floats

# By age (below 40, below 60, older): the start of group A's interval, and the levels that fit.
_SALARY: Final = (50_000, 75_000, 25_000)
_SALARY_IF_LEVEL: Final = (25_000, 50_000, 50_000)
_LOAN: Final = (200_000, 300_000, 100_000)
_LOAN_IF_SALARY: Final = (100_000, 200_000, 300_000)
_LOWEST_LEVEL: Final = (0, 1, 2)
_HIGHEST_LEVEL: Final = (1, 3, 4)


@lean_kernel
def label_rows(function: int, X: Floats, y: Codes) -> None:
    """Write the labels of function 0..9: 0 for group A, 1 for group B."""
    for i in range(len(X)):
        y[i] = 0 if in_group_a(function, X, i) else 1


@lean_inner
def in_group_a(function: int, X: Floats, i: int) -> bool:
    """Whether row i belongs to group A."""
    salary, age, level = X[i, 0], X[i, 2], X[i, 3]
    hvalue, hyears, loan = X[i, 6], X[i, 7], X[i, 8]
    ages = 0 if age < 40 else (1 if age < 60 else 2)
    level_fits = _LOWEST_LEVEL[ages] <= level <= _HIGHEST_LEVEL[ages]
    salary_fits = _within(salary, _SALARY[ages], 50_000)
    earned = salary + X[i, 1]
    kept = 2 * earned / 3 - 10_000
    if function == 0:
        belongs = ages != 1
    elif function == 1:
        belongs = salary_fits
    elif function == 2:
        belongs = level_fits
    elif function == 3:
        least = _SALARY_IF_LEVEL[ages] if level_fits else _SALARY[ages]
        belongs = _within(salary, least, 50_000)
    elif function == 4:
        least = _LOAN_IF_SALARY[ages] if salary_fits else _LOAN[ages]
        belongs = _within(loan, least, 200_000)
    elif function == 5:
        belongs = _within(earned, _SALARY[ages], 50_000)
    elif function == 6:
        belongs = kept - loan / 5 > 10_000
    elif function == 7:
        belongs = kept - 5_000 * level > 10_000
    elif function == 8:
        belongs = kept - 5_000 * level - loan / 5 > 0
    else:
        belongs = kept - 5_000 * level + hvalue * max(hyears - 20, 0) / 50 > 0
    return bool(belongs)


@inlined
def _within(value: float, least: int, width: int) -> bool:
    return least <= value <= least + width
