"""Agrawal: loan applicants of group A or group B (Agrawal, Imielinski and Swami 1993)."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from streamgauge._support.java_random import JavaRandom
from streamgauge._support.types import Floats, Schema
from streamgauge.streams.generators._agrawal_rules import label_rows
from streamgauge.streams.generators._balance import alternate_classes
from streamgauge.streams.generators._base import Fill, Memoryless, Random, Rows, numbered
from streamgauge.streams.generators._checks import check_choice, check_fraction
from streamgauge.streams.generators._moa import draw_applicants

_NOMINAL = {
    "elevel": ("level0", "level1", "level2", "level3", "level4"),
    "car": numbered("car", 20),
    "zipcode": numbered("zipcode", 9),
}
_FEATURES = ("salary", "commission", "age", *_NOMINAL, "hvalue", "hyears", "loan")
_SCHEMA = Schema(_FEATURES, tuple(_NOMINAL.get(name, ()) for name in _FEATURES), (0, 1))


class Agrawal(Memoryless):
    """Agrawal's loan applicants: nine features, three of them nominal, and two classes.

    Label 0 is group A of the paper, label 1 is group B.

    Parameters
    ----------
    n
        Number of rows.
    seed
        Random seed; by default the run's.
    classification_function
        The rule: 0..9 for the paper's functions 1..10.
    perturbation
        Numeric values move by up to this fraction of their range after the label is assigned.
    balance_classes
        Alternate the classes.
    compat
        "moa" for the rows of MOA's AgrawalGenerator. It perturbs houses to at most 135,000.

    References
    ----------
    agrawal1993 (docs/bibliography.md)

    Examples
    --------
    >>> import numpy as np
    >>> import streamgauge as sg
    >>> stream = sg.Agrawal(1000, seed=1, classification_function=6)
    >>> np.bincount(next(stream.blocks(1000)).y).tolist()  # rows of each class
    [505, 495]
    """

    def __init__(
        self,
        n: int,
        seed: int | None = None,
        classification_function: int = 0,
        perturbation: float = 0.0,
        balance_classes: bool = False,
        compat: Literal["moa"] | None = None,
    ) -> None:
        check_choice("Agrawal", "classification_function", classification_function, range(10))
        check_fraction("Agrawal", "perturbation", perturbation, "a fraction")
        self.classification_function = classification_function
        self.perturbation, self.balance_classes = perturbation, balance_classes
        self.compat: Literal["moa"] | None = compat
        super().__init__(n, seed, _SCHEMA)

    def make(self, random: Random, n: int) -> Rows:
        X, y = (
            alternate_classes(self._draw, random, n)
            if self.balance_classes
            else self._draw(random, n)
        )
        if self.perturbation:
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
        y = np.empty(n, np.int32)
        label_rows(self.classification_function, X, y)
        return X, y

    def _perturb(self, random: Random, X: Floats) -> None:
        salary, commission, age, _, _, zipcode, hvalue, hyears, loan = X.T

        def moved(value: Floats, least: float, most: float, width: Floats | None = None) -> Floats:
            way = random.uniform(-self.perturbation, self.perturbation, len(X))
            return np.clip(value + way * (most - least if width is None else width), least, most)

        salary[:] = moved(salary, 20_000, 150_000)
        commission[:] = np.where(commission > 0, moved(commission, 10_000, 75_000), 0)
        age[:] = np.rint(moved(age, 20, 80))
        hvalue[:] = moved(hvalue, 0, 1_350_000, (9 - zipcode) * 100_000)
        hyears[:] = np.rint(moved(hyears, 1, 30))
        loan[:] = moved(loan, 0, 500_000)

    def start_moa(self) -> Fill:
        options = self.classification_function, float(self.perturbation), self.balance_classes
        return partial(draw_applicants, JavaRandom(self.drawn_seed).state, *options)
