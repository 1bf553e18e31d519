"""`table`: several metrics and costs of runs, learners below each other, with the references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.experiments._cell_results import cell_results_of
from streamgauge.experiments.tables.combined import Tables, make_table
from streamgauge.runs.run import Run
from streamgauge.runs.runs import Runs
from streamgauge.runs.text import columns_of

_COSTS = ("seconds", "model_bytes")


def table(
    runs: Run | Iterable[Run | Runs] | Mapping[str, Run | Runs],
    value: Sequence[str] | None = None,
    *,
    forget: str | None = None,
    references: bool = True,
) -> Tables:
    """Make a table of runs: a line per learner and reference, a column per metric or cost.

    Parameters
    ----------
    runs
        A run, `Runs`, several of them, or a dict of them by the names to show.
    value
        Metrics and costs (seconds, rows_per_second, model_bytes, ram_hours); by default those that
        a run prints, seconds and model_bytes.
    forget
        The forgetting to read, e.g. "Window(1000)"; by default the first.
    references
        Whether to show the references too.

    Returns
    -------
    Tables
        Print it; `to_latex`, `to_markdown` and `to_csv` give other formats.

    Raises
    ------
    UsageError
        If there is no run, or a value that the runs do not have.

    Examples
    --------
    >>> import streamgauge as sg
    >>> runs = sg.evaluate(sg.SEA(2000, seed=1), [sg.NaiveBayes(), sg.HoeffdingTree()])
    >>> shown = sg.table(runs, ["accuracy", "kappa"])
    >>> print("\\n".join(shown.to_text().splitlines()[:4]))
    learner        against references  accuracy    kappa
    NaiveBayes     better than all        0.933*   0.838*
    HoeffdingTree  better than all        0.927    0.827
    Majority       reference              0.681   -0.002
    """
    several = _named(runs)
    names = [*columns_of(several[0][1]), *_COSTS] if value is None else value
    if isinstance(names, str):
        names = [names]
    made = make_table(
        cell_results_of(several), None, None, "metric", names, forget, None, references
    )
    assert isinstance(made, Tables)
    return made


def _named(runs: Any) -> list[tuple[str, Run]]:
    """Every run with its name: the models of a cross-validation share that of their learner."""
    if isinstance(runs, Mapping):
        given = list(runs.items())
    else:
        given = [(None, each) for each in ([runs] if isinstance(runs, Run) else runs)]
    named: list[tuple[str, Run]] = []
    taken = set()
    for called, each in given:
        if not isinstance(each, Run | Runs):
            raise UsageError(f"table: expected runs, got {type(each).__name__}")
        for run in [each] if isinstance(each, Run) else each:
            name = run.name if called is None else str(called)
            place = (run.stream.name, run.settings.labels, run.settings.seed, run.settings.model)
            numbers = (name if i == 1 else f"{name} #{i}" for i in count(1))
            unique = next(each for each in numbers if (each, place) not in taken)
            taken.add((unique, place))
            named.append((unique, run))
    if not named:
        raise UsageError("table: no runs; expected at least one")
    return named
