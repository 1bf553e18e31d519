"""A profile as text: the advice in words, then the numbers that support it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from streamgauge.inspection._waits_text import show_waits
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.text_table import align
from streamgauge.rendering.units import readable
from streamgauge.rendering.words import p_text, plural

if TYPE_CHECKING:
    from streamgauge.inspection.profile import Profile

_SHOWN_CLASSES = 30
_SHOWN_MATRIX = 10  # classes
_SHOWN_DELTAS = 3
_SHOWN_LAGS = 5


def show_profile(profile: Profile) -> str:
    """The stream, the advice, the tables."""
    parts = [profile_header(profile), "\n".join(profile.advice)]
    if not profile.regression:
        parts += [align(measure_lines(profile)), _classes(profile), _matrix(profile)]
    parts += [_lags(profile), show_waits(profile)]
    return "\n\n".join(part for part in parts if part)


def profile_html(profile: Profile) -> str:
    """The advice, the measures of the order of the labels and the references, the figure."""
    measures = [] if profile.regression else measure_lines(profile)
    score = "mean absolute error of" if profile.regression else "accuracy of"
    for name, value in profile.references.items():
        measures.append([f"{score} {name}", _number(value)])
    sheet = sheet_of([["measure", "value"], *measures], [profile_header(profile)])
    return notebook_html(profile.advice, sheet, profile)


def profile_header(profile: Profile) -> str:
    """The stream, and rows without a label."""
    skipped = f" · {profile.unlabelled:,} rows without a label skipped" * (profile.unlabelled > 0)
    return profile.stream.describe() + skipped


def _number(value: float, digits: int = 4) -> str:
    if math.isnan(value):
        return "undefined"
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.") else text  # no minus zero


def measure_lines(profile: Profile) -> list[list[str]]:
    """What the order of the labels shows, a line each."""
    test = profile.independence
    lines = [
        ["P(M), fraction of the most frequent class", _number(profile.p_majority)],
        ["P(T) = Σ P(i,i), same label as the row before", _number(profile.p_temporal)],
        ["Σ_j max_i P(j,i), best guess from the last label", _number(profile.p_first_order)],
        ["Σ P(i)², P(T) if labels were independent", _number(profile.p_chance)],
    ]
    if not test.exact:
        freedom = plural(test.freedom, "degree")
        lines.append([f"χ² of the transitions, {freedom} of freedom", _number(test.chi2, 1)])
    how = "Fisher's exact" if test.exact else "this"
    lines.append([f"p of {how} test of independence", p_text(test.p).removeprefix("= ")])
    return lines


def _classes(profile: Profile) -> str:
    shown = np.sort(np.argsort(-profile.counts, kind="stable")[:_SHOWN_CLASSES])
    deltas = min(_SHOWN_DELTAS, len(profile.repeats.delta))
    head = ["class", "rows", "P(i)", "P(i|i)", "usual next", "lowest", "highest"]
    lines = [[*head, *(f"Δ({times})" for times in range(deltas))]]
    for i in shown.tolist():
        lines.append(
            [
                str(profile.classes[i]),
                f"{profile.counts[i]:,}",
                _number(profile.prior[i]),
                _number(profile.stays[i]),
                str(profile.classes[int(profile.pairs[i].argmax())]) if profile.pairs[i].any()
                else "none",
                _number(profile.priors.low[i], 3),
                _number(profile.priors.high[i], 3),
                *(_number(profile.repeats.delta[times, i], 3) for times in range(deltas)),
            ]
        )  # fmt: skip
    pooled = [_number(profile.repeats.pooled_delta[times], 3) for times in range(deltas)]
    lines.append(
        ["all", f"{profile.labelled:,}", "", _number(profile.p_temporal), "", "", "", *pooled]
    )
    notes = [f"lowest, highest: P(i) in windows of {profile.priors.window:,} rows; "
             "Δ(ℓ): P(i | ℓ times i before) − P(i | ℓ+1 times)"]  # fmt: skip
    if len(shown) < len(profile.counts):
        notes.append(
            f"the {len(shown)} most frequent of {len(profile.counts):,} classes; all: "
            'profile.to_frame("classes")'
        )
    return align(lines) + "".join(f"\n  {note}" for note in notes)


def _matrix(profile: Profile) -> str:
    if len(profile.classes) > _SHOWN_MATRIX:
        return ""
    names = [str(name) for name in profile.classes]
    rows = zip(names, profile.transition.tolist(), strict=True)
    lines = [["last ↓ next →", *names], *([name, *map(_number, row)] for name, row in rows)]
    return align(lines)


def _lags(profile: Profile) -> str:
    lags = profile.autocorrelation
    near = range(1, min(_SHOWN_LAGS, len(lags) - 1) + 1)
    shown = [*near, *(peak.lag for peak in lags.peaks if peak.lag not in near)]
    if not shown:
        return ""
    lines = [
        ["rows apart", *(f"{lag:,}" for lag in shown)],
        ["autocorrelation", *(_number(lags[lag], 3) for lag in shown)],
    ]
    if not profile.regression:
        same = [readable("fraction", float(lags.same[lag])) for lag in shown]
        lines.append(["same label", *same])
    return align(lines) + f"\n  the first lags and the seasons, out of {len(lags) - 1:,} lags"
