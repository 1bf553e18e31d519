"""Parse learners and detectors from text, as on the command line: names and literals, never `eval`.

`NaiveBayes`, `Majority(forget=Window(100))`, `river:tree.HoeffdingTreeClassifier(grace_period=50)`,
`capymoa:HoeffdingTree(grace_period=50)`, `sklearn:linear_model.SGDClassifier()`, and wrappers:
`TemporallyAugmented(river:naive_bayes.GaussianNB(), order=2)`, `Resetting(NaiveBayes(), DDM())`.
Detectors: `PageHinkley(on=Fading(0.997))`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from streamgauge._support import registry
from streamgauge._support.call_parser import (
    ALL_NAMES,
    Scope,
    UnknownName,
    Unread,
    cannot_be_read,
    in_modules,
    parse_call,
    why,
)
from streamgauge._support.errors import StreamgaugeError, UsageError, did_you_mean
from streamgauge._support.user_modules import NO_MODULES, Modules
from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.base import Detector
from streamgauge.learners.adapters._sklearn_batch import sklearn_class
from streamgauge.learners.adapters.capymoa import from_capymoa
from streamgauge.learners.adapters.river import from_river, river_class

_KINDS: tuple[registry.Kind, ...] = (
    "learner", "reference", "wrapper", "detector", "forgetting",
)  # fmt: skip


def parse_learner(text: str, modules: Modules = NO_MODULES, only_ours: bool = False) -> Any:
    """Parse a learner; its class may be in one of the user's `modules`: `mine:Learner(x=1)`.

    With `only_ours` nothing but streamgauge is imported or called: where the text needs more, it is
    checked as far as it goes, and Unread is raised.
    """
    prefix, colon, expression = text.partition(":")
    hint = (
        "expected a name such as NaiveBayes, with literal parameters: "
        '"Majority(forget=Window(100))", or river:tree.HoeffdingTreeClassifier(), or a wrapper: '
        f"Resetting(NaiveBayes(), DDM()); all: {ALL_NAMES}"
    )
    if not text.strip():
        raise UsageError(f"no learner given; {hint}")
    if not colon or "(" in prefix or prefix in modules:
        return _build(text, f"learner {text!r}", hint, _scope(modules, only_ours))
    if prefix not in _LIBRARIES:
        expected = did_you_mean(prefix, _LIBRARIES) or (
            "; expected river:module.Class(...), capymoa:Class(...) or sklearn:module.Class(...), "
            "or one of our learners without a prefix, such as NaiveBayes; name your own module in "
            "`modules` of an experiment or with --module"
        )
        raise UsageError(f"learner {text!r}: unknown prefix {prefix!r}{expected}")
    library = (_NOT_YET if only_ours else _LIBRARIES)[prefix]
    return _build(expression, f"learner {text!r}", hint, library)


def parse_detector(text: str, only_ours: bool = False) -> Detector:
    """Parse a detector; `only_ours` as for a learner."""
    hint = (
        'expected a name such as DDM, with literal parameters: "PageHinkley(on=Fading(0.997))", or '
        f"river:drift.KSWIN(); all: {ALL_NAMES}"
    )
    scope = _scope(NO_MODULES, only_ours)
    return as_detector(_build(text, f"detector {text!r}", hint, scope))


def _short(expression: str) -> str:
    """The expression without its module: tree.X(delta=0.01) becomes X(delta=0.01)."""
    name, bracket, arguments = expression.strip().partition("(")
    return name.rpartition(".")[2] + bracket + arguments


def _build(expression: str, what: str, hint: str, reader: Scope | Callable[[str], Any]) -> Any:
    """Build the object that an expression describes; an error says why not."""
    try:
        return parse_call(expression, reader) if isinstance(reader, Scope) else reader(expression)
    except (StreamgaugeError, Unread):
        raise
    except Exception as error:  # another library's or the user's constructor may raise anything
        known = isinstance(error, UnknownName) and "did you mean" in str(error)
        helps = cannot_be_read(error) or (isinstance(error, UnknownName) and not known)
        expected = f"; {hint}" if helps else ""
        raise UsageError(f"{what}: {why(error)}{expected}") from error


def _scope(modules: Modules, only_ours: bool) -> Scope:
    """Our names, those of the user's modules, and other libraries' names after a prefix."""
    libraries = _NOT_YET if only_ours else _LIBRARIES
    return Scope(lambda name: _own(name, modules, only_ours), libraries, tuple(modules))


def _own(name: str, modules: Modules, only_ours: bool) -> Any:
    if (found := in_modules(name, modules, only_ours)) is not None:
        return found
    known = registry.names(*_KINDS)
    if name not in known:
        raise UnknownName(f"unknown name {name!r}{did_you_mean(name, known)}")
    if only_ours and name not in registry.own_names(*_KINDS):
        raise Unread
    return registry.find(name, *_KINDS)


def _capymoa_learner(expression: str) -> Any:
    return parse_call(expression, Scope(_capymoa_class, modules=("capymoa",), bare_names=False))


def _capymoa_class(name: str) -> Any:
    """A CapyMOA learner; its name is checked when Java starts."""
    return partial(from_capymoa, name.removeprefix("capymoa."))


def _river_learner(expression: str) -> Any:
    return from_river(
        parse_call(expression, Scope(river_class, bare_names=False)), name=_short(expression)
    )


def _sklearn_model(expression: str) -> Any:
    """A scikit-learn model; the part that uses it says how it is trained."""
    return parse_call(expression, Scope(sklearn_class, bare_names=False))


_LIBRARIES: Mapping[str, Callable[[str], Any]] = {
    "river": _river_learner,
    "capymoa": _capymoa_learner,
    "sklearn": _sklearn_model,
}


def _not_yet(expression: str) -> Any:
    raise Unread


_NOT_YET: Mapping[str, Callable[[str], Any]] = dict.fromkeys(_LIBRARIES, _not_yet)
