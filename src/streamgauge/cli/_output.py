"""What every verb does with its runs: print, save, write JSON, and keep what an error left."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from streamgauge._support.errors import StreamgaugeError, UsageError
from streamgauge.runs.folds import Folds
from streamgauge.runs.run import Run
from streamgauge.runs.text import show_runs


def report(
    results: Sequence[Run] | Sequence[Folds], json_path: Path | None, folder: Path | None
) -> None:
    """Print results over one stream; save them; write their JSON."""
    folds = [each for each in results if isinstance(each, Folds)]
    runs = [each for each in results if isinstance(each, Run)]
    typer.echo("\n\n".join(map(str, folds)) if folds else show_runs(runs))
    with writing("the results", "--save or --json"):
        runs += [run for each in folds for run in each]
        places = [] if folder is None else [run.save(folder) for run in runs]
        if json_path is not None:
            _write_json([each.to_dict() for each in results], json_path)
    typer.echo("".join(f"\nSaved to {place}" for place in places), nl=bool(places))


@contextmanager
def writing(what: object, options: str) -> Iterator[None]:
    """Where it cannot be written, an error with the options that name another place."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{what} cannot be written: {error}; name another place with {options}"
        ) from None


def write_json(values: Any, path: Path, what: object) -> None:
    """What --json asks for."""
    with writing(what, "--json"):
        _write_json(values, path)


def _write_json(values: Any, path: Path) -> None:
    """Plain values as a file that is there in full or not at all."""
    text = json.dumps(values, indent=1, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".writing")
    aside.write_text(text + "\n", encoding="utf-8")
    aside.replace(path)


def settle(job: Callable[[], None], json_path: Path | None, folder: Path | None) -> None:
    """Do a job; if it fails with rows already scored, report those before the error."""
    try:
        job()
    except StreamgaugeError as error:
        if any(run.counts.scored for run in error.runs):
            report(error.runs, json_path, folder)
            typer.echo("")
        raise
