"""`report`: results as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from streamgauge.rendering.layout import wide
from streamgauge.reports._content import make_content
from streamgauge.reports.page import make_page, write_page
from streamgauge.reports.report_data import ReportData, gather


def report(
    results: Any,
    path: str | Path = "report.html",
    *,
    metric: str | Sequence[str] | None = None,
    experiment: str | None = None,
    title: str | None = None,
) -> Path:
    """Write results as one HTML page that needs no network.

    The page has the answer in words, tables, figures, the cells without a run and why, settings,
    ids and the commands that repeat the runs. Its size does not depend on the length of the
    streams. Needs Altair: pip install 'streamgauge[plot]'.

    Parameters
    ----------
    results
        A folder of results, a saved run, several of them; or what `results`, `evaluate` and
        `compare` return.
    path
        The file to write.
    metric
        The metric of table and figures, or several for the figures. By default kappa in the table
        and accuracy along the stream; for regression mae.
    experiment
        Use only the experiment of this name.
    title
        Title of the page.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    UsageError
        If there is nothing to report, or the file cannot be written.

    Examples
    --------
    >>> import streamgauge as sg
    >>> runs = sg.evaluate(sg.SEA(2000, seed=1), [sg.NaiveBayes(), sg.HoeffdingTree()])
    >>> page = sg.report(runs, "report.html").read_text(encoding="utf-8")
    >>> "NaiveBayes is better than guessing the majority class" in page
    True
    """
    metrics = (metric,) if isinstance(metric, str) else tuple(metric or ())
    return write_report(gather(results, experiment, title), Path(path), metrics)


def write_report(data: ReportData, path: Path, metrics: tuple[str, ...] = ()) -> Path:
    """Write the page about gathered results."""
    with wide(None):
        write_page(path, make_page(make_content(data, metrics), data.title))
    return path
