"""Tables I, II and III of ziffer2024: ours, and the paper's in brackets."""

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

_OURS = ("HAT+past", "ARF+past", "Transition")  # columns that the paper lacks
_MARK = {"abrupt": "A", "gradual": "G"}


def table_i(profile: Profile) -> str:
    """P(M) and P(T) of each stream, before and after temporal injection."""
    lines = [["", "rows", "P(M)", "P(T)", "injected P(M)", "injected P(T)"]]
    for name in profile.streams:
        for drift in DRIFTS:
            stream = tenet_stream(name, drift, profile.rows)  # type: ignore[arg-type]
            orders = (0, ORDER)
            cells = [
                _shown(inject(stream, order), printed.TABLE_I[name], order) for order in orders
            ]
            lines.append([f"{name} {_MARK[drift]}", f"{stream.rows:,}", *cells[0], *cells[1]])
    for name in profile.real:
        stream = load(REAL[name]["load"], REAL[name].get("variant"))
        cell = _shown(stream, printed.TABLE_I[name], 0)
        lines.append([name, f"{stream.rows:,}", *cell, "-", "-"])
    return align(lines)


def _shown(stream: Stream, paper: tuple[float, ...], order: int) -> list[str]:
    """P(M) and P(T) of the labels as they come, the paper's in brackets."""
    y = np.concatenate([block.y for block in stream.blocks(1 << 16)])
    ours = np.bincount(y).max() / len(y), float((y[1:] == y[:-1]).mean())
    theirs = paper[2:] if order else paper[:2]
    return [f"{a:.2f} ({b:.2f})" for a, b in zip(ours, theirs, strict=True)]


def table_ii(scores: Scores, profile: Profile) -> str:
    """Kappa on the synthetic streams, the original ones and the injected ones."""
    learners, parts = list(profile.learners), []
    for injected in (False, True):
        lines = [_head("injected" if injected else "original", learners)]
        keys = profile.keys(injected)
        for key in keys:
            label = f"{key[0]} {_MARK[key[1]]}"
            theirs = printed.TABLE_II[key]
            lines.append(_line(label, synthetic(*key), scores, learners, theirs))
        theirs = np.mean([printed.TABLE_II[key] for key in keys], axis=0).tolist()
        lines.append(_average(scores, [synthetic(*key) for key in keys], learners, theirs))
        parts.append(_with_verdicts(lines))
    return "\n\n".join(parts)


def table_iii(scores: Scores, profile: Profile) -> str:
    """Kappa on the real streams; averages are over those that are here."""
    learners, streams = list(profile.learners), profile.real
    lines = [_head("real", learners)]
    for name in printed.TABLE_III:
        lines.append(_line(name, name, scores, learners, printed.TABLE_III[name]))
    if streams:
        theirs = np.mean([printed.TABLE_III[name] for name in streams], axis=0).tolist()
        lines.append(_average(scores, streams, learners, theirs))
    return _with_verdicts(lines)


def _columns(learners: Sequence[str]) -> list[str]:
    shown = [name for name in printed.LEARNERS if name in learners]
    return [*shown, printed.NO_CHANGE, *(n for n in _OURS if n in learners or n == "Transition")]


def _head(what: str, learners: Sequence[str]) -> list[str]:
    return [what, *_columns(learners), "more accurate than every reference"]


def _line(
    label: str, stream: str, scores: Scores, learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    beating = ", ".join(scores.beating(stream, learners)) or "none"
    return [label, *_cells(lambda name: scores.kappa(stream, name), learners, paper), beating]


def _average(
    scores: Scores, streams: Sequence[str], learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    """Of the streams that were run; the paper's mean is over the same ones."""

    def mean(name: str) -> float:
        values = [scores.kappa(stream, name) for stream in streams]
        return float(np.mean(values)) if values else np.nan

    return ["average", *_cells(mean, learners, paper), ""]


def _cells(
    ours: Callable[[str], float], learners: Sequence[str], paper: Sequence[float]
) -> list[str]:
    printed_names = (*printed.LEARNERS, printed.NO_CHANGE)
    theirs = dict(zip(printed_names, paper, strict=False))
    cells = []
    for name in _columns(learners):
        value = "-" if np.isnan(ours(name)) else f"{ours(name):.1f}"
        cells.append(f"{value} ({theirs[name]:.1f})" if name in theirs else value)
    return cells


def _with_verdicts(lines: list[list[str]]) -> str:
    """The last column is words: to the left."""
    numbers = align([line[:-1] for line in lines]).splitlines()
    width = max(map(len, numbers))
    return "\n".join(
        f"{text:<{width}}  {line[-1]}".rstrip() for text, line in zip(numbers, lines, strict=True)
    )
