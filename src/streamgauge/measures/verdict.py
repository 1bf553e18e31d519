"""The verdict: is the learner any better than the references? In words, with honest error bars.

Errors on streams come in runs, so the standard error is that of non-overlapping batch means of
length ⌊√n⌋ (semantics §4).
"""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, field
from typing import IO

import numpy as np

from streamgauge._support.jit import kernel
from streamgauge._support.types import Flags, Floats
from streamgauge.measures.batch_means import word_of, z_of
from streamgauge.measures.curves import Curve

_IN_MEMORY = 8 << 20
_CHUNK_ROWS = 1 << 20

PLAIN_WORDS = {
    "Persistent": "repeating the last label",
    "Transition": "guessing the usual successor of the last label",
    "Majority": "guessing the majority class",
    "Mean": "guessing the mean so far",
    "LastValue": "repeating the last value",
}


@kernel
def _add_hits(outcome: Flags, length: int, sums: Floats, carry: Floats, filled: int) -> int:
    """Sums of (learner right - reference right) of whole batches; how full the open one is."""
    batch = 0
    for i in range(len(outcome)):
        bits = int(outcome[i])
        for r in range(3):
            carry[r] += (bits & 1) - ((bits >> (r + 1)) & 1)
        filled += 1
        if filled == length:
            for r in range(3):
                sums[batch, r] = carry[r]
                carry[r] = 0.0
            batch += 1
            filled = 0
    return filled


class Spool:
    """What the verdict needs of each scored row, in order; beyond a few megabytes on disk.

    Batches are ⌊√n⌋ long and n is known only at the end, so the rows have to wait somewhere.
    """

    def __init__(self, references: int, regression: bool) -> None:
        self._file: tempfile.SpooledTemporaryFile[bytes] | None = None
        self._references = references
        self._regression = regression
        self._rows = 0

    def add_outcomes(self, outcome: Flags) -> None:
        """Of classified rows: bits as `LabelTally.add` gives them."""
        self._write(outcome.tobytes(), len(outcome))

    def add_differences(self, differences: Floats) -> None:
        """Of regressed rows: loss of each reference minus loss of the learner."""
        self._write(np.ascontiguousarray(differences).tobytes(), len(differences))

    def batch_means(self) -> Floats:
        """Mean difference to each reference (columns) in each whole batch (rows)."""
        length = math.isqrt(self._rows)
        if self._file is None or not length:
            return np.empty((0, self._references))
        self._file.seek(0)
        batches = _number_batches if self._regression else _hit_batches
        with self._file as file:
            return np.concatenate(batches(file, length, self._references)) / length

    def prepare(self) -> None:
        """Compile what the verdict will need."""
        nothing = np.zeros((0, self._references))
        _add_hits(np.frombuffer(b"", np.uint8), 1, nothing, np.zeros(self._references), 0)

    def _write(self, data: bytes, rows: int) -> None:
        if not rows:
            return
        if self._file is None:
            self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        self._file.write(data)
        self._rows += rows


