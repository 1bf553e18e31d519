"""The verdict in words: whether the learner is better than the references (semantics §4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.printable import printed
from streamgauge.measures.batch_means import CONFIDENCE, BatchMeansTest, Word
from streamgauge.measures.curves import Curve
from streamgauge.measures.forgetting import Cumulative, keeps_sums
from streamgauge.measures.reference import Reference
from streamgauge.rendering.plain_values import Number, plain
from streamgauge.rendering.units import percent
from streamgauge.rendering.words import about_rows, join_words, sentence

_ORDER_INFORMS = "The order of the labels carries information here that this learner does not use"
_ORDER_GAVE_MORE = (
    "On these rows the order of the labels alone gave more correct predictions than this learner"
)
_SAME = 0.01  # of a standard error: tests that differ by less are of almost the same predictions


@dataclass(frozen=True)
class ScorePair:
    """The scores that a verdict compares: the learner's and a reference's on the same rows.

    They are accuracies, or in regression mean absolute errors. `test`: of loss(reference) −
    loss(learner). `order`: of loss(best reference without the label order) −
    loss(this one), if this one uses it.
    """

    reference: Reference
    learner: float
    other: float
    test: BatchMeansTest
    order: BatchMeansTest | None = None


@dataclass(frozen=True)
class Against:
    """The learner against one reference; t > 0 favours the learner.

    `word` allows for all references of the verdict (Holm), `test.word` for this one alone. The
    interval of the effect, from `low` to `high`, excludes 0 where `word` is better or worse.
    """

    reference: str
    learner_score: Number
    reference_score: Number
    test: BatchMeansTest
    word: Word
    low: Number = math.nan
    high: Number = math.nan
    phrase: str = ""  # what the reference does, for a sentence: "repeating the last label"

    @property
    def effect(self) -> float:
        """By how much the learner is better by the test, which uses whole batches of rows only."""
        return self.test.mean

    @property
    def t(self) -> float:
        """Student's t of the batch means."""
        return self.test.t

    def lead(self, regression: bool) -> int:
        """On these rows: 1 if the learner scored better than the reference, -1 if worse, 0."""
        own, other = self.learner_score, self.reference_score
        return (int(own > other) - int(own < other)) * (-1 if regression else 1)


