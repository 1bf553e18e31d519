"""The claims of gama2013 about its tables, each checked on our runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import streamgauge as sg
from bench.gama2013.paper import COLUMNS, STREAMS, TABLE_2, TABLE_3, Table
from bench.gama2013.runs import plain, ratio

Cards = dict[tuple[str, str], sg.Scorecard]  # by stream and leaf
Found = dict[tuple[str, str], list[sg.Detections]]

FADING = [name for name in TABLE_2 if name.startswith("Fading")]
WINDOWS = [name for name in TABLE_2 if name.startswith("Window")]


class Claim(NamedTuple):
    """A claim, whether it holds here, and in how many cells or runs."""

    text: str
    holds: bool
    detail: str

    def __str__(self) -> str:
        return f"**{'holds' if self.holds else 'does not hold'}**: {self.text} {self.detail}"


def claims(cards: Cards, found: Found) -> Iterator[Claim]:
    """All claims; `found` has the single runs."""
    yield _within_two_deviations(cards)
    yield _cumulative_misses(cards)
    yield _later_with_more_memory(found)
    yield _bayes_first(cards)
    yield _fading_before_windows(cards)
    yield _ratio_is_faster(cards)
    yield _ratio_is_riskier(cards)


def distances(
    cards: Cards, table: Table, detector: Callable[[str], str], streams: tuple[str, ...]
) -> dict[tuple[str, str, str], float]:
    """Distance of our delays from the printed ones, in the paper's standard deviations.

    Only cells with a printed delay; infinite where ours has none.
    """
    away = {}
    for name, cells in table.items():
        for (stream, leaf), cell in cells.items():
            if stream in streams and cell.mean is not None and cell.sd:
                ours = cards[stream, leaf][detector(name)]
                off = abs(ours.mtd - cell.mean) / cell.sd
                away[stream, leaf, name] = off if ours.detections else math.inf
    return away


def _within_two_deviations(cards: Cards) -> Claim:
    away = distances(cards, TABLE_2, plain, ("LED", "RandomTree"))
    near = sum(each <= 2 for each in away.values())
    return Claim(
        "The delays of Table 2 on LED and RandomTree are within two of their standard deviations.",
        near == len(away),
        f"{near} of {len(away)} cells, the farthest at {max(away.values()):.1f}.",
    )


def _cumulative_misses(cards: Cards) -> Claim:
    name = plain("Cumulative()")
    missed = sum(cards[column][name].misses for column in COLUMNS)
    runs = sum(cards[column][name].runs for column in COLUMNS)
    return Claim(
        "The error over all rows misses the drift.",
        missed == runs,
        f"In {missed} of {runs} runs. The paper has one exception, Waveform with naive Bayes.",
    )


def _later_with_more_memory(found: Found) -> Claim:
    """Run by run, because means over different runs (some miss) cannot be compared."""
    steps = [
        (less.mtd, more.mtd)
        for column in COLUMNS
        for run in found[column]
        for card in [run.score(dummies=[])]
        for names in (FADING, WINDOWS)
        for less, more in zip(
            [card[plain(name)] for name in names[:-1]],
            [card[plain(name)] for name in names[1:]],
            strict=True,
        )
        if less.detections and more.detections
    ]
    longer = sum(less < more for less, more in steps)
    return Claim(
        "The delay grows with the window and with the fading factor.",
        longer == len(steps),
        f"In {longer} of {len(steps)} steps to the next larger one, run by run.",
    )


def _bayes_first(cards: Cards) -> Claim:
    names = [*map(plain, (*FADING, *WINDOWS)), *map(ratio, TABLE_3)]
    return _first_is_faster(
        "With naive Bayes at the leaves the drift is detected sooner than with majority class.",
        [
            (cards[stream, "nba"][name], cards[stream, "mc"][name])
            for stream in STREAMS
            for name in names
        ],
    )


def _fading_before_windows(cards: Cards) -> Claim:
    return _first_is_faster(
        "Fading detects it sooner than the window at the same position in Table 2.",
        [
            (cards[column][plain(fading)], cards[column][plain(window)])
            for column in COLUMNS
            for fading, window in zip(FADING, WINDOWS, strict=True)
        ],
    )


def _first_is_faster(text: str, pairs: Iterable[tuple[sg.AlarmScore, sg.AlarmScore]]) -> Claim:
    """Only pairs in which both detected a drift count."""
    both = [(one.mtd, other.mtd) for one, other in pairs if one.detections and other.detections]
    faster = sum(one < other for one, other in both)
    return Claim(text, faster == len(both), f"In {faster} of {len(both)} cells.")


def _ratio_is_faster(cards: Cards) -> Claim:
    """Compared with the plain test on the long-term estimate alone."""
    times = [
        cards[column][plain(name)].mtd / cards[column][ratio(name)].mtd
        for column in COLUMNS
        for name in TABLE_3
        if cards[column][plain(name)].detections and cards[column][ratio(name)].detections
    ]
    return Claim(
        "The ratio is several times as fast as the plain test on its long-term estimate.",
        min(times) > 2,
        f"{min(times):.1f} to {max(times):.1f} times, in {len(times)} cells.",
    )


def _ratio_is_riskier(cards: Cards) -> Claim:
    plain_false, ratio_false = (
        sum(cards[column][make(name)].runs_with_false_alarm for column in COLUMNS for name in names)
        for make, names in ((plain, TABLE_2), (ratio, TABLE_3))
    )
    return Claim(
        "The ratio is riskier: it raises false alarms.",
        ratio_false > plain_false,
        f"{ratio_false} of {10 * len(TABLE_3) * len(COLUMNS)} runs with one, against "
        f"{plain_false} of {10 * len(TABLE_2) * len(COLUMNS)} with the plain test.",
    )


def led_false_alarms(found: Found) -> tuple[list[int], list[int]]:
    """LED with naive Bayes, ratio to Fading(0.9994): each run's first false alarm, and the rest."""
    first, later = [], []
    for run in found["LED", "nba"]:
        assert run.drifts
        rows = run.alarms[ratio("Fading(0.9994)")]
        false = rows[rows < run.drifts[0].position].tolist()
        first += false[:1]
        later += false[1:]
    return sorted(first), sorted(later)
