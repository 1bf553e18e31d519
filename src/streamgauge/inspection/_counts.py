"""Counts of one pass: classes, pairs, runs, reference hits and losses; tests of these counts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import bdtrc, chdtrc, gammaln

from streamgauge._support.jit import kernel
from streamgauge._support.types import UNKNOWN, Codes, Floats, Longs
from streamgauge.measures.batch_means import BatchMeansTest, batch_means_test, decide
from streamgauge.measures.spool import LossSpool, OutcomeSpool
from streamgauge.measures.sums import divide

Bytes = npt.NDArray[np.uint8]

_UNDEFINED = np.full(2, np.nan)
MAX_REPEATS = 50  # Δ(ℓ) is computed up to this ℓ: a day of half-hours, and two more

REFERENCES = ("Majority", "Persistent", "Transition", "Seasonal")  # the simplest first
_COUNTED = REFERENCES[:3]  # those that can be counted here
_SIGNIFICANCE = 0.01
_FEWEST_EXPECTED = 5  # pairs in a cell, for χ²


def fractions(counts: Longs, of: Longs | np.int64) -> Floats:
    """counts / of; NaN where `of` is 0."""
    return divide(counts.astype(np.float64), np.asarray(of, np.float64))


class _CountsState(NamedTuple):
    classes: Longs  # rows per class
    pairs: Longs  # [j, i]: rows labelled i directly after a row labelled j
    after_run: Longs  # [i, ℓ]: rows after a run of exactly ℓ labels i; the last ℓ: or more
    repeated: Longs  # [i, ℓ]: those of them also labelled i
    successor: Longs  # per class, the most frequent next label so far; -1 = none
    hits: Longs  # per reference
    now: Longs  # [the last label, the length of its run, the most frequent label]


class LabelCounts:
    """Counts over labelled rows; unlabelled rows are skipped."""

    def __init__(self, k: int) -> None:
        ends = MAX_REPEATS + 2
        self._state = _CountsState(
            np.zeros(k, np.int64),
            np.zeros((k, k), np.int64),
            np.zeros((k, ends), np.int64),
            np.zeros((k, ends), np.int64),
            np.full(k, -1, np.int64),
            np.zeros(len(_COUNTED), np.int64),
            np.array([-1, 0, -1], np.int64),
        )

    def add(self, y: Codes) -> Bytes:
        """Count the next labels; per row, as bits from the second on: which references hit."""
        outcome = np.zeros(len(y), np.uint8)
        _count(y, self._state, outcome)
        return outcome

    @property
    def classes(self) -> Longs:
        """Rows per class."""
        return self._state.classes

    @property
    def pairs(self) -> Longs:
        """[j, i]: how often label i follows label j."""
        return self._state.pairs

    @property
    def reference_scores(self) -> dict[str, float]:
        """Prequential accuracy of each reference, as `evaluate` gives it."""
        hits = fractions(self._state.hits, self.classes.sum())
        return dict(zip(_COUNTED, hits.tolist(), strict=True))

    def repeats(self) -> tuple[Longs, Longs]:
        """[ℓ, i]: rows after at least ℓ labels i, and those of them labelled i again.

        At ℓ = 0: all rows, and those labelled i.
        """
        n = int(self.classes.sum())
        reached, again = (
            np.cumsum(table[:, :0:-1], axis=1)[:, ::-1].T
            for table in (self._state.after_run, self._state.repeated)
        )
        all_rows = np.full((1, len(self.classes)), n)
        return np.vstack([all_rows, reached]), np.vstack([self.classes, again])


@kernel
def _count(y: Codes, state: _CountsState, outcome: Bytes) -> None:
    """Ties go to the lowest code; references do not predict before the first label."""
    classes, pairs, after_run, repeated, successor, hits, now = state
    last, run, most = now[0], now[1], now[2]
    longest = after_run.shape[1] - 1
    for t in range(len(y)):
        i = y[t]
        if i < 0:
            continue
        if last >= 0:
            usual = successor[last] if successor[last] >= 0 else most
            hits[0] += most == i
            hits[1] += last == i
            hits[2] += usual == i
            outcome[t] = 2 * (most == i) + 4 * (last == i) + 8 * (usual == i)
            pairs[last, i] += 1
            top = successor[last] if successor[last] >= 0 else i
            more = pairs[last, i] - pairs[last, top]
            successor[last] = i if more > 0 or (more == 0 and i < top) else top
            length = min(run, longest)
            after_run[last, length] += 1
            repeated[last, length] += last == i
        classes[i] += 1
        top = most if most >= 0 else i
        more = classes[i] - classes[top]
        most = i if more > 0 or (more == 0 and i < top) else top
        run = run + 1 if i == last else 1
        last = i
    now[0], now[1], now[2] = last, run, most


class RegressionCounts:
    """Mean, variance and reference losses over the rows with a known target."""

    def __init__(self) -> None:
        # Rows, mean, Σ squared deviations, last target, losses of Mean and LastValue.
        self._state = np.zeros(6)
        self._gains = LossSpool()

    def add(self, y: Floats) -> None:
        """Count the next targets."""
        gains = np.empty(len(y))
        filled = _count_targets(y, self._state, gains)
        self._gains.add(gains[:filled])

    def test(self) -> BatchMeansTest:
        """LastValue against Mean: "better" if repeating the last value has the smaller error."""
        return self._gains.test()

    @property
    def mean(self) -> float:
        """Mean target."""
        return float(self._state[1]) if self._state[0] else math.nan

    @property
    def variance(self) -> float:
        """Variance of the targets."""
        return float(self._state[2] / self._state[0]) if self._state[0] else math.nan

    @property
    def reference_scores(self) -> dict[str, float]:
        """Prequential mean absolute error of each reference, as `evaluate` gives it."""
        losses = (
            divide(self._state[4:], np.array(self._state[0] - 1)) if self._state[0] else _UNDEFINED
        )
        return dict(zip(("Mean", "LastValue"), losses.tolist(), strict=True))


@kernel
def _count_targets(y: Floats, state: Floats, gains: Floats) -> int:
    """Fill in loss of Mean minus loss of LastValue; returns how many."""
    filled = 0
    for t in range(len(y)):
        value = y[t]
        if value != value:
            continue
        if state[0] > 0:
            state[4] += abs(value - state[1])
            state[5] += abs(value - state[3])
            gains[filled] = abs(value - state[1]) - abs(value - state[3])
            filled += 1
        state[0] += 1
        before = value - state[1]
        state[1] += before * (1.0 / state[0])  # as in the learner Mean, for equal digits
        state[2] += before * (value - state[1])
        state[3] = value
    return filled


class ReferenceChoice(NamedTuple):
    """The reference to beat, and the test of each other one against the first, the simplest."""

    to_beat: str
    against: dict[str, BatchMeansTest]  # "better": above the first by more than chance


class ReferenceOutcomes:
    """Keeps which references hit each labelled row, for the tests between them."""

    def __init__(self) -> None:
        self._spool = OutcomeSpool(len(REFERENCES), np.dtype(np.uint8))
        self._rows = 0
        self._hits = np.zeros(len(REFERENCES), np.int64)

    def add(self, outcome: Bytes) -> None:
        """Keep labelled rows: a bit per reference, in their order, from the second bit on."""
        self._spool.add(outcome)
        self._rows += len(outcome)
        self._hits += [np.count_nonzero(outcome & (2 << r)) for r in range(len(REFERENCES))]

    def choose(self, order_helps: bool) -> ReferenceChoice:
        """The simplest reference that no later one is separated from.

        Where dependence is too long for the test (open), or the rows are too few for it, one that
        scored higher counts as separated from the first if `order_helps`: the last label improves
        the best guess by more than chance.
        """
        hits = -self._spool.sums().T  # the first bit, that of a learner, is 0
        level = 1 - _SIGNIFICANCE / (len(REFERENCES) - 1)
        chosen, against = 0, {}
        for r in range(1, len(REFERENCES)):
            test = decide(hits[r] - hits[chosen], self._rows, level)
            untold = test.word in ("open", "too few rows to say")
            higher = self._hits[r] > self._hits[chosen]
            if test.word == "better" or (chosen == 0 and order_helps and untold and higher):
                chosen = r
            against[REFERENCES[r]] = decide(hits[r] - hits[0], self._rows, level)
        return ReferenceChoice(REFERENCES[chosen], against)


class Independence(NamedTuple):
    """Test of whether the next label is independent of the last one.

    χ² of the table of pairs, the two rarest classes merged again and again until 5 or more pairs
    are expected in every cell; with fewer in a cell of the last two, Fisher's exact test (`exact`),
    chi2 being NaN.
    """

    chi2: float
    freedom: int
    p: float
    exact: bool = False


class LastLabel(NamedTuple):
    """Test of whether the last label changes the best guess.

    `guess` follows `after` more often than the most frequent label does; p is for all classes.
    """

    p: float
    after: int = UNKNOWN
    guess: int = UNKNOWN

    @property
    def helps(self) -> bool:
        """Whether the last label improves the best guess by more than chance."""
        return self.p < _SIGNIFICANCE


def independence(pairs: Longs) -> Independence:
    """The test of a transition table; NaN unless two or more classes occur as last and as next."""
    last, following = pairs.any(axis=1), pairs.any(axis=0)
    if min(np.count_nonzero(last), np.count_nonzero(following)) < 2:
        return Independence(math.nan, 0, math.nan)
    table = _merged(pairs, np.flatnonzero(last | following))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    if expected.min() < _FEWEST_EXPECTED:
        return Independence(math.nan, 1, _fisher(table), True)
    chi2 = float(((table - expected) ** 2 / expected).sum())
    freedom = (len(table) - 1) ** 2
    return Independence(chi2, freedom, float(chdtrc(freedom, chi2)))


def _merged(pairs: Longs, seen: Longs) -> Longs:
    """The table of groups of classes: the two rarest are merged as long as cells are too small."""
    groups = [(int(pairs[i].sum()), int(pairs[:, i].sum()), [i]) for i in seen.tolist()]
    n = int(pairs.sum())
    while len(groups) > 2:
        fewest = min(last for last, _, _ in groups) * min(next_ for _, next_, _ in groups)
        if fewest >= _FEWEST_EXPECTED * n:
            break
        groups.sort(key=lambda group: (-group[0] - group[1], min(group[2])))
        one, other = groups.pop(), groups.pop()
        groups.append((one[0] + other[0], one[1] + other[1], one[2] + other[2]))
    starts = np.cumsum([0, *(len(members) for _, _, members in groups[:-1])])
    order = [i for _, _, members in groups for i in members]
    table = np.add.reduceat(pairs[np.ix_(order, order)], starts, axis=0)
    return np.asarray(np.add.reduceat(table, starts, axis=1))


def _fisher(table: Longs) -> float:
    """Two-sided p of a 2 × 2 table: all tables with its margins that are at most as likely."""
    n, row, column = int(table.sum()), int(table[1].sum()), int(table[:, 1].sum())
    x = np.arange(max(0, row + column - n), min(row, column) + 1)

    def choose(a: int, b: Longs) -> Floats:
        return np.asarray(gammaln(a + 1) - gammaln(b + 1) - gammaln(a - b + 1))

    log = choose(column, x) + choose(n - column, row - x)
    chance = np.exp(log - log.max())
    own = chance[int(table[1, 1]) - x[0]]
    return float(chance[chance <= own * (1 + 1e-7)].sum() / chance.sum())


def last_label(pairs: Longs, y: Codes) -> LastLabel:
    """The clearest class after which another label than the most frequent one is usual.

    Clear by the binomial test; among `y`, labels in order, also by the batch-means test, since the
    labels after a class may depend on each other.
    """
    k = np.count_nonzero(pairs.any(axis=0))
    if k < 2:
        return LastLabel(math.nan)
    most = int(pairs.sum(axis=0).argmax())
    hits, without = pairs.max(axis=1), pairs[:, most]
    p = np.where(hits > without, bdtrc(hits - 1.0, hits + without, 0.5), 1.0)
    after = int(p.argmin())
    guess = int(pairs[after].argmax())
    looks = np.count_nonzero(pairs.any(axis=1)) * (k - 1)
    own = float(p[after])
    if looks * own < _SIGNIFICANCE:
        following = y[1:][y[:-1] == after]
        gains = (following == guess).astype(np.float64) - (following == most)
        test = batch_means_test(gains)
        if test.word != "too few rows to say":
            own = max(own, test.p if test.mean > 0 else 1.0)
    return LastLabel(min(1.0, float(looks * own)), after, guess)
