"""Options that several verbs share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from streamgauge.cli._help import COLUMNS
from streamgauge.cli._terminal import data_on_stdout
from streamgauge.runs.options import LATE, MORE, OPTIONS, Option

_TYPES: dict[str, Any] = {
    "text": str | None,
    "texts": list[str] | None,
    "integer": int | None,
    "flag": bool,
    "matrix": str | None,
}


def _written(option: Option) -> Any:
    return typer.Option(
        option.flag,
        metavar=option.metavar or None,
        help=option.help,
        rich_help_panel=option.group,
        show_default=option.default != 0,
    )


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
        help="A file (.csv, .parquet, ...), 'SEA(20000)', a data set (`streamgauge data "
        "list`) or a card of yours (.toml).",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="The label. Default: target, class, label or y.",
        rich_help_panel=COLUMNS,
    ),
]
Variant = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Variant of a data set, e.g. papers (of elec2).",
        rich_help_panel=COLUMNS,
    ),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Treat this numeric column as nominal.",
        rich_help_panel=COLUMNS,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN",
        help="Do not use this column as a feature.",
        rich_help_panel=COLUMNS,
    ),
]
Classes = Annotated[
    list[str] | None,
    typer.Option(
        "--classes",
        metavar="LABEL",
        help="A class; name all if labels such as NA are classes.",
        rich_help_panel=COLUMNS,
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        metavar="TASK",
        help="classification or regression. Default: by the label.",
        rich_help_panel=COLUMNS,
    ),
]
Rows = Annotated[int | None, typer.Option(metavar="N", help="Use only the first N rows.")]
Seed = Annotated[int, declared("seed")]
Inject = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Replace each label by the mode of the last N + 1.",
        show_default=False,
        rich_help_panel=MORE,
    ),
]
Arrives = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Time at which a row arrives.", rich_help_panel=COLUMNS),
]
Revealed = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="Time at which its label is known.", rich_help_panel=COLUMNS
    ),
]
Labels = Annotated[str | None, declared("labels")]
Delay = Annotated[int | None, typer.Option(metavar="N", help="Reveal labels N rows late.")]
LabelsFirst = Annotated[
    bool,
    typer.Option(
        "--labels-first",
        help="At equal times, reveal labels before rows arrive.",
        rich_help_panel=LATE,
    ),
]
Forget = Annotated[list[str] | None, declared("forget")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Only cells with this stream, learner, labels or seed; learner!=KNN: without it.",
    ),
]
Experiment = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The experiment, if the store has several."),
]
Json = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the results as JSON; -: print only that.",
        callback=data_on_stdout,
    ),
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show everything: all metrics, references, tests.")
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="Draw the results: .pdf, .svg, .png or .html."),
]
Workers = Annotated[
    int | None, typer.Option(metavar="N", help="Number of processes. Default: one per core.")
]
Modules = Annotated[
    list[str] | None,
    typer.Option(
        "--module",
        metavar="FILE",
        help="A Python file of yours, for 'mine:Model()'.",
        rich_help_panel=MORE,
    ),
]
Debug = Annotated[
    bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel=MORE)
]
Folder = Annotated[
    Path, typer.Option("--store", metavar="FOLDER", help="Folder to keep the runs in.")
]
Store = Annotated[Path, typer.Argument(metavar="STORE", help="The folder given to `run --store`.")]
