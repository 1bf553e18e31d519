"""The terminal: everything that verbs print goes through `echo`, whatever state the streams are in.

Names and labels come from data, so control characters in them are shown and not obeyed. Characters
that the terminal's encoding lacks are replaced.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import typer

from streamgauge._support.errors import StreamgaugeError
from streamgauge._support.printable import printable_lines
from streamgauge.rendering.layout import wrap

_ASCII = str.maketrans(
    {"·": "|", "−": "-", "–": "-", "…": "...", "±": "+-", "×": "x", "χ": "chi", "²": "2",
     "→": "->", "↓": "v", "Σ": "sum", "Δ": "Delta", "ℓ": "l", "≥": ">=", "≤": "<=", "’": "'",
     "▲": "^", "▼": "v", "○": "o", "▀": "+", "▔": "+", "▄": "-", "▁": "-", "─": "0"}
)  # fmt: skip
STDOUT = Path("-")
_COLOURS = {"▲": "green", "▀": "green", "▔": "green", "▼": "red", "▄": "red", "▁": "red",
            "○": "yellow"}  # fmt: skip
_MARKED = re.compile(f"[{''.join(_COLOURS)}]+")


_lost: list[OSError] = []  # errors of this command's output
_only_data: list[bool] = []  # whether standard output is for data alone, as with --json -


class OutputError(StreamgaugeError):
    """Standard output cannot be written to."""


def columns() -> int:
    """The columns of the terminal: COLUMNS, else its size, else 80."""
    return shutil.get_terminal_size().columns


def echo(text: str = "", nl: bool = True, raw: bool = False) -> None:
    """Print to standard output; what follows still runs if it is lost, such as saving the results.

    Lines that are too long wrap at words, unless the text is `raw`: data for another program.
    `flush_output` raises the error.
    """
    if _only_data and not raw:
        return
    shown = printable_lines(text)
    try:
        typer.echo(shown if raw else _coloured(wrap(shown, columns())), nl=nl)
    except BrokenPipeError:  # who reads has had enough, as `| head`
        _discard_output()
    except OSError as error:  # a full disk
        _lost.append(error)
        _discard_output()


def show(found: Any, verbose: bool) -> None:
    """Print a result: its answer, and with -v its details."""
    echo(str(found))
    if verbose:
        echo(f"\n{found.details}")


def data_on_stdout(path: Path | None) -> Path | None:
    """Keep everything but data off standard output if the path of a file is `-`."""
    if path == STDOUT:
        _only_data.append(True)
    return path


def command(*words: object) -> str:
    """Words as the shell of this system reads them."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if os.name == "nt" else shlex.join(texts)


def _coloured(text: str) -> str:
    """The text with its marks in colour, on a terminal that shows it."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if plain or not sys.stdout.isatty():
        return text
    return _MARKED.sub(lambda found: typer.style(found[0], fg=_COLOURS[found[0][0]]), text)


def echo_error(text: str) -> None:
    """Print to standard error, if it is there: the exit code says the rest."""
    with contextlib.suppress(OSError):
        typer.echo(wrap(printable_lines(text), columns()), err=True)


def prepare_streams() -> None:
    """Make the standard streams usable; an OutputError if there is no standard output."""
    _lost.clear()
    _only_data.clear()
    for number in (0, 1, 2):  # else the next file opened would get the number of a closed stream
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
    if sys.stdout is None:
        raise OutputError(
            "standard output is closed; redirect it to a file, or to /dev/null to discard it"
        )
    codecs.register_error(_REPLACED, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_REPLACED)


_REPLACED = "streamgauge.replaced"


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What to print instead of characters that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end


def _discard_output() -> None:
    """Drop what could not be written: Python would try again when it exits."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def flush_output() -> None:
    """Write what is still buffered; an OutputError if any output was lost."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
    except OSError as error:
        _lost.append(error)
        _discard_output()
    if _lost:
        reason = _lost[0].strerror or _lost[0]
        raise OutputError(f"cannot write to standard output: {reason}")


def leave_at_once() -> NoReturn:
    """End this process with 0, without tearing down the interpreter: kernels take seconds for it.

    Everything has to be written and closed by now.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(0)


def usage_text(error: Any) -> str:
    """The message of a usage error of typer, with the usage line."""
    text = io.StringIO()
    error.show(file=text)
    return text.getvalue().rstrip("\n")
