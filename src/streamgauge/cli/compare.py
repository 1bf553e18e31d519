"""streamgauge compare: compare saved runs over one stream, the first against the others."""

from __future__ import annotations

from typing import Annotated

import typer

from streamgauge._support.errors import UsageError
from streamgauge.cli._figures import check_figure, save_figure
from streamgauge.cli._options import Debug, Forget, Json, Plot, Verbose
from streamgauge.cli._terminal import show


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Directories of saved runs; after the first, or a reference: Persistent.",
            metavar="RUN RUN...",
        ),
    ],
    forget: Forget = None,
    loss: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="zero_one; for regression, absolute or squared."),
    ] = None,
    bound: Annotated[
        float | None,
        typer.Option(metavar="X", help="Regression: largest difference of two losses."),
    ] = None,
    confidence: Annotated[
        float, typer.Option(metavar="P", help="Confidence level of everything.")
    ] = 0.99,
    smooth: Annotated[
        float,
        typer.Option(metavar="X", help="Q statistic: added to both sums of losses."),
    ] = 0.0,
    compat: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="gama2013: fading McNemar's test as printed there."),
    ] = None,
    wait: Annotated[
        int | None,
        typer.Option(metavar="N", help="Longest wait for a label, in rows."),
    ] = None,
    stretch: Annotated[
        int | None,
        typer.Option(metavar="N", help="Rows per segment when looking for stretches."),
    ] = None,
    equal_within: Annotated[
        float | None,
        typer.Option(
            metavar="X",
            help="Are losses equal within X? 0.01: a percentage point.",
        ),
    ] = None,
    json: Json = None,
    verbose: Verbose = False,
    plot: Plot = None,
    debug: Debug = False,
) -> None:
    """Find out which learner is better, and where along the stream.

    Compares saved runs: bounds that are valid at any row, batch means, the Q statistic, McNemar's
    test, and stretches of the stream where either one is better.

    \b
    Example: streamgauge compare results/x-NaiveBayes-* results/x-KNN-*
    """
    from streamgauge.cli._option_texts import parse_forgettings
    from streamgauge.cli._output import write_json
    from streamgauge.comparison.compare import compare as run_comparison
    from streamgauge.comparison.options import CompareArguments

    check_figure(plot)
    if len(runs) < 2:
        raise UsageError(f"got one run, {runs[0]}; expected at least two to compare")
    first, *others = runs
    options: CompareArguments = {
        "forget": parse_forgettings(forget) or None,
        "loss": loss,
        "bound": bound,
        "confidence": confidence,
        "smooth": smooth,
        "compat": compat,  # type: ignore[typeddict-item]
        "wait": wait,
        "stretch": stretch,
        "equal_within": equal_within,
    }
    comparison = run_comparison(first, *others, **options)
    show(comparison, verbose)
    if json is not None:
        write_json(comparison.to_dict(), json, "the comparison")
    save_figure(comparison.plot, plot)
