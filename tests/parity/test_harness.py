"""The parity harness: bounds, the page, saved cells, and the learners of the peers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bench.parity.cells import Cells, Made
from bench.parity.page import Row, holds, section, unbiased
from bench.parity.peers import PEERS, Bound, Peers
from bench.parity.runners import Figures, in_our_loop, ours
from bench.parity.streams import friedman

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner


def made(*accuracies: float) -> list[Made]:
    return [{"accuracy": value, "kappa": value - 10} for value in accuracies]


def peers(bound: Bound, ours: str = "NaiveBayes()") -> Peers:
    return Peers(ours, "NaiveBayes", "naive_bayes.GaussianNB()", bound)


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
def test_bounds_of_accuracy(
    bound: Bound, us: list[Made], them: list[Made], verdict: bool | None
) -> None:
    assert holds(peers(bound), Row("s", 10, 5, us, them)) is verdict


def test_bias_is_the_mean_difference_over_streams() -> None:
    rows = [Row("a", 10, 5, made(80.0), made(79.5)), Row("b", 10, 5, made(70.0), made(70.3))]
    bias, fine = unbiased(peers("near"), rows)
    assert bias == pytest.approx(0.1)
    assert fine
    assert unbiased(peers("near"), rows[:1]) == (0.5, False)
    assert unbiased(peers("exact"), rows)[1] is None


def test_page_shows_broken_bounds_and_failures() -> None:
    rows = [Row("a", 10, 5, made(80.0), made(82.0), ["too slow"], made(79.0))]
    text = "\n".join(section(peers("near"), rows))
    assert "| a | 10 | 80.000 | 82.000 | -2.000 | 70.000 | 72.000 | -2.000 | **does not" in text
    assert "Mean signed difference of accuracy to CapyMOA: -2.000 (bound ±0.3: **does not" in text
    assert "River fails with too slow (on a)." in text
    seeded = [Row("a", 10, 5, made(80.0, 81.0), made(80.0, 82.0))]
    text = "\n".join(section(peers("seeded"), seeded))
    assert "80.500 ± 0.500 | 81.000 ± 1.000 | -0.500" in text
    assert "| a | CapyMOA | 80.00 | 82.00 |" in text
    assert "**Not built**" in "\n".join(section(peers("near", "Unheard(n=3)"), []))
    known = replace(peers("near"), differences="ours is finite")
    assert "Known differences: ours is finite." in section(known, rows)


def test_killed_comparison_resumes(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    calls = []

    def make() -> Figures:
        calls.append(1)
        if len(calls) == 2:
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
    assert len(calls) == 2
    again.get("River", "A", "s", 10, 1, make)
    assert Cells(path).get("River", "A", "s", 10, 1, make) == {"accuracy": 80.0}
    assert len(calls) == 3


def test_abstention_is_class_0_for_moa_and_wrong_in_our_loop() -> None:
    stream = sg.SEA(500, seed=1)
    by_us, by_moa = in_our_loop(stream, "NaiveBayes()"), ours(stream, "NaiveBayes()")
    assert 0 <= by_moa["accuracy"] - by_us["accuracy"] <= 0.2  # the first row
    regression = friedman(300, seed=1)
    assert ours(regression, "Mean")["mae"] > in_our_loop(regression, "Mean")["mae"] > 1


def test_every_river_peer_can_be_parsed() -> None:
    for each in (peers for peers in PEERS if peers.river):
        peer = parse_learner(f"river:{each.river.replace('{seed}', '1')}")
        assert type(peer.model).__name__ in each.river
