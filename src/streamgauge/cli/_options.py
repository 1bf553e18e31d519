"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge._support import registry

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
Seed = Annotated[int, typer.Option(metavar="N", help="Random seed.")]
Inject = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Temporal injection: replace each label by the mode of it and the N labels before.",
    ),
]
Arrives = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of arrival times.")]
Revealed = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of reveal times.")]
Labels = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        help="Label policy: when labels are revealed, e.g. 'Delay(100)'. One of "
        f"{', '.join(registry.names('label policy'))}. Default: as the data says, else at once.",
    ),
]
Delay = Annotated[
    int | None, typer.Option(metavar="N", help="Reveal labels N rows late: Delay(N).")
]
Forget = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FORGETTING",
        help="Forgetting of the metrics, e.g. 'Window(1000)'. One of "
        f"{', '.join(registry.names('forgetting'))}. May be repeated.",
    ),
]
Windows = Annotated[
    list[str] | None,
    typer.Option(
        metavar="N|DURATION",
        help="Measure over the last N rows: Window(N); or over the last hours, where rows have "
        "times: 24h, 30min, 7d. May be repeated.",
    ),
]
Fadings = Annotated[
    list[float] | None,
    typer.Option(
        metavar="ALPHA",
        help="Measure with a fading factor, e.g. 0.999: Fading(ALPHA). May be repeated.",
    ),
]
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
    Path | None, typer.Option(metavar="FILE", help="Write the results as JSON (docs/json.md).")
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
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
Folder = Annotated[
    Path, typer.Option("--store", metavar="FOLDER", help="Folder to keep the runs in.")
]
Store = Annotated[Path, typer.Argument(metavar="STORE", help="The folder given to `run --store`.")]
