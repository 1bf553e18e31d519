"""Advice of a profile in words: the reference to beat, the value of the order, window sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.inspection._lags import Peak
from streamgauge.inspection._waits_text import advise_on_waits
from streamgauge.learners.references import defaults
from streamgauge.learners.references.seasonal import MAX_LAG, earlier
from streamgauge.measures import sample_size
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.words import join_words, plural

if TYPE_CHECKING:
    from streamgauge.inspection.profile import Profile

_PHRASES = {
    reference.name: reference.phrase
    for reference in (*defaults.CLASSIFICATION, *defaults.REGRESSION)
}
_RECALL_WIDTH = 0.05  # wanted half-width of a class's recall
_SHARE_WIDTH = 0.01
_NEGLIGIBLE = 0.01  # rows of a smaller weight under fading do not matter
_CYCLE = 0.9  # a season of at least this autocorrelation is a cycle


@dataclass(frozen=True)
class WindowAdvice:
    """How many rows a window or fading factor must cover for the class balance (gama2013 §3.4)."""

    window: int
    half_width: float  # a proportion over that window is known to ± this, at 95 %
    rows_for_1_percent: int  # rows to know it to ± 1 %
    hoeffding_rows: int  # the same by Hoeffding's bound
    rarest: Any  # the rarest class seen
    rarest_rows: int
    recall_rows: int  # rows of a class to know its recall to ± 5 %
    needed: int  # rows in which the rarest class has that many
    fading: float  # fading factor with the same effective sample size
    important_rows: int  # rows of weight 1 % or more under it
    too_rare: int  # classes with fewer rows than that in the whole stream


def window_advice(profile: Profile) -> WindowAdvice | None:
    """Window sizes for the class balance; None if no class was seen."""
    if not profile.counts.any():
        return None
    seen = np.flatnonzero(profile.counts)
    rarest = int(seen[np.argmin(profile.counts[seen])])
    enough = sample_size.rows_for(_RECALL_WIDTH)
    needed = math.ceil(enough * profile.labelled / int(profile.counts[rarest]))
    fading = sample_size.fading_for(needed)
    window = profile.priors.window
    return WindowAdvice(
        window=window,
        half_width=sample_size.half_width(window),
        rows_for_1_percent=sample_size.rows_for(_SHARE_WIDTH),
        hoeffding_rows=sample_size.hoeffding_rows(_SHARE_WIDTH),
        rarest=profile.classes[rarest],
        rarest_rows=int(profile.counts[rarest]),
        recall_rows=enough,
        needed=needed,
        fading=fading,
        important_rows=math.floor(sample_size.important_rows(fading, _NEGLIGIBLE)),
        too_rare=int((profile.counts[seen] < enough).sum()),
    )


def advise(profile: Profile) -> tuple[str, ...]:
    """The advice as sentences, the reference to beat first."""
    if profile.to_beat is None:
        return ("Fewer than two rows have a label: their order cannot be judged.",)
    if profile.regression:
        sentences = [
            _to_beat(profile),
            _regression_order(profile),
            _seasons(profile),
            *_leaks(profile),
            *advise_on_waits(profile),
        ]
    elif np.count_nonzero(profile.counts) == 1:
        only = profile.classes[int(profile.counts.argmax())]
        sentences = [_to_beat(profile), f"Every label is {only}: a learner has nothing to learn."]
    else:
        sentences = [
            _to_beat(profile),
            _order(profile),
            _kind(profile),
            _seasons(profile),
            _seasonal(profile),
            _moving(profile),
            _window(profile),
            *_leaks(profile),
            *advise_on_waits(profile),
        ]
    return tuple(printable(sentence) for sentence in sentences if sentence)


def _to_beat(profile: Profile) -> str:
    best = str(profile.to_beat)
    ranked = sorted(profile.references.items(), key=lambda item: item[1])
    if not profile.regression:
        ranked.reverse()
    others = [
        f"{name} {score_text(score, profile.regression)}" for name, score in ranked if name != best
    ]
    own = score_text(profile.references[best], profile.regression)
    phrase = _PHRASES[best].replace(earlier(None), earlier(profile.seasonal_lag))
    sentence = f"The reference to beat is {best}, {phrase}: {own} ({', '.join(others)})"
    if ranked[0][1] == profile.references[best]:
        return f"{sentence}."
    return f"{sentence}; on these rows no other is better by more than chance."


def _order(profile: Profile) -> str:
    pairs = profile.pairs
    without = score_text(float(pairs.sum(axis=0).max() / pairs.sum()), False)
    with_it = score_text(profile.p_first_order, False)
    if profile.worth_using:
        return (
            "The last label is worth using: the best guess is right in "
            f"{with_it} of the rows if the last label is known, and in {without} if it is not. "
            "Give it to the learner as a feature, e.g. "
            "TemporallyAugmented(NaiveBayes())."
        )
    if pairs.max(axis=1).sum() > pairs.sum(axis=0).max():
        return (
            f"The last label is not clearly worth using: the best guess is right in {with_it} of "
            f"the rows if it is known and in {without} if it is not."
        )
    return (
        "The last label is not worth using on its own: it does not change the best guess "
        f"({without} with and without it)."
    )


def _kind(profile: Profile) -> str:
    repeats, chance = (score_text(p, False) for p in (profile.p_temporal, profile.p_chance))
    test = profile.independence
    match profile.dependence:
        case "positive":
            return (
                f"The dependence is positive: labels repeat, P(T) {repeats} > P(M) "
                f"{score_text(profile.p_majority, False)}."
            )
        case "weakly positive":
            return (
                f"The dependence is positive but weak: labels repeat more often than by chance "
                f"({repeats} against {chance}), but too rarely for P(T) to exceed P(M) "
                f"({score_text(profile.p_majority, False)})."
            )
        case "other":
            cycle = (
                f"; they follow a cycle of {profile.autocorrelation.peaks[0].lag:,} rows"
                if _cycles(profile)
                else ""
            )
            return (
                f"The dependence is not positive: labels do not repeat more often than by chance "
                f"({repeats} against {chance}){cycle}."
            )
    if math.isnan(test.p):
        return "Too few labels to test whether a label depends on the last one."
    how = f"χ² = {test.chi2:.1f} with {plural(test.freedom, 'degree')} of freedom"
    how = "Fisher's exact test" if test.exact else how
    return f"No significant dependence on the last label ({how}, p = {test.p:.2g})."


def _cycles(profile: Profile) -> bool:
    """Whether labels that do not repeat recur in a cycle."""
    peaks = profile.autocorrelation.peaks
    return profile.dependence == "other" and bool(peaks) and peaks[0].value >= _CYCLE


def _regression_order(profile: Profile) -> str:
    first = profile.autocorrelation[1]
    if math.isnan(first):
        return "All values are equal: a learner has nothing to learn."
    shown = f"(lag-1 autocorrelation {first:.2f})"
    if profile.worth_using:
        return f"The last value is worth using: each value resembles the previous one {shown}."
    if abs(first) > profile.autocorrelation.band[1]:
        return (
            "The last value is not worth using on its own: values depend on the previous one, but "
            f"repeating it does not clearly help {shown}."
        )
    return f"The last value is not worth using: values do not resemble the previous one {shown}."


def _seasons(profile: Profile) -> str:
    peaks = profile.autocorrelation.peaks[_cycles(profile) :]  # the cycle has its own sentence
    if not peaks:
        return ""
    subject = "Values" if profile.regression else "Labels"
    apart = join_words([f"{peak.lag:,}" for peak in peaks])
    heights = join_words([f"{peak.value:.2f}" for peak in peaks])
    sentence = f"{subject} recur every {apart} rows (autocorrelation {heights})."
    return sentence if profile.regression else sentence + _better_than_references(profile, peaks)


def _better_than_references(profile: Profile, peaks: Sequence[Peak]) -> str:
    """A sentence if repeating the label of a season beats the references, which use one row."""
    best = max(peaks, key=lambda peak: peak.same)
    margin = sample_size.half_width(profile.labelled)
    if not best.same > max(profile.references.values()) + margin:
        return ""
    return (
        f" Repeating the label from {best.lag:,} rows earlier is right in "
        f"{score_text(best.same, False)} of the rows, more than any reference."
    )


def _seasonal(profile: Profile) -> str:
    """The lag that Seasonal takes if each label comes at once, and the one if labels are late."""
    if profile.seasonal_lag is None:
        return ""
    own = score_text(profile.references["Seasonal"], False)
    sentence = f"Seasonal repeats the label of {earlier(profile.seasonal_lag)}: {own}"
    same = profile.autocorrelation.same
    seasons = [peak for peak in profile.autocorrelation.peaks if peak.lag <= MAX_LAG]
    late = max(seasons, key=lambda peak: peak.same, default=None)
    if late is None or late.lag == profile.seasonal_lag or late.same <= profile.p_majority:
        return f"{sentence}."
    shorter = np.flatnonzero(same[1 : late.lag] >= late.same) + 1  # the lags that it prefers
    first = int(shorter.max(initial=0)) + 1
    return (
        f"{sentence}; if labels come {first:,} to {late.lag:,} rows late, that of "
        f"{earlier(late.lag)}: {score_text(late.same, False)}."
    )


def _moving(profile: Profile) -> str:
    priors = profile.priors
    spread = priors.high - priors.low
    if np.isnan(spread).any():
        return ""
    widest = int(spread.argmax())
    low, high = (score_text(float(end[widest]), False) for end in (priors.low, priors.high))
    changes = "change along" if priors.change.clear else "do not clearly change along"
    return (
        f"Class priors {changes} the stream: {profile.classes[widest]} makes up {low} to {high} of "
        f"a window of {plural(priors.window, 'row')}."
    )


def _leaks(profile: Profile) -> list[str]:
    """What the card declares, and what was found."""
    said = [
        f"Feature {name} leaks the label, as the data set's card says: {how}."
        for name, how in profile.declared_leaks.items()
    ]
    return [*said, *(leak.text for leak in profile.leaks)]


def _window(profile: Profile) -> str:
    advice = window_advice(profile)
    if advice is None:
        return ""
    general = (
        f"Window: if errors are independent, an accuracy over {plural(advice.window, 'row')} is "
        f"known to ± {100 * advice.half_width:.1f} %; ± 1 % takes {advice.rows_for_1_percent:,} "
        f"rows ({advice.hoeffding_rows:,} by Hoeffding's bound)."
    )
    rarest = f"the rarest class, {advice.rarest} ({plural(advice.rarest_rows, 'row')}),"
    if advice.needed > profile.labelled:
        return (
            f"{general} No window is large enough for {rarest} because knowing the recall of a "
            f"class to ± 5 % takes {advice.recall_rows:,} of its rows, and the whole stream has "
            f"fewer for {advice.too_rare:,} of its "
            f"{plural(int(np.count_nonzero(profile.counts)), 'class')}."
        )
    return (
        f"{general} To know the recall of {rarest} to ± 5 %, use Window({advice.needed}) or "
        f"Fading({_factor(advice.fading)}), under which {advice.important_rows:,} rows have a "
        "weight of 1 % or more."
    )


def _factor(fading: float) -> str:
    """A fading factor with two digits after the nines."""
    return f"{fading:.{2 - math.floor(math.log10(1 - fading)) - 1}f}"
