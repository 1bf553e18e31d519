"""Turns options into objects: the protocol, the label policy and the forgettings of a run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    from streamgauge.evaluation.options import Protocol
    from streamgauge.measures.forgetting import Forgetting
    from streamgauge.prequential.labels import LabelPolicy
    from streamgauge.streams.base import Stream


def parse_protocol(text: str | None) -> Protocol | None:
    """Parse --protocol; None is the prequential protocol."""
    if text is None:
        return None
    return cast("Protocol", build(text, "protocol"))


def parse_where(texts: list[str] | None) -> dict[str, list[str]]:
    """Parse every --where, KEY=VALUE."""
    selected: dict[str, list[str]] = {}
    for text in texts or ():
        key, equals, wanted = text.partition("=")
        if not equals:
            raise UsageError(f"--where {text}: expected KEY=VALUE, e.g. labels=Delay(100)")
        selected.setdefault(key.strip(), []).append(wanted.strip())
    return selected


def split_values(text: str) -> list[str]:
    """Split --value at its commas, but for those in brackets: precision[a,b] is one name."""
    names = [name.strip() for name in re.split(r",(?![^\[]*\])", text)]
    if not all(names):
        raise UsageError(f"--value {text}: expected names separated by commas, e.g. accuracy,kappa")
    return names


def parse_forgettings(texts: list[str] | None) -> list[Forgetting]:
    """Parse every --forget."""
    return [build(text, "forgetting") for text in texts or ()]


def make_forgettings(
    forget: list[str] | None, window: list[str] | None, fading: list[float] | None
) -> list[Forgetting]:
    """Cumulative, and the forgettings given; Window(1000) if none is given."""
    from streamgauge.measures.forgetting import Cumulative, Fading

    given = [each for each in parse_forgettings(forget) if each != Cumulative()]
    given += [*map(_window, window or ()), *map(Fading, fading or ())]
    return [Cumulative(), *(given or [_window("1000")])]


def _window(text: str) -> Forgetting:
    """Parse --window: a number of rows, or a duration."""
    from streamgauge.measures.forgetting import TimeWindow, Window

    if text.removeprefix("-").isdigit():
        return Window(int(text))
    try:
        return TimeWindow(text)
    except UsageError:
        raise UsageError(
            f"--window {text}: expected a number of rows, or a duration such as 24h, 30min or 7d"
        ) from None


def make_label_policy(
    stream: Stream,
    *,
    text: str | None = None,
    delay: int | None = None,
    chunks: int | None = None,
    sampled: float | None = None,
    revealed: str | None = None,
    labels_first: bool = False,
) -> LabelPolicy | None:
    """The one label policy given; None for the stream's default."""
    from streamgauge.prequential.labels import Chunks, Delay, FromStream
    from streamgauge.prequential.sampled import Sampled

    given: list[LabelPolicy] = []
    if text is not None:
        given.append(build(text, "label policy"))
    if delay is not None:
        given.append(Delay(delay))
    if chunks is not None:
        given.append(Chunks(chunks))
    if sampled is not None:
        given.append(Sampled(sampled))
    if labels_first and not stream.schema.time:
        raise UsageError("--labels-first needs reveal times; name their column with --revealed")
    if labels_first:
        given.append(FromStream("labels_first"))
    elif revealed is not None:
        given.append(FromStream())
    if len(given) > 1:
        policies = " and ".join(map(repr, given))
        raise UsageError(f"conflicting label policies: {policies}; give only one")
    return given[0] if given else None
