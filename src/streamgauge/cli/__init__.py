"""The command line, one verb per file.

Verbs import numpy and the rest of streamgauge when they run, so that `streamgauge --help` is fast.
"""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from typing import Any

import typer

from streamgauge._support import registry
from streamgauge._support.errors import Interrupted, LearnerError, StreamgaugeError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class _Stopped(StreamgaugeError):  # noqa: N818 - nothing is wrong
    """Ctrl-C, in a form for which typer does not print its own message."""


_CODES: dict[type[StreamgaugeError], int] = {_Stopped: 130, LearnerError: 1}


def _stoppable(verb: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(verb)
    def call(*arguments: Any, **options: Any) -> None:
        try:
            verb(*arguments, **options)
        except Interrupted as interrupted:
            raise _Stopped(str(interrupted)) from interrupted

    return call


for _verb in registry.own_names("verb"):
    _found = registry.find(_verb, "verb")
    if isinstance(_found, typer.Typer):
        app.add_typer(_found, name=_verb)
    else:
        app.command(_verb)(_stoppable(_found))


def _version(asked: bool) -> None:
    if asked:
        from streamgauge import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Evaluate data-stream learners: metrics over time, late labels, drift, comparisons."""


def main() -> None:
    """Run a verb. Exit codes: 0 success, 1 a run failed, 2 invalid usage or input, 130 Ctrl-C."""
    try:
        app(prog_name="streamgauge")
    except StreamgaugeError as error:
        if "--debug" in sys.argv:
            traceback.print_exc()
        else:
            typer.echo(f"streamgauge: {error}", err=True)
        sys.exit(
            130 if isinstance(error, _Stopped) else 1 if isinstance(error, LearnerError) else 2
        )
