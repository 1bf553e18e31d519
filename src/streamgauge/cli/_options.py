"""Options that several verbs share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from streamgauge._support import registry
from streamgauge.cli._terminal import data_on_stdout
from streamgauge.runs.options import OPTIONS, Option

_TYPES: dict[str, Any] = {
    "text": str | None,
    "texts": list[str] | None,
    "integer": int | None,
    "flag": bool,
    "matrix": str | None,
}


def _written(option: Option) -> Any:
    names = ", ".join(registry.shown_names(option.kind)) if "{names}" in option.help else ""  # type: ignore[arg-type]
    shown = option.help.replace("{names}", names)
    return typer.Option(option.flag, metavar=option.metavar or None, help=shown)


def declared(name: str) -> Any:
    """An option of an evaluation on the command line, for the annotation of a verb's parameter."""
    return _written(next(option for option in OPTIONS if option.name == name))


def takes_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take the options of an evaluation in its `**options`, shown after --learner."""
    signature = inspect.signature(verb, eval_str=True)
    own = list(signature.parameters.values())[:-1]
    place = 1 + next(number for number, each in enumerate(own) if each.name == "learner")
    options = [
        inspect.Parameter(
            option.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=option.default if option.form in ("integer", "flag") else None,
            annotation=Annotated[_TYPES[option.form], _written(option)],
        )
        for option in OPTIONS
    ]
    parameters = [*own[:place], *options, *own[place:]]
    verb.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return verb


Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A file (.csv, .csv.gz, .parquet, .arrow, .arff), a data set such as elec2, a card "
        "of your own (.toml), a generator with its parameters: 'SEA(20000, noise=0.1)', or a "
        "stream of the TENET benchmark: tenet:SEA, tenet:Sine1:gradual.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="Label column of a file. Default: target, class, label or y."
    ),
]
Variant = Annotated[
    str | None, typer.Option(metavar="NAME", help="Variant of a data set, e.g. papers (of elec2).")
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Treat this numeric column as nominal. May be repeated."),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Do not use this column as a feature. May be repeated."),
]
Classes = Annotated[
    list[str] | None,
    typer.Option(
        "--classes",
        metavar="LABEL",
        help="A class of the target. Repeat it for every class; needed only if labels such as None "
        "or NA may be classes.",
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="TASK", help="classification or regression. Default: inferred from the target."
    ),
]
Rows = Annotated[int | None, typer.Option(metavar="N", help="Use only the first N rows.")]
Seed = Annotated[int, declared("seed")]
Inject = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Temporal injection: replace each label by the mode of it and the N labels before.",
    ),
]
Arrives = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of arrival times.")]
Revealed = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of reveal times.")]
Labels = Annotated[str | None, declared("labels")]
Delay = Annotated[
    int | None, typer.Option(metavar="N", help="Reveal labels N rows late: Delay(N).")
]
Forget = Annotated[list[str] | None, declared("forget")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Only these cells, e.g. 'labels=Delay(100)'. Keys: stream, learner, labels, seed. May "
        "be repeated.",
    ),
]
Experiment = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Name of the experiment, if the store has several."),
]
Json = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the results as JSON; - prints them instead of the text.",
        callback=data_on_stdout,
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show everything: all metrics, references, tests.")
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        help="Draw the results: .pdf, .svg, .png or .html. Needs streamgauge[plot].",
    ),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", help="Number of processes. Default: one per core.")
]
Modules = Annotated[
    list[str] | None,
    typer.Option(
        "--module",
        metavar="FILE",
        help="A Python file of your own, mine.py, which is run: texts may name what it defines, "
        "e.g. --learner 'mine:Model()', --metric mine:score. May be repeated.",
    ),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
Folder = Annotated[
    Path, typer.Option("--store", metavar="FOLDER", help="Folder to keep the runs in.")
]
Store = Annotated[Path, typer.Argument(metavar="STORE", help="The folder given to `run --store`.")]
