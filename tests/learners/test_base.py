"""The learner protocols: advice that fits the learner it is for, and direct calls are checked."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge.learners.adapters._sklearn_batch import sklearn_class
from streamgauge.learners.adapters.river import river_class
from streamgauge.learners.base import Events, has_probabilities, remedy_for
from streamgauge.learners.learner_text import parse_learner
from tests.hostile import LEARNERS, names_of, skip_without_package, variants
from tests.learners.wrappers.toy import Stepped

NAMES = [
    name
    for name in registry.own_names("learner", "reference")
    if getattr(registry.find(name), "task", None) == "classification"
    and name not in ("CLSTM", "ESN")
]
WRAPPED = [
    "{}", "SWT({})", "SWT({}, order=3)", "SWT({}, history='predicted')",
    "SWT({}, history='both', refresh=True)", "LabelsOnly({}, order=2)", "TemporalCorrection({})",
    "TemporalCorrection(SWT({}))", "TemporalCorrection({}, forget=Window(9))",
    "Resetting({}, DDM())", "Resetting(SWT({}), DDM())", "LabelsOnly(SWT({}))",
    "SWT(Resetting({}, DDM()), order=2)", "Resetting(TemporalCorrection({}), DDM())",
]  # fmt: skip


def calls(text: str) -> list[str]:
    """The outermost calls in a sentence: Name(...), brackets balanced."""
    found, at = [], 0
    while begin := re.compile(r"\b[A-Z]\w+\(").search(text, at):
        depth, at = 1, begin.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        found.append(text[begin.start() : at])
    return found


def bases(learner: Any) -> list[Any]:
    """A learner and what it wraps."""
    inner = getattr(learner, "base", None)
    return [learner] if inner is None else [learner, *bases(inner)]


@pytest.mark.parametrize("shape", WRAPPED)
@pytest.mark.parametrize("name", NAMES)
def test_advice_names_only_what_the_learner_has_and_is_not_inside(name: str, shape: str) -> None:
    if "TemporalCorrection" in shape and not has_probabilities(registry.find(name)):
        return
    learner = parse_learner(shape.format(name))
    advice = remedy_for(learner)
    own = [type(part).__name__ for part in bases(learner)]
    for call in calls(advice):
        suggested = parse_learner(call)  # it can be made
        wrappers = [type(part).__name__ for part in bases(suggested)]
        assert wrappers.count("TemporallyAugmented") == 1
        assert repr(suggested) not in map(repr, bases(learner))
        # What it suggests to wrap is one of its own parts, without the past labels it has now.
        if "NaiveBayes" not in own:
            assert wrappers[-1] in (own[-1], "NaiveBayes")
    for parameter, value in re.findall(r"\((\w+)=([^)]+)\)", re.sub(r"[A-Z]\w+\(.*\)", "", advice)):
        owners = [part for part in bases(learner) if parameter in part.get_params()]
        assert owners, f"{learner} has no {parameter}: {advice}"
        assert repr(owners[0].get_params()[parameter]) != value  # it is not what it has already


def test_learner_that_gets_earlier_rows_is_told_what_it_can_use() -> None:
    class Sequential(Stepped):
        context = 3

    class Sure(Sequential):
        has_probabilities = False

    assert remedy_for(Sequential()) == "try TemporalCorrection(Sequential)"
    assert remedy_for(Sure()) == "try another learner, one that uses past labels"
    corrected = sg.TemporalCorrection(Sequential())
    assert remedy_for(corrected) == "try another base learner"


def test_rows_in_any_order_reach_kernels_in_the_order_they_are_compiled_for() -> None:
    class Recording(sg.NaiveBayes):
        contiguous = True

        def play(self, events: Events) -> None:
            self.contiguous &= all(array.flags.c_contiguous for array in events)
            super().play(events)

    block = next(sg.SEA(40, seed=1).blocks(40))
    learner = Recording()
    learner.start(sg.SEA(1).schema, 1)
    learner.learn(np.asfortranarray(block.X)[::2], block.y[::2], np.ones(40)[::2])
    every_other = learner.predict(block.X[::2])
    np.testing.assert_array_equal(every_other, learner.predict(block.X[::2].copy()))
    assert learner.contiguous


def _adapted(name: str) -> Any:
    """A learner of another package; skipped without it."""
    package, _, model = name.partition(":")
    pytest.importorskip(package)
    if package == "sklearn":
        return sg.from_sklearn(sklearn_class(model)(), batch_size=8)
    if package == "river":
        return sg.from_river(river_class(model)())
    if package == "capymoa":
        return sg.from_capymoa(model)
    import torch

    return sg.from_torch(torch.nn.Linear, batch_size=8)


OWN = [(kind, name) for kind in LEARNERS for name in names_of(kind)]
ADAPTED = [
    "sklearn:naive_bayes.GaussianNB", "sklearn:linear_model.Perceptron",
    "river:tree.HoeffdingTreeClassifier", "torch:Linear",
    pytest.param("capymoa:NaiveBayes", marks=pytest.mark.long),
]  # fmt: skip


def _check_start(learner: Any) -> None:
    regression = getattr(learner, "task", None) == "regression"
    schema = sg.Schema(("x",), ((),), () if regression else (0, 1))
    for seed in (-1, 1.5, "1", None):
        with pytest.raises(sg.UsageError, match=r"seed=.*; expected an integer, 0 or more"):
            learner.start(schema, seed)
    learner.start(schema, 2**70)


@pytest.mark.parametrize(("kind", "name"), OWN)
def test_seed_is_an_integer_of_0_or_more(kind: str, name: str) -> None:
    skip_without_package(kind, name)
    _check_start(variants(kind, name)["small"]())


@pytest.mark.parametrize("name", ADAPTED)
def test_seed_of_an_adapted_learner_is_an_integer_of_0_or_more(name: str) -> None:
    _check_start(_adapted(name))


@pytest.mark.parametrize(("kind", "name"), OWN)
def test_direct_calls_with_invalid_rows_are_refused(kind: str, name: str) -> None:
    skip_without_package(kind, name)
    learner = variants(kind, name)["small"]()
    if hasattr(learner, "learn"):
        _check_direct_calls(learner)
    else:
        assert hasattr(learner, "play")


@pytest.mark.parametrize("name", ADAPTED)
def test_direct_calls_of_adapted_learners_are_refused_alike(name: str) -> None:
    _check_direct_calls(_adapted(name))


def _check_direct_calls(learner: Any) -> None:
    """Kernels would take a wrong code as an index into memory."""
    stream = sg.STAGGER(50, seed=1)
    block = next(stream.blocks(50))
    X, y, w = block.X, block.y, np.ones(50)
    schema = stream.schema
    with pytest.raises(sg.UsageError, match="has not started"):
        learner.predict(X)
    regression = getattr(learner, "task", None) == "regression"
    if regression:
        schema, y = dataclasses.replace(schema, classes=()), y * 1.0
    learner.start(schema, 1)
    wrong: list[tuple[Any, str]] = [
        ((X, np.full(50, "a"), w), "expected labels as numbers"),
        ((X[:, :2], y, w), r"features of shape \(50, 2\) for 50 labels; expected 50 × 3"),
        ((X + 3, y, w), "nominal feature 'size' is .*; expected the code of a value, 0 to 2"),
        ((X, y, -w), "expected a weight of 0 or more for each row"),
        ((X, y, np.full(50, np.nan)), "expected a weight of 0 or more for each row"),
        ((X, y, w[:9]), "expected a weight of 0 or more for each row"),
    ]
    wrong_classes = [
        ((X, y + 2, w), "has class code [23]; expected 0 to 1"),
        ((X, y - 1, w), "expected a label for every row"),
        ((X, y / 2, w), "expected labels as class codes, 0 to 1"),
    ]
    wrong += [] if regression else wrong_classes
    for rows, said in wrong:
        with pytest.raises(sg.InputError, match=said):
            learner.learn(*rows)
    with pytest.raises(sg.InputError, match="nominal feature 'size'"):
        learner.predict(X + 3)
    before = learner.predict(X)
    assert np.isnan(before).all() or (before == before[0]).all()  # nothing was learned
    learner.learn(X.tolist(), y.tolist(), w.tolist())
    assert not np.isnan(learner.predict(X)).any()
