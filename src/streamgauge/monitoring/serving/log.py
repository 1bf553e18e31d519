"""The log of a monitor: a line per event on standard error, as words or as JSON."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Literal

from streamgauge._support.printable import printable

LogFormat = Literal["text", "json"]


class Log:
    """Writes events; a log that cannot be written never stops a monitor."""

    def __init__(self, form: LogFormat = "text") -> None:
        self._form = form

    def say(self, event: str, message: str, level: str = "info", **facts: Any) -> None:
        """Write one line: what happened, in words, and the facts for programs."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self._form == "json":
            line = {"time": now, "level": level, "event": event, "message": message, **facts}
            text = json.dumps(line, default=str)
        else:
            mark = "" if level == "info" else f"{level}: "
            text = f"{now} {mark}{printable(message)}"
        with suppress(OSError, ValueError):
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
