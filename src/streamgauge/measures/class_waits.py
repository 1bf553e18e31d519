"""Do labels of some classes take longer than others? Tested on the ranks of the waits (§7)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from streamgauge._support.printable import printable
from streamgauge._support.types import Codes, Floats, Label, Longs, Mask
from streamgauge.measures.batch_means import batch_means_test
from streamgauge.rendering.plain_values import Number
from streamgauge.rendering.words import signed_text

_SIGNIFICANCE = 0.01  # of all classes together
_WORDS = {"better": "longer", "worse": "shorter"}


_VERBS = {"longer": "take longer", "shorter": "come sooner"}


@dataclass(frozen=True)
class ClassWaits:
    """How long labels of one class take to come, against those of all other classes."""

    rows: int
    median: Number  # of the waits, in the stream's unit; NaN without rows
    longer: Number  # probability to take longer than a label of another class, ties counted half
    word: str  # "longer", "shorter", or that the rows do not show it
    t: Number
    batches: int

    @property
    def decided(self) -> bool:
        """Whether the class clearly waits longer or shorter than the others."""
        return self.word in _VERBS


def extremes(classes: Sequence[ClassWaits]) -> list[int]:
    """The class that most clearly waits longer than others, and that which waits shorter."""
    found = [i for i, each in enumerate(classes) if each.decided]
    found.sort(key=lambda i: -classes[i].longer)
    return found[:1] if len(classes) == 2 else found[:1] + found[1:][-1:]


def extremes_text(names: Sequence[Label], classes: Sequence[ClassWaits]) -> str:
    """A clause about the extremes: "labels of late take longer than others …"; "" without any."""
    return " and ".join(
        f"labels of {printable(str(names[i]))} {_VERBS[each.word]} than others with probability "
        f"{max(each.longer, 1 - each.longer):.2f} (t = {signed_text(each.t)})"
        for i in extremes(classes)
        for each in [classes[i]]
    )


def class_waits(waits: Longs, y: Codes, k: int) -> tuple[ClassWaits, ...]:
    """Test for each of k classes whether its waits are longer than those of the others.

    The rows are in order of arrival. The level of all classes together is 1 %.
    """
    order = ranks(waits)
    # For two classes one test mirrors the other.
    confidence = 1 - _SIGNIFICANCE / (k if k > 2 else 1)
    return tuple(_class_waits(waits, order, y == code, confidence) for code in range(k))


def ranks(waits: Longs) -> Floats:
    """The rank of each wait, from 0 to 1; equal waits share the mean of their ranks."""
    _, place, counts = np.unique(waits, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    return np.asarray(middle[place] / max(1, len(waits)))


def _class_waits(waits: Longs, order: Floats, own: Mask, confidence: float) -> ClassWaits:
    rows, share = int(own.sum()), float(own.mean()) if len(own) else math.nan
    median = float(np.median(waits[own])) if rows else math.nan
    if not 0 < rows < len(own):
        return ClassWaits(rows, median, math.nan, "no clear difference", math.nan, 0)
    # Its mean is the difference between the mean ranks: P(longer) − 1/2.
    differences = (own - share) * (order - 0.5) / (share * (1 - share))
    test = batch_means_test(differences, confidence)
    longer = 0.5 + float(differences.mean())
    word = _WORDS.get(test.word, test.word)
    return ClassWaits(rows, median, longer, word, test.t, test.batches)
