"""The waits of a profile in words and tables."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from streamgauge.measures.class_waits import extremes, extremes_text
from streamgauge.measures.verdict import score_text
from streamgauge.rendering.text_table import align
from streamgauge.rendering.words import plural

if TYPE_CHECKING:
    from streamgauge._support.types import Clock
    from streamgauge.inspection._waits import Waits
    from streamgauge.inspection.profile import Profile

_NANOSECONDS = 10**9
_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


def advise_on_waits(profile: Profile) -> list[str]:
    """Sentences: how long labels take, and whether that depends on the class."""
    waits = profile.waits
    if waits is None:
        return []
    if not waits.labelled:
        return ["No label ever comes."]
    clock = profile.stream.schema.clock
    low, middle, high = (wait_text(float(q), clock) for q in waits.quantiles[1:4])
    longest = wait_text(float(waits.quantiles[-1]), clock)
    share = score_text(waits.never / waits.rows, False)
    never = (
        f"{waits.never:,} of {plural(waits.rows, 'row')} ({share}) never get one"
        if waits.never
        else "every row gets one"
    )
    sentence = (
        f"Labels take {middle} (median; half of them {low} to {high}, the longest {longest}); "
        f"{never}."
    )
    return [sentence, *_dependence(profile, waits)]


def _dependence(profile: Profile, waits: Waits) -> list[str]:
    if profile.regression:
        return []
    if not waits.depend_on_class:
        words = {each.word for each in waits.classes if each.rows}
        if "too few rows to say" in words:
            return ["Too few labels to tell whether waits depend on the class."]
        if "open" in words:
            return [
                "Whether waits depend on the class is open: the parts of the stream do not agree "
                "clearly enough."
            ]
        return ["Waits do not clearly depend on the class."]
    i = extremes(waits.classes)[0]
    last, first = (
        " and ".join(score_text(float(each[i]), False) for each in both)
        for both in (
            (waits.last_revealed, waits.last_arrived),
            (waits.first_revealed, waits.first_arrived),
        )
    )
    return [
        f"Waits depend on the class: {extremes_text(profile.classes, waits.classes)}. So the "
        f"newest labels are not a fair sample of the newest rows: {profile.classes[i]} makes up "
        f"{last} of the last {waits.window:,} labels and rows, {first} of the first."
    ]


def show_waits(profile: Profile) -> str:
    """Tables of the waits: by class, and along the stream."""
    waits = profile.waits
    if waits is None or not waits.labelled:
        return ""
    parts, clock = waits.parts, profile.stream.schema.clock
    lines = [["rows", "labelled", "median wait", "95 % wait"]]
    for rows, labelled, median, high in zip(*parts.values(), strict=True):
        cells = [wait_text(float(each), clock) for each in (median, high)]
        lines.append([f"to {int(rows):,}", f"{labelled:.1%}", *cells])
    along = align(lines)
    if profile.regression:
        return along
    head = ["class", "labels", "median wait", "P(longer)", "than others", "t"]
    first, last = f"first {waits.window:,}", f"last {waits.window:,}"
    lines = [[*head, first, "by arrival", last, "by arrival"]]
    columns = (waits.first_revealed, waits.first_arrived, waits.last_revealed, waits.last_arrived)
    for i, each in enumerate(waits.classes):
        longer, t = (
            "undefined" if math.isnan(value) else f"{value:.{digits}f}"
            for value, digits in ((each.longer, 3), (each.t, 1))
        )
        tests = [wait_text(each.median, clock), longer, each.word, t]
        shares = [f"{column[i]:.1%}" for column in columns]
        lines.append([str(profile.classes[i]), f"{each.rows:,}", *tests, *shares])
    note = "\n  first, last: fraction of the class among the labels that came first or last"
    return f"{align(lines)}{note}\n\n{along}"


def wait_text(wait: float, clock: Clock) -> str:
    """A wait as it reads: in days, hours, minutes and seconds, or a number in the stream's unit."""
    if math.isnan(wait):
        return "undefined"
    if clock == "integers":
        return f"{wait:,.4g}" if wait % 1 else f"{wait:,.0f}"
    left = round(wait / _NANOSECONDS)
    parts = []
    for unit, size in _UNITS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count:,} {unit}")
    return " ".join(parts[:2]) or "0 s"
