"""Whatever can be a learner becomes one: ours, a text, a River or scikit-learn object."""

from __future__ import annotations

import copy
import inspect
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge.learners.adapters.river import RiverLearner
from streamgauge.learners.adapters.sklearn import SklearnLearner
from streamgauge.learners.base import Learner, Player, name_of
from streamgauge.learners.parsing import parse_learner


def as_learner(thing: Any) -> Learner | Player:
    """A learner as it is, a River-like or scikit-learn object wrapped, a text parsed."""
    if isinstance(thing, str):
        thing = parse_learner(thing)
    kind = thing if inspect.isclass(thing) else type(thing)
    if kind.__module__.startswith("capymoa."):
        raise UsageError(
            f"{kind.__name__} is CapyMOA's; expected from_capymoa({kind.__name__!r}, ...) with its "
            "parameters, so that every run can start anew"
        )
    if inspect.isclass(thing):
        raise UsageError(f"{thing.__name__} is a class; expected an object: {thing.__name__}()")
    if isinstance(thing, Learner | Player):
        return thing
    if hasattr(thing, "fit") and hasattr(thing, "predict") and not hasattr(thing, "learn_one"):
        return SklearnLearner(thing)  # which says so if it does not learn in pieces
    if hasattr(thing, "partial_fit") and not hasattr(thing, "learn_one"):
        return SklearnLearner(thing)
    if hasattr(thing, "state_dict") and hasattr(thing, "forward"):
        raise UsageError(
            f"{type(thing).__name__} is a PyTorch module; say how it learns: from_torch(it, ...)"
        )
    return RiverLearner(thing)


def fresh_copy(learner: Learner | Player) -> Learner | Player:
    """Each run has a learner of its own: the one handed in may be handed in again."""
    try:
        return copy.deepcopy(learner)
    except Exception as error:
        raise UsageError(
            f"{name_of(learner)} cannot be copied ({error}), so a run would change it; "
            "give it a __deepcopy__ that returns a fresh one"
        ) from error
