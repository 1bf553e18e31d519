"""What each scored row adds to the sums: cells to increment and values to add (semantics §3)."""

from __future__ import annotations

from typing import Final

import numpy as np

from streamgauge._support.jit import lean_kernel
from streamgauge._support.types import Codes, Floats, Longs
from streamgauge.measures.sums import COMBINATIONS, FACTS, HISTOGRAM_BINS, Outcomes

_FLOOR: Final = 1e-15  # smallest probability that log-loss uses


@lean_kernel
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
    groups = (references + FACTS) // FACTS
    first = k * (k + 1)
    missed_before = carry[0]
    for i in range(len(y)):
        true, predicted, right = y[i], predictions[0, i], int(outcome[i])
        missed = 1 - (right & 1)
        facts = (right >> 1) | ((missed_before & missed) << references)
        cells[i, 0] = true * (k + 1) + (predicted if predicted >= 0 else k)
        cells[i, 1] = first + (facts & (COMBINATIONS - 1))
        for group in range(1, groups):
            combination = (facts >> (FACTS * group)) & (COMBINATIONS - 1)
            cells[i, 1 + group] = first + COMBINATIONS * group + combination
        missed_before = missed
    carry[0] = missed_before


@lean_kernel
def encode_scores(
    y: Codes, probabilities: Floats, first_cell: int, cells: Codes, histograms: int, values: Floats
) -> None:
    """Write the histogram cells of each class's score; log-loss and Brier score as last values."""
    k = probabilities.shape[1]
    first_column = cells.shape[1] - histograms
    value = values.shape[1] - 2
    for i in range(len(y)):
        abstained = np.isnan(probabilities[i, 0])
        brier = 0.0
        for c in range(k):
            score = 1 / k if abstained else probabilities[i, c]
            brier += (score - (1.0 if c == y[i] else 0.0)) ** 2
            histogram = c if histograms == k else c - 1  # of two classes, only the second's score
            if histogram >= 0:
                cell = min(HISTOGRAM_BINS - 1, int(score * HISTOGRAM_BINS))
                own = HISTOGRAM_BINS if c == y[i] else 0
                start = first_cell + 2 * HISTOGRAM_BINS * histogram
                cells[i, first_column + histogram] = start + own + cell
        own_score = 1 / k if abstained else probabilities[i, y[i]]
        values[i, value] = -np.log(max(own_score, _FLOOR))
        values[i, value + 1] = brier


@lean_kernel
def count_confusions(y: Codes, predictions: Codes, confusions: Longs) -> None:
    """Add rows to one matrix per participant: true class × predicted class, abstention last."""
    k = confusions.shape[1]
    for i in range(len(y)):
        true = np.uint64(y[i])  # unsigned: numba need not ask whether it counts from the end
        for who in range(len(predictions)):
            predicted = predictions[who, i]
            confusions[who, true, np.uint64(predicted if predicted >= 0 else k)] += 1


@lean_kernel
def count_outcomes(y: Codes, outcomes: Codes, confusions: Longs) -> None:
    """Add rows with a prediction per bin (rows × bins) to one matrix per bin."""
    k = confusions.shape[1]
    for i in range(len(y)):
        for b in range(outcomes.shape[1]):
            predicted = outcomes[i, b]
            confusions[b, y[i], predicted if predicted >= 0 else k] += 1


@lean_kernel
def encode_targets(
    y: Floats, predicted: Floats, shift: float, cells: Codes, values: Floats
) -> None:
    """Cells: all rows, rows predicted, the dummy cell. Values: |e|, e², y - shift, its square."""
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


@lean_kernel
def add_common_losses(y: Floats, own: Floats, other: Floats, sums: Floats, saved: Floats) -> int:
    """Add rows that both have predicted to `sums`: rows, absolute losses of each.

    Returns how many there are; the other's loss minus the own is written to `saved`. An abstention
    has no loss.
    """
    n = 0
    for i in range(len(y)):
        loss, other_loss = abs(own[i] - y[i]), abs(other[i] - y[i])
        if np.isnan(loss) or np.isnan(other_loss):
            continue
        sums[0] += 1
        sums[1] += loss
        sums[2] += other_loss
        saved[n] = other_loss - loss
        n += 1
    return n
