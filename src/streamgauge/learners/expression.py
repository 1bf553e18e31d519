"""Learners and detectors by text, as on the command line: known names and literals, never `eval`.

`NaiveBayes`, `Majority(window=100)`, `river:tree.HoeffdingTreeClassifier(grace_period=50)`,
`capymoa:HoeffdingTree(grace_period=50)`, and one around another:
`TemporallyAugmented(river:naive_bayes.GaussianNB(), order=2)`, `Resetting(NaiveBayes(), DDM())`.
Detectors alike: `PageHinkley(on=Fading(0.997))`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from streamgauge.detectors.adapters import as_detector
from streamgauge.detectors.adwin import ADWIN
from streamgauge.detectors.base import Detector
from streamgauge.detectors.ddm import DDM
from streamgauge.detectors.dummies import NeverAlarm, PeriodicAlarm, RandomAlarm
from streamgauge.detectors.eddm import EDDM
from streamgauge.detectors.page_hinkley import PageHinkley
from streamgauge.detectors.ratio import RatioPageHinkley
from streamgauge.errors import MissingExtra, UsageError
from streamgauge.learners.adapters.capymoa import from_capymoa
from streamgauge.learners.adapters.river import RiverLearner, from_river
from streamgauge.learners.adaptive_random_forest import AdaptiveRandomForest
from streamgauge.learners.adaptive_random_forest_regressor import AdaptiveRandomForestRegressor
from streamgauge.learners.am_rules import AMRules
from streamgauge.learners.augmented import TemporallyAugmented
from streamgauge.learners.bagging import LeveragingBagging, OnlineBagging
from streamgauge.learners.correction import TemporalCorrection
from streamgauge.learners.hoeffding_adaptive_tree import HoeffdingAdaptiveTree
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.learners.hoeffding_tree_regressor import HoeffdingTreeRegressor
from streamgauge.learners.knn import KNN
from streamgauge.learners.majority import Majority
from streamgauge.learners.mean import LastValue, Mean
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.resetting import Resetting
from streamgauge.learners.transition import Transition
from streamgauge.measures.forgetting import Cumulative, Fading, Window

LEARNERS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        NaiveBayes,
        HoeffdingTree,
        HoeffdingAdaptiveTree,
        AdaptiveRandomForest,
        LeveragingBagging,
        OnlineBagging,
        KNN,
        Majority,
        Persistent,
        Transition,
        HoeffdingTreeRegressor,
        AdaptiveRandomForestRegressor,
        AMRules,
        Mean,
        LastValue,
    )
}
WRAPPERS: Mapping[str, type[Any]] = {
    "TemporallyAugmented": TemporallyAugmented,
    "SWT": TemporallyAugmented,
    "TemporalCorrection": TemporalCorrection,
    "Resetting": Resetting,
}
DETECTORS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        DDM, EDDM, ADWIN, PageHinkley, RatioPageHinkley, RandomAlarm, PeriodicAlarm, NeverAlarm,
    )
}  # fmt: skip
FORGETTINGS: Mapping[str, type[Any]] = {cls.__name__: cls for cls in (Cumulative, Window, Fading)}
_INNER = re.compile(r"""(?<!["'])\b(river|capymoa):(?=\w)""")  # in quotes it is its own text


def parse_learner(text: str) -> Any:
    """The learner a text names."""
    library, colon, expression = text.partition(":")
    hint = (
        f"learner {text!r}: {{}}; expected a name such as {', '.join(LEARNERS)} or "
        "river:tree.HoeffdingTreeClassifier() or capymoa:HoeffdingTree(), with literal "
        'parameters: "Majority(window=100)",'
        f" or one around another: {', '.join(WRAPPERS)}, as in SWT(NaiveBayes(), order=2) or "
        f"Resetting(NaiveBayes(), DDM()), with a detector of {', '.join(DETECTORS)}"
    )
    if not colon or "(" in library:
        return _build(_INNER.sub(r"\1.", text), hint, _own)
    if library == "capymoa":
        return _build(_INNER.sub(r"\1.", expression), hint, _capymoas)
    if library != "river":
        raise UsageError(
            f"learner {text!r}: unknown prefix {library!r}; expected one of "
            f"{', '.join((*LEARNERS, *WRAPPERS))}, river:module.Class(...) or capymoa:Class(...)"
        )
    return RiverLearner(_build(expression, hint, _rivers), name=_short(expression))


def parse_detector(text: str) -> Detector:
    """The detector a text names."""
    hint = (
        f"detector {text!r}: {{}}; expected a name such as {', '.join(DETECTORS)} or "
        'river:drift.KSWIN(), with literal parameters: "PageHinkley(on=Fading(0.997))"'
    )
    return as_detector(_build(_INNER.sub(r"\1.", text), hint, _own))


def _short(expression: str) -> str:
    """Without the module: tree.HoeffdingTreeClassifier(delta=0.01) loses its tree."""
    name, bracket, arguments = expression.strip().partition("(")
    return name.rpartition(".")[2] + bracket + arguments


def _build(expression: str, hint: str, lookup: Callable[[str], Any]) -> Any:
    """What an expression names; else the hint, with what is wrong in it."""
    try:
        return call(expression, lookup)
    except (MissingExtra, UsageError):
        raise
    except (SyntaxError, ValueError, TypeError, AttributeError) as error:
        raise UsageError(hint.replace("{}", str(error), 1)) from None


def call(expression: str, lookup: Callable[[str], Any]) -> Any:
    """Call what `lookup` finds by the expression's name, with literals or further such calls."""
    tree = ast.parse(expression.strip(), mode="eval").body
    return _value(tree if isinstance(tree, ast.Call) else ast.Call(tree, [], []), lookup)


def _value(node: ast.expr, lookup: Callable[[str], Any]) -> Any:
    """A call of a known name, one of our names alone, or a literal; nothing else is understood."""
    if isinstance(node, ast.Name | ast.Attribute) and lookup is _own:
        node = ast.Call(node, [], [])
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        if lookup is _own and name.startswith("river."):
            expression = ast.unparse(node).removeprefix("river.")
            model = _value(ast.parse(expression, mode="eval").body, _rivers)
            return from_river(model, name=_short(expression))
        if lookup is _own and name.startswith("capymoa."):
            lookup = _capymoas
        keywords = {k.arg: _value(k.value, lookup) for k in node.keywords if k.arg is not None}
        return lookup(name)(*(_value(a, lookup) for a in node.args), **keywords)
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, lookup) for item in node.elts]
    return ast.literal_eval(node)


def _own(name: str) -> Any:
    for known in (LEARNERS, WRAPPERS, DETECTORS, FORGETTINGS):
        if name in known:
            return known[name]
    raise ValueError(f"unknown name {name!r}")


def _capymoas(name: str) -> Any:
    """A learner of CapyMOA's; whether there is one of that name is seen when Java starts."""
    return partial(from_capymoa, name.removeprefix("capymoa."))


def _rivers(name: str) -> Any:
    """A class of River's public modules, and nothing that those modules import."""
    module_name, _, class_name = name.rpartition(".")
    try:
        importlib.import_module("river")
    except ImportError:
        raise MissingExtra("river", "river") from None
    try:
        module = importlib.import_module(f"river.{module_name}")
    except ImportError:
        raise ValueError(f"River has no module {module_name!r}") from None
    found = getattr(module, class_name, None)
    if not inspect.isclass(found) or not found.__module__.startswith("river."):
        raise ValueError(f"River's {module_name!r} has no class {class_name!r}")
    return found