@dataclass(frozen=True)
class Verdict:
    """The answer in words; `str(verdict)` is the headline of every report."""

    learner: str
    against: tuple[Against, ...]  # the strongest reference first
    regression: bool = False
    # Of the points of one curve: where kappa_plus > 0, of those where it is defined; where it is
    # undefined; and the forgetting of that curve.
    kappa_plus_share: Number = math.nan
    kappa_plus_undefined_share: Number = math.nan
    kappa_plus_forgetting: str = ""
    notes: tuple[str, ...] = field(default=())
    predicted: bool = True  # False if neither the learner nor a reference predicted any row
    # What may help a learner that ignores the order of the labels, where that order gave more; and
    # whether the strongest reference is better by its use of the order, beyond chance.
    remedy: str = ""
    order_informs: bool = False

    def __getitem__(self, reference: str) -> Against:
        by_name = {each.reference: each for each in self.against}
        if reference not in by_name:
            raise UsageError(
                f"no reference {reference!r}{did_you_mean(str(reference), by_name)}; the verdict "
                f"is against {', '.join(by_name) or 'none'}"
            )
        return by_name[reference]

    @property
    def same_predictions(self) -> tuple[tuple[Against, ...], ...]:
        """The references, the strongest first; those that predicted the same are together."""
        groups: dict[object, list[Against]] = {}
        for each in self.against:
            test = each.test
            known = test.batches > 0
            key = (each.reference_score, test.mean, test.standard_error, test.parts)
            groups.setdefault(key if known else each.reference, []).append(each)
        return tuple(map(tuple, groups.values()))

    @property
    def advice(self) -> str:
        """The remedy as a sentence; empty unless the order of the labels informs."""
        return sentence(self.remedy) if self.order_informs else ""

    def lasting(self, rows: int) -> Verdict:
        """The verdict for who looks again and again: its words hold at all looks together.

        Each reference has its share of the error (Bonferroni), and an interval that holds at every
        look from 2,000 rows on.
        """
        level = 1 - (1 - CONFIDENCE) / max(1, len(self.against))
        against = (
            replace(
                each,
                word=each.test.lasting_word(rows, level),
                **each.test.lasting(rows, level)._asdict(),
            )
            for each in self.against
        )
        return replace(self, against=tuple(against))

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain values, with its text."""
        return {"text": str(self), **plain(self)}

    @printed
    def __str__(self) -> str:
        if not self.predicted:
            nothing = (
                "No label came before the last prediction, so there is nothing to compare: the "
                "references made no prediction either."
            )
            return "\n".join([nothing, *self.notes])
        # References of which the same is said share a sentence: if labels are immediate, Seasonal
        # often repeats the last label, as Persistent does.
        groups = [list(group) for _, group in groupby(self.against, self._said)]
        words = [group[0].word for group in groups]
        lines = [
            self._sentence(group, self.learner if i == 0 else "It", "open" not in words[:i])
            for i, group in enumerate(groups)
        ]
        if not math.isnan(self.kappa_plus_undefined_share):
            lines.append(self._share())
        if self.remedy:
            informs = self.order_informs and self.against[0].word == "worse"
            why = _ORDER_INFORMS if informs else _ORDER_GAVE_MORE
            lines.append(f"{why}: {self.remedy}.")
        return "\n".join([*lines, *self.notes])

    def _said(self, a: Against) -> tuple[str, str, str]:
        """What a sentence says of a reference, except which one it is."""
        return a.word, self._numbers(a), self._why_open(a) if a.word == "open" else ""

    def _numbers(self, a: Against) -> str:
        """Both scores, and the effect with its interval."""
        own, other = (score_text(s, self.regression) for s in (a.learner_score, a.reference_score))
        scores = f"{own} against {other}"
        if not a.test.standard_error > 0:
            return f"{scores}, {a.test.t_text}" if a.test.batches else scores
        ahead = a.learner_score - a.reference_score  # of all rows, as the scores
        effect = -ahead if self.regression else ahead
        return f"{scores}, {effect_text(effect, a.low, a.high, self.regression)}"

    def _sentence(self, group: Sequence[Against], subject: str, explained: bool) -> str:
        a, numbers = group[0], self._numbers(group[0])
        if len(group) > 1:
            phrase = join_words([_described(each) for each in group])
        else:
            phrase = a.phrase or a.reference
            numbers = f"{a.reference}: {numbers}" if a.phrase else numbers
        match a.word:
            case "open":
                return self._open(a, subject, phrase, numbers, explained)
            case "too few rows to say":
                claim = f"Too few rows to compare {_inside(subject)} with {phrase}"
            case "no clear difference":
                claim = f"{subject} shows no clear difference from {phrase}"
            case "equal":
                claim = f"{subject} is equal to {phrase}"
            case word:
                claim = f"{subject} is {word} than {phrase}"
        claim = f"{claim}: {numbers}" if len(group) > 1 else f"{claim} ({numbers})"
        return f"{claim}{self._recently(a)}."

    def _recently(self, a: Against) -> str:
        """A clause on the last quarter of the rows, if it says the opposite of those before."""
        if a.test.recent not in ("better", "worse") or a.test.recent == a.word:
            return ""
        return (
            f"; lately, on the last {a.test.recent_rows:,} rows, it is {a.test.recent}, by "
            f"{amount_text(abs(a.test.recent_mean), self.regression)}"
        )

    def _open(self, a: Against, subject: str, phrase: str, numbers: str, explained: bool) -> str:
        """What happened on these rows, and why that is all they show."""
        if self.regression:
            compared = (
                "had the same error as",
                "had a smaller error than",
                "had a larger error than",
            )
        else:
            compared = ("was as accurate as", "was more accurate than", "was less accurate than")
        lead = a.lead(self.regression)
        parts = f", {a.test.parts_text(lead)}" if lead else ""
        fact = f"{compared[lead]} {phrase} on these rows ({numbers}{parts})"
        why = self._why_open(a)
        if explained:
            return (
                f"Open: {_inside(subject)} {fact}; {why}, so these rows do not show whether that "
                f"would hold on more of the same{self._recently(a)}."
            )
        return f"Also open: {_inside(subject)} {fact}; {why}{self._recently(a)}."

    def _why_open(self, a: Against) -> str:
        if a.test.by_few_rows:
            return f"{about_rows(round(a.test.effective))} with large errors outweigh all others"
        if a.test.dependent:
            rows = about_rows(a.test.dependence)
            return f"the errors depend on each other over {rows} or more"
        return "the errors may depend on each other over long stretches"

    def _share(self) -> str:
        share, undefined = self.kappa_plus_share, self.kappa_plus_undefined_share
        under = self.kappa_plus_forgetting
        if math.isnan(share):
            return f"kappa_plus is undefined on the whole stream ({under})."
        hole = f", undefined on {undefined:.0%}" if undefined else ""
        return f"kappa_plus > 0 on {share:.0%} of the stream ({under}{hole})."


def effect_text(mean: float, low: float, high: float, regression: bool) -> str:
    """An effect with its interval.

    >>> effect_text(0.0234, -0.004, 0.05, False), effect_text(0.5, 0.25, 0.75, True)
    ('+2.3 points, −0.4 to 5.0', '+0.5, 0.25 to 0.75')
    """
    if regression:
        shown = [f"{mean:+.3g}", f"{low:.3g}", f"{high:.3g}"]
        unit = ""
    else:
        digits = 1 if max(abs(low), abs(high)) >= 0.001 else 3
        shown = [f"{100 * mean:+.{digits}f}", *(f"{100 * x:.{digits}f}" for x in (low, high))]
        unit = " points"
    effect, least, most = (text.replace("-", "−") for text in shown)
    return f"{effect}{unit}, {least} to {most}"


def effect_amount(against: Against, regression: bool) -> str:
    """An effect as it stands in a table, with half the width of its interval: +2.3 ± 3.3."""
    ahead = against.learner_score - against.reference_score
    if math.isnan(ahead):
        return ""
    reach = (against.high - against.low) / 2
    if regression:
        shown, spread = f"{-ahead:+.3g}", f"{reach:.2g}"
    else:
        digits = 1 if not reach < 0.001 or abs(ahead) >= 0.001 else 2
        shown, spread = f"{100 * ahead:+.{digits}f}", f"{100 * reach:.{digits}f}"
    valid = against.test.standard_error > 0 and not against.test.by_few_rows
    known = math.isfinite(reach) and valid
    return f"{shown} ± {spread}".replace("-", "−") if known else shown.replace("-", "−")


def amount_text(value: float, regression: bool) -> str:
    """A difference without its sign.

    >>> amount_text(0.0234, False), amount_text(0.5, True)
    ('2.3 points', '0.5')
    """
    return f"{value:.3g}" if regression else f"{100 * value:.1f} points"


def holm_words(
    tests: Sequence[BatchMeansTest], confidence: float = CONFIDENCE
) -> list[tuple[Word, float]]:
    """The word of each of several tests, and the level of its interval: all hold together.

    Holm's rule: of k tests, the one with the smallest p is made at (1 − confidence) / k, the next
    at one less, until one does not decide; those after it do not, and have its level. References
    that predict the same, or almost, count once.
    """
    tested = sorted({test for test in tests if test.batches}, key=lambda test: test.p)
    groups: list[list[BatchMeansTest]] = []
    for test in tested:
        if groups and _almost_the_same(groups[-1][-1], test):
            groups[-1].append(test)
        else:
            groups.append([test])
    found: dict[BatchMeansTest, tuple[Word, float]] = {}
    stopped = False
    level = confidence
    for place, group in enumerate(groups):
        if not stopped:
            level = 1 - (1 - confidence) / (len(groups) - place)
        for test in group:
            stopped |= test.p >= 1 - level
            found[test] = test.undecided if stopped else test.word, level
    return [found.get(test, (test.word, confidence)) for test in tests]


def _almost_the_same(one: BatchMeansTest, other: BatchMeansTest) -> bool:
    """Whether mean and standard error of two tests differ by at most 1 % of the latter."""
    least = _SAME * min(one.standard_error, other.standard_error)
    apart = abs(one.mean - other.mean), abs(one.standard_error - other.standard_error)
    return max(apart) <= least


def _described(a: Against) -> str:
    return f"{a.phrase} ({a.reference})" if a.phrase else a.reference


def _inside(subject: str) -> str:
    """The subject of a sentence where it does not begin it."""
    return "it" if subject == "It" else subject


def score_text(value: float, regression: bool) -> str:
    """An accuracy in per cent, or a mean absolute error."""
    if math.isnan(value):
        return "undefined"
    return f"MAE {value:.4g}" if regression else percent(value)


def judge(
    learner: str,
    scores: Sequence[ScorePair],
    curve: Curve,
    regression: bool,
    remedy: str,
) -> Verdict:
    """Make the verdict; `remedy`: what may help a learner that ignores the order of the labels."""
    words = holm_words([score.test for score in scores])
    against = [
        Against(
            score.reference.name, score.learner, score.other, score.test, word,
            *score.test.interval(level), score.reference.phrase,
        )
        for score, (word, level) in zip(scores, words, strict=True)
    ]  # fmt: skip
    references = {score.reference.name: score.reference for score in scores}
    strongest = tuple(
        sorted(
            against,
            key=lambda a: (
                a.reference_score if regression else -a.reference_score,
                references[a.reference].tie_rank,
            ),
        )
    )
    if regression:
        return Verdict(learner, strongest, regression=True, notes=_own_notes(references))
    share, undefined, under = _plus_share(curve)
    informs = {each.reference.name for each in scores if each.order and each.order.word == "better"}
    needed = _needs_order(strongest, references)
    return Verdict(
        learner, strongest, False, share, undefined, under, _own_notes(references),
        remedy=remedy if needed else "",
        order_informs=needed and strongest[0].reference in informs,
    )  # fmt: skip


def _plus_share(curve: Curve) -> tuple[float, float, str]:
    """Fraction of the stream with kappa_plus > 0, under the first non-cumulative forgetting.

    Algorithm 1 of zliobaite2015 is not used: it may have the wrong sign.
    """
    usable = [f for f in curve.forget if keeps_sums(f)]
    if not len(curve) or "kappa_plus" not in curve.metrics or not usable:
        return math.nan, math.nan, ""
    under = next((f for f in usable if f != Cumulative()), usable[0])
    plus = curve["kappa_plus", under]
    defined = plus[~np.isnan(plus)]
    share = float((defined > 0).mean()) if len(defined) else math.nan
    return share, 1 - len(defined) / len(plus), repr(under)


def _needs_order(strongest: tuple[Against, ...], references: dict[str, Reference]) -> bool:
    """Whether the order of the labels gave more than the learner, which does not use it."""
    best = strongest[0]
    orderless = [
        a.reference_score for a in strongest if not references[a.reference].uses_label_order
    ]
    order_matters = references[best.reference].uses_label_order and all(
        best.reference_score > score for score in orderless
    )
    return order_matters and best.lead(regression=False) < 0 and best.word in ("worse", "open")


def _own_notes(references: dict[str, Reference]) -> tuple[str, ...]:
    """What the references themselves have to say."""
    return tuple(reference.note for reference in references.values() if reference.note)
