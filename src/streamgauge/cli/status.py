"""streamgauge status: show the progress of the experiments in a store."""

from __future__ import annotations

from pathlib import Path

from streamgauge.cli._options import Debug, Store, Verbose
from streamgauge.cli._terminal import echo


def status(
    store: Store = Path("results"),
    verbose: Verbose = False,
    debug: Debug = False,
) -> None:
    """Show the progress of experiments.

    Prints the number of cells done, running, failed, waiting and damaged, the time left, and which
    cells are not begun yet.

    \b
    Example: streamgauge status results
    """
    from streamgauge.experiments.status import damaged_plans
    from streamgauge.experiments.status import status as read_status

    shown = [each.details if verbose else str(each) for each in read_status(store)]
    echo("\n\n".join([*shown, *damaged_plans(store)]))
