"""What the texts of an experiment may name: streams, label policies, forgettings, learners."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from streamgauge.errors import UsageError
from streamgauge.learners.adopt import as_learner
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.expression import parse_learner
from streamgauge.measures.forgetting import Cumulative, Fading, Forgetting, TimeWindow, Window
from streamgauge.prequential.labels import (
    Chunks,
    Delay,
    FromStream,
    Immediate,
    LabelPolicy,
    Sampled,
)
from streamgauge.streams.base import Stream
from streamgauge.written import build

STREAMS = (
    "Agrawal", "Hyperplane", "LED", "RandomRBF", "RandomRBFDrift", "RandomTree", "SEA", "STAGGER",
    "Sine1", "Sine2", "Waveform", "drift", "load", "read", "shuffled",
    "shuffled_within_class",
)  # fmt: skip
_LABELS = (Immediate, Delay, Chunks, FromStream, Sampled)
_FORGETTINGS = (Cumulative, Window, Fading, TimeWindow)
_APART = 1_000_000  # seeds of generators in one text are so far apart


def public(name: str) -> Any:
    """A public name of streamgauge, found when it is used."""
    return getattr(importlib.import_module("streamgauge"), name)


def make_labels(text: str) -> LabelPolicy:
    """A label policy by text."""
    policy: LabelPolicy = build(text, _LABELS, "label policy")
    return policy


def make_forgetting(text: str) -> Forgetting:
    """A way to keep sums, by text."""
    forgetting: Forgetting = build(text, _FORGETTINGS, "way to forget")
    return forgetting


def make_stream(text: str, seed: int) -> Stream:
    """A stream by text. Whatever in it draws lots and names no seed of its own gets one: the first
    `seed`, each further one a million more."""
    seeds = (seed + _APART * number for number in range(1 << 62))
    made = build(text, [_seeded(public(name), seeds) for name in STREAMS], "stream")
    if not isinstance(made, Stream):
        raise UsageError(f"{text!r} is no stream; expected one of {', '.join(STREAMS)}")
    return made


def make_learner(text: str, modules: Sequence[str]) -> Learner | Player:
    """A learner by text; those of the user's own modules too."""
    return as_learner(parse_learner(text, modules))


def reach(folder: str | Path) -> None:
    """Modules of one's own may lie beside the experiment's file."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def _seeded(called: Callable[..., Any], seeds: Iterator[int]) -> Callable[..., Any]:
    """The same, but whoever leaves its seed out gets the next one."""
    shape = inspect.signature(called)
    if "seed" not in shape.parameters:
        return called

    @functools.wraps(called, updated=())
    def call(*args: Any, **keywords: Any) -> Any:
        named = shape.bind_partial(*args, **keywords).arguments
        return called(*args, **keywords, **({} if "seed" in named else {"seed": next(seeds)}))

    return call
