"""Runs a command of the user's when an alarm is raised or ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from streamgauge._support.printable import printable

_SECONDS = 60  # the longest that a command may take
_LONGEST = 4000  # characters of a placeholder


def announce(command: Sequence[str], event: Mapping[str, Any]) -> None:
    """Run a command; it gets the event as JSON on standard input, and as placeholders.

    The command is a list of arguments and never goes through a shell. In each argument {alarm},
    {model}, {state} and {text} are replaced. If it fails, a line on standard error says so. A name
    may hold what no argument can: the placeholders show it, the JSON has it as it is.
    """
    given = {key: _argument(str(event[key] or "")) for key in ("alarm", "model", "state", "text")}
    placeholder = re.compile("{(" + "|".join(given) + ")}")
    arguments = [placeholder.sub(lambda found: given[found[1]], each) for each in command]
    try:
        done = subprocess.run(
            arguments,
            input=msgspec.json.encode(event),
            timeout=_SECONDS,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, **{f"STREAMGAUGE_{k.upper()}": v for k, v in given.items()}},
        )
        problem = done.stderr.decode(errors="replace").strip()[-500:] if done.returncode else ""
        code = done.returncode
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        problem, code = str(error), -1
    if code:
        with suppress(OSError, ValueError):  # standard error may be closed
            failed = printable(f"the command {arguments[0]} failed: {problem}")
            print(f"streamgauge: {failed}", file=sys.stderr)


def _argument(text: str) -> str:
    """A text that a program can get as an argument: no NUL, and not too long."""
    return printable(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
