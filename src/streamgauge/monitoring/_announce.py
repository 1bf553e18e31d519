"""Tells others of an alarm that is raised or ends: a command of the user's, or a web hook."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import partial
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from streamgauge._support.printable import printable
from streamgauge.monitoring._outbox import Send
from streamgauge.monitoring.config import MonitorConfig

_SECONDS = 60  # the longest that a command may take
_WEB_SECONDS = 15  # … and a web hook
_LONGEST = 4000  # characters of a placeholder
_PLACEHOLDERS = ("id", "alarm", "model", "state", "text")


def senders(config: MonitorConfig) -> list[Send]:
    """All that a configuration wants to be told."""
    found: list[Send] = [partial(run_command, config.command)] if config.command else []
    return [*found, partial(call_web_hook, config.webhook)] if config.webhook else found


def run_command(command: Sequence[str], event: Mapping[str, Any]) -> str | None:
    """Run a command; it gets the event as JSON on standard input, and as placeholders.

    The command is a list of arguments and never goes through a shell. In each argument {id},
    {alarm}, {model}, {state} and {text} are replaced; they are environment variables, too. A name
    may hold what no argument can: the placeholders show it, the JSON has it as it is. What went
    wrong is returned.
    """
    given = {key: _argument(str(event[key] or "")) for key in _PLACEHOLDERS}
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
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return f"the command {arguments[0]} failed: {error}"
    if not done.returncode:
        return None
    said = done.stderr.decode(errors="replace").strip()[-500:]
    return f"the command {arguments[0]} failed: {said or f'exit code {done.returncode}'}"


def call_web_hook(address: str, event: Mapping[str, Any]) -> str | None:
    """Post the event as JSON; its id is the Idempotency-Key. What went wrong is returned."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(event["id"])}
    try:
        request = Request(address, msgspec.json.encode(event), headers, method="POST")
        with urlopen(request, timeout=_WEB_SECONDS):
            return None
    except HTTPError as error:
        with error:
            return f"the web hook failed: {error.code} {error.reason}"
    except (OSError, ValueError, HTTPException) as error:
        return f"the web hook failed: {error}"


def _argument(text: str) -> str:
    """A text that a program can get as an argument: no NUL, and not too long."""
    return printable(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
