"""The command line, one verb per file.

Verbs import numpy and the rest of streamgauge when they run, so that `streamgauge --help` is fast.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from typing import Any

import typer

from streamgauge._support import registry
from streamgauge._support.errors import Interrupted, LearnerError, StreamgaugeError
from streamgauge._support.printable import printable
from streamgauge.cli._help import Verb, Verbs
from streamgauge.cli._terminal import (
    OutputError,
    columns,
    echo,
    echo_error,
    flush_output,
    prepare_streams,
    usage_text,
)
from streamgauge.rendering.layout import wide


class _StoppedByUser(StreamgaugeError):  # noqa: N818 - nothing is wrong
    """Ctrl-C, in a form for which typer does not print its own message."""


_CODES: dict[type[Exception], int] = {
    _StoppedByUser: 130, LearnerError: 1, OutputError: 1, StreamgaugeError: 2, OSError: 2,
    MemoryError: 1, Exception: 70,
}  # fmt: skip
_USAGE: Any = next(each for each in typer.BadParameter.__mro__ if "ClickException" in str(each))


def _stoppable(verb: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(verb)
    def call(*arguments: Any, **options: Any) -> None:
        try:
            verb(*arguments, **options)
        except Interrupted as interrupted:
            raise _StoppedByUser(str(interrupted)) from interrupted

    return call


def _version(asked: bool) -> None:
    if asked:
        from streamgauge import __version__

        echo(__version__)
        raise typer.Exit


def _before_verb(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Evaluate data-stream learners: metrics over time, late labels, drift, comparisons."""


def make_app(verbs: Iterable[str]) -> typer.Typer:
    """The commands of these verbs."""
    app = typer.Typer(
        cls=Verbs,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_before_verb)
    for verb in verbs:
        found = registry.find(verb, "verb")
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=verb)
        else:
            app.command(verb, cls=Verb)(_stoppable(found))
    return app


def main() -> None:
    """Run a verb.

    Exit codes: 0 success, 1 a run failed or the output could not be written, 2 invalid usage or
    input, 70 a bug of streamgauge, 130 Ctrl-C.
    """
    try:
        prepare_streams()
        verbs = registry.own_names("verb")
        asked = sys.argv[1:2]  # the commands of all verbs take a while to make
        app = make_app(asked if set(asked) & set(verbs) else verbs)
        with wide(columns()):
            code = app(prog_name="streamgauge", standalone_mode=False)
        flush_output()
    except Exception as error:  # never a traceback, unless it is asked for
        code = _fail(error)
    sys.exit(code or 0)


def _fail(error: Exception) -> int:
    """Say in one line what went wrong; return the exit code."""
    if isinstance(error, _USAGE):
        echo_error(usage_text(error))
        return int(error.exit_code)
    if "--debug" in sys.argv:
        echo_error("".join(traceback.format_exception(error)).rstrip("\n"))
    else:
        echo_error(f"streamgauge: {printable(_reason(error))}")
    return next(code for kind, code in _CODES.items() if isinstance(error, kind))


def _reason(error: Exception) -> str:
    if isinstance(error, StreamgaugeError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error}{_missing_folder()}"
    if isinstance(error, MemoryError):
        return f"out of memory: {error}" if str(error) else "out of memory"
    return (
        f"internal error: {type(error).__name__}: {error}; this is a bug: please report it, with "
        "what --debug shows"
    )


def _missing_folder() -> str:
    try:
        os.getcwd()
    except OSError:
        return "; the current folder no longer exists: change to another one"
    return ""
