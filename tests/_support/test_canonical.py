"""Canonical texts: equal for equal objects, different for different ones."""

from __future__ import annotations

import functools
import math
import os
import random
import re
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.canonical import Canonical
from streamgauge._support.value_text import without_addresses


def text(thing: Any) -> str:
    return Canonical(thing).text


class Own:
    """Its repr says nothing."""

    def __init__(self, *values: Any, **named: Any) -> None:
        self.values = values
        vars(self).update(named)

    def __repr__(self) -> str:
        return "Own()"


class Around:
    """Wraps a function, as many decorators do."""

    def __init__(self, function: Any, shift: int) -> None:
        self.__wrapped__ = adder(0)
        self.function, self.shift = function, shift


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x


class Colour(Enum):
    RED = 1
    BLUE = 2


def adder(n: int, scale: float = 1.0) -> Any:
    def add(x: float, shift: float = scale) -> float:
        return x + n + shift

    return add


RATE = 0.1


def rated() -> float:
    return RATE


def local_class(rate: float) -> Any:
    class Local:
        def learn(self) -> float:
            return rate

    return Local()


class _Dict(dict[str, int]):
    pass


def cycle(x: int) -> Own:
    made = Own(x)
    made.values = (made, x)
    return made


ARRAY = np.arange(100_000.0)
CHANGED = ARRAY.copy()
CHANGED[5000] = -1
PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "number": (lambda: 1, lambda: 2),
    "type of number": (lambda: 1, lambda: 1.0),
    "boolean": (lambda: 1, lambda: True),
    "text": (lambda: "1", lambda: 1),
    "long text": (lambda: "x" * 1000 + "a", lambda: "x" * 1000 + "b"),
    "bytes": (lambda: b"a", lambda: bytearray(b"a")),
    "large integer": (lambda: 10**5000, lambda: 10**5000 + 1),
    "list": (lambda: [1, 2], lambda: [2, 1]),
    "tuple": (lambda: [1, 2], lambda: (1, 2)),
    "deque": (lambda: deque([1]), lambda: deque([2])),
    "length of a deque": (lambda: deque([1], 5), lambda: deque([1], 6)),
    "nesting": (lambda: [[1], 2], lambda: [[1, 2]]),
    "set": (lambda: {"a", "b", "c"}, lambda: {"a", "b"}),
    "dict": (lambda: {"a": 1}, lambda: {"a": 2}),
    "order of a dict": (lambda: {"a": 1, "b": 2}, lambda: {"b": 2, "a": 1}),
    "ordered dict": (lambda: OrderedDict(a=1), lambda: OrderedDict(a=2)),
    "dict subclass": (lambda: _Dict(a=1), lambda: _Dict(a=2)),
    "large array": (lambda: ARRAY, lambda: CHANGED),
    "array type": (lambda: np.zeros(2), lambda: np.zeros(2, int)),
    "array shape": (lambda: np.zeros((20, 2)), lambda: np.zeros((2, 20))),
    "array of objects": (lambda: np.array([Own(1)]), lambda: np.array([Own(2)])),
    "mask of an array": (
        lambda: np.ma.masked_equal([0, 1], 0), lambda: np.ma.masked_equal([0, 1], 1),
    ),
    "class of an array": (lambda: np.zeros((2, 2)), lambda: np.zeros((2, 2)).view(np.recarray)),
    "fields of an array": (
        lambda: np.array([(0, 1)], [("a", int), ("b", int)]),
        lambda: np.array([(0, 1)], [("b", int), ("a", int)]),
    ),
    "scalar": (lambda: np.float64(1), lambda: np.float64(2)),
    "constant repr": (lambda: Own(1), lambda: Own(2)),
    "inner object": (lambda: Own(inner=Own(x=1)), lambda: Own(inner=Own(x=2))),
    "slots": (lambda: Slotted(1), lambda: Slotted(2)),
    "namespace": (lambda: SimpleNamespace(x=1), lambda: SimpleNamespace(x=2)),
    "cycle": (lambda: cycle(1), lambda: cycle(2)),
    "closure": (lambda: adder(1), lambda: adder(2)),
    "default": (lambda: adder(1, 1.0), lambda: adder(1, 2.0)),
    "lambda": (lambda: lambda x: x + 1, lambda: lambda x: x + 2),
    "local class": (lambda: local_class(0.1), lambda: local_class(0.5)),
    "partial": (lambda: functools.partial(pow, 2), lambda: functools.partial(pow, 3)),
    "bound method": (lambda: Own(1).__repr__, lambda: Own(2).__repr__),
    "cached function": (lambda: functools.cache(adder(1)), lambda: functools.cache(adder(2))),
    "object around a function": (lambda: Around(len, 1), lambda: Around(len, 2)),
    "compiled function": (lambda: numba.njit(adder(1)), lambda: numba.njit(adder(2))),
    "option of a compiled function": (
        lambda: numba.njit(adder(1)), lambda: numba.njit(fastmath=True)(adder(1)),
    ),
    "rest of the arguments": (lambda: lambda *a: a, lambda: lambda a: a),
    "names of arguments": (lambda: lambda *, a, b: a - b, lambda: lambda *, b, a: b - a),
    "built-in": (lambda: math.sin, lambda: math.cos),
    "ufunc": (lambda: np.sin, lambda: np.cos),
    "class": (lambda: Own, lambda: Slotted),
    "enum": (lambda: Colour.RED, lambda: Colour.BLUE),
    "path": (lambda: Path("a"), lambda: Path("b")),
    "time": (lambda: datetime(2024, 1, 1), lambda: datetime(2024, 1, 2)),
    "pattern": (lambda: re.compile("a"), lambda: re.compile("a", re.IGNORECASE)),
    "generator": (lambda: np.random.default_rng(1), lambda: np.random.default_rng(2)),
    "random state": (lambda: np.random.RandomState(1), lambda: np.random.RandomState(2)),
    "python's random": (lambda: random.Random(1), lambda: random.Random(2)),
    "learner": (sg.HoeffdingTree, lambda: sg.HoeffdingTree(grace_period=100)),
    "forgetting inside": (
        lambda: sg.Majority(forget=sg.Window(10)), lambda: sg.Majority(forget=sg.Window(11)),
    ),
    "wrapper": (
        lambda: sg.Resetting(sg.NaiveBayes(), sg.DDM()),
        lambda: sg.Resetting(sg.NaiveBayes(), sg.EDDM()),
    ),
    "stream inside": (
        lambda: sg.Holdout(9, 5, test=sg.SEA(50, seed=1).map(lambda X, y: (X, y))),
        lambda: sg.Holdout(9, 5, test=sg.SEA(50, seed=1).map(lambda X, y: (X + 1, y))),
    ),
    "user's aggregate": (
        lambda: sg.Reevaluate(aggregate=lambda p, d: p[0]),
        lambda: sg.Reevaluate(aggregate=lambda p, d: p[-1]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_text_is_equal_for_equal_and_different_for_different_objects(
    pair: tuple[Callable[[], Any], Callable[[], Any]],
) -> None:
    one, other = pair
    assert text(one()) == text(one())
    assert text(one()) != text(other())


def test_text_is_the_same_in_every_process() -> None:
    """In particular it does not depend on addresses and on the hashes of texts."""
    code = (
        "from tests._support.test_canonical import PAIRS, text\n"
        "import hashlib\n"
        "print([(name, hashlib.sha256(text(make()).encode()).hexdigest()) "
        "for name, pair in PAIRS.items() for make in pair])"
    )
    said = {
        subprocess.check_output(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    }
    assert len(said) == 1


class Tensor:
    """The methods of PyTorch's tensors that are used, so that the test needs no PyTorch."""

    def __init__(self, values: Any, requires_grad: bool = False) -> None:
        self._values, self.requires_grad = np.asarray(values), requires_grad
        self.dtype, self.shape = self._values.dtype, self._values.shape

    def data_ptr(self) -> int:
        return id(self)

    def detach(self) -> Tensor:
        return self

    cpu = contiguous = detach

    def reshape(self, size: int) -> Tensor:
        return Tensor(self._values.reshape(size))

    def new_empty(self, size: int) -> Tensor:
        return Tensor(np.empty(size, self.dtype))

    def byte(self) -> Tensor:
        return Tensor(self._values.astype(np.uint8))

    def view(self, kind: Any) -> Tensor:
        return Tensor(self._values.view(kind))

    def numpy(self) -> Any:
        return self._values


def test_tensors_differ_in_values_types_shapes_and_gradients() -> None:
    tensors = [
        Tensor([1.0, 2.0]), Tensor([1.0, 3.0]), Tensor([[1.0, 2.0]]), Tensor([1, 2]), Tensor(1.0),
        Tensor([1.0, 2.0], requires_grad=True),
    ]  # fmt: skip
    assert len({text(each) for each in tensors}) == len(tensors)
    assert text(Tensor([1.0, 2.0])) == text(tensors[0])
    broken = Tensor([1.0])
    broken.cpu = lambda: 1 / 0  # type: ignore[method-assign, assignment, return-value]
    with pytest.raises(sg.UsageError, match=r"cannot tell this .*Tensor from others"):
        text(broken)


def test_changed_attribute_of_the_class_changes_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    before = text(Own())
    for name in ("rate", "__rate__"):
        with monkeypatch.context() as patch:
            patch.setattr(Own, name, 0.5, raising=False)
            assert text(Own()) != before
    assert text(Own()) == before


def test_globals_of_a_script_count() -> None:
    """A script has no module whose content could be read: it is edited all the time."""
    code = "RATE, UNUSED = {}, {}\ndef f(x):\n    return RATE * x\ndef learn(x):\n    return f(x)"

    def defined(rate: float, unused: int) -> str:
        scope: dict[str, Any] = {"__name__": "__main__"}
        exec(code.format(rate, unused), scope)
        return text(scope["learn"])

    assert defined(0.1, 1) == defined(0.1, 2) != defined(0.5, 1)


def test_plain_value_of_a_module_counts_as_it_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    before = text(rated)
    monkeypatch.setitem(globals(), "RATE", 0.5)
    assert text(rated) != before


def test_handle_among_the_globals_of_a_script_is_no_parameter() -> None:
    def defined() -> str:
        scope: dict[str, Any] = {"__name__": "__main__", "lock": threading.Lock()}
        exec("def learn(x):\n    return lock", scope)
        return text(scope["learn"])

    assert defined() == defined()


def test_generators_that_the_run_seeds_do_not_count() -> None:
    def model(seed: int | None) -> Own:
        return Own(seed=seed, rng=random.Random(seed), tree=Own())

    def sharing() -> Own:
        made = model(None)
        made.tree.rng = made.rng  # type: ignore[attr-defined]
        return made

    assert text(model(None)) == text(model(None))
    assert text(sharing()) == text(sharing())
    assert len({text(model(seed)) for seed in (None, 0, 1)}) == 3


def test_model_of_river_that_draws_when_it_is_made_is_known_by_its_parameters() -> None:
    pytest.importorskip("river")
    from river import feature_extraction, linear_model

    def made(gamma: float, l2: float = 0.0) -> Any:
        sampler = feature_extraction.RBFSampler(gamma=gamma)
        return sampler | linear_model.LogisticRegression(l2=l2)

    assert text(made(1.0)) == text(made(1.0))
    assert len({text(made(1.0)), text(made(2.0)), text(made(1.0, 0.5))}) == 3


def test_trained_model_differs_from_a_new_one() -> None:
    pytest.importorskip("river")
    from river import naive_bayes

    model = naive_bayes.GaussianNB()
    before = text(model)
    model.learn_one({"x": 1.0}, "a")
    assert text(model) != before


@pytest.mark.parametrize(
    ("thing", "where"),
    [
        (Own(lock=threading.Lock()), r"test_canonical.Own.lock: cannot tell this _thread.lock"),
        (Own([0, {"a": Own(x for x in "ab")}]), r"Own.values\[0\]\[1\].a.values\[0\]: .*generator"),
        (
            functools.partial(pow, threading.Lock()),
            r"partial\[1\]\[0\]: cannot tell this _thread.lock",
        ),
        (Own(np.frompyfunc(lambda x: x, 1, 1)), r"Own.values\[0\]: cannot tell this numpy.ufunc"),
    ],
)
def test_object_without_identity_is_an_error_that_says_where(thing: Any, where: str) -> None:
    with pytest.raises(sg.UsageError, match=where) as caught:
        text(thing)
    assert "two different learners could count as one" in str(caught.value)
    assert "__getstate__ that returns what its numbers depend on" in str(caught.value)


def test_getstate_says_what_counts() -> None:
    class Handled(Own):
        def __getstate__(self) -> Any:
            return {key: value for key, value in vars(self).items() if key != "lock"}

    assert text(Handled(1, lock=threading.Lock())) == text(Handled(1, lock=threading.Lock()))
    assert text(Handled(1, lock=threading.Lock())) != text(Handled(2, lock=threading.Lock()))


def test_object_nested_too_deeply_is_an_error() -> None:
    made: Any = []
    for _ in range(5000):
        made = [made]
    with pytest.raises(sg.UsageError, match="nested too deeply"):
        text(made)


def test_only_what_is_not_ours_is_foreign() -> None:
    own: list[Any] = [
        sg.NaiveBayes(), sg.Resetting(sg.NaiveBayes(), sg.ADWIN()), sg.Delay(3),
        sg.Sampled(0.5, labels=sg.Chunks(3)), sg.TimeWindow(timedelta(hours=1)), sg.Reevaluate(),
    ]  # fmt: skip
    assert not any(Canonical(each).foreign for each in own)
    foreign: list[Any] = [Own(), adder(1), sg.Reevaluate(aggregate=adder(1)), [np.random, Own]]
    assert all(Canonical(each).foreign for each in foreign)


def test_parameters_at_their_default_are_left_out() -> None:
    assert text(sg.NaiveBayes()) == "NaiveBayes()"
    assert text(sg.HoeffdingTree(delta=0.5)) == "HoeffdingTree(delta=0.5)"


def test_addresses_are_left_out() -> None:
    assert without_addresses("<Own object at 0x7f00ABC>\n  x") == "<Own object> x"
