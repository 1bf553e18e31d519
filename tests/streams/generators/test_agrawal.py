"""Agrawal: its ten functions, its priors; River's distribution and functions, slips aside.

River differs from the paper and MOA: in functions 0 to 5 its label 1 is group A; function 4 asks
about the salary where it means the loan; commissions go up to 85,000; house values are those of
MOA's next zipcode; a perturbed house value is one of its two limits.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from tests.oracles.agrawal import in_group_a
from tests.streams.generators.alike import (
    assert_same_mean,
    assert_same_numbers,
    assert_share,
    of_river,
)
from tests.streams.tables import whole

K = 1000


def _people(block: sg.Block, schema: sg.Schema) -> list[dict[str, float]]:
    return [dict(zip(schema.features, x, strict=True)) for x in block.X.tolist()]


@pytest.mark.parametrize("function", range(10))
def test_the_functions(function: int) -> None:
    from river.datasets import synth

    stream = sg.Agrawal(3000, seed=8, classification_function=function)
    block = whole(stream)
    rivers: Any = getattr(synth.Agrawal, f"_classification_function_{function}")
    for person, y in zip(_people(block, stream.schema), block.y.tolist(), strict=True):
        assert y == (not in_group_a(function, person))
        if function != 4 or _as_in_the_paper(person):
            theirs = rivers(**person)
            assert y == (theirs if function >= 6 else 1 - theirs)


def _as_in_the_paper(person: dict[str, float]) -> bool:
    """Does River's function 4 ask this person the right question?"""
    if person["age"] < 40:
        return 50 * K <= person["salary"] <= 100 * K
    return person["age"] >= 60 and 25 * K <= person["salary"] <= 75 * K


def _fractions_in_group_a() -> tuple[float, ...]:
    """By thirds of age (20, 20 and 21 of 61 years), levels (of 5), salaries (of 130,000)."""
    ages = np.array([20, 20, 21]) / 61
    salary = 50 / 130
    loan = 200 / 500
    third = ages @ (np.array([2, 3, 3]) / 5)
    # The range from 25 to 75 thousand, like the others, lies within that of all salaries.
    return ages[0] + ages[2], salary, float(third), salary, loan


@pytest.mark.parametrize(("function", "share"), list(enumerate(_fractions_in_group_a())))
def test_priors(function: int, share: float) -> None:
    assert_share(whole(sg.Agrawal(50_000, seed=8, classification_function=function)).y == 0, share)


def test_rare_groups() -> None:
    """Who cannot live on two thirds of what comes in? An integral over salary and commission."""
    salary = np.linspace(20, 75, 2001)[:-1] + 55 / 4000
    commission = np.linspace(10, 75, 2001)[:-1] + 65 / 4000
    earned = (2 / 3) * (salary[:, None] + commission)
    poor = [np.mean(earned <= 5 * level + 20) * 55 / 130 for level in range(5)]
    y = whole(sg.Agrawal(200_000, seed=8, classification_function=7)).y
    assert_share(y == 1, float(np.mean(poor)))


def test_rivers_features() -> None:
    from river.datasets import synth

    n = 8000
    block = whole(sg.Agrawal(50_000, seed=5))
    X, y = of_river(synth.Agrawal(seed=5), n)
    ours = dict(zip(sg.Agrawal(1).schema.features, block.X.T, strict=True))
    theirs = dict(zip(sg.Agrawal(1).schema.features, X.T, strict=True))
    assert_same_mean(block.y, 1 - y)
    theirs["car"] -= 1
    for name in ("salary", "age", "elevel", "car", "zipcode", "hyears", "loan"):
        assert_same_numbers(ours[name], theirs[name])
    earns, gets = ours["commission"] > 0, theirs["commission"] > 0
    assert np.array_equal(earns, ours["salary"] < 75 * K)
    assert_same_numbers(
        (ours["commission"][earns] - 10 * K) / 65, (theirs["commission"][gets] - 10 * K) / 75
    )
    housed = theirs["zipcode"] < 8
    assert_same_numbers(
        ours["hvalue"] / (9 - ours["zipcode"]),
        theirs["hvalue"][housed] / (8 - theirs["zipcode"][housed]),
    )


@pytest.mark.parametrize("perturbation", [0.0, 0.1])
def test_whole_years_and_codes(perturbation: float) -> None:
    stream = sg.Agrawal(20_000, seed=5, perturbation=perturbation)
    columns = dict(zip(stream.schema.features, whole(stream).X.T, strict=True))
    for name, least, most in (
        ("age", 20, 80),
        ("elevel", 0, 4),
        ("car", 0, 19),
        ("zipcode", 0, 8),
        ("hyears", 1, 30),
    ):
        assert np.array_equal(np.unique(columns[name]), np.arange(least, most + 1))


def test_perturbation() -> None:
    from river.datasets import synth

    before = whole(sg.Agrawal(50_000, seed=5))
    stream = sg.Agrawal(50_000, seed=5, perturbation=0.1)
    after = whole(stream)
    assert np.array_equal(before.y, after.y)  # the label is of the person as it was
    X, _ = of_river(synth.Agrawal(seed=5, perturbation=0.1), 8000)
    limits = {
        "salary": (20 * K, 150 * K),
        "age": (20, 80),
        "hyears": (1, 30),
        "loan": (0, 500 * K),
    }
    for j, name in enumerate(stream.schema.features):
        now, then = after.X[:, j], before.X[:, j]
        if name in limits:
            low, high = limits[name]
            whole_years = 0.5 if name in ("age", "hyears") else 0
            assert low <= now.min() < now.max() <= high
            assert 0 < np.abs(now - then).max() <= 0.1 * (high - low) + whole_years
            assert_same_numbers(now, X[:, j])
        elif name == "commission":
            assert np.array_equal(now == 0, then == 0)
            assert 10 * K <= now[now > 0].min() < now.max() <= 75 * K
            assert 0 < np.abs(now - then).max() <= 0.1 * 65 * K
        elif name == "hvalue":
            assert 0 < np.abs((now - then) / (9 - after.X[:, 5])).max() <= 0.1 * 100 * K
            assert now.max() <= 1350 * K
        else:
            assert np.array_equal(now, then)


def test_balance() -> None:
    for function in (0, 9):  # a third of the rows, one of 400
        block = whole(
            sg.Agrawal(9000, seed=5, classification_function=function, balance_classes=True)
        )
        assert all(one != other for one, other in pairwise(block.y.tolist()))
        assert block.y[0] == 1
        people = _people(block.cut(0, 500), sg.Agrawal(1).schema)
        for person, y in zip(people, block.y.tolist(), strict=False):
            assert y == (not in_group_a(function, person))
        assert len(np.unique(block.X[:, 0])) == 9000
