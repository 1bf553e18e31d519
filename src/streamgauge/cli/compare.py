"""streamgauge compare: saved runs over one stream, the first against the others."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._options import Debug, Json


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Directories of saved runs, two or more; after the first also a reference, "
            "e.g. Persistent.",
            metavar="RUN RUN...",
        ),
    ],
    forget: Annotated[
        list[str] | None,
        typer.Option(help='"Cumulative()", "Window(1000)", "Fading(0.999)"; may be repeated.'),
    ] = None,
    loss: Annotated[
        str | None, typer.Option(help="zero_one of classes; absolute or squared of numbers.")
    ] = None,
    bound: Annotated[
        float | None, typer.Option(help="Two losses never differ by more, e.g. of numbers.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of bounds, tests and stretches.")] = 0.99,
    smooth: Annotated[float, typer.Option(help="Added to both sums of losses in Q.")] = 0.0,
    compat: Annotated[
        str | None, typer.Option(help="gama2013: McNemar under fading as printed there.")
    ] = None,
    wait: Annotated[
        int | None, typer.Option(help="Every label is known before so many further rows.")
    ] = None,
    stretch: Annotated[
        int | None, typer.Option(help="Rows of the pieces that stretches are made of.")
    ] = None,
    json: Json = None,
    debug: Debug = False,
) -> None:
    """Which learner is better, and where along the stream?

    Compares runs that `streamgauge evaluate` saved: bounds that hold at whatever row one looks,
    batch means, the Q statistic, McNemar's test, stretches where one or the other is better.

    Example: streamgauge compare results/elec2-NaiveBayes-* results/elec2-HoeffdingTree-*
    """
    from streamgauge._support import registry
    from streamgauge._support.call_parser import build
    from streamgauge.cli._output import write_json
    from streamgauge.comparison.compare import compare as run_comparison
    from streamgauge.comparison.options import CompareArguments

    if len(runs) < 2:
        raise UsageError("one run alone: expected at least two to compare")
    known = registry.names("forgetting")
    first, *others = runs
    options: CompareArguments = {
        "forget": [build(text, known, "forgetting") for text in forget] if forget else None,
        "loss": loss,
        "bound": bound,
        "confidence": confidence,
        "smooth": smooth,
        "compat": compat,  # type: ignore[typeddict-item]
        "wait": wait,
        "stretch": stretch,
    }
    found = run_comparison(first, *others, **options)
    typer.echo(str(found))
    if json is not None:
        write_json(found.to_dict(), json, json)
