"""The sums of a classifier: their positions, and the sums by name (semantics §3).

A row adds one to a few cells: its cell of the confusion matrix, and combinations of four yes-or-no
facts (whether each reference is right, whether this is the second error in a row). If cost or
probabilities are needed, it also adds values (cost, log-loss, Brier) and histogram cells of its
scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from streamgauge._support.read_only import freeze, frozen_property
from streamgauge._support.types import Floats, Longs

HISTOGRAM_BINS: Final = 256
FACTS: Final = 5  # yes-or-no facts that one combination cell holds
COMBINATIONS: Final = 1 << FACTS
_PAIRWISE: Final = 8  # from this many numbers on, numpy adds neighbours in memory pairwise

Outcomes = npt.NDArray[np.unsignedinteger]  # per row, as bits: learner right, each reference right


@dataclass(frozen=True)
class SumsLayout:
    """The positions of the sums: confusion[k, k + 1], combinations[groups, 32], histograms, a dummy
    cell; then the values: cost, log-loss, Brier. The last confusion column counts abstentions."""

    k: int
    references: tuple[str, ...]
    cost: bool = False
    probabilities: bool = False

    @property
    def confusion(self) -> int:
        return self.k * (self.k + 1)

    @property
    def groups(self) -> int:
        """Combination cells a row needs: a fact for each reference, one for a second error."""
        return -(-(len(self.references) + 1) // FACTS)

    @property
    def first_score(self) -> int:
        return self.confusion + COMBINATIONS * self.groups

    @property
    def histograms(self) -> int:
        """Number of classes with a score histogram; for two classes, one is enough."""
        return 0 if not self.probabilities else 1 if self.k == 2 else self.k

    @property
    def counts(self) -> int:
        return self.first_score + 2 * HISTOGRAM_BINS * self.histograms + 1

    @property
    def cells(self) -> int:
        return 1 + self.groups + self.histograms

    @property
    def values(self) -> int:
        return int(self.cost) + 2 * int(self.probabilities)

    @property
    def outcome_type(self) -> np.dtype[np.unsignedinteger]:
        """The smallest integer with a bit for the learner and one for each reference."""
        return np.dtype(np.min_scalar_type((2 << len(self.references)) - 1))

    def combination(self, fact: int) -> tuple[slice, int]:
        """The columns of the group that holds a fact, and the fact's bit in it."""
        start = self.confusion + COMBINATIONS * (fact // FACTS)
        return slice(start, start + COMBINATIONS), fact % FACTS


class ClassificationSums:
    """Sums of scored rows at many points at once; `size` is the effective sample size."""

    # Rates closer than this differ only by rounding of faded sums and count as equal. Otherwise a
    # classifier that *is* the reference would have kappa_plus > 0 on half the stream.
    rounding = 1e-12

    def __init__(self, table: Floats, layout: SumsLayout, size: Floats) -> None:
        k, counts = layout.k, layout.counts
        self.k, self.size = k, size
        self._layout, self._cells = layout, _in_columns(table[:, : layout.first_score], k)
        self.confusion = confusion = self._cells[:, : layout.confusion].reshape(
            len(table), k, k + 1
        )
        self.true = confusion.sum(axis=2)
        self.predicted = confusion[:, :, :k].sum(axis=1)
        self.hit = confusion.diagonal(axis1=1, axis2=2)
        self.histograms = table[:, layout.first_score : counts - 1].reshape(
            len(table), layout.histograms, 2, HISTOGRAM_BINS
        )
        self.cost = table[:, counts] if layout.cost else None
        self.log_loss = table[:, -2] if layout.probabilities else None
        self.brier = table[:, -1] if layout.probabilities else None
        self.n = self.true.sum(axis=1)
        self.shared: dict[str, Floats] = {}  # intermediate values that several metrics use
        freeze(*vars(self).values())  # a user's metric might change those of others

    @frozen_property
    def error_pairs(self) -> Floats:
        """Rows that are the second error in a row."""
        columns, bit = self._layout.combination(len(self._layout.references))
        points, half = len(self._cells), COMBINATIONS >> 1
        cells = self._cells[:, columns].reshape(points, half >> bit, 2, 1 << bit)
        return np.asarray(np.ascontiguousarray(cells[:, :, 1]).reshape(points, half).sum(axis=1))

    @frozen_property
    def made(self) -> Floats:
        """Rows with a prediction."""
        return np.asarray(self.predicted.sum(axis=1))

    @frozen_property
    def accuracy(self) -> Floats:
        return divide(self.hit.sum(axis=1), self.n)

    @frozen_property
    def chance(self) -> Floats:
        """p_ran: the accuracy of random guesses with the learner's own class frequencies."""
        return divide((self.true * self.predicted).sum(axis=1), self.n**2)

    @frozen_property
    def recall(self) -> Floats:
        return divide(self.hit, self.true)

    @frozen_property
    def precision(self) -> Floats:
        return divide(self.hit, self.predicted)

    @frozen_property
    def f1(self) -> Floats:
        return divide(2 * self.hit, self.true + self.predicted)

    def reference(self, name: str) -> Floats:
        """The accuracy of a reference on the same rows, under the same forgetting."""
        accuracy: Floats = self._reference_accuracy[:, self._layout.references.index(name)]
        return accuracy

    @frozen_property
    def _reference_accuracy(self) -> Floats:
        count = len(self._layout.references)
        hits = np.empty((len(self._cells), count))
        for r in range(count):
            columns, bit = self._layout.combination(r)
            hits[:, r] = _sum_with(self._cells[:, columns], bit)
        return divide(hits, self.n[:, None])


def _sum_with(combinations: Floats, bit: int) -> Floats:
    """Add the columns of the combinations in which a fact's bit is set.

    In a fixed order: the rounding of a matrix product depends on the number of points.
    """
    points = len(combinations)
    cube = combinations.T.reshape(1 << (FACTS - 1 - bit), 2, 1 << bit, points)
    parts = cube[:, 1].reshape(COMBINATIONS // 2, points)
    while len(parts) > 1:
        parts = parts[: len(parts) // 2] + parts[len(parts) // 2 :]
    return np.asarray(parts[0])


class SmoothedSums:
    """The probabilities that zliobaite2015's Algorithm 1 keeps: enough for the kappa family."""

    rounding = 0.0

    def __init__(self, table: Floats, k: int) -> None:
        self.k, self._points = k, len(table)
        self.accuracy = table[:, 0]
        self._true = table[:, 1 : k + 1]
        self._predicted = table[:, k + 1 : 2 * k + 1]
        self._stays = table[:, 2 * k + 1 :]
        self.shared: dict[str, Floats] = {}
        freeze(*vars(self).values())

    @property
    def chance(self) -> Floats:
        return np.asarray((self._true * self._predicted).sum(axis=1))

    def reference(self, name: str) -> Floats:
        if name != "Persistent":
            return np.full(self._points, np.nan)
        return np.asarray((self._true * self._stays).sum(axis=1))


def sums_of_confusions(
    confusions: Longs, hits: Longs, references: tuple[str, ...]
) -> ClassificationSums:
    """The sums of confusion matrices, one per point, with the references on the same rows.

    `hits`: the rows that each reference got right, the same for all points or one per point
    (references × points); see `hits_of`.
    """
    points, k = confusions.shape[:2]
    layout = SumsLayout(k, references)
    table = np.zeros((points, layout.counts))
    table[:, : layout.confusion] = confusions.reshape(points, -1)
    for r in range(len(references)):
        columns, bit = layout.combination(r)
        table[:, columns.start + (1 << bit)] = hits[r]  # which others were right is not known here
    return ClassificationSums(table, layout, confusions.sum(axis=(1, 2)).astype(np.float64))


def hits_of(confusions: Longs) -> Longs:
    """The rows that are right in each confusion matrix."""
    return np.asarray(confusions.diagonal(axis1=-2, axis2=-1).sum(axis=-1))


def _in_columns(cells: Floats, k: int) -> Floats:
    """The counts of many points, stored column by column if there are few classes.

    numpy then adds up a row of the confusion matrix by adding long columns, which is many times
    faster. It adds fewer than eight numbers in the same order either way, more in another.
    """
    return np.asfortranarray(cells) if k + 1 < _PAIRWISE else cells


def divide(above: Floats, below: Floats) -> Floats:
    """above / below; NaN where below is 0, since an undefined ratio is not 0."""
    zero = below == 0
    if np.count_nonzero(zero):
        below = np.where(zero, np.nan, below)
    return np.asarray(above / below)
