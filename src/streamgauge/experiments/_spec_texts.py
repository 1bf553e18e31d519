"""Parses the texts of an experiment: streams, learners, label policies, options of `evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from streamgauge._support.call_parser import Unread
from streamgauge._support.errors import UsageError
from streamgauge._support.strict_toml import line_of
from streamgauge._support.user_modules import Modules
from streamgauge.detectors.base import Detector
from streamgauge.evaluation.texts import read_options
from streamgauge.experiments._cells import STREAM_DEFAULT
from streamgauge.experiments._objects import make_object
from streamgauge.experiments._spec import GenerateEntry, Spec
from streamgauge.learners.base import Learner, Player
from streamgauge.learners.learner_text import parse_detector
from streamgauge.prequential.labels import LabelPolicy
from streamgauge.streams.stream_text import check_stream_text

T = TypeVar("T")


class ParsedSpec(NamedTuple):
    """The objects that the texts of a spec describe, each parsed once."""

    learners: dict[str, Learner | Player]  # by name
    labels: dict[str, LabelPolicy | None]  # by text; None: the stream decides
    options: dict[str, Any]  # of every evaluation
    detectors: list[Detector]


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

    def made(kind: str, each: str) -> Any:
        if kind != "learner":
            return make_object(each, kind, modules, only_ours)
        if each not in learners:
            learners[each] = make_object(each, kind, modules, only_ours)
        return learners[each]

    generated = [source.generate for source in spec.sources if isinstance(source, GenerateEntry)]
    parse("streams", generated, check_stream_text)
    named = spec.named_learners
    by_name = parse("learners", list(named.values()), lambda each: made("learner", each))
    policies: dict[str, LabelPolicy | None] = {STREAM_DEFAULT: None}
    if spec.labels:
        found = parse("labels", spec.labels, lambda each: made("label policy", each))
        policies = dict(zip(spec.labels, found, strict=not only_ours))
    detectors = parse("detectors", spec.detectors, lambda each: parse_detector(each, only_ours))
    options = read_options(
        spec.options,
        lambda option, texts: parse(option.name, texts, lambda each: made(option.kind, each)),
    )
    protocol = options["protocol"]
    if spec.detectors and getattr(protocol, "test", "interleaved") != "interleaved":
        raise UsageError(
            f"{where}{line_of(text, 'detectors')}: detectors need errors along the stream, but "
            f"{protocol} scores the same rows again and again; use test='interleaved'"
        )
    return ParsedSpec(dict(zip(named, by_name, strict=not only_ours)), policies, options, detectors)
