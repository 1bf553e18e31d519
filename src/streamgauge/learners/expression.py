"""Learners by text, as the command line gives them: registered names and literals, never `eval`.

`NaiveBayes`, `Majority(window=100)`, `river:tree.HoeffdingTreeClassifier(grace_period=50)`, and one
around another: `TemporallyAugmented(river:naive_bayes.GaussianNB(), order=2)`,
`Resetting(NaiveBayes(), DDM())`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from streamgauge.detectors.adwin import ADWIN
from streamgauge.detectors.ddm import DDM
from streamgauge.detectors.dummies import NeverAlarm, PeriodicAlarm, RandomAlarm
from streamgauge.detectors.page_hinkley import PageHinkley
from streamgauge.errors import MissingExtra, UsageError
from streamgauge.learners.adapters.river import RiverLearner, from_river
from streamgauge.learners.augmented import TemporallyAugmented
from streamgauge.learners.clstm import CLSTM
from streamgauge.learners.correction import TemporalCorrection
from streamgauge.learners.hoeffding_tree import HoeffdingTree
from streamgauge.learners.knn import KNN
from streamgauge.learners.majority import Majority
from streamgauge.learners.mean import LastValue, Mean
from streamgauge.learners.naive_bayes import NaiveBayes
from streamgauge.learners.persistent import Persistent
from streamgauge.learners.resetting import Resetting
from streamgauge.learners.transition import Transition

LEARNERS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        NaiveBayes,
        HoeffdingTree,
        KNN,
        CLSTM,
        Majority,
        Persistent,
        Transition,
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
    cls.__name__: cls for cls in (DDM, ADWIN, PageHinkley, RandomAlarm, PeriodicAlarm, NeverAlarm)
}
_INNER_RIVER = re.compile(r"""(?<!["'])\briver:(?=\w)""")  # in quotes it is a text of its own


def parse_learner(text: str) -> Any:
    """The learner a text names."""
    library, colon, expression = text.partition(":")
    if not colon or "(" in library:
        return _build(_INNER_RIVER.sub("river.", text), text, _own)
    if library != "river":
        raise UsageError(
            f"learner {text!r}: unknown prefix {library!r}; expected one of "
            f"{', '.join((*LEARNERS, *WRAPPERS))}, or river:module.Class(...)"
        )
    return RiverLearner(_build(expression, text, _rivers), name=_short(expression))


def _short(expression: str) -> str:
    """Without the module: tree.HoeffdingTreeClassifier(delta=0.01) loses its tree."""
    name, bracket, arguments = expression.strip().partition("(")
    return name.rpartition(".")[2] + bracket + arguments


def _build(expression: str, text: str, lookup: Callable[[str], Any]) -> Any:
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
        return _value(tree if isinstance(tree, ast.Call) else ast.Call(tree, [], []), lookup)
    except MissingExtra:
        raise
    except (SyntaxError, ValueError, TypeError, AttributeError) as error:
        raise UsageError(
            f"learner {text!r}: {error}; expected a name such as {', '.join(LEARNERS)} or "
            'river:tree.HoeffdingTreeClassifier(), with literal parameters: "Majority(window=100)",'
            f" or one around another: {', '.join(WRAPPERS)}, as in SWT(NaiveBayes(), order=2) or "
            f"Resetting(NaiveBayes(), DDM()), with a detector of {', '.join(DETECTORS)}"
        ) from None


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
        keywords = {k.arg: _value(k.value, lookup) for k in node.keywords if k.arg is not None}
        return lookup(name)(*(_value(a, lookup) for a in node.args), **keywords)
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, lookup) for item in node.elts]
    return ast.literal_eval(node)


def _own(name: str) -> Any:
    found = LEARNERS.get(name) or WRAPPERS.get(name) or DETECTORS.get(name)
    if found is None:
        raise ValueError(f"unknown learner {name!r}")
    return found


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
