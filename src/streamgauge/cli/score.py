"""streamgauge score: judge predictions made elsewhere, from a CSV log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def score(
    log: Annotated[str, typer.Argument(help="A CSV file with a label and a prediction per row.")],
    true: Annotated[str, typer.Option(help="The true label's column.")],
    pred: Annotated[str, typer.Option(help="The prediction's column; empty = none made.")],
    arrives: Annotated[str | None, typer.Option(help="Column of arrival times.")] = None,
    revealed: Annotated[str | None, typer.Option(help="Column of reveal times.")] = None,
    window: Annotated[
        list[int] | None, typer.Option(help="Also measure over the last so many rows.")
    ] = None,
    fading: Annotated[
        list[float] | None, typer.Option(help="Also measure with fading, e.g. 0.999.")
    ] = None,
    warmup: Annotated[int, typer.Option(help="First rows that are not scored.")] = 0,
    json: Annotated[
        Path | None, typer.Option(help="Write the results there (docs/json.md).")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Keep curves and predictions in this folder.")
    ] = None,
    debug: Annotated[bool, typer.Option(help="Show the traceback of an error.")] = False,
) -> None:
    """Judge a log of predictions: references, metrics and a verdict in words."""
    from streamgauge.cli.evaluate import forgettings
    from streamgauge.cli.output import report, settle
    from streamgauge.scoring import score_file

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
