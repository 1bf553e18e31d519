"""streamgauge score: evaluate predictions made elsewhere, from a CSV log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge.cli._options import Arrives, Debug, Fadings, Forget, Json, Revealed, Windows


def score(
    log: Annotated[
        str,
        typer.Argument(metavar="LOG", help="A CSV file with one label and one prediction per row."),
    ],
    true: Annotated[str, typer.Option(metavar="COLUMN", help="Column of the true label.")],
    pred: Annotated[
        str,
        typer.Option(
            metavar="COLUMN", help="Column of the prediction; an empty cell is an abstention."
        ),
    ],
    arrives: Arrives = None,
    revealed: Revealed = None,
    forget: Forget = None,
    window: Windows = None,
    fading: Fadings = None,
    warmup: Annotated[int, typer.Option(metavar="N", help="Do not score the first N rows.")] = 0,
    json: Json = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder to save curves and predictions in."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Evaluate predictions that were made elsewhere.

    Prints a table of metrics, with the references, and a verdict in words.

    \b
    Example: streamgauge score log.csv --true label --pred prediction
    """
    from streamgauge.cli._output import report
    from streamgauge.cli._parsing import make_forgettings
    from streamgauge.evaluation.score import score_file

    report(
        lambda: [
            score_file(
                log,
                true,
                pred,
                arrives=arrives,
                revealed=revealed,
                forget=make_forgettings(forget, window, fading),
                warmup=warmup,
            )
        ],
        json,
        save,
    )
