"""Figures 2 and 3 of gama2013: estimates of the error on streams without drift."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

import numpy as np

from streamgauge._support.types import Floats
from streamgauge.figures.metric_curve import metric_curve
from streamgauge.papers.gama2013.figure_claims import (
    ALL,
    HOLDOUT,
    converge_to_bayes,
    converge_to_holdout,
    no_lower_than_forgetting,
    pessimistic,
)
from streamgauge.papers.gama2013.plan import (
    ALL_ROWS,
    SHOWN,
    STREAMS,
    Gama2013Plan,
    holdout,
    size_of,
    stationary,
)
from streamgauge.papers.gama2013.series import PaperCurve, curves_frame, curves_sheet, mean_curve
from streamgauge.papers.paper import PaperFigure, PaperSection, PaperTable
from streamgauge.papers.printed import printed
from streamgauge.papers.study import PaperStudy
from streamgauge.streams.generators.led import LED
from streamgauge.streams.generators.waveform import Waveform

_BAYES = "Bayes error"

_ROWS = 50_000  # their error is known to ±0.3 % at 95 %
_MIXTURES = np.linspace(0.01, 0.99, 50)  # of two waves, to average over
_WAVES = np.maximum(6 - np.abs(np.arange(21) - np.array([[6], [14], [10]])), 0)
_PAIRS = ((0, 1), (0, 2), (1, 2))  # the waves of each class


def show_figure2(study: PaperStudy) -> PaperSection:
    """Figure 2: holdout and prequential error on Waveform."""
    size = size_of(study)
    both = {
        name: line for name, line in estimates(study, "Waveform").items() if name in (ALL, HOLDOUT)
    }
    draw = partial(_draw, both, "Figure 2: Waveform, error of a Hoeffding tree", size)
    return PaperSection(
        [_table(both, "Waveform", size)], [PaperFigure("figure2", draw)], [pessimistic(both)]
    )


def show_figure3(study: PaperStudy) -> PaperSection:
    """Figure 3: all estimates on the four streams, and the Bayes error where it is known."""
    size = size_of(study)
    by_stream = {stream: estimates(study, stream) for stream in STREAMS}
    bayes = {"LED": led_bayes_error(), "Waveform": waveform_bayes_error()}
    section = PaperSection()
    for stream, lines in by_stream.items():
        if stream in bayes:
            rows = lines[ALL].rows
            lines = {**lines, _BAYES: PaperCurve(rows, np.full(len(rows), bayes[stream]))}  # noqa: PLW2901
        section.tables.append(_table(lines, stream, size))
        title = f"Figure 3: {stream}, error of a Hoeffding tree"
        section.figures.append(
            PaperFigure(f"figure3-{stream.lower()}", partial(_draw, lines, title, size))
        )
    theirs = printed("gama2013")["bayes"]
    section.notes.append(
        "Bayes errors: "
        + ", ".join(
            f"{stream} {value:.1%} (printed: {theirs.value(stream, 'error'):.0%})"
            for stream, value in bayes.items()
        )
        + "; that of LED is exact, that of Waveform measured on 50,000 rows."
    )
    section.claims = [
        no_lower_than_forgetting(by_stream),
        converge_to_holdout(by_stream),
        converge_to_bayes(by_stream, bayes),
    ]
    return section


def estimates(study: PaperStudy, stream: str) -> dict[str, PaperCurve]:
    """The mean of each estimate over the runs, by name."""
    size = size_of(study)
    row_by_row, tested = study.run(stationary(size)), study.run(holdout(size))
    seeds = range(1, size.seeds + 1)
    runs = [row_by_row.run(stream=stream, seed=seed) for seed in seeds]
    tests = [tested.run(stream=stream, seed=seed) for seed in seeds]
    line = mean_curve(tests, f"Window({size.test_rows})")
    every = size.test_rows // 10
    learned = PaperCurve(every * (1 + np.arange(len(line.rows))), line.values)
    names = {ALL_ROWS: ALL} | {name: name for name in SHOWN if name != ALL_ROWS}
    return {HOLDOUT: learned} | {names[each]: mean_curve(runs, each) for each in SHOWN}


def _table(lines: Mapping[str, PaperCurve], stream: str, size: Gama2013Plan) -> PaperTable:
    said = f"{stream}: error, mean of {size.seeds} runs."
    return PaperTable(said, curves_sheet(lines, size.stationary, ".4f"))


def _draw(lines: Mapping[str, PaperCurve], title: str, size: Gama2013Plan) -> object:
    return metric_curve(
        curves_frame(lines),
        "error",
        title=title,
        references=[_BAYES],
        caption=[f"Mean of {size.seeds} runs."],
        percent=True,
        x_title="rows learned",
    )


@cache
def led_bayes_error() -> float:
    """The error of the best guess from seven segments, each inverted with probability 0.1.

    >>> f"{led_bayes_error():.3f}"
    '0.260'
    """
    block = next(LED(2000, noise_percentage=0.0).blocks(2000))
    digits = np.array([block.X[block.y == digit][0] for digit in range(10)])
    shown = np.array(np.meshgrid(*[[0.0, 1.0]] * 7)).reshape(7, -1).T
    inverted = (shown[:, None] != digits).sum(axis=2)
    likelihood = 0.1**inverted * 0.9 ** (7 - inverted)
    return float(1 - likelihood.max(axis=1).sum() / 10)


@cache
def waveform_bayes_error() -> float:
    """The error of the most likely class, on rows of the generator."""
    block = next(Waveform(_ROWS, seed=1).blocks(_ROWS))
    best = np.argmax([_likelihoods(block.X, *pair) for pair in _PAIRS], axis=0)
    return float((best != block.y).mean())


def _likelihoods(X: Floats, a: int, b: int) -> Floats:
    """How likely each row is under a class: the density of its noise, averaged over mixtures."""
    waves = _MIXTURES[:, None] * _WAVES[a] + (1 - _MIXTURES[:, None]) * _WAVES[b]
    # |x − wave|² without |x|², which all classes share
    logs = X @ waves.T - 0.5 * (waves**2).sum(axis=1)
    top = logs.max(axis=1)
    likelihoods: Floats = top + np.log(np.exp(logs - top[:, None]).mean(axis=1))
    return likelihoods
