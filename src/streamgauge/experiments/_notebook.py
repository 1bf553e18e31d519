"""Results in a notebook: what is complete, one table, the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamgauge._support.errors import StreamgaugeError
from streamgauge.experiments.tables.result_table import ResultTable
from streamgauge.rendering.html import figure_html, headline, page_part, paragraphs
from streamgauge.rendering.words import plural

if TYPE_CHECKING:
    from streamgauge.experiments.results import Results

_USUAL = ("kappa", "mae")  # the first that the runs have


def results_html(results: Results) -> str:
    """The counts of cells, the table of the usual metric, the figure."""
    states = [each.status for each in results.cell_results]
    counts = [f"{states.count(state):,} {state}" for state in dict.fromkeys(states)]
    head = headline(f"{plural(len(states), 'cell')}: {', '.join(counts) or 'none'}")
    where = paragraphs([f"in {results.folder}"])
    try:
        table = _table(results)._repr_html_()
    except StreamgaugeError as error:  # several experiments, or none is complete
        return page_part(head, where, paragraphs([f"No table: {error}"]))
    return page_part(head, where, table, figure_html(results))


def _table(results: Results) -> ResultTable:
    known = {name for run in results for values in run.summaries.values() for name in values}
    value = next((name for name in _USUAL if name in known), _USUAL[0])
    return results.table(value=value)
