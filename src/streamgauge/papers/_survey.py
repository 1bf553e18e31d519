"""Published accuracies on Elec2 beside repeating the last label, as bifet2013 and zliobaite2015
list them."""

from __future__ import annotations

import math

from streamgauge.papers.claim import judge
from streamgauge.papers.paper import PaperSection, PaperTable
from streamgauge.papers.printed import PrintedTable
from streamgauge.papers.study import PaperStudy
from streamgauge.rendering.sheet import sheet_of

_BETTER = 6  # of the published accuracies, in both papers
_ROUNDED = 0.05 + 1e-9  # half a unit of the last printed digit, in points


def survey(study: PaperStudy, table: PrintedTable, name: str) -> PaperSection:
    """The printed table with our accuracy of repeating the last label, which it calls `name`."""
    profile = study.inspect("elec2")
    ours = math.nan if profile is None else 100 * profile.references["Persistent"]
    accuracies = {row: float(values[0]) for row, values in table.rows.items()}
    printed = accuracies.pop(name)
    lines = [["", "printed", "ours", "better than repeating the last label"]]
    for row, accuracy in sorted([*accuracies.items(), (name, printed)], key=lambda each: -each[1]):
        beats = "" if row == name or math.isnan(ours) else "yes" if accuracy > ours else "no"
        own = "" if row != name else "-" if math.isnan(ours) else f"{ours:.2f}"
        lines.append([row, f"{accuracy:.1f}", own, beats])
    better = sum(accuracy > ours for accuracy in accuracies.values())
    claims = [
        judge(
            f"{name}: {printed} %.",
            "Our accuracy rounds to the printed one.",
            abs(ours - printed) <= _ROUNDED,
            {"ours": ours},
        ),
        judge(
            f"Only {_BETTER} of {len(accuracies)} published accuracies are above it.",
            f"{_BETTER} of the printed accuracies are above ours of repeating the last label.",
            better == _BETTER,
            {"above": math.nan if math.isnan(ours) else better},
        ),
    ]
    shown = PaperTable(f"Accuracy in % (page {table.page}).", sheet_of(lines))
    return PaperSection([shown], [], claims, [table.note])
