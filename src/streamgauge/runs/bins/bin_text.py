"""Bins as text: how predictions improve while rows wait for their labels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from streamgauge.measures.sums import divide
from streamgauge.measures.verdict import Against
from streamgauge.rendering.text_table import align
from streamgauge.rendering.units import readable

if TYPE_CHECKING:
    from streamgauge.runs.bins.bins import Bins

_MOST_LINES = 9


def show_bins(bins: Bins, name: str = "learner") -> str:
    """A row per bin, or for some of many; the verdicts; the cost of re-predicting."""
    parts = [_table(bins, name), _summary(bins)]
    if bins.verdicts:
        parts.append(_verdicts(bins))
    return "\n\n".join(parts)


def _table(bins: Bins, name: str) -> str:
    score, kappa = ("mae", "r2") if "mae" in bins.metrics else ("accuracy", "kappa_temporal")
    own, band, beyond, covered = bins[score], bins.band(score), bins[kappa], bins["coverage"]
    others = {reference: table[score] for reference, table in bins.references.items()}
    lines = [["bin", f"{name} {score}", "95 % band", "coverage", kappa, *others]]
    for b in _chosen(bins):
        low, high = (_value(bins, score, edge) for edge in band[b])
        values = [_value(bins, score, float(each[b])) for each in others.values()]
        edges = "undefined" if math.isnan(band[b, 0]) else f"{low} to {high}"
        rates = [_value(bins, "coverage", float(covered[b])), _value(bins, kappa, beyond[b])]
        lines.append([_label(b, bins), _value(bins, score, own[b]), edges, *rates, *values])
    return align(lines) + f"\n  after {bins.rows:,} labels; references in the same bin"


def _value(bins: Bins, metric: str, value: float) -> str:
    return readable(bins.scales[metric].unit, value)


def _chosen(bins: Bins) -> list[int]:
    """The first bin, the final one, and some evenly spaced between."""
    last = bins.bins + 1
    if last < _MOST_LINES:
        return list(range(last + 1))
    steps = _MOST_LINES - 1
    return [bins.middle if 2 * i == steps else round(last * i / steps) for i in range(steps + 1)]


def _label(b: int, bins: Bins) -> str:
    if b == 0:
        return "0 first"
    if b == bins.bins + 1:
        return f"{b} final"
    return f"{b} middle" if b == bins.middle else str(b)


def _summary(bins: Bins) -> str:
    score = "mae" if "mae" in bins.metrics else "accuracy"
    psi = ", ".join(
        f"{weights} {_value(bins, score, bins.psi(weights, score))}"
        for weights in ("first", "mean", "second_half", "exponential", "final")
    )
    parts = [f"Ψ ({score}): {psi}."]
    if score == "accuracy" and bins["coverage"][0] < bins["coverage"][-1]:
        parts.append(_cold_start(bins))
    most = bins.effort.get("n_b")
    held = f"up to {most.max():,.0f}" if most is not None and len(most) else f"{bins.n_b:,.0f}"
    parts.append(
        f"{bins.n_r:.1f} re-predictions per labelled row (N_R), {bins.n_c:,.0f} in the last 100 "
        f"events (N_C), {held} held for waiting rows (N_B)."
    )
    return "\n".join(parts)


def _cold_start(bins: Bins) -> str:
    """What rows without a prediction hide: the first labels make the learner answer at all."""
    first, final = (
        (_value(bins, "coverage", float(bins["coverage"][b])),
         _value(bins, "accuracy", float(divide(bins["accuracy"][b], bins["coverage"][b]))))
        for b in (0, -1)
    )  # fmt: skip
    return (
        f"Coverage rises from {first[0]} in bin 0 to {final[0]} in the final bin; of the rows "
        f"with a prediction, {first[1]} and {final[1]} are right."
    )


def _verdicts(bins: Bins) -> str:
    return "\n".join(
        f"In bin {_label(b, bins)}: {'; '.join(map(_against, verdict.against))}."
        for b, verdict in bins.verdicts.items()
    )


def _against(against: Against) -> str:
    word, reference = against.word, against.reference
    if word == "too few rows to say":
        return f"{word}: {reference}"
    link = {"equal": "to", "no clear difference": "from", "open": "against"}.get(word, "than")
    return f"{word} {link} {reference} ({against.test.t_text})"
