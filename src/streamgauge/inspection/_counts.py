"""Counts of one pass: classes, pairs, runs and reference hits; in regression, reference losses."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc

from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.measures.sums import divide

_UNDEFINED = np.full(2, np.nan)
MAX_REPEATS = 50  # Δ(ℓ) is computed up to this ℓ: a day of half-hours, and two more

_REFERENCES = ("Majority", "Persistent", "Transition")  # those that can be counted here


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
            np.zeros(len(_REFERENCES), np.int64),
            np.array([-1, 0, -1], np.int64),
        )

    def add(self, y: Codes) -> None:
        """Count the next labels."""
        _count(y, self._state)

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
        return dict(zip(_REFERENCES, hits.tolist(), strict=True))

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
def _count(y: Codes, state: _CountsState) -> None:
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

    def add(self, y: Floats) -> None:
        """Count the next targets."""
        _count_targets(y, self._state)

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
def _count_targets(y: Floats, state: Floats) -> None:
    for t in range(len(y)):
        value = y[t]
        if value != value:
            continue
        if state[0] > 0:
            state[4] += abs(value - state[1])
            state[5] += abs(value - state[3])
        state[0] += 1
        before = value - state[1]
        state[1] += before * (1.0 / state[0])  # as in the learner Mean, for equal digits
        state[2] += before * (value - state[1])
        state[3] = value


class Independence(NamedTuple):
    """χ² test of whether the next label is independent of the last one.

    `thin`: the fraction of cells with fewer than 5 expected pairs; above a fifth, p is approximate.
    """

    chi2: float
    freedom: int
    p: float
    thin: float


def independence(pairs: Longs) -> Independence:
    """The test of a transition table; NaN unless two or more classes occur as last and as next."""
    table = pairs[np.ix_(pairs.any(axis=1), pairs.any(axis=0))].astype(np.float64)
    freedom = max(0, table.shape[0] - 1) * max(0, table.shape[1] - 1)
    if not freedom:
        return Independence(np.nan, 0, np.nan, np.nan)
    expected: Floats = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chi2 = float(((table - expected) ** 2 / expected).sum())
    return Independence(chi2, freedom, float(chdtrc(freedom, chi2)), float((expected < 5).mean()))
