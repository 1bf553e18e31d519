"""streamgauge monitor: follow predictions and late labels; export dashboards; a demo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from streamgauge.cli._options import Debug
from streamgauge.cli._terminal import echo


class _FileFirst(TyperGroup):
    """`streamgauge monitor monitor.toml` is short for `streamgauge monitor run monitor.toml`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = args[0] in self.commands or args[0].startswith("-")
        return super().resolve_command(ctx, args if known else ["run", *args])


monitor = typer.Typer(
    cls=_FileFirst,
    no_args_is_help=True,
    help="Join predictions and late labels as they come. `monitor FILE` is short for `run FILE`.",
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file (docs/monitoring.md).")]


@monitor.command()
def run(
    file: File,
    once: Annotated[
        bool, typer.Option("--once", help="Read what is there, print the figures and end.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Follow the sources that a TOML file names.

    \b
    Example: streamgauge monitor run monitor.toml
    """
    from streamgauge.monitoring.monitor import Monitor

    followed = Monitor(file)
    try:
        if once:
            followed.catch_up()
            followed.save()
        else:
            followed.run()
    finally:
        followed.close()
    echo(str(followed))
