"""The answer of a profile, for people: what to beat, what matters in a line each, the classes.

`_advice.py` and `_text.py` have everything else that there is to say of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.printable import printable
from streamgauge.inspection._text import profile_header
from streamgauge.inspection._waits_text import wait_text
from streamgauge.learners.references import defaults
from streamgauge.learners.references.seasonal import MAX_LAG, earlier
from streamgauge.measures.class_waits import extremes_text
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.text_table import fitted
from streamgauge.rendering.units import percent
from streamgauge.rendering.words import count_words, join_words, plural

if TYPE_CHECKING:
    from streamgauge.inspection.profile import Profile

_PHRASES = {each.name: each.phrase for each in (*defaults.CLASSIFICATION, *defaults.REGRESSION)}
_SHOWN_CLASSES = 8


def show_answer(profile: Profile) -> str:
    """The stream and what to beat, the findings, the classes."""
    parts = [wrap("\n".join(map(printable, [profile_header(profile), _to_beat(profile)])))]
    if found := _findings(profile):
        parts.append(wrap("\n".join(map(printable, found))))
    if not profile.regression and profile.labelled:
        parts.append(_classes(profile))
    return "\n\n".join(parts)


def _to_beat(profile: Profile) -> str:
    """The reference to beat, those that predict the same, and the others by their scores."""
    if profile.to_beat is None:
        return "Fewer than two rows have a label: their order cannot be judged."
    groups = _groups(profile)
    first = next(group for group in groups if profile.to_beat in group)
    first.sort(key=lambda name: name != profile.to_beat)
    score = score_text(profile.references[first[0]], profile.regression)
    phrase = _PHRASES[first[0]].replace(earlier(None), earlier(profile.seasonal_lag))
    others = [
        f"{_named(group)} {score_text(profile.references[group[0]], profile.regression)}"
        for group in groups
        if group is not first
    ]
    inside = "; ".join([_named(first), *others])
    surpassed = groups[0] is not first
    more = ". No other is better by more than chance" if surpassed else ""
    return f"To beat: {phrase}, {score} ({inside}){more}"


def _groups(profile: Profile) -> list[list[str]]:
    """The references, the best first; those that predicted the same are together."""
    sign = 1 if profile.regression else -1
    groups: dict[object, list[str]] = {}
    for name, score in sorted(profile.references.items(), key=lambda each: sign * each[1]):
        test = profile.choice.against.get(name)
        key = name if test is None or not test.batches else (score, test.mean, test.t)
        groups.setdefault(key, []).append(name)
    return list(groups.values())


def _named(group: list[str]) -> str:
    more = len(group) - 1
    same = f", and {count_words(more)} that predict{'s' if more == 1 else ''} the same"
    return group[0] + (same if more else "")


def _findings(profile: Profile) -> list[str]:
    """What matters for a learner, a line each."""
    if profile.to_beat is None:
        return []
    if not profile.regression and np.count_nonzero(profile.counts) == 1:
        only = profile.classes[int(profile.counts.argmax())]
        return [f"Every label is {only}: a learner has nothing to learn."]
    lines = [*_leaks(profile), _order(profile), _seasons(profile)]
    return [line for line in [*lines, _priors(profile), *_waits(profile)] if line]


def _leaks(profile: Profile) -> list[str]:
    lines = [
        f"Leak: feature {name} gives the label away (as the data set's card says)."
        for name in profile.declared_leaks
    ]
    for leak in profile.leaks:
        where = " of the row before" if leak.lag else ""
        lines.append(
            f"Leak: feature {leak.feature}{where} alone predicts {percent(leak.accuracy)} of the "
            "labels; it may be known only with them."
        )
    return lines


def _order(profile: Profile) -> str:
    """Whether the last label or value is worth using."""
    if profile.regression:
        first = profile.autocorrelation[1]
        if math.isnan(first):
            return "All values are equal: a learner has nothing to learn."
        if profile.worth_using:
            return f"The last value is worth using (lag-1 autocorrelation {first:.2f})."
        return f"No clear gain from the last value (lag-1 autocorrelation {first:.2f})."
    pairs = profile.pairs
    without = percent(float(pairs.sum(axis=0).max() / pairs.sum()))
    numbers = f"the best guess is right in {percent(profile.p_first_order)} of the rows with it"
    numbers += f", in {without} without it."
    if profile.worth_using:
        return f"The last label is worth using: {numbers}"
    return f"No clear gain from the last label: {numbers}"


def _seasons(profile: Profile) -> str:
    peaks = profile.autocorrelation.peaks
    if not peaks:
        return ""
    what = "Values" if profile.regression else "Labels"
    line = f"{what} recur every {join_words([f'{peak.lag:,}' for peak in peaks])} rows"
    if profile.regression:
        return f"{line}."
    seasons = [peak for peak in peaks if peak.lag <= MAX_LAG]
    best = max(seasons, key=lambda peak: peak.same, default=None)
    if best is None or best.same <= profile.p_majority:
        return f"{line}."
    return f"{line}: the label of {best.lag:,} rows earlier is right in {percent(best.same)}."


def _priors(profile: Profile) -> str:
    priors = profile.priors
    if profile.regression or not priors.change.clear:
        return ""
    spread = priors.high - priors.low
    if np.isnan(spread).any():
        return ""
    i = int(spread.argmax())
    low, high = (percent(float(end[i])) for end in (priors.low, priors.high))
    return f"Class priors change along the stream: {profile.classes[i]} from {low} to {high}."


def _waits(profile: Profile) -> list[str]:
    waits = profile.waits
    if waits is None:
        return []
    if not waits.labelled:
        return ["No label ever comes."]
    clock = profile.stream.schema.clock
    middle, longest = (wait_text(float(waits.quantiles[i]), clock) for i in (2, -1))
    never = f"; {plural(waits.never, 'row')} never get one" if waits.never else ""
    lines = [f"Labels take {middle} (median; the longest {longest}){never}."]
    if not profile.regression and waits.depend_on_class:
        lines.append(f"Waits depend on the class: {extremes_text(profile.classes, waits.classes)}.")
    return lines


def _classes(profile: Profile) -> str:
    """The most frequent classes."""
    shown = np.argsort(-profile.counts, kind="stable")[:_SHOWN_CLASSES].tolist()
    window = f"share in {profile.priors.window:,} rows"
    lines = [["class", "share", "repeats P(i|i)", "usual next", window]]
    for i in shown:
        follows = profile.pairs[i]
        low, high = float(profile.priors.low[i]), float(profile.priors.high[i])
        between = "-" if math.isnan(low) else f"{100 * low:.1f} to {percent(high)}"
        lines.append(
            [
                str(profile.classes[i]),
                percent(float(profile.prior[i])),
                percent(float(profile.stays[i])) if follows.any() else "-",
                str(profile.classes[int(follows.argmax())]) if follows.any() else "-",
                between,
            ]
        )
    more = len(profile.counts) - len(shown)
    note = f"\n  and {plural(more, 'more class')} (-v)" if more > 0 else ""
    return fitted(lines, (0,), [3, 4]) + note
