"""Turn a text, or a River or scikit-learn object, into a learner."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.learners.adapters.river import RiverLearner
from streamgauge.learners.adapters.sklearn import SklearnLearner
from streamgauge.learners.base import Learner, Player, name_of
from streamgauge.learners.learner_text import parse_learner
from streamgauge.rendering.words import unique_names


def as_learner(thing: Any) -> Learner | Player:
    """Return learners unchanged; wrap River-like and scikit-learn objects; parse texts."""
    if isinstance(thing, str):
        thing = parse_learner(thing)
    kind = thing if inspect.isclass(thing) else type(thing)
    if kind.__module__.startswith("capymoa."):
        raise UsageError(
            f"{kind.__name__} is a CapyMOA learner; expected from_capymoa({kind.__name__!r}, ...) "
            "with its parameters, so that every run starts from a new one"
        )
    if inspect.isclass(thing):
        raise UsageError(f"{thing.__name__} is a class; expected an object: {thing.__name__}()")
    if isinstance(thing, Learner | Player):
        return thing
    if hasattr(thing, "fit") and hasattr(thing, "predict") and not hasattr(thing, "learn_one"):
        return SklearnLearner(thing)  # raises if the model has no partial_fit
    if hasattr(thing, "partial_fit") and not hasattr(thing, "learn_one"):
        return SklearnLearner(thing)
    if hasattr(thing, "state_dict") and hasattr(thing, "forward"):
        raise UsageError(
            f"{type(thing).__name__} is a PyTorch module; expected from_torch(module, ...)"
        )
    return RiverLearner(thing)


def named_learners(given: Any) -> dict[str, Learner | Player]:
    """One learner, a list or tuple, or a dict by name, as learners by their names in tables."""
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str) or not name.strip():
                raise UsageError(f"learner: got the name {name!r}; expected a text, not empty")
        learners = {name: as_learner(each) for name, each in given.items()}
    else:
        made = [
            as_learner(each) for each in (given if isinstance(given, list | tuple) else [given])
        ]
        learners = dict(zip(unique_names(map(name_of, made)), made, strict=True))
    if not learners:
        raise UsageError("no learner given; expected at least one, e.g. NaiveBayes()")
    return learners


def fresh_copy(learner: Learner | Player) -> Learner | Player:
    """A copy of a learner for one run, so that the original can be used again."""
    try:
        return copy.deepcopy(learner)
    except Exception as error:
        raise UsageError(
            f"{name_of(learner)} cannot be copied ({error}), so a run would change it; "
            "give it a __deepcopy__ that returns a fresh one"
        ) from error
