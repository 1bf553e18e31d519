"""A page that changes while browsers show it: its newest state, and a bell for those who wait."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from streamgauge._support.errors import MissingExtra, StreamgaugeError
from streamgauge.reports.html import Html, tag
from streamgauge.reports.page import Content


class Shown(NamedTuple):
    """What a browser shows; the numbers grow with every change."""

    status: Html
    content: Content
    title: str
    status_number: int
    content_number: int


class LivePage(ABC):
    """The newest state of a page."""

    def __init__(self, content: Content, title: str) -> None:
        self._changed = threading.Condition()
        self._now = Shown(Html(""), content, title, 0, 0)
        self.ended = False

    @property
    def now(self) -> Shown:
        """The newest state."""
        return self._now

    def fresh(self) -> Shown:
        """The state for a browser that opens the page."""
        return self._now

    def show(self, status: Html, content: Content, title: str) -> None:
        """Show this; browsers are told what has changed."""
        with self._changed:
            before = self._now
            new_status, new_content = status != before.status, content is not before.content
            if not (new_status or new_content):
                return
            self._now = Shown(
                status,
                content,
                title,
                before.status_number + new_status,
                before.content_number + new_content,
            )
            self._changed.notify_all()

    def refresh(self) -> None:
        """Look for something new; what cannot be read is said on the page, which keeps the rest."""
        before = self._now
        try:
            self.show(*self._read(before))
        except MissingExtra:
            raise
        except (StreamgaugeError, OSError) as error:
            self.show(problem_html(str(error)), before.content, before.title)
        except Exception as error:  # the page must not freeze in silence
            text = f"internal error: {type(error).__name__}: {error}; please report this bug"
            self.show(problem_html(text), before.content, before.title)

    @abstractmethod
    def _read(self, before: Shown) -> tuple[Html, Content, str]:
        """The newest status, content and title; the same content if nothing has changed."""

    def wait(self, seen: tuple[int, int], timeout: float, asks: Callable[[], bool]) -> Shown:
        """The newest state, after it has changed, the time is over, or the browser has gone."""
        with self._changed:
            self._changed.wait_for(
                lambda: (
                    self.ended
                    or not asks()
                    or (self._now.status_number, self._now.content_number) != seen
                ),
                timeout,
            )
            return self._now

    def wake(self) -> None:
        """Let those who wait look whether their browser has gone."""
        with self._changed:
            self._changed.notify_all()

    def end(self) -> None:
        """End all waits."""
        with self._changed:
            self.ended = True
            self._changed.notify_all()


def problem_html(text: str) -> Html:
    """A sentence that must not be overlooked."""
    return tag("p", tag("strong", text))
