"""streamgauge inspect: examine a stream's labels and their order before trying any learner."""

from __future__ import annotations

from streamgauge._support.printable import printable
from streamgauge.cli._figures import check_figure, save_figure
from streamgauge.cli._options import (
    Arrives,
    Classes,
    Data,
    Debug,
    Drop,
    Inject,
    Json,
    Nominal,
    Plot,
    Revealed,
    Rows,
    Target,
    Task,
    Variant,
    Verbose,
)
from streamgauge.cli._stream import arguments, check_task, open_stream
from streamgauge.cli._terminal import command, echo, show


def inspect(
    data: Data,
    target: Target = None,
    variant: Variant = None,
    nominal: Nominal = None,
    drop: Drop = None,
    task: Task = None,
    classes: Classes = None,
    arrives: Arrives = None,
    revealed: Revealed = None,
    rows: Rows = None,
    inject: Inject = 0,
    json: Json = None,
    verbose: Verbose = False,
    plot: Plot = None,
    debug: Debug = False,
) -> None:
    """Find the reference to beat and patterns in the labels.

    Reads DATA once and prints advice in words, then class frequencies, transitions,
    autocorrelation with its seasons, and the window size that the classes need. With reveal times:
    how long labels take, and whether that depends on the class.

    \b
    Examples:
    streamgauge inspect x.csv --target y --plot labels.pdf
    streamgauge inspect x.csv --target y --arrives planned --revealed actual
    """
    from streamgauge.inspection.inspect import inspect as run_inspection
    from streamgauge.streams.transforms.inject import inject as injected

    check_task(task)
    check_figure(plot)
    columns = {"target": target, "nominal": nominal, "drop": drop, "task": task}
    columns["classes"] = classes
    columns |= {"arrives": arrives, "revealed": revealed}
    profile = run_inspection(injected(open_stream(data, columns, variant), inject), rows)
    show(profile, verbose)
    if json is not None:
        from streamgauge.cli._output import write_json

        write_json(profile.to_dict(), json, "the profile")
    save_figure(profile.plot, plot)
    given = columns | {"variant": variant, "rows": rows, "inject": inject or None}
    echo(f"\nNext: {printable(command('streamgauge', 'evaluate', data, *arguments(given)))}")