def _hit_batches(file: IO[bytes], length: int, references: int) -> list[Floats]:
    parts, carry, filled = [], np.zeros(references), 0
    while data := file.read(_CHUNK_ROWS):
        sums = np.zeros(((filled + len(data)) // length, references))
        filled = _add_hits(np.frombuffer(data, np.uint8), length, sums, carry, filled)
        parts.append(sums)
    return parts


def _number_batches(file: IO[bytes], length: int, references: int) -> list[Floats]:
    parts = []
    size = length * references * 8
    while len(data := file.read(size)) == size:
        batch = np.frombuffer(data).reshape(length, references)
        parts.append(batch.sum(axis=0, keepdims=True))
    return parts


@dataclass(frozen=True)
class Against:
    """The learner against one reference. z > 0: the learner loses less."""

    reference: str
    learner_score: float
    reference_score: float
    z: float
    batches: int

    @property
    def word(self) -> str:
        """better, worse, no clear difference, too few rows to say."""
        return word_of(self.z, self.batches)


@dataclass(frozen=True)
class Verdict:
    """The answer in words; `str(verdict)` is the headline of every report."""

    learner: str
    against: tuple[Against, ...]  # the strongest reference first
    regression: bool = False
    plus_share: float = math.nan  # of the curve's defined points, kappa_plus > 0
    undefined_share: float = math.nan
    plus_forgetting: str = ""
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, reference: str) -> Against:
        return next(a for a in self.against if a.reference == reference)

    def __str__(self) -> str:
        lines = [self._sentence(a, i) for i, a in enumerate(self.against)]
        if not math.isnan(self.undefined_share):
            lines.append(self._share())
        return "\n".join([*lines, *self.notes])

    def _sentence(self, a: Against, place: int) -> str:
        subject = self.learner if place == 0 else "It"
        own, other = (score_text(s, self.regression) for s in (a.learner_score, a.reference_score))
        numbers = f"{a.reference}: {own} against {other}, z = {signed(a.z)}"
        ending = f"{PLAIN_WORDS[a.reference]} ({numbers})."
        match a.word:
            case "too few rows to say":
                return f"{subject} against {ending[:-1]}: too few rows to say."
            case "no clear difference":
                return f"{subject} shows no clear difference to {ending}"
            case word:
                return f"{subject} is {word} than {ending}"

    def _share(self) -> str:
        if math.isnan(self.plus_share):
            return f"kappa_plus is undefined on the whole stream ({self.plus_forgetting})."
        hole = f", undefined on {self.undefined_share:.0%}" if self.undefined_share else ""
        return (
            f"kappa_plus > 0 on {self.plus_share:.0%} of the stream ({self.plus_forgetting}{hole})."
        )


def signed(z: float) -> str:
    """A z value as people write it."""
    return "undefined" if math.isnan(z) else f"{z:+.1f}".replace("-", "−")


def score_text(value: float, regression: bool) -> str:
    """An accuracy in per cent, or a mean absolute error."""
    if math.isnan(value):
        return "undefined"
    if regression:
        return f"MAE {value:.4g}"
    digits = 1
    while value < 1 and f"{value:.{digits}%}".startswith("100") and digits < 6:
        digits += 1  # 99.99 % is not 100 %
    return f"{value:.{digits}%}".replace("%", " %")


def judge(
    learner: str,
    spool: Spool,
    scores: dict[str, tuple[float, float]],
    curve: Curve,
    regression: bool,
    remedy: str,
) -> Verdict:
    """Put the verdict together. `scores`: of each reference, in the spool's order, the learner's
    score and its own (accuracy, or mean absolute error). `remedy`: what may help where the order
    of the labels matters."""
    means = spool.batch_means()
    against = [
        Against(name, own, other, z_of(means[:, i]), len(means))
        for i, (name, (own, other)) in enumerate(scores.items())
    ]
    strongest = sorted(
        against,
        key=lambda a: (
            a.reference_score if regression else -a.reference_score,
            a.reference != "Persistent",
        ),
    )
    if regression:
        return Verdict(learner, tuple(strongest), regression=True)
    share, holes, under = _plus_share(curve)
    notes = _notes(tuple(strongest), remedy)
    return Verdict(learner, tuple(strongest), False, share, holes, under, notes)


def _plus_share(curve: Curve) -> tuple[float, float, str]:
    """Where kappa_plus > 0, under the first forgetting that forgets: a share of the stream."""
    if not len(curve) or "kappa_plus" not in curve.metrics:
        return math.nan, math.nan, ""
    forgetful = [f for f in curve.forgettings if f != "Cumulative()"]
    under = (forgetful or list(curve.forgettings))[0]
    plus = curve["kappa_plus", under]
    defined = plus[~np.isnan(plus)]
    share = float((defined > 0).mean()) if len(defined) else math.nan
    return share, 1 - len(defined) / len(plus), under


def _notes(strongest: tuple[Against, ...], remedy: str) -> tuple[str, ...]:
    """What to do about it."""
    by_name = {a.reference: a for a in strongest}
    best, majority = strongest[0], by_name["Majority"]
    order_matters = best.reference != "Majority" and (
        best.reference_score > majority.reference_score
    )
    if order_matters and best.word == "worse":
        return (
            "The order of the labels carries information here that this learner does not use: "
            f"{remedy}.",
        )
    return ()
