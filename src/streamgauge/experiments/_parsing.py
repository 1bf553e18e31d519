"""Parses the texts of an experiment: streams, label policies, forgettings, learners."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from streamgauge._support import registry
from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.parsing import parse_learner
from streamgauge.measures.forgetting import Forgetting
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.base import Stream

STREAMS = (*registry.names("generator", "transform"), "load", "read")
_SEED_STEP = 1_000_000  # between the seeds of generators in one text


def make_stream(text: str, seed: int) -> Stream:
    """The stream that a text describes.

    Generators in it that name no seed get one each: `seed`, then a million more, and so on.
    """
    seeds = count(seed, _SEED_STEP)

    def find(name: str) -> Callable[..., Any]:
        return _seeded(registry.find(name), seeds)

    made = build(text, STREAMS, "stream", find)
    if not isinstance(made, Stream):
        raise UsageError(f"{text!r} is not a stream; expected one of {', '.join(STREAMS)}")
    return made


def make_labels(text: str) -> LabelPolicy:
    """The label policy that a text describes."""
    policy: LabelPolicy = build(text, registry.names("label policy"), "label policy")
    return policy


def make_forgetting(text: str) -> Forgetting:
    """The forgetting that a text describes."""
    forgetting: Forgetting = build(text, registry.names("forgetting"), "forgetting")
    return forgetting


def make_learner(text: str, modules: Sequence[str]) -> Learner | Player:
    """The learner that a text describes; `modules` are the user's own."""
    return as_learner(parse_learner(text, modules))


def make_importable(folder: str | Path) -> None:
    """Let the user's modules beside an experiment's file be imported."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _seeded(maker: Callable[..., Any], seeds: Iterator[int]) -> Callable[..., Any]:
    """The same callable, but a call without a seed gets the next one."""
    signature = inspect.signature(maker)
    if "seed" not in signature.parameters:
        return maker

    @functools.wraps(maker, updated=())
    def call(*args: Any, **keywords: Any) -> Any:
        given = signature.bind_partial(*args, **keywords).arguments
        return maker(*args, **keywords, **({} if "seed" in given else {"seed": next(seeds)}))

    return call
