"""The parity harness: what holds, what is saved, what is said of a learner that is not built."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.parity.cells import Cells, Made
from bench.parity.page import Row, holds, section, unbiased
from bench.parity.peers import Figures, in_our_loop, ours
from bench.parity.rivals import RIVALS, Bound, Rival
from bench.parity.streams import friedman

import streamgauge as sg
from streamgauge.learners.parsing import parse_learner


def made(*accuracies: float) -> list[Made]:
    return [{"accuracy": value, "kappa": value - 10} for value in accuracies]


def rival(bound: Bound, ours: str = "NaiveBayes()") -> Rival:
    return Rival(ours, "NaiveBayes", "naive_bayes.GaussianNB()", bound)


@pytest.mark.parametrize(
    ("bound", "us", "them", "verdict"),
    [
        ("exact", made(80), made(80), True),
        ("exact", made(80), made(80.001), False),
        ("near", made(80), made(80.99), True),
        ("near", made(80), made(81.01), False),
        ("seeded", made(80, 80.1), made(81.2, 81.3), False),
        ("seeded", made(78, 82), made(80, 84), True),  # standard errors of 2 each
        ("no worse", made(81.2, 81.3), made(80, 80.1), True),
        ("no worse", made(80, 80.1), made(81.2, 81.3), False),
        ("none", made(80), made(90), None),
        ("near", made(80), ["it failed"], None),
        ("near", ["it failed"], made(80), False),
    ],
)
def test_bounds(bound: Bound, us: list[Made], them: list[Made], verdict: bool | None) -> None:
    assert holds(rival(bound), Row("s", 10, 5, us, them)) is verdict


def test_bias_over_streams() -> None:
    rows = [Row("a", 10, 5, made(80.0), made(79.5)), Row("b", 10, 5, made(70.0), made(70.3))]
    bias, fine = unbiased(rival("near"), rows)
    assert bias == pytest.approx(0.1)
    assert fine
    assert unbiased(rival("near"), rows[:1]) == (0.5, False)
    assert unbiased(rival("exact"), rows)[1] is None


def test_the_page_says_what_does_not_hold() -> None:
    rows = [Row("a", 10, 5, made(80.0), made(82.0), ["too slow"], made(79.0))]
    text = "\n".join(section(rival("near"), rows))
    assert "| a | 10 | 80.000 | 82.000 | -2.000 | 70.000 | 72.000 | -2.000 | **does not" in text
    assert "Mean signed difference of accuracy to CapyMOA: -2.000 (bound ±0.3: **does not" in text
    assert "River fails with too slow (on a)." in text
    seeded = [Row("a", 10, 5, made(80.0, 81.0), made(80.0, 82.0))]
    text = "\n".join(section(rival("seeded"), seeded))
    assert "80.500 ± 0.500 | 81.000 ± 1.000 | -0.500" in text
    assert "| a | CapyMOA | 80.00 | 82.00 |" in text
    assert "**Not built**" in "\n".join(section(rival("near", "Unheard(n=3)"), []))


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    asked = []

    def make() -> Figures:
        asked.append(1)
        if len(asked) == 2:
            raise ValueError("no\nnumbers")
        return {"accuracy": 80.0}

    cells = Cells(path)
    assert cells.get("ours", "A", "s", 10, 1, make) == {"accuracy": 80.0}
    assert cells.get("ours", "A", "s", 10, 2, make) == "ValueError: no numbers"
    with path.open("a") as file:
        file.write('["half a li')
    again = Cells(path)
    assert again.get("ours", "A", "s", 10, 1, make) == {"accuracy": 80.0}
    assert again.get("ours", "A", "s", 10, 2, make) == "ValueError: no numbers"
    assert len(asked) == 2
    again.get("River", "A", "s", 10, 1, make)
    assert Cells(path).get("River", "A", "s", 10, 1, make) == {"accuracy": 80.0}
    assert len(asked) == 3


def test_both_ways_to_run_ours() -> None:
    stream = sg.SEA(500, seed=1)
    by_us, by_moa = in_our_loop(stream, "NaiveBayes()"), ours(stream, "NaiveBayes()")
    assert 0 <= by_moa["accuracy"] - by_us["accuracy"] <= 0.2  # the first row: abstained, class 0
    numbers = friedman(300, seed=1)
    assert ours(numbers, "Mean")["mae"] > in_our_loop(numbers, "Mean")["mae"] > 1


def test_every_peer_of_rivers_is_there() -> None:
    for each in RIVALS:
        peer = parse_learner(f"river:{each.river.replace('{seed}', '1')}")
        assert type(peer.model).__name__ in each.river
