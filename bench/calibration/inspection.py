"""The sentences of `inspect`: seasons, priors, the last label, the reference to beat, leaks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from bench.calibration.case import MOST_FALSE_LONG, Case, Random
from streamgauge._support.types import Block, Codes, Floats, Schema
from streamgauge.inspection._counts import (
    LabelCounts,
    ReferenceOutcomes,
    RegressionCounts,
    independence,
    last_label,
)
from streamgauge.inspection._lags import LabelLags
from streamgauge.inspection._leaks import LeakSearch
from streamgauge.inspection._periods import label_seasons
from streamgauge.inspection._priors import PriorBatches
from streamgauge.inspection.inspect import SeasonalHits

Labels = Callable[[Random], Codes]
_LAGS = 2000


def independent(random: Random, rows: int, share: float = 0.5) -> Codes:
    """Labels 0 and 1 that do not depend on each other."""
    return np.asarray(random.random(rows) < share, np.int32)


def markov(random: Random, rows: int, run: float, share: float = 0.5) -> Codes:
    """A stationary chain; runs of label 1 have this mean length."""
    other = run * (1 - share) / share
    count = int(rows / (run + other)) * 2 + 200
    ones, zeros = random.geometric(1 / run, count), random.geometric(1 / max(other, 1.0), count)
    lengths = np.column_stack([ones, zeros]).ravel()
    start = int(random.random() >= share)
    labels = np.tile(np.array([1, 0], np.int32), count)
    return np.repeat(labels[start:], lengths[start:])[:rows]


def slow(random: Random, rows: int, run: int, low: float = 0.4, high: float = 0.6) -> Codes:
    """Independent labels whose share changes between two values in long stationary regimes."""
    regime = markov(random, rows, run)
    return np.asarray(random.random(rows) < np.where(regime == 1, high, low), np.int32)


def several(random: Random, rows: int, shares: tuple[float, ...]) -> Codes:
    """Independent labels of several classes."""
    return random.choice(len(shares), rows, p=shares).astype(np.int32)


def wave(random: Random, rows: int, period: int, height: float, run: int = 1) -> Codes:
    """A wave in the share of label 1; if in runs, every second label is that of a chain."""
    season = 0.5 + height * np.sin(2 * np.pi * (np.arange(rows) / period + random.random()))
    own = random.random(rows) < season
    if run == 1:
        return own.astype(np.int32)
    rest = markov(random, rows, run)
    return np.where(random.random(rows) < 0.5, rest, own).astype(np.int32)


def cycle(random: Random, rows: int, period: int, wrong: float) -> Codes:
    """A random pattern repeated, with some labels drawn again."""
    pattern = random.integers(0, 2, period)
    labels = np.resize(pattern, rows)
    again = random.random(rows) < wrong
    return np.where(again, random.integers(0, 2, rows), labels).astype(np.int32)


def moving(random: Random, rows: int, run: int, change: float, sudden: bool) -> Codes:
    """Labels whose share of 1 moves by `change`; if in runs, every second is that of a chain."""
    place = np.arange(rows) / rows
    level = np.where(place < 0.5, 0.0, 1.0) if sudden else place
    moved = random.random(rows) < 0.5 + change * (level - 0.5)
    if run == 1:
        return moved.astype(np.int32)
    rest = markov(random, rows, run)
    return np.where(random.random(rows) < 0.5, rest, moved).astype(np.int32)


def seasons(y: Codes) -> list[int]:
    """The periods that `inspect` names."""
    lags = LabelLags(_LAGS)
    lags.add(y)
    shares = np.bincount(y) / len(y)
    return [peak.lag for peak in label_seasons(y, lags.finish(shares))]


def names_a_period(labels: Labels, random: Random) -> bool:
    """Whether any period is named."""
    return bool(seasons(labels(random)))


def names_the_period(labels: Labels, period: int, random: Random) -> bool:
    """Whether the right period is named, within what the rows can resolve, and no other."""
    y = labels(random)
    found = seasons(y)
    return len(found) == 1 and abs(found[0] - period) <= period * period / (2 * len(y))


def priors_change(labels: Labels, random: Random) -> bool:
    """Whether the priors are said to change."""
    y = labels(random)
    batches = PriorBatches(int(y.max()) + 1)
    batches.add(y)
    return batches.test(len(y)).clear


def depends(labels: Labels, random: Random) -> bool:
    """Whether a dependence on the last label is said."""
    return independence(_counted(labels(random)).pairs).p < 0.01


def last_label_helps(labels: Labels, random: Random) -> bool:
    """Whether the last label is said to be worth using."""
    y = labels(random)
    return last_label(_counted(y).pairs, y).helps


def beats_majority(labels: Labels, random: Random) -> bool:
    """Whether another reference than Majority is named."""
    y = labels(random)
    k = int(y.max()) + 1
    schema = Schema((), (), tuple(range(k)))
    counts, outcomes, seasonal = LabelCounts(k), ReferenceOutcomes(), SeasonalHits(schema)
    outcomes.add(counts.add(y) + 16 * seasonal.add(y))
    return outcomes.choose(last_label(counts.pairs, y).helps).to_beat != "Majority"


def last_value_helps(values: Callable[[Random], Floats], random: Random) -> bool:
    """Whether the last value is said to be worth using."""
    counts = RegressionCounts()
    counts.add(values(random))
    return counts.test().word == "better"


def autoregressive(random: Random, rows: int, phi: float) -> Floats:
    """Repeating the last value has the smaller expected error if phi is above 1/2."""
    from scipy.signal import lfilter

    noise = random.normal(size=rows + 200)
    return np.asarray(lfilter([1.0], [1.0, -phi], noise)[200:])


def finds_leak(rows: int, right: float, random: Random) -> bool:
    """Whether a feature that predicts this share of the labels is called a leak."""
    y = markov(random, rows, 2)
    wrong = random.random(rows) >= right
    X = random.normal(size=(rows, 3))
    X[:, 1] = np.where(wrong, 1 - y, y) + 0.4 * random.random(rows)
    search = LeakSearch(Schema(("a", "b", "c"), ((), (), ()), (0, 1)))
    search.add(Block(0, X, y))
    return bool(search.finish({"Majority": 0.5}))


def _counted(y: Codes) -> LabelCounts:
    counts = LabelCounts(int(y.max()) + 1)
    counts.add(y)
    return counts


def _trials(rows: int) -> int:
    return {1_000: 2000, 10_000: 2000, 50_000: 500}.get(rows, 50)


def _kinds(rows: int) -> dict[str, tuple[Labels, float]]:
    """Labels without season or change, and the most per cent that may be false."""
    return {
        "independent": (partial(independent, rows=rows), 3.5),
        "1 % minority": (partial(independent, rows=rows, share=0.01), 3.5),
        "runs of 20": (partial(markov, rows=rows, run=20), 3.5),
        "runs of 200": (
            partial(markov, rows=rows, run=200),
            MOST_FALSE_LONG if rows < 4000 else 3.5,
        ),
        "runs of n/50": (partial(markov, rows=rows, run=rows // 50), 3.5),
        "runs of n/20": (partial(markov, rows=rows, run=rows // 20), 3.5),
        "weak regimes of n/20": (partial(slow, rows=rows, run=rows // 20), 3.5),
        "four classes, two rare": (
            partial(several, rows=rows, shares=(0.6, 0.38, 0.01, 0.01)),
            3.5,
        ),
    }


def _period_cases(rows: int) -> list[Case]:
    strong = {1_000: 0.2, 10_000: 0.1}.get(rows, 0.05)
    power = {
        "independent": (
            f"a wave of 24 rows, ± {100 * strong:g} points",
            24,
            partial(wave, rows=rows, period=24, height=strong),
        ),
        "1 % minority": (
            "a pattern of 25 rows, 40 % drawn again",
            25,
            partial(cycle, rows=rows, period=25, wrong=0.4),
        ),
        "runs of 20": (
            "half of it a wave of 48 rows, ± 45 points",
            48,
            partial(wave, rows=rows, period=48, height=0.45, run=20),
        ),
        "runs of 200": (
            "half of it a wave of 7 rows, ± 45 points",
            7,
            partial(wave, rows=rows, period=7, height=0.45, run=200),
        ),
    }
    cases = []
    for name, (labels, most) in _kinds(rows).items():
        data, found = f"{name}, {rows:,} rows", None
        if name in power:
            said, period, seasonal = power[name]
            data += f" (power: {said})"
            found = partial(names_the_period, seasonal, period)
        cases.append(Case("inspect.period", data, partial(names_a_period, labels), found,
                          trials=_trials(rows), most=most, quick=rows == 1_000))  # fmt: skip
    return cases


def _priors_cases(rows: int) -> list[Case]:
    change = {1_000: 0.3, 10_000: 0.1}.get(rows, 0.05)
    power = {
        "independent": (
            f"a drift by {100 * change:g} points",
            partial(moving, rows=rows, run=1, change=change, sudden=False),
        ),
        "1 % minority": (
            f"a step by {100 * change:g} points",
            partial(moving, rows=rows, run=1, change=change, sudden=True),
        ),
        "runs of 20": (
            f"half of it a drift by {200 * change:g} points",
            partial(moving, rows=rows, run=20, change=2 * change, sudden=False),
        ),
    }
    kinds = _kinds(rows) | {
        "runs of n/10": (partial(markov, rows=rows, run=rows // 10), MOST_FALSE_LONG)
    }
    if rows < 4000:
        del kinds["runs of 200"]  # a fifth of the rows: longer than any rule here is meant for
    cases = []
    for name, (labels, most) in kinds.items():
        data, found = f"{name}, {rows:,} rows", None
        if name in power:
            data += f" (power: {power[name][0]})"
            found = partial(priors_change, power[name][1])
        cases.append(Case("inspect.priors", data, partial(priors_change, labels), found,
                          trials=min(2000, 4 * _trials(rows)), most=most,
                          quick=rows == 1_000))  # fmt: skip
    return cases


def _order_cases(rows: int) -> list[Case]:
    cases = []
    quick = rows == 1_000
    trials = min(2000, 4 * _trials(rows))
    unused = {
        "independent": partial(independent, rows=rows),
        "1 % minority": partial(independent, rows=rows, share=0.01),
        "five classes, one of 1 %": partial(several, rows=rows, shares=(0.4, 0.3, 0.2, 0.09, 0.01)),
    }
    weak = {
        "independent": ("runs of 2.2", partial(markov, rows=rows, run=2.2)),
        "1 % minority": ("runs of 1.2", partial(markov, rows=rows, run=1.2, share=0.01)),
    }
    for name, labels in unused.items():
        data, found = f"{name}, {rows:,} rows", None
        if name in weak:
            data += f" (power: {weak[name][0]})"
            found = partial(depends, weak[name][1])
        cases.append(Case("inspect.dependence", data, partial(depends, labels), found,
                          trials=trials, quick=quick))  # fmt: skip
    # Labels that depend on the last one, which yet changes no best guess: after a 1 come as many 0.
    unused |= {
        "as many 0 as 1 after a 1": partial(markov, rows=rows, run=2, share=0.3),
        "the same share in regimes of n/50": partial(
            slow, rows=rows, run=rows // 50, low=0.2, high=0.6
        ),
    }
    useful = {
        "independent": ("runs of 2.5", partial(markov, rows=rows, run=2.5)),
        "as many 0 as 1 after a 1": ("runs of 20", partial(markov, rows=rows, run=20)),
        "the same share in regimes of n/50": (
            "runs of n/20", partial(markov, rows=rows, run=rows // 20),
        ),
    }  # fmt: skip
    for name, labels in unused.items():
        data = f"{name}, {rows:,} rows"
        if name in useful:
            data += f" (power: {useful[name][0]})"
        for claim, trial in (("order", last_label_helps), ("beat", beats_majority)):
            found = partial(trial, useful[name][1]) if name in useful else None
            cases.append(Case(f"inspect.{claim}", data, partial(trial, labels), found,
                              trials=trials, quick=quick))  # fmt: skip
    cases.append(Case("inspect.order", f"values, φ = 0.5, {rows:,} rows (power: φ = 0.7)",
                      partial(last_value_helps, partial(autoregressive, rows=rows, phi=0.5)),
                      partial(last_value_helps, partial(autoregressive, rows=rows, phi=0.7)),
                      trials=trials, quick=quick))  # fmt: skip
    return cases


def cases() -> list[Case]:
    """False rates and power at 1,000 to 1,000,000 rows."""
    all_cases = [
        case
        for rows in (50_000, 10_000, 1_000)
        for make in (_period_cases, _priors_cases, _order_cases)
        for case in make(rows)
    ]
    for name, (labels, most) in list(_kinds(1_000_000).items())[:3]:
        data = f"{name}, 1,000,000 rows"
        for claim, trial in (("period", names_a_period), ("priors", priors_change)):
            all_cases.append(Case(f"inspect.{claim}", data, partial(trial, labels), trials=100,
                                  most=most))  # fmt: skip
    for rows in (2_500, 10_000):
        all_cases.append(Case("inspect.leak", f"98 % (power: 99.5 %), {rows:,} rows",
                              partial(finds_leak, rows, 0.98), partial(finds_leak, rows, 0.995),
                              trials=1000, quick=True))  # fmt: skip
    return all_cases
