"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str,
    typer.Argument(
        help="A file (.csv, .csv.gz, .parquet, .arff), a data set such as elec2, or a stream of "
        "the TENET benchmark: tenet:SEA, tenet:Sine1:gradual."
    ),
]
Target = Annotated[
    str | None, typer.Option(help="A file's label column. Default: target, class, label or y.")
]
Variant = Annotated[
    str | None, typer.Option(help="Of a data set: other features, e.g. papers of elec2.")
]
Nominal = Annotated[list[str] | None, typer.Option(help="A column of numbers that are names.")]
Drop = Annotated[list[str] | None, typer.Option(help="A column that is no feature.")]
Task = Annotated[str | None, typer.Option(help="classification or regression; else found out.")]
Rows = Annotated[int | None, typer.Option(help="Only the first so many rows.")]
Inject = Annotated[
    int, typer.Option(help="Temporal injection: a label becomes the mode of so many before and it.")
]
Arrives = Annotated[str | None, typer.Option(help="Column of arrival times.")]
Revealed = Annotated[str | None, typer.Option(help="Column of reveal times.")]
Delay = Annotated[int | None, typer.Option(help="Labels come so many rows late.")]
Windows = Annotated[list[int] | None, typer.Option(help="Also measure over the last so many rows.")]
Fadings = Annotated[list[float] | None, typer.Option(help="Also measure with fading, e.g. 0.999.")]
Json = Annotated[Path | None, typer.Option(help="Write the results there (docs/json.md).")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of an error.")]
Folder = Annotated[Path, typer.Option("--store", help="Keep the runs in this folder.")]
Store = Annotated[Path, typer.Argument(help="The folder given to `run`.")]
