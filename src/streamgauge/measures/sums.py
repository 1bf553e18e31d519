"""The sums of a classifier: what each scored row adds, and the sums by name (semantics §3).

A row adds one to a few cells: its cell of the confusion matrix, and combinations of four yes-or-no
facts (whether each reference is right, whether this is the second error in a row). If cost or
probabilities are needed, it also adds values (cost, log-loss, Brier) and histogram cells of its
scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Floats, Longs

HISTOGRAM_BINS: Final = 256
_FACTS: Final = 5  # yes-or-no facts that one combination cell holds
_COMBINATIONS: Final = 1 << _FACTS
_PAIRWISE: Final = 8  # from so many numbers on, numpy adds up neighbours in memory pairwise
_FLOOR: Final = 1e-15  # smallest probability that log-loss uses

Outcomes = npt.NDArray[np.unsignedinteger]  # per row, as bits: learner right, each reference right


@dataclass(frozen=True)
class Layout:
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
        return -(-(len(self.references) + 1) // _FACTS)

    @property
    def first_score(self) -> int:
        return self.confusion + _COMBINATIONS * self.groups

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
        start = self.confusion + _COMBINATIONS * (fact // _FACTS)
        return slice(start, start + _COMBINATIONS), fact % _FACTS


@kernel
def encode_predictions(
    y: Codes, predictions: Codes, k: int, carry: Longs, cells: Codes, outcome: Outcomes
) -> None:
    """Write each row's cells, and its outcome as bits: the learner right, each reference right.

    `predictions` are the learner's, then each reference's. `carry` says whether the previous row
    was an error.
    """
    references = len(predictions) - 1
    for who in range(references + 1):  # a pass each: the processor compares many rows at once
        for i in range(len(y)):
            right = (1 if predictions[who, i] == y[i] else 0) << who
            outcome[i] = right if who == 0 else outcome[i] | right
    groups = (references + _FACTS) // _FACTS
    first = k * (k + 1)
    missed_before = carry[0]
    for i in range(len(y)):
        true, predicted, right = y[i], predictions[0, i], int(outcome[i])
        missed = 1 - (right & 1)
        facts = (right >> 1) | ((missed_before & missed) << references)
        cells[i, 0] = true * (k + 1) + (predicted if predicted >= 0 else k)
        cells[i, 1] = first + (facts & (_COMBINATIONS - 1))
        for group in range(1, groups):
            combination = (facts >> (_FACTS * group)) & (_COMBINATIONS - 1)
            cells[i, 1 + group] = first + _COMBINATIONS * group + combination
        missed_before = missed
    carry[0] = missed_before


@kernel
def encode_scores(
    y: Codes, probabilities: Floats, first_cell: int, cells: Codes, histograms: int, values: Floats
) -> None:
    """Write the histogram cells of each class's score; log-loss and Brier score as last values."""
    k = probabilities.shape[1]
    first_column = cells.shape[1] - histograms
    value = values.shape[1] - 2
    for i in range(len(y)):
        scores = probabilities[i]
        abstained = np.isnan(scores[0])
        brier = 0.0
        for c in range(k):
            score = 1 / k if abstained else scores[c]
            brier += (score - (1.0 if c == y[i] else 0.0)) ** 2
            histogram = c if histograms == k else c - 1  # of two classes, only the second's score
            if histogram >= 0:
                cell = min(HISTOGRAM_BINS - 1, int(score * HISTOGRAM_BINS))
                own = HISTOGRAM_BINS if c == y[i] else 0
                start = first_cell + 2 * HISTOGRAM_BINS * histogram
                cells[i, first_column + histogram] = start + own + cell
        own_score = 1 / k if abstained else scores[y[i]]
        values[i, value] = -np.log(max(own_score, _FLOOR))
        values[i, value + 1] = brier


@kernel
def count_confusions(y: Codes, predictions: Codes, confusions: Longs) -> None:
    """Add rows to one matrix per participant: true class × predicted class, abstention last."""
    k = confusions.shape[1]
    for i in range(len(y)):
        true = np.uint64(y[i])  # unsigned: numba need not ask whether it counts from the end
        for who in range(len(predictions)):
            predicted = predictions[who, i]
            confusions[who, true, np.uint64(predicted if predicted >= 0 else k)] += 1


@kernel
def count_outcomes(y: Codes, outcomes: Codes, confusions: Longs) -> None:
    """Add rows with a prediction per bin (rows × bins) to one matrix per bin."""
    k = confusions.shape[1]
    for i in range(len(y)):
        for b in range(outcomes.shape[1]):
            predicted = outcomes[i, b]
            confusions[b, y[i], predicted if predicted >= 0 else k] += 1


class ClassificationSums:
    """Sums of scored rows at many points at once; `size` is the effective sample size."""

    # Rates closer than this differ only by rounding of faded sums and count as equal. Otherwise a
    # classifier that *is* the reference would have kappa_plus > 0 on half the stream.
    rounding = 1e-12

    def __init__(self, table: Floats, layout: Layout, size: Floats) -> None:
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

    @cached_property
    def error_pairs(self) -> Floats:
        """Rows that are the second error in a row."""
        columns, bit = self._layout.combination(len(self._layout.references))
        points, half = len(self._cells), _COMBINATIONS >> 1
        cells = self._cells[:, columns].reshape(points, half >> bit, 2, 1 << bit)
        return np.asarray(np.ascontiguousarray(cells[:, :, 1]).reshape(points, half).sum(axis=1))

    @cached_property
    def made(self) -> Floats:
        """Rows with a prediction."""
        return np.asarray(self.predicted.sum(axis=1))

    @cached_property
    def accuracy(self) -> Floats:
        return divide(self.hit.sum(axis=1), self.n)

    @cached_property
    def chance(self) -> Floats:
        """p_ran: the accuracy of random guesses with the learner's own class frequencies."""
        return divide((self.true * self.predicted).sum(axis=1), self.n**2)

    @cached_property
    def recall(self) -> Floats:
        return divide(self.hit, self.true)

    @cached_property
    def precision(self) -> Floats:
        return divide(self.hit, self.predicted)

    @cached_property
    def f1(self) -> Floats:
        return divide(2 * self.hit, self.true + self.predicted)

    def reference(self, name: str) -> Floats:
        """The accuracy of a reference on the same rows, under the same forgetting."""
        return self._reference_accuracy[:, self._layout.references.index(name)]

    @cached_property
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
    cube = combinations.T.reshape(1 << (_FACTS - 1 - bit), 2, 1 << bit, points)
    parts = cube[:, 1].reshape(_COMBINATIONS // 2, points)
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
    layout = Layout(k, references)
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
