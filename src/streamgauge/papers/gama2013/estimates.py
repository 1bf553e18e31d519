"""Figures 2 and 3 of gama2013: estimates of the error on streams without drift."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from streamgauge.figures.metric_curve import metric_curve
from streamgauge.papers.gama2013.bayes import led_bayes_error, waveform_bayes_error
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
    Size,
    holdout,
    size_of,
    stationary,
)
from streamgauge.papers.gama2013.series import Line, curves_frame, curves_sheet, mean_line
from streamgauge.papers.paper import Figure, Section, Table
from streamgauge.papers.printed import printed
from streamgauge.papers.study import Study

_BAYES = "Bayes error"


def show_figure2(study: Study) -> Section:
    """Figure 2: holdout and prequential error on Waveform."""
    size = size_of(study)
    both = {
        name: line for name, line in estimates(study, "Waveform").items() if name in (ALL, HOLDOUT)
    }
    draw = partial(_draw, both, "Figure 2: Waveform, error of a Hoeffding tree", size)
    return Section([_table(both, "Waveform", size)], [Figure("figure2", draw)], [pessimistic(both)])


def show_figure3(study: Study) -> Section:
    """Figure 3: all estimates on the four streams, and the Bayes error where it is known."""
    size = size_of(study)
    by_stream = {stream: estimates(study, stream) for stream in STREAMS}
    bayes = {"LED": led_bayes_error(), "Waveform": waveform_bayes_error()}
    section = Section()
    for stream, lines in by_stream.items():
        if stream in bayes:
            rows = lines[ALL].rows
            lines = {**lines, _BAYES: Line(rows, np.full(len(rows), bayes[stream]))}  # noqa: PLW2901
        section.tables.append(_table(lines, stream, size))
        title = f"Figure 3: {stream}, error of a Hoeffding tree"
        section.figures.append(
            Figure(f"figure3-{stream.lower()}", partial(_draw, lines, title, size))
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


def estimates(study: Study, stream: str) -> dict[str, Line]:
    """The mean of each estimate over the runs, by name."""
    size = size_of(study)
    row_by_row, tested = study.run(stationary(size)), study.run(holdout(size))
    seeds = range(1, size.seeds + 1)
    runs = [row_by_row.run(stream=stream, seed=seed) for seed in seeds]
    tests = [tested.run(stream=stream, seed=seed) for seed in seeds]
    line = mean_line(tests, f"Window({size.test_rows})")
    every = size.test_rows // 10
    learned = Line(every * (1 + np.arange(len(line.rows))), line.values)
    names = {ALL_ROWS: ALL} | {name: name for name in SHOWN if name != ALL_ROWS}
    return {HOLDOUT: learned} | {names[each]: mean_line(runs, each) for each in SHOWN}


def _table(lines: Mapping[str, Line], stream: str, size: Size) -> Table:
    said = f"{stream}: error, mean of {size.seeds} runs."
    return Table(said, curves_sheet(lines, size.stationary, ".4f"))


def _draw(lines: Mapping[str, Line], title: str, size: Size) -> object:
    return metric_curve(
        curves_frame(lines),
        "error",
        title=title,
        references=[_BAYES],
        caption=[f"Mean of {size.seeds} runs."],
        percent=True,
        x_title="rows learned",
    )
