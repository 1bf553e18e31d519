"""streamgauge score: judge predictions made elsewhere, from a CSV log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from streamgauge.cli._options import Arrives, Debug, Fadings, Json, Revealed, Windows


def score(
    log: Annotated[str, typer.Argument(help="A CSV file with a label and a prediction per row.")],
    true: Annotated[str, typer.Option(help="The true label's column.")],
    pred: Annotated[str, typer.Option(help="The prediction's column; empty = none made.")],
    arrives: Arrives = None,
    revealed: Revealed = None,
    window: Windows = None,
    fading: Fadings = None,
    warmup: Annotated[int, typer.Option(help="First rows that are not scored.")] = 0,
    json: Json = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep curves and predictions in this folder.")
    ] = None,
    debug: Debug = False,
) -> None:
    """Judge a log of predictions: references, metrics and a verdict in words."""
    from streamgauge.cli._output import report, settle
    from streamgauge.cli.evaluate import forgettings
    from streamgauge.evaluation.score import score_file

    settle(
        lambda: report(
            [
                score_file(
                    log,
                    true,
                    pred,
                    arrives=arrives,
                    revealed=revealed,
                    forget=forgettings(window, fading),
                    warmup=warmup,
                )
            ],
            json,
            save,
        ),
        json,
        save,
    )
