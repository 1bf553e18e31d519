"""A profile's advice in words: which reference to beat, is the order worth using, how many rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamgauge.inspection._lags import Peak
from streamgauge.inspection.profile import Profile
from streamgauge.learners.references import defaults
from streamgauge.measures import sample_size as precision
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.words import plural

_PHRASES = {
    reference.name: reference.phrase
    for reference in (*defaults.CLASSIFICATION, *defaults.REGRESSION)
}
_RECALL_WIDTH = 0.05  # a class's recall should be known to ± this
_SHARE_WIDTH = 0.01
_CHANCE = 0.01
_FAINT = 0.01  # rows that weigh less than this under fading are forgotten
_CYCLE = 0.9  # from this autocorrelation on a season is a cycle


@dataclass(frozen=True)
class WindowAdvice:
    """How many rows the class balance asks a window or a fading factor to cover (gama2013 §3.4)."""

    window: int
    half_width: float  # a share over that window is known to ± this at 95 %
    rows_for_1_percent: int  # to know it to ± 1 %
    hoeffding_rows: int  # the same by Hoeffding's bound
    rarest: Any  # the rarest class seen
    rarest_rows: int
    recall_rows: int  # rows of a class that tell its recall to ± 5 %
    needed: int  # rows in which the rarest class has so many
    fading: float  # the fading factor with as large an effective sample
    important_rows: int  # rows that weigh 1 % or more under it
    too_rare: int  # classes of which the whole stream has fewer


def window_advice(profile: Profile) -> WindowAdvice | None:
    """None without classes seen."""
    if not profile.counts.any():
        return None
    seen = np.flatnonzero(profile.counts)
    rarest = int(seen[np.argmin(profile.counts[seen])])
    enough = precision.rows_for(_RECALL_WIDTH)
    needed = math.ceil(enough * profile.labelled / int(profile.counts[rarest]))
    fading = precision.fading_for(needed)
    window = profile.priors.window
    return WindowAdvice(
        window=window,
        half_width=precision.half_width(window),
        rows_for_1_percent=precision.rows_for(_SHARE_WIDTH),
        hoeffding_rows=precision.hoeffding_rows(_SHARE_WIDTH),
        rarest=profile.classes[rarest],
        rarest_rows=int(profile.counts[rarest]),
        recall_rows=enough,
        needed=needed,
        fading=fading,
        important_rows=math.floor(precision.important_rows(fading, _FAINT)),
        too_rare=int((profile.counts[seen] < enough).sum()),
    )


def advise(profile: Profile) -> tuple[str, ...]:
    """The sentences, the answer first."""
    if profile.to_beat is None:
        return ("No two rows have a label: nothing can be said of their order.",)
    if profile.regression:
        sentences = [_to_beat(profile), _number_order(profile), _seasons(profile)]
    elif np.count_nonzero(profile.counts) == 1:
        only = profile.classes[int(profile.counts.argmax())]
        sentences = [_to_beat(profile), f"Every label is {only}: there is nothing to learn."]
    else:
        sentences = [
            _to_beat(profile),
            _order(profile),
            _kind(profile),
            _seasons(profile),
            _moving(profile),
            _window(profile),
        ]
    return tuple(sentence for sentence in sentences if sentence)


def _to_beat(profile: Profile) -> str:
    best = str(profile.to_beat)
    ranked = sorted(profile.references.items(), key=lambda item: item[1])
    if not profile.regression:
        ranked.reverse()
    others = [
        f"{name} {score_text(score, profile.regression)}" for name, score in ranked if name != best
    ]
    own = score_text(profile.references[best], profile.regression)
    return f"The reference to beat is {best}, {_PHRASES[best]}: {own} ({', '.join(others)})."


def _order(profile: Profile) -> str:
    pairs = profile.pairs
    without = score_text(float(pairs.sum(axis=0).max() / pairs.sum()), False)
    with_it = score_text(profile.p_first_order, False)
    if profile.worth_using:
        return (
            f"The label order is worth using: with the last label known the best guess is right in "
            f"{with_it} of the rows, without it in {without}. Give the learner the last revealed "
            "label as a feature, e.g. TemporallyAugmented(NaiveBayes())."
        )
    if pairs.max(axis=1).sum() > pairs.sum(axis=0).max():
        return (
            f"The label order is not worth using: {with_it} with the last label known, {without} "
            "without it, is no more than chance makes of it."
        )
    return (
        "The label order is not worth using on its own: knowing the last label changes no guess "
        f"({without} with it and without)."
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
                f"({repeats} against {chance}), too rarely for P(T) to exceed P(M) "
                f"({score_text(profile.p_majority, False)})."
            )
        case "other":
            cycle = (
                f"; they go round in a cycle of {profile.autocorrelation.peaks[0].lag:,} rows"
                if _cycles(profile)
                else ""
            )
            return (
                f"The dependence is not positive but of another kind: labels repeat less often "
                f"than by chance ({repeats} against {chance}){cycle}."
            )
    if math.isnan(test.p):
        return "Too few labels to test whether they depend on the last one."
    return (
        f"No dependence on the last label is to be seen (χ² = {test.chi2:.1f} with "
        f"{plural(test.freedom, 'degree')} of freedom, p = {test.p:.2g})."
    )


def _cycles(profile: Profile) -> bool:
    """Do labels that do not repeat come back all the same?"""
    peaks = profile.autocorrelation.peaks
    return profile.dependence == "other" and bool(peaks) and peaks[0].value >= _CYCLE


def _number_order(profile: Profile) -> str:
    first = profile.autocorrelation[1]
    if math.isnan(first):
        return "The values do not differ: there is nothing to learn."
    shown = f"(lag-1 autocorrelation {first:.2f})"
    if profile.worth_using:
        return f"The order is worth using: each value resembles the one before it {shown}."
    if abs(first) > profile.autocorrelation.band[1]:
        return (
            "The order is not worth using on its own: values depend on the one before them, "
            f"too weakly for repeating it {shown}."
        )
    return f"The order is not worth using: values do not resemble the one before them {shown}."


def _seasons(profile: Profile) -> str:
    peaks = profile.autocorrelation.peaks[_cycles(profile) :]  # the cycle is told
    if not peaks:
        return ""
    what = "Values" if profile.regression else "Labels"
    apart = _listed([f"{peak.lag:,}" for peak in peaks])
    heights = _listed([f"{peak.value:.2f}" for peak in peaks])
    sentence = f"{what} recur every {apart} rows (autocorrelation {heights})."
    return sentence if profile.regression else sentence + _better_than_references(profile, peaks)


def _better_than_references(profile: Profile, peaks: Sequence[Peak]) -> str:
    """A season may say more than the row before, which is all that the references know."""
    best = max(peaks, key=lambda peak: peak.same)
    clearly = precision.half_width(profile.labelled)
    if not best.same > max(profile.references.values()) + clearly:
        return ""
    return (
        f" Repeating the label of {best.lag:,} rows before is right in "
        f"{score_text(best.same, False)}, more than any reference."
    )


def _moving(profile: Profile) -> str:
    priors = profile.priors
    spread = priors.high - priors.low
    if np.isnan(spread).any():
        return ""
    widest = int(spread.argmax())
    low, high = (score_text(float(end[widest]), False) for end in (priors.low, priors.high))
    moves = "move along" if _beyond_chance(profile) else "move no more than by chance along"
    return (
        f"Class priors {moves} the stream: {profile.classes[widest]} is {low} to {high} of a "
        f"window of {plural(priors.window, 'row')}."
    )


def _beyond_chance(profile: Profile) -> bool:
    """Is a class's share of some window farther from P(i) than independent rows would bring it?

    At 99 % for all classes and windows together.
    """
    from scipy.special import ndtri

    priors, p = profile.priors, profile.prior
    looks = 2 * len(p) * (profile.labelled - priors.window + 1)
    reach = -float(ndtri(_CHANCE / looks)) * np.sqrt(p * (1 - p) / priors.window)
    return bool((np.maximum(priors.high - p, p - priors.low) > reach).any())


def _window(profile: Profile) -> str:
    advice = window_advice(profile)
    if advice is None:
        return ""
    general = (
        f"{plural(advice.window, 'row')}, if errors are independent, tell an accuracy to "
        f"± {100 * advice.half_width:.1f} %, ± 1 % takes {advice.rows_for_1_percent:,} (by "
        f"Hoeffding's bound {advice.hoeffding_rows:,})"
    )
    rarest = f"the rarest class, {advice.rarest} ({plural(advice.rarest_rows, 'row')}),"
    if advice.needed > profile.labelled:
        return (
            f"Window: {general}; {rarest} is too rare for any: it takes "
            f"{advice.recall_rows:,} rows of a class to tell its recall to ± 5 %, and the whole "
            f"stream has fewer of {advice.too_rare:,} of its "
            f"{plural(int(np.count_nonzero(profile.counts)), 'class')}."
        )
    return (
        f"Window: {general}; {rarest} asks for Window({advice.needed}) or "
        f"Fading({_factor(advice.fading)}), under which {advice.important_rows:,} rows weigh 1 % "
        "or more, to tell its recall to ± 5 %."
    )


def _factor(fading: float) -> str:
    """With the digits that matter: those after the nines, two of them."""
    return f"{fading:.{2 - math.floor(math.log10(1 - fading)) - 1}f}"


def _listed(parts: Sequence[str]) -> str:
    """48, 336 and 1,344."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
