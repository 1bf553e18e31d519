"""The outbox: alarm events that are still to be announced, by a command or a web hook."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from streamgauge._support.inside import Inside
from streamgauge._support.printable import printable

Event = dict[str, Any]
Send = Callable[[Mapping[str, Any]], str | None]  # returns what went wrong

_MOST = 1000  # events that wait; the oldest of more are dropped, and counted
_FIRST_PAUSE, _LONGEST_PAUSE = 10.0, 600.0  # seconds before another try


class Outbox:
    """Events that wait to be announced: kept in the snapshot until their delivery is noted.

    An event is sent only once a snapshot has it, so that it is never lost. A delivery is noted at
    once in a file beside the snapshot: a kill between the two sends the event again, with its id.

    Attributes
    ----------
    waiting
        Events that have not been delivered, the oldest first.
    dropped
        Number of events that were given up, since too many waited.
    problem
        What went wrong at the last try; None after a success.
    """

    state_fields = ("waiting", "dropped")

    def __init__(self, send: Sequence[Send], noted: Inside) -> None:
        self.waiting: list[Event] = []
        self.dropped = 0
        self.problem: str | None = None
        self._send, self._noted = list(send), noted
        self._pause, self._not_before = 0.0, 0.0

    def put(self, event: Event) -> None:
        """Take an event, if anybody wants to know."""
        if not self._send:
            return
        self.waiting.append(event)
        self.dropped += max(0, len(self.waiting) - _MOST)
        self.waiting = self.waiting[-_MOST:]

    def forget_delivered(self) -> None:
        """After a restart: leave out what was delivered after the snapshot."""
        if self._noted.path.exists():
            done = self._noted.path.read_bytes().decode(errors="replace").split()
            self.waiting = [event for event in self.waiting if event["id"] not in done]

    def note_saved(self) -> None:
        """A snapshot has what waits now: the notes of deliveries before it are of no more use."""
        if self._noted.path.exists():
            with self._noted.open("wb"):
                pass

    def deliver(self, before: int) -> None:
        """Send the events of the last snapshot, those with a number below `before`.

        After a failure all wait; the event that failed goes to the end, so that it holds no other.
        """
        if time.monotonic() < self._not_before:
            return
        for event in [each for each in self.waiting if each["number"] < before]:
            self.waiting.remove(event)
            problems = [problem for send in self._send if (problem := send(event)) is not None]
            if problems:
                self.waiting.append(event)
                self._failed(problems[0])
                return
            self._note(event["id"])
            self.problem, self._pause = None, 0.0

    def _failed(self, problem: str) -> None:
        self.problem = printable(problem)
        self._pause = min(_LONGEST_PAUSE, max(_FIRST_PAUSE, 2 * self._pause))
        self._not_before = time.monotonic() + self._pause
        with suppress(OSError, ValueError):  # standard error may be closed
            said = f"streamgauge: {self.problem}; it will be tried again"
            print(said, file=sys.stderr)

    def _note(self, text: str) -> None:
        with self._noted.open("ab") as file:
            file.write(f"\n{text}\n".encode())  # a kill may have left a part of a line
            file.flush()
            os.fsync(file.fileno())

    def status(self) -> dict[str, Any]:
        """The outbox as plain values."""
        return {"waiting": len(self.waiting), "dropped": self.dropped, "problem": self.problem}
