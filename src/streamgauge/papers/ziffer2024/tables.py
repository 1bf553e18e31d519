"""Tables I, II and III of ziffer2024: our numbers, with the printed ones in brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from streamgauge.papers.ziffer2024 import printed
from streamgauge.papers.ziffer2024.plan import DRIFTS, ORDER, REAL, Profile, synthetic
from streamgauge.papers.ziffer2024.scores import Scores
from streamgauge.rendering.text_table import align
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets.catalog import load
from streamgauge.streams.generators.tenet import tenet_stream
from streamgauge.streams.transforms.inject import inject

_OURS = ("HAT+past", "ARF+past", "Transition")  # columns not in the paper
_MARK = {"abrupt": "A", "gradual": "G"}


def table_i(profile: Profile) -> str:
    """Table I: P(M) and P(T) of each stream, before and after temporal injection."""
    lines = [["", "rows", "P(M)", "P(T)", "injected P(M)", "injected P(T)"]]
    for name in profile.streams:
        for drift in DRIFTS:
            stream = tenet_stream(name, drift, profile.rows)  # type: ignore[arg-type]
            orders = (0, ORDER)
            cells = [
                _probabilities(inject(stream, order), printed.TABLE_I[name], order)
                for order in orders
            ]
            lines.append([f"{name} {_MARK[drift]}", f"{stream.rows:,}", *cells[0], *cells[1]])
    for name in profile.real:
        stream = load(REAL[name]["load"], REAL[name].get("variant"))
        cell = _probabilities(stream, printed.TABLE_I[name], 0)
        lines.append([name, f"{stream.rows:,}", *cell, "-", "-"])
    return align(lines)


def _probabilities(stream: Stream, paper: tuple[float, ...], order: int) -> list[str]:
    """P(M) and P(T) of the labels in stream order, with the printed ones in brackets."""
    y = np.concatenate([block.y for block in stream.blocks(1 << 16)])
    measured = np.bincount(y).max() / len(y), float((y[1:] == y[:-1]).mean())
    in_paper = paper[2:] if order else paper[:2]
    return [f"{a:.2f} ({b:.2f})" for a, b in zip(measured, in_paper, strict=True)]


def table_ii(scores: Scores, profile: Profile) -> str:
    """Table II: kappa on the synthetic streams, original and injected."""
    learners, parts = list(profile.learners), []
    for injected in (False, True):
        lines = [_header("injected" if injected else "original", learners)]
        keys = profile.keys(injected)
        for key in keys:
            label = f"{key[0]} {_MARK[key[1]]}"
            row = _row(label, synthetic(*key), scores, learners, printed.TABLE_II[key])
            lines.append(row)
        mean = np.mean([printed.TABLE_II[key] for key in keys], axis=0).tolist()
        lines.append(_average(scores, [synthetic(*key) for key in keys], learners, mean))
        parts.append(_align(lines))
    return "\n\n".join(parts)


def table_iii(scores: Scores, profile: Profile) -> str:
    """Table III: kappa on the real streams; averages are over those that were run."""
    learners, streams = list(profile.learners), profile.real
    lines = [_header("real", learners)]
    for name in printed.TABLE_III:
        lines.append(_row(name, name, scores, learners, printed.TABLE_III[name]))
    if streams:
        mean = np.mean([printed.TABLE_III[name] for name in streams], axis=0).tolist()
        lines.append(_average(scores, streams, learners, mean))
    return _align(lines)


def _columns(learners: Sequence[str]) -> list[str]:
    shown = [name for name in printed.LEARNERS if name in learners]
    return [*shown, printed.NO_CHANGE, *(n for n in _OURS if n in learners or n == "Transition")]


def _header(kind: str, learners: Sequence[str]) -> list[str]:
    return [kind, *_columns(learners), "more accurate than every reference"]


def _row(
    label: str, stream: str, scores: Scores, learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    beating = ", ".join(scores.beating(stream, learners)) or "none"
    return [label, *_cells(lambda name: scores.kappa(stream, name), learners, paper), beating]


def _average(
    scores: Scores, streams: Sequence[str], learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    """Average over the streams that were run; the printed mean is over the same streams."""

    def mean(name: str) -> float:
        values = [scores.kappa(stream, name) for stream in streams]
        return float(np.mean(values)) if values else np.nan

    return ["average", *_cells(mean, learners, paper), ""]


def _cells(
    kappa: Callable[[str], float], learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    in_paper = dict(zip((*printed.LEARNERS, printed.NO_CHANGE), paper, strict=False))
    cells = []
    for name in _columns(learners):
        value = "-" if np.isnan(kappa(name)) else f"{kappa(name):.1f}"
        cells.append(f"{value} ({in_paper[name]:.1f})" if name in in_paper else value)
    return cells


def _align(lines: list[list[str]]) -> str:
    """Align the table; the names in the last column go to the left."""
    return align(lines, left=(0, len(lines[0]) - 1))
