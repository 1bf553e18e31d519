"""What a scored row adds to the sums, and the sums by name (semantics §3).

A classified row adds one to two cells: its place in the confusion table, and the combination of
which references were right and whether it is the second error in a row. With cost or probabilities
asked for, it also adds values (cost, log-loss, Brier) and its scores' histogram cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import Codes, Flags, Floats, Longs

REFERENCES = ("Majority", "Persistent", "Transition")
BINS = 256
_LABEL_CELLS = 2
_COMBINATIONS = 16  # a bit for each reference that was right, a bit for a second error in a row
_PAIR = 8
_RIGHT = (np.arange(_COMBINATIONS)[:, None] >> np.arange(len(REFERENCES)) & 1).astype(np.float64)
_FLOOR = 1e-15  # log-loss counts no probability as smaller than this


@dataclass(frozen=True)
class Layout:
    """Where each sum stands: confusion[k, k + 1] combinations[16] [scores] nowhere, then values
    [cost] [log-loss, Brier]. An abstention is the confusion table's last column."""

    k: int
    cost: bool = False
    probabilities: bool = False

    @property
    def confusion(self) -> int:
        return self.k * (self.k + 1)

    @property
    def first_score(self) -> int:
        return self.confusion + _COMBINATIONS

    @property
    def scored(self) -> int:
        """How many classes have a score histogram: of two, one says it all."""
        return 0 if not self.probabilities else 1 if self.k == 2 else self.k

    @property
    def counts(self) -> int:
        return self.first_score + 2 * BINS * self.scored + 1

    @property
    def cells(self) -> int:
        return _LABEL_CELLS + self.scored

    @property
    def values(self) -> int:
        return int(self.cost) + 2 * int(self.probabilities)


@kernel
def encode_answers(
    y: Codes, answers: Codes, k: int, carry: Longs, cells: Codes, outcome: Flags
) -> None:
    """Cells of each row, and its outcome as bits: the learner right, each reference right.

    `answers`: of the learner, then of the three references.
    """
    missed_before = carry[0]
    for i in range(len(y)):
        true, guess = y[i], answers[0, i]
        missed = 1 if true != guess else 0
        bits = 0
        for r in range(3):
            bits |= (1 << r) if answers[1 + r, i] == true else 0
        cells[i, 0] = true * (k + 1) + (guess if guess >= 0 else k)
        cells[i, 1] = k * (k + 1) + bits + _PAIR * (missed_before & missed)
        outcome[i] = (1 - missed) | (bits << 1)
        missed_before = missed
    carry[0] = missed_before


@kernel
def encode_scores(
    y: Codes, probabilities: Floats, first_cell: int, cells: Codes, values: Floats
) -> None:
    """Histogram cells of each class's score; log-loss and Brier score as the last two values."""
    k = probabilities.shape[1]
    scored = cells.shape[1] - _LABEL_CELLS
    column = values.shape[1] - 2
    for i in range(len(y)):
        asked = probabilities[i]
        abstained = np.isnan(asked[0])
        brier = 0.0
        for c in range(k):
            score = 1 / k if abstained else asked[c]
            brier += (score - (1.0 if c == y[i] else 0.0)) ** 2
            histogram = c if scored == k else c - 1  # of two classes the second's score
            if histogram >= 0:
                cell = min(BINS - 1, int(score * BINS))
                own = BINS if c == y[i] else 0
                cells[i, _LABEL_CELLS + histogram] = first_cell + 2 * BINS * histogram + own + cell
        own_score = 1 / k if abstained else asked[y[i]]
        values[i, column] = -np.log(max(own_score, _FLOOR))
        values[i, column + 1] = brier


@kernel
def count_confusions(y: Codes, answers: Codes, confusions: Longs) -> None:
    """Add rows to a table per answerer: true class by predicted class, abstention last."""
    k = confusions.shape[1]
    for i in range(len(y)):
        for who in range(len(answers)):
            guess = answers[who, i]
            confusions[who, y[i], guess if guess >= 0 else k] += 1


