"""Tables of a page: scores by stream and learner, and every run in a line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.results import Results
from streamgauge.measures.verdict import Against
from streamgauge.rendering.text_table import rate
from streamgauge.reports.html import Html, joined, tag
from streamgauge.reports.material import Entry, Material
from streamgauge.reports.sheets import scrolled, sheet_section
from streamgauge.runs.text import columns_of, value_text


def score_table(found: Results, metric: str | None) -> Html | None:
    """The table of an experiment with the references, and the notes below it."""
    try:
        table = found.table(value=metric or "kappa", references=True)
    except StreamgaugeError:
        return None
    sheet = table.sheet
    name = f"{found.name}: " if found.name else ""
    title = f"{name}{table.value} by {' and '.join(table.sides[0])} and learner"
    return sheet_section(sheet, title)


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
    return joined([_filter(len(rows)), scrolled(table, "Every run")])


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
        cells.append(_number(value_text(run, name, value) if name in run.overall else "", value))
    cells.append(tag("td", _verdict(run.verdict.against)))
    cells.append(_number(rate(run.cost.rows_per_second), run.cost.rows_per_second))
    size = run.cost.model_bytes
    cells.append(_number("-" if math.isnan(size) else value_text(run, "model_bytes", size), size))
    return tag("tr", *cells)


def _verdict(against: Sequence[Against]) -> str:
    return f"{against[0].word} ({against[0].reference})" if against else ""


def _number(text: str, value: float) -> Html:
    """A cell that is sorted by its value and not by its text; undefined ones come last."""
    return tag(
        "td", text, data_value=None if math.isnan(value) else f"{value:.9g}", class_="number"
    )
