"""The objects that a grid was given: as texts that rebuild them, or kept in this process."""

from __future__ import annotations

from typing import Any

from streamgauge._support.errors import StreamgaugeError, UsageError
from streamgauge._support.user_modules import NO_MODULES, Modules
from streamgauge._support.value_text import sha256
from streamgauge.evaluation.texts import object_of
from streamgauge.experiments._spec import KEPT, is_kept, shown_text
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.learners.adapters.river_text import is_river_object, river_text
from streamgauge.learners.base import name_of
from streamgauge.measures.metric import Metric
from streamgauge.runs.identity import identity_of, is_custom, setting_text

_KEPT: dict[str, Any] = {}  # objects that only this process has, by their text


def text_of(thing: Any, kind: str) -> tuple[str, Any]:
    """The text of an object, and the object that it gives.

    From most texts every process makes the same object. One that no text rebuilds is kept, and its
    text finds it in this process alone.
    """
    if isinstance(thing, Metric):
        return (_kept_text(thing, thing.name), thing) if is_custom(thing) else (thing.name, None)
    made = as_learner(thing) if kind == "learner" else thing
    text = str(thing)
    try:
        text = river_text(thing) if is_river_object(thing) else repr(thing)
        rebuilt = object_of(text, kind)
        if identity_of(rebuilt) == identity_of(made):
            return text, rebuilt
    except (StreamgaugeError, ValueError, TypeError, AttributeError, SyntaxError):
        pass
    if kind == "learner":
        return _kept_text(made, name_of(made)), made
    if kind == "label policy" and hasattr(thing, "timetable"):
        return _kept_text(thing, setting_text(thing)), thing
    return text, None  # reading the text says what is wrong


def _kept_text(thing: Any, shown: str) -> str:
    text = f"{KEPT}{shown}#{sha256(identity_of(thing).encode())[:8]}"
    _KEPT[text] = thing
    return text


def make_object(
    text: str, kind: str, modules: Modules = NO_MODULES, only_ours: bool = False
) -> Any:
    """The object of a text, as `object_of`, or the one that is kept under it."""
    if not is_kept(text):
        return object_of(text, kind, modules, only_ours)
    if text not in _KEPT:
        raise UsageError(
            f"no {kind} {shown_text(text)!r} in memory; give the object itself to Grid"
        )
    return _KEPT[text]
