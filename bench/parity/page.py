"""Writes the results page: a table per learner, and which bounds hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev

from bench.parity.cells import Made
from bench.parity.peers import BOUNDS, Peers
from bench.parity.runners import Figures

_POINTS = 1.0  # of accuracy, on one stream
_BIAS = 0.3  # the mean signed difference over the streams
_ROUNDING = 1e-9


@dataclass
class Row:
    """Results on one stream: each side's figures per seed, on all rows and on River's few rows."""

    stream: str
    rows: int
    few: int
    ours: list[Made] = field(default_factory=list)
    capymoa: list[Made] = field(default_factory=list)
    river: list[Made] = field(default_factory=list)
    ours_on_few: list[Made] = field(default_factory=list)


def holds(peers: Peers, row: Row) -> bool | None:
    """Whether the row is within the bound; None without a bound or without figures of CapyMOA."""
    if peers.bound == "none" or not (them := _values(row.capymoa, "accuracy")):
        return None
    us = _values(row.ours, "accuracy")
    if not us:
        return False
    off = abs(fmean(us) - fmean(them))
    if peers.bound == "no worse" and fmean(us) > fmean(them):
        return True
    match peers.bound:
        case "exact":
            return off <= _ROUNDING
        case "near":
            return off <= _POINTS
    return off <= max(_POINTS, 3 * math.hypot(_error(us), _error(them)))


def unbiased(peers: Peers, rows: Sequence[Row]) -> tuple[float, bool | None]:
    """Mean signed difference over the streams, and whether its bound (if any) holds."""
    name = "mae" if peers.regression else "accuracy"
    off = [
        fmean(us) - fmean(them)
        for row in rows
        if (us := _values(row.ours, name)) and (them := _values(row.capymoa, name))
    ]
    if not off:
        return math.nan, None
    return fmean(off), abs(fmean(off)) <= _BIAS if peers.bound == "near" else None


def section(peers: Peers, rows: Sequence[Row]) -> list[str]:
    """The section about one learner."""
    names = ("mae", "rmse") if peers.regression else ("accuracy", "kappa")
    few = max((row.few for row in rows), default=0)
    head = ["stream", "rows"]
    for name in names:
        head += [f"{name}: ours", "CapyMOA", "difference"]
    head += ["bound", f"River, first {few:,} rows: {names[0]}", "ours there", "difference"]
    lines = [
        f"## {peers.name}",
        "",
        f"`{peers.ours}` · CapyMOA `{peers.capymoa}` · "
        + (f"River `{peers.river}`  " if peers.river else "River does not have it  "),
        f"Bound: {BOUNDS[peers.bound]}.",
        "",
    ]
    if peers.differences:
        lines += [f"Known differences: {peers.differences}.", ""]
    if not peers.built:
        return [*lines, "**Not built** yet: nothing to compare.", ""]
    lines += [_line(head), _line(["---"] * len(head))]
    for row in rows:
        cells = [row.stream, f"{row.rows:,}"]
        for name in names:
            cells += _pair(row.ours, row.capymoa, name)
        cells += [_word(holds(peers, row)), *_river(row, names[0])]
        lines.append(_line(cells))
    mean, fine = unbiased(peers, rows)
    lines += ["", f"Mean signed difference of {names[0]} to CapyMOA: {mean:+.3f}"]
    lines[-1] += "." if fine is None else f" (bound ±{_BIAS}: {_word(fine)})."
    lines += _remarks(rows)
    if any(len(row.ours) > 1 for row in rows):
        lines += ["", *_per_seed(rows, names[0])]
    return [*lines, ""]


def _per_seed(rows: Sequence[Row], name: str) -> list[str]:
    seeds = max(len(row.ours) for row in rows)
    head = [name, "", *(f"seed {seed + 1}" for seed in range(seeds))]
    lines = [_line(head), _line(["---"] * len(head))]
    for row in rows:
        for who, made in (("ours", row.ours), ("CapyMOA", row.capymoa)):
            shown = ["–" if isinstance(cell, str) else f"{cell[name]:.2f}" for cell in made]
            lines.append(_line([row.stream, who, *shown]))
    return lines


def _remarks(rows: Sequence[Row]) -> list[str]:
    """Which side failed, on which streams and why."""
    streams: dict[str, list[str]] = {}
    for row in rows:
        for who, made in (("Ours", row.ours), ("CapyMOA", row.capymoa), ("River", row.river)):
            error = next((cell for cell in made if isinstance(cell, str)), None)
            if error is not None:
                streams.setdefault(f"{who} fails with {error}", []).append(row.stream)
    return [line for why, on in streams.items() for line in ("", f"{why} (on {'; '.join(on)}).")]


def _pair(us: Sequence[Made], them: Sequence[Made], name: str) -> list[str]:
    ours, theirs = _values(us, name), _values(them, name)
    if not ours or not theirs:
        return [_mean(ours), _mean(theirs), "–"]
    off = round(fmean(ours) - fmean(theirs), 3) + 0.0  # no "-0.000"
    return [_mean(ours), _mean(theirs), f"{off:+.3f}"]


def _river(row: Row, name: str) -> list[str]:
    ours, theirs, off = _pair(row.ours_on_few, row.river, name)
    return [theirs, ours, off]


def _values(made: Sequence[Made], name: str) -> list[float]:
    """One value per seed; empty if any seed failed."""
    figures: list[Figures] = [cell for cell in made if not isinstance(cell, str)]
    return [cell[name] for cell in figures] if len(figures) == len(made) else []


def _mean(values: list[float]) -> str:
    if not values:
        return "–"
    return f"{fmean(values):.3f}" + (f" ± {_error(values):.3f}" if len(values) > 1 else "")


def _error(values: list[float]) -> float:
    """The standard error of the mean over seeds."""
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _word(fine: bool | None) -> str:
    return {True: "holds", False: "**does not hold**", None: "–"}[fine]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