@kernel
def count_outcomes(y: Codes, outcomes: Codes, confusions: Longs) -> None:
    """Add rows with an answer per bin (rows × bins) to a table per bin."""
    k = confusions.shape[1]
    for i in range(len(y)):
        for b in range(outcomes.shape[1]):
            guess = outcomes[i, b]
            confusions[b, y[i], guess if guess >= 0 else k] += 1


@kernel
def encode_numbers(
    y: Floats, predicted: Floats, shift: float, cells: Codes, values: Floats
) -> None:
    """Regression: cells all, predicted, nowhere; values |e|, e², y - shift, its square."""
    for i in range(len(y)):
        made = not np.isnan(predicted[i])
        cells[i, 0] = 0
        cells[i, 1] = 1 if made else 2
        error = predicted[i] - y[i] if made else 0.0
        level = y[i] - shift if made else 0.0
        values[i, 0] = abs(error)
        values[i, 1] = error * error
        values[i, 2] = level
        values[i, 3] = level * level


class LabelSums:
    """Sums of classified rows at many points at once; `size` is the effective sample size."""

    # Shares closer than this differ by the rounding of faded sums: they are equal. Without it a
    # classifier that *is* the reference would show kappa_plus > 0 on half the stream.
    rounding = 1e-12

    def __init__(self, table: Floats, layout: Layout, size: Floats) -> None:
        k, counts = layout.k, layout.counts
        self.k, self.size = k, size
        confusion = table[:, : layout.confusion].reshape(len(table), k, k + 1)
        self.true = confusion.sum(axis=2)
        self.predicted = confusion[:, :, :k].sum(axis=1)
        self.hit = confusion.diagonal(axis1=1, axis2=2)
        combinations = table[:, layout.confusion : layout.first_score]
        self._reference_hits = combinations @ _RIGHT
        self.error_pairs = combinations[:, _PAIR:].sum(axis=1)
        self.histograms = table[:, layout.first_score : counts - 1].reshape(
            len(table), layout.scored, 2, BINS
        )
        self.cost = table[:, counts] if layout.cost else None
        self.log_loss = table[:, -2] if layout.probabilities else None
        self.brier = table[:, -1] if layout.probabilities else None
        self.n = self.true.sum(axis=1)
        self.shared: dict[str, Floats] = {}  # what several metrics are made of

    @cached_property
    def accuracy(self) -> Floats:
        return divide(self.hit.sum(axis=1), self.n)

    @cached_property
    def chance(self) -> Floats:
        """p_ran: the accuracy of a guesser with the learner's own class frequencies."""
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
        """The accuracy of a reference on the same rows, same forgetting."""
        return self._references[:, REFERENCES.index(name)]

    @cached_property
    def _references(self) -> Floats:
        return divide(self._reference_hits, self.n[:, None])


class SmoothedSums:
    """The probabilities zliobaite2015's Algorithm 1 keeps; they give the kappa family alone."""

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


class NumberSums:
    """Sums of regressed rows at many points at once."""

    COUNTS, CELLS, VALUES = 3, 2, 4

    def __init__(self, table: Floats) -> None:
        self.n, self.made = table[:, 0], table[:, 1]
        self.absolute, self.squared, self.level, self.level_squared = table[:, 3:].T


def sums_of_confusions(confusions: Longs, references: Longs) -> LabelSums:
    """The sums in confusion tables, a point each, beside those of the three references on the same
    rows: a table each for all points, or one a point (references × points × k × (k + 1))."""
    points, k = confusions.shape[:2]
    layout = Layout(k)
    table = np.zeros((points, layout.counts))
    table[:, : layout.confusion] = confusions.reshape(points, -1)
    for r, hits in enumerate(references.diagonal(axis1=-2, axis2=-1).sum(axis=-1)):
        table[:, layout.confusion + (1 << r)] = hits  # whoever else was right is not told apart
    return LabelSums(table, layout, confusions.sum(axis=(1, 2)).astype(np.float64))


def divide(above: Floats, below: Floats) -> Floats:
    """above / below, NaN where below is 0: undefined is never 0."""
    return np.asarray(above / np.where(below == 0, np.nan, below))
