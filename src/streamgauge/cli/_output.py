"""Prints and saves the results of a verb, including the rows scored before an error."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from streamgauge._support.errors import StreamgaugeError
from streamgauge._support.whole_file import output_file
from streamgauge.cli._figures import save_figure
from streamgauge.cli._terminal import STDOUT, command, echo
from streamgauge.cli._write_errors import write_errors
from streamgauge.learners.base import shown_as
from streamgauge.rendering.words import plural
from streamgauge.runs.answer import show_answer
from streamgauge.runs.plot import plot
from streamgauge.runs.runs import Runs
from streamgauge.runs.text import show_runs

if TYPE_CHECKING:
    from streamgauge.comparison.ablation import Ablation

Results: TypeAlias = "Runs | Sequence[Ablation]"


def report(
    make: Callable[[], Results],
    json_path: Path | None,
    folder: Path | None,
    plot_path: Path | None = None,
    verbose: bool = False,
) -> None:
    """Make results, then print, save, write and draw them.

    If `make` fails after some rows are scored, the results of these rows are reported first.
    """
    # A learner may change the working directory.
    json_path = json_path if json_path in (None, STDOUT) else json_path.absolute()
    plot_path = None if plot_path is None else plot_path.absolute()
    shown, folder = folder, None if folder is None else folder.absolute()
    try:
        results = make()
    except StreamgaugeError as error:
        if any(run.counts.scored for run in error.runs):
            _report(Runs(error.runs), json_path, folder, shown, plot_path, verbose)
            echo("")
        raise
    _report(results, json_path, folder, shown, plot_path, verbose)


def _report(
    results: Results,
    json_path: Path | None,
    folder: Path | None,
    shown: Path | None,
    plot_path: Path | None,
    verbose: bool,
) -> None:
    ablations = [] if isinstance(results, Runs) else list(results)
    if isinstance(results, Runs):
        runs = judged = results
        answer = str(runs)
    else:
        judged = Runs(each.run for each in ablations)
        alone = {each.labels_only.id: each.labels_only for each in ablations}
        runs = Runs([*judged, *alone.values()])
        answer = f"{show_answer(runs, judged)}\n\n{_ablation_text(ablations)}"
    echo(answer)
    if verbose:
        echo(f"\n{runs.details if runs is judged else show_runs(runs, judged)}")
        for each in ablations:
            echo(f"\n{each.details}")
    documents = _documents(runs)
    for document, ablation in zip(documents, ablations, strict=False):
        document["ablation"] = ablation.to_dict()
    with write_errors("the results", "--save or --json"):
        paths = [] if folder is None else runs.save(folder)
        if json_path is not None:
            _write_json(documents, json_path)
    echo(_where_next(paths, shown, verbose))
    save_figure(lambda: plot(runs), plot_path)


def _where_next(paths: Sequence[Path], folder: Path | None, verbose: bool) -> str:
    """Where the runs are, and how to see more."""
    if verbose:
        names = [path if folder is None else folder / path.name for path in paths]
        return "".join(f"\nSaved to {name}" for name in names)
    if folder is None:
        return "\nMore: -v"
    page = f"streamgauge report {command(folder)}"
    return f"\n{plural(len(paths), 'run')} in {folder}{os.sep}   more: -v   page: {page}"


def _documents(runs: Runs) -> list[dict[str, Any]]:
    """What --json writes: a run per learner, or its models with their mean."""
    several = any(run.settings.model is not None for run in runs)
    documents: list[dict[str, Any]] = runs.to_dict()["learners"]
    return documents if several else [run for each in documents for run in each["runs"]]


def _ablation_text(ablations: Sequence[Ablation]) -> str:
    """What the features add, and how to see it for features and past labels together."""
    lines = list(map(str, ablations))
    learners = [each.run.learner for each in ablations]
    together = [shown_as(each) for each in learners if not getattr(each, "remedy", None)]
    if together and not any(each.uses_labels for each in ablations):
        lines.append(
            "To see what the features add to the past labels: --ablate --learner "
            f"'TemporallyAugmented({together[0]})'."
        )
    return "\n".join(lines)


def write_json(values: Any, path: Path, what: str) -> None:
    """Write the file that --json asks for."""
    with write_errors(what, "--json"):
        _write_json(values, path)


def _write_json(values: Any, path: Path) -> None:
    if path == STDOUT:
        echo(json.dumps(values, indent=1), raw=True)  # ASCII, which no terminal changes
        return
    text = json.dumps(values, indent=1, ensure_ascii=False)
    with output_file(path) as file:
        file.write(f"{text}\n".encode())
