"""Parse streams from text: generators and transforms by name, with literals, never `eval`.

`SEA(20000, noise=0.1)`, `splice([SEA(5000), SEA(5000, variant=1)], at=[5000])`,
`inject(load("elec2"), order=2)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamgauge._support import registry
from streamgauge._support.call_parser import build_known
from streamgauge._support.errors import UsageError
from streamgauge.streams.base import Stream

_KINDS: tuple[registry.Kind, ...] = ("generator", "transform", "reader")
_READERS = ("load", "read", "read_events")
_VIEWS: dict[str, Callable[..., Stream]] = {
    "take": Stream.take,
    "skip": Stream.skip,
    "select": Stream.select,
}


def parse_stream(text: str, seed: int | None) -> Stream:
    """Make the stream that a text describes; without a seed, `stream.seeded` gives it one."""
    known = _known()
    made = build_known(text, "stream", known, _find)
    if not isinstance(made, Stream):
        raise UsageError(f"{text!r} is not a stream; expected a generator, such as SEA(20000)")
    return made if seed is None else made.seeded(seed)


def check_stream_text(text: str) -> None:
    """Check the names in a text that describes a stream; nothing is made, opened or downloaded."""
    ours = {*registry.own_names(*_KINDS), *_VIEWS, "tenet"}

    def find(name: str) -> Callable[..., Any]:
        # Another package is not imported: its parameters are checked when the stream is made.
        return _find(name) if name in ours else lambda *_, **__: None

    build_known(text, "stream", _known(), find, calls=False)


def _find(name: str) -> Callable[..., Any]:
    if name in _VIEWS:
        return _VIEWS[name]
    if name == "tenet":
        from streamgauge.streams.generators.tenet import tenet_stream  # many kernels

        return tenet_stream
    found: Callable[..., Any] = registry.find(name, *_KINDS)
    return found


def _known() -> tuple[str, ...]:
    return (*registry.names("generator", "transform"), *_READERS, *_VIEWS, "tenet")
