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
from streamgauge._support.call_parser import Unread, build_known
from streamgauge._support.errors import UsageError
from streamgauge.streams.base import Stream

_SEED_STEP = 1_000_000  # between the seeds of generators in one text


def parse_stream(text: str, seed: int, only_ours: bool = False) -> Stream:
    """Make the stream that a text describes.

    Generators without a seed in the text get `seed`, `seed` plus a million, and so on. With
    `only_ours` no file is opened and no other package imported: Unread is raised instead.
    """
    seeds = count(seed, _SEED_STEP)
    known = (*registry.names("generator", "transform"), "load", "read")
    ours = registry.own_names("generator", "transform")

    def find(name: str) -> Callable[..., Any]:
        if only_ours and name not in ours:
            raise Unread
        return _seeded(registry.find(name, "generator", "transform", "reader"), seeds)

    made = build_known(text, "stream", known, find)
    if not isinstance(made, Stream):
        raise UsageError(f"{text!r} is not a stream; expected one of {', '.join(known)}")
    return made


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
