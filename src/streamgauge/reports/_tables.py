"""Tables of a page: scores by stream and learner, and every run in a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.results import Results
from streamgauge.measures.verdict import Against
from streamgauge.rendering.text_table import cell, rate
from streamgauge.reports._html import Html, joined, tag
from streamgauge.reports.material import Entry, Material
from streamgauge.runs.text import columns_of

if TYPE_CHECKING:
    from streamgauge.experiments._table import Table

_BYTES = ("B", "KiB", "MiB", "GiB", "TiB")


def score_table(found: Results, metric: str | None) -> Html | None:
    """The table of an experiment: mean ± sd over seeds, the best value of each row bold."""
    try:
        table = found.table(value=metric) if metric else found.table()
    except StreamgaugeError:
        return None
    name = f"{found.name}: " if found.name else ""
    title = f"{name}{table.value} by {' and '.join(table.sides[0])} and learner"
    header = [" · ".join(table.sides[0]), *table.columns]
    head = tag("tr", *(tag("th", each, scope="col") for each in header))
    merit = -table.mean if table.lower_is_better else table.mean
    rows = []
    for i, row in enumerate(table.rows):
        best = np.nanmax(merit[i]) if not np.isnan(merit[i]).all() else None
        cells = [_score(table, i, j, merit[i, j] == best) for j in range(len(table.columns))]
        rows.append(tag("tr", tag("th", row, scope="row"), *cells))
    for ranking in table.rankings.values():
        ranks = [f"{ranking.average_ranks[each]:.2f}" for each in table.columns]
        within = f"average rank, {ranking.variant}" if ranking.variant else "average rank"
        cells = [tag("td", rank, class_="number") for rank in ranks]
        rows.append(tag("tr", tag("th", within, scope="row"), *cells, class_="total"))
    shown = tag("table", tag("caption", title), tag("thead", head), tag("tbody", *rows))
    notes = table.to_text().split("\n\n", 1)[1].replace("* best", "Bold: best").split("\n")
    return joined([_scrolled(shown, title), *(tag("p", note, class_="note") for note in notes)])


def _score(table: Table, i: int, j: int, best: bool) -> Html:
    """Mean ± sd of a cell of the table, or why it has none."""
    runs, mean, sd = int(table.runs[i, j]), float(table.mean[i, j]), float(table.sd[i, j])
    if not runs:
        return tag("td", "failed" if table.failed[i, j] else "not run", class_="number hole")
    text = cell(table.value, mean)
    if not math.isnan(sd):
        text += f" ± {cell(table.value, sd)}"
    if runs < table.seeds:
        text += f" [{runs}/{table.seeds}]"
    shown = tag("strong", text) if best and len(table.columns) > 1 else text
    return tag("td", shown, class_="number")


def runs_table(material: Material) -> Html:
    """Every run in a line: sortable by each column, filtered by words."""
    metrics = list(dict.fromkeys(m for each in material.entries for m in columns_of(each.run)))
    several = len({(each.experiment) for each in material.entries}) > 1
    columns = [
        *(["experiment"] if several else []),
        *("stream", "learner", "labels", "seed"),
        *metrics,
        *("strongest reference", "rows/s", "model"),
    ]
    head = tag("tr", *(_heading(name) for name in columns))
    rows = [_run_row(each, metrics, several) for each in material.entries]
    caption = tag("caption", "Every run. Press a heading to sort by it.")
    table = tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="sortable",
                id="runs-table")  # fmt: skip
    return joined([_filter(len(rows)), _scrolled(table, "Every run")])


def _filter(count: int) -> Html:
    box = tag("input", type="search", id="filter", aria_controls="runs-table",
              placeholder="e.g. elec2 bayes", autocomplete="off")  # fmt: skip
    label = tag("label", "Show only runs with these words", for_="filter")
    said = tag("output", f"{count:,} of {count:,} runs", id="filtered", for_="filter")
    return tag("p", label, " ", box, " ", said, class_="controls screen")


def _heading(name: str) -> Html:
    return tag("th", tag("button", name, type="button"), scope="col", aria_sort="none")


def _run_row(entry: Entry, metrics: Sequence[str], several: bool) -> Html:
    run = entry.run
    cells = [tag("td", entry.experiment or "")] if several else []
    cells += [
        tag("td", entry.stream),
        tag("th", entry.learner, scope="row"),
        tag("td", entry.labels),
    ]
    cells.append(_number(str(entry.seed), entry.seed))
    for name in metrics:
        value = run.overall.get(name, math.nan)
        cells.append(_number(cell(name, value) if name in run.overall else "", value))
    cells.append(tag("td", _verdict(run.verdict.against)))
    cells.append(_number(rate(run.cost.rows_per_second), run.cost.rows_per_second))
    cells.append(_number(bytes_text(run.cost.model_bytes), run.cost.model_bytes))
    return tag("tr", *cells)


def _verdict(against: Sequence[Against]) -> str:
    return f"{against[0].word} ({against[0].reference})" if against else ""


def _number(text: str, value: float) -> Html:
    """A cell that is sorted by its value and not by its text; undefined ones come last."""
    return tag(
        "td", text, data_value=None if math.isnan(value) else f"{value:.9g}", class_="number"
    )


def bytes_text(size: float) -> str:
    """A size with its unit; a hyphen if unknown.

    >>> bytes_text(2048.0), bytes_text(float("nan"))
    ('2.0 KiB', '-')
    """
    if math.isnan(size):
        return "-"
    step = 0
    while size >= 1024 and step < len(_BYTES) - 1:
        size, step = size / 1024, step + 1
    return f"{size:.1f} {_BYTES[step]}" if step else f"{size:.0f} B"


def _scrolled(table: Html, name: str) -> Html:
    """A table that scrolls by itself where the window is narrow, also by keys."""
    return tag("div", table, class_="scrolled", tabindex="0", role="region", aria_label=name)
