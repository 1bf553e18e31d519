"""Parses the texts of an experiment: streams, learners, label policies, forgettings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from streamgauge._support.call_parser import Unread, build
from streamgauge._support.errors import UsageError
from streamgauge._support.strict_toml import line_of
from streamgauge.evaluation.options import Protocol
from streamgauge.evaluation.plan import parse_reevaluate
from streamgauge.experiments._cells import STREAM_DEFAULT
from streamgauge.experiments._spec import Generate, Spec
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.parsing import Modules, parse_detector, parse_learner
from streamgauge.measures.forgetting import Forgetting
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.streams.parsing import check_stream_text

T = TypeVar("T")


class ParsedSpec(NamedTuple):
    """The objects that the texts of a spec describe, each parsed once."""

    learners: dict[str, Learner | Player]  # by name
    labels: dict[str, LabelPolicy | None]  # by text; None: the stream decides
    protocol: Protocol | None
    reevaluate: Reevaluate | None
    forget: tuple[Forgetting, ...] | None
    references: tuple[Learner | Player, ...]


def parse_spec(
    spec: Spec,
    where: str,
    text: str,
    learners: dict[str, Learner | Player],
    modules: Modules,
    only_ours: bool = False,
) -> ParsedSpec:
    """Parse every text of a spec, so that errors show before anything runs.

    `where` and `text` are the file's name and content, for error messages. `learners` holds those
    that are parsed already, by their text; those parsed now are added. With `only_ours` nothing but
    streamgauge is imported or called, and what needs more is left out.
    """

    def parse(field: str, texts: Sequence[str], make: Callable[[str], T]) -> list[T]:
        made = []
        for number, each in enumerate(texts):
            try:
                made.append(make(each))
            except Unread:
                continue
            except UsageError as error:
                position = f"{where}{line_of(text, each)}: {field}[{number}]"
                raise UsageError(f"{position}: {error}") from error.__cause__
        return made

    def learner(each: str) -> Learner | Player:
        if each not in learners:
            learners[each] = make_learner(each, modules, only_ours)
        return learners[each]

    generated = [source.generate for source in spec.sources if isinstance(source, Generate)]
    parse("streams", generated, check_stream_text)
    named = spec.named_learners
    made = parse("learners", list(named.values()), learner)
    policies: dict[str, LabelPolicy | None] = {STREAM_DEFAULT: None}
    if spec.labels:
        policies = dict(zip(spec.labels, parse("labels", spec.labels, make_labels), strict=True))
    protocol = parse("protocol", _given(spec.protocol), make_protocol)
    reevaluate = parse("reevaluate", _given(spec.reevaluate), parse_reevaluate)
    parse("detectors", spec.detectors, lambda each: parse_detector(each, only_ours))
    if spec.detectors and protocol and getattr(protocol[0], "test", "interleaved") != "interleaved":
        raise UsageError(
            f"{where}{line_of(text, 'detectors')}: detectors need errors along the stream, but "
            f"{protocol[0]} scores the same rows again and again; use test='interleaved'"
        )
    forget = None if spec.forget is None else parse("forget", spec.forget, make_forgetting)
    references = parse("references", spec.references, learner)
    made_by_name = dict(zip(named, made, strict=not only_ours))
    return ParsedSpec(
        made_by_name,
        policies,
        protocol[0] if protocol else None,
        reevaluate[0] if reevaluate else None,
        None if forget is None else tuple(forget),
        tuple(references),
    )


def _given(text: str | None) -> tuple[str, ...]:
    return () if text is None else (text,)


@functools.cache  # policies are immutable: the cells of a process share them
def make_labels(text: str) -> LabelPolicy:
    """Make the label policy that a text describes."""
    policy: LabelPolicy = build(text, "label policy")
    return policy


@functools.cache
def make_forgetting(text: str) -> Forgetting:
    """Make the forgetting that a text describes."""
    forgetting: Forgetting = build(text, "forgetting")
    return forgetting


def make_protocol(text: str) -> Protocol:
    """Make the protocol that a text describes."""
    protocol: Protocol = build(text, "protocol")
    return protocol


def make_learner(text: str, modules: Modules, only_ours: bool = False) -> Learner | Player:
    """Make a new learner from a text; `modules` are the user's modules that it may name."""
    return as_learner(parse_learner(text, modules, only_ours))
