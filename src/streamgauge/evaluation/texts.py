"""The objects that the texts of an evaluation describe: policies, learners, metrics and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from streamgauge._support.call_parser import build, build_known
from streamgauge._support.user_modules import NO_MODULES, Modules
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.learner_text import parse_learner
from streamgauge.prequential.reevaluation.reevaluate import Reevaluate
from streamgauge.runs.options import OPTIONS, Option


def object_of(text: str, kind: str, modules: Modules = NO_MODULES, only_ours: bool = False) -> Any:
    """The object of a kind that a text describes; it may be in one of the user's `modules`.

    Our metrics stay texts: which there are depends on the stream. `only_ours` is as in
    `parse_learner`.
    """
    match kind:
        case "learner":
            return as_learner(parse_learner(text, modules, only_ours))
        case "metric" if text.partition(":")[0] not in modules:
            return text
        case "re-evaluation":
            known = ("Reevaluate",)
            return build_known(text, kind, known, lambda _: Reevaluate)
    return build(text, kind, modules, only_ours)


def read_options(
    values: Mapping[str, Any], make: Callable[[Option, Sequence[str]], list[Any]]
) -> dict[str, Any]:
    """Options with objects instead of texts; `make` makes those of one option."""
    read = dict(values)
    for option in OPTIONS:
        value = values.get(option.name) if option.kind else None
        if value is not None and option.form == "text":
            read[option.name] = next(iter(make(option, [value])), None)
        elif value is not None and option.form == "texts":
            read[option.name] = make(option, [value] if isinstance(value, str) else value)
    return read
