"""Agrawal's loan applicants (Agrawal, Imielinski and Swami 1993): group A or group B?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from streamgauge._support.types import Floats, Longs, Schema
from streamgauge.streams.generators._balance import take_turns
from streamgauge.streams.generators._base import Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import check_choice, check_share

Bools = npt.NDArray[np.bool_]

_NOMINAL = {
    "elevel": ("level0", "level1", "level2", "level3", "level4"),
    "car": numbered("car", 20),
    "zipcode": numbered("zipcode", 9),
}
_FEATURES = ("salary", "commission", "age", *_NOMINAL, "hvalue", "hyears", "loan")
_SCHEMA = Schema(_FEATURES, tuple(_NOMINAL.get(name, ()) for name in _FEATURES), (0, 1))

# Of the three ages (below 40, below 60, older): where group A's interval begins, which level fits.
_SALARY = np.array([50_000, 75_000, 25_000])
_SALARY_IF_LEVEL = np.array([25_000, 50_000, 50_000])
_LOAN = np.array([200_000, 300_000, 100_000])
_LOAN_IF_SALARY = np.array([100_000, 200_000, 300_000])
_LEVEL = np.array([[1, 1, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1]], bool)


class Agrawal(Memoryless):
    """Nine features of a person who asks for a loan, three of them nominal; label 0 for group A of
    the paper's `function` (0..9 for its 1..10), 1 for group B. `perturbation` moves each number by
    up to that fraction of its range after the label is given. `balance`: the classes take turns.

    >>> Agrawal(1000, seed=1, function=6).describe()
    'Agrawal(1000, seed=1, function=6) · 1,000 rows · 9 features · 2 classes'
    """

    def __init__(
        self,
        n: int,
        seed: int = 0,
        function: int = 0,
        perturbation: float = 0.0,
        balance: bool = False,
    ) -> None:
        check_choice("Agrawal", "function", function, range(10))
        check_share("Agrawal", "perturbation", perturbation, "a fraction")
        self._function, self._perturbation, self._balance = function, perturbation, balance
        super().__init__(
            n, seed, _SCHEMA, function=function, perturbation=perturbation, balance=balance
        )

    def make(self, random: Random, n: int) -> Rows:
        X, y = take_turns(self._draw, random, n) if self._balance else self._draw(random, n)
        if self._perturbation:
            self._perturb(random, X)
        return X, y

    def _draw(self, random: Random, n: int) -> Rows:
        salary = random.uniform(20_000, 150_000, n)
        zipcode = random.integers(0, 9, n)
        X = np.column_stack(
            [
                salary,
                np.where(salary < 75_000, random.uniform(10_000, 75_000, n), 0),
                random.integers(20, 81, n),
                random.integers(0, 5, n),
                random.integers(0, 20, n),
                zipcode,
                (9 - zipcode) * random.uniform(50_000, 150_000, n),
                random.integers(1, 31, n),
                random.uniform(0, 500_000, n),
            ]
        )
        return X, (~group_a(self._function, X)).astype(np.int32)

    def _perturb(self, random: Random, X: Floats) -> None:
        salary, commission, age, _, _, zipcode, hvalue, hyears, loan = X.T

        def moved(value: Floats, least: float, most: float, width: Floats | None = None) -> Floats:
            way = random.uniform(-self._perturbation, self._perturbation, len(X))
            return np.clip(value + way * (most - least if width is None else width), least, most)

        salary[:] = moved(salary, 20_000, 150_000)
        commission[:] = np.where(commission > 0, moved(commission, 10_000, 75_000), 0)
        age[:] = np.rint(moved(age, 20, 80))
        # MOA stops at 135,000: most houses would be worth just that.
        hvalue[:] = moved(hvalue, 0, 1_350_000, (9 - zipcode) * 100_000)
        hyears[:] = np.rint(moved(hyears, 1, 30))
        loan[:] = moved(loan, 0, 500_000)


def group_a(function: int, X: Floats) -> Bools:
    """Which rows are in group A by function 0..9?"""
    salary, commission, age, level, _, _, hvalue, hyears, loan = X.T
    ages = np.searchsorted([40, 60], age, side="right")
    salary_from = _SALARY[ages]
    level_fits = _LEVEL[ages, level.astype(np.intp)]
    salary_fits = _within(salary, salary_from, 50_000)
    earned = salary + commission
    kept = 2 * earned / 3 - 10_000
    rules: tuple[Callable[[], Bools], ...] = (
        lambda: ages != 1,
        lambda: salary_fits,
        lambda: level_fits,
        lambda: _within(salary, np.where(level_fits, _SALARY_IF_LEVEL[ages], salary_from), 50_000),
        lambda: _within(loan, np.where(salary_fits, _LOAN_IF_SALARY[ages], _LOAN[ages]), 200_000),
        lambda: _within(earned, salary_from, 50_000),
        lambda: kept - loan / 5 > 10_000,
        lambda: kept - 5_000 * level > 10_000,
        lambda: kept - 5_000 * level - loan / 5 > 0,
        lambda: kept - 5_000 * level + hvalue * np.maximum(hyears - 20, 0) / 50 > 0,
    )
    return rules[function]()


def _within(value: Floats, least: Longs, width: int) -> Bools:
    return (least <= value) & (value <= least + width)
