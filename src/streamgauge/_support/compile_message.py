"""Says once that kernels are being compiled, when numba compiles one that the cache lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import event as numba_events

from streamgauge._support.cache_dir import cache_dir, is_writable
from streamgauge._support.progress import show_message

_PACKAGE = __name__.partition(".")[0]
_COMPILE = "numba:compile"


def _nothing() -> None:
    pass


class CompileMessage(numba_events.Listener):  # type: ignore[misc]  # numba has no types
    """Shows the message at the first compilation of this process; numba calls it at each."""

    def __init__(self) -> None:
        self.shown = False
        self.show: Callable[[str], None] = show_message
        self.also: Callable[[], None] = _nothing  # to do at the first compilation

    def on_start(self, event: Any) -> None:
        """Show the message if it is one of our kernels."""
        module = str(event.data["dispatcher"].py_func.__module__)
        if not self.shown and module.startswith(f"{_PACKAGE}."):
            self.announce()

    def on_end(self, event: Any) -> None:
        """Nothing to say."""

    def announce(self) -> None:
        """Show the message unless this process has shown it."""
        if not self.shown:
            self.shown = True
            kept = is_writable(cache_dir() / "kernels")  # for later processes
            often = "kept for later runs" if kept else f"not kept: cannot write to {cache_dir()}"
            self.show(f"Compiling new kernels (usually 2 to 25 s, {often}) …")
            self.also()


compile_message = CompileMessage()
numba_events.register(_COMPILE, compile_message)
