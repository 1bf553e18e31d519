"""Parse streams from text: generators and transforms by name, with literals, never `eval`.

`SEA(20000, noise=0.1)`, `drift([SEA(5000), SEA(5000, variant=1)], at=[5000])`,
`inject(load("elec2"), order=2)`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from streamgauge._support import registry
from streamgauge._support.call_parser import build_known
from streamgauge._support.errors import UsageError
from streamgauge.streams.base import Stream

_KINDS: tuple[registry.Kind, ...] = ("generator", "transform", "reader")
TENET_PREFIX = "tenet:"  # of the streams of that benchmark
_SEED_STEP = 1_000_000  # between the seeds of generators in one text


def parse_stream(text: str, seed: int) -> Stream:
    """Make the stream that a text describes.

    Generators without a seed in the text get `seed`, `seed` plus a million, and so on.
    """
    seeds = count(seed, _SEED_STEP)
    known = _known()

    def find(name: str) -> Callable[..., Any]:
        return _seeded(registry.find(name, *_KINDS), seeds)

    made = build_known(text, "stream", known, find)
    if not isinstance(made, Stream):
        raise UsageError(f"{text!r} is not a stream; expected one of {', '.join(known)}")
    return made


def check_stream_text(text: str) -> None:
    """Check the names in a text that describes a stream; nothing is made, opened or downloaded."""
    ours = registry.own_names(*_KINDS)

    def find(name: str) -> Callable[..., Any]:
        # Another package is not imported: its parameters are checked when the stream is made.
        return registry.find(name, *_KINDS) if name in ours else lambda *_, **__: None

    build_known(text, "stream", _known(), find, calls=False)


def _known() -> tuple[str, ...]:
    return (*registry.names("generator", "transform"), "load", "read")


def _seeded(maker: Callable[..., Any], seeds: Iterator[int]) -> Callable[..., Any]:
    """Wrap a callable so that a call without a seed gets the next one."""
    signature = inspect.signature(maker)
    if "seed" not in signature.parameters:
        return maker

    @functools.wraps(maker, updated=())
    def call(*args: Any, **keywords: Any) -> Any:
        given = signature.bind_partial(*args, **keywords).arguments
        return maker(*args, **keywords, **({} if "seed" in given else {"seed": next(seeds)}))

    return call
