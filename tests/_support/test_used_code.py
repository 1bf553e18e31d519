"""The identity of a learner depends on the code that it uses, and on no other."""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamgauge._support.used_code import used_code
from streamgauge._support.user_code import user_modules
from streamgauge.runs.identity import identity_of

MINE = """
import numpy as np
import second
from dataclasses import dataclass
from second import twice, thrice
LIMIT = 3
OTHER = 4
TABLE = np.array([1.0, 2.0])
def logged(function):
    return function
def helper(x):
    return deeper(x) + second.shift(x)
def deeper(x):
    return x + LIMIT
@logged
def decorated(x):
    return x
class Base:
    weight = 1
class Model(Base):
    '''Doc.'''
    def start(self, schema, seed):
        self.k = helper(1)
    def predict(self, X):
        return twice(decorated(X)) * TABLE[0]
@dataclass
class Unrelated:
    size: int = 5
    def act(self):
        return thrice(OTHER)
if __name__ == "__main__":
    print("run")
"""
SECOND = """
STEP = 1
def shift(x):
    return x + STEP
def twice(x):
    return 2 * x
def thrice(x):
    return 3 * x
"""
_NUMBER = count()


@pytest.fixture(autouse=True, scope="module")
def _without_bytecode() -> Iterator[None]:
    """A compiled file may be older than an edit of the same second."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    yield
    sys.dont_write_bytecode = before


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before = set(sys.modules)
    sys.path.insert(0, str(tmp_path))
    yield tmp_path
    sys.path.remove(str(tmp_path))
    for name in set(sys.modules) - before:
        del sys.modules[name]


def identity(folder: Path, name: str = "Model", **texts: str) -> str:
    """The identity of an object of mine.py, in a new process as it were."""
    for module, text in texts.items():
        sys.modules.pop(module, None)
        (folder / f"{module}.py").write_text(text)
    importlib.invalidate_caches()
    found: Any = getattr(importlib.import_module("mine"), name)
    return identity_of(found() if isinstance(found, type) else found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 30"),
        ("return deeper(x)", "return 2 * deeper(x)"),
        ("return x + LIMIT", "return x - LIMIT"),
        ("weight = 1", "weight = 2"),
        ("    return function", "    return lambda x: function(x)"),
        ("helper(1)", "helper(2)"),
        ("np.array([1.0", "np.array([9.0"),
    ],
)
def test_change_of_what_is_used_changes_the_identity(folder: Path, old: str, new: str) -> None:
    assert MINE.count(old) == 1
    first = identity(folder, mine=MINE, second=SECOND)
    assert first != identity(folder, mine=MINE.replace(old, new), second=SECOND)


@pytest.mark.parametrize(("old", "new"), [("STEP = 1", "STEP = 2"), ("2 * x", "x + x")])
def test_change_in_a_second_module_changes_the_identity(folder: Path, old: str, new: str) -> None:
    first = identity(folder, mine=MINE, second=SECOND)
    assert first != identity(folder, mine=MINE, second=SECOND.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("size: int = 5", "size: int = 6"),
        ("OTHER = 4", "OTHER = 5"),
        ("LIMIT = 3", "LIMIT = (3)  # as before"),
        ('print("run")', 'print("other")'),
        ("class Unrelated", "class New:\n    pass\n@dataclass\nclass Unrelated"),
    ],
)
def test_change_of_what_is_not_used_changes_nothing(folder: Path, old: str, new: str) -> None:
    assert MINE.count(old) == 1
    first = identity(folder, mine=MINE, second=SECOND)
    assert first == identity(folder, mine=MINE.replace(old, new), second=SECOND)


def test_unused_function_of_a_second_module_changes_nothing(folder: Path) -> None:
    first = identity(folder, mine=MINE, second=SECOND)
    assert first == identity(folder, mine=MINE, second=SECOND.replace("3 * x", "4 * x"))
    other = identity(folder, "Unrelated", mine=MINE, second=SECOND)
    changed = SECOND.replace("3 * x", "4 * x")
    assert other != identity(folder, "Unrelated", mine=MINE, second=changed)


@pytest.mark.parametrize(
    "line",
    [
        "from second import *",
        "import sys",
        "from importlib import import_module",
        "def late():\n    return globals()['Unrelated']",
        "def late():\n    global LIMIT\n    LIMIT = 2",
        "def late():\n    return Base.__subclasses__()",
        "def __getattr__(name):\n    return 1",
        "Base.weight = 3",
        "print('loaded')",
        "for each in (1, 2):\n    pass",
        "del OTHER",
        "eval('1')",
    ],
)
def test_module_that_names_do_not_explain_counts_as_a_whole(folder: Path, line: str) -> None:
    text = MINE + line + "\n"
    first = identity(folder, mine=text, second=SECOND)
    assert first != identity(
        folder, mine=text.replace("size: int = 5", "size: int = 6"), second=SECOND
    )
    assert used_code("mine", "Model") == user_modules("mine")


def test_what_acts_on_others_always_counts(folder: Path) -> None:
    text = """
FOUND = {}
def register(function):
    FOUND[function.__name__] = function
    return function
@register
def hidden(x):
    return x + 1
class Model:
    def predict(self, X):
        return FOUND["hidden"](X)
class Unrelated:
    size = 5
"""
    first = identity(folder, mine=text)
    assert first != identity(folder, mine=text.replace("x + 1", "x + 2"))
    assert first == identity(folder, mine=text.replace("size = 5", "size = 6"))


def test_classes_count_where_a_base_keeps_a_list_of_them(folder: Path) -> None:
    mine = """
from second import Base
class Model(Base):
    pass
class Other(Base):
    size = 5
"""
    second = """
KINDS = []
class Base:
    def __init_subclass__(cls):
        KINDS.append(cls)
    def predict(self, X):
        return KINDS[-1].size
"""
    first = identity(folder, mine=mine, second=second)
    assert first != identity(folder, mine=mine.replace("size = 5", "size = 6"), second=second)


def test_module_imported_in_a_function_and_modules_of_packages_are_followed(folder: Path) -> None:
    (folder / "pack").mkdir()
    (folder / "pack/__init__.py").write_text("from .inner import used\n")
    inner = (
        "def used():\n    return base() + 1\ndef base():\n    return 0\ndef other():\n    pass\n"
    )
    mine = """
import pack.inner
class Model:
    def predict(self, X):
        import second
        return pack.inner.used() + second.anything
"""

    def now(inner: str, second: str) -> str:
        for name in ("pack", "pack.inner"):
            sys.modules.pop(name, None)
        (folder / "pack/inner.py").write_text(inner)
        return identity(folder, mine=mine, second=second)

    first = now(inner, "x = 1")
    assert first == now(inner.replace("pass", "return 1"), "x = 1")
    assert first != now(inner.replace("return 0", "return 1"), "x = 1")
    assert first != now(inner, "x = 2")


_KINDS = ("constant", "function", "class", "decorated", "lambda", "method")


def _statement(kind: str, name: str, value: int, uses: list[str]) -> str:
    sums = " + ".join([str(value), *(f"len(repr({each}))" for each in uses)])
    match kind:
        case "constant":
            return f"{name} = ({value}, {', '.join(uses)})" if uses else f"{name} = {value}"
        case "lambda":
            return f"{name} = lambda x=None: {sums}"
        case "class":
            return f"class {name}:\n    size = {value}\n    parts = [{', '.join(uses)}]"
        case "method":
            return f"class {name}:\n    def act(self):\n        return {sums}"
        case "decorated":
            return f"@staticmethod\ndef {name}():\n    return {sums}"
    return f"def {name}():\n    return {sums}"


@st.composite
def _programs(draw: st.DrawFn) -> tuple[list[tuple[str, int, list[int]]], list[bool], int]:
    """Statements (kind, value, the earlier ones that they use), which of them are in a second
    module, and the number of the one that is edited."""
    n = draw(st.integers(2, 9))
    second = sorted((draw(st.booleans()) for _ in range(n)), reverse=True)
    made = []
    for place in range(n):
        uses = draw(st.lists(st.integers(0, place - 1), unique=True, max_size=3)) if place else []
        made.append((draw(st.sampled_from(_KINDS)), draw(st.integers(0, 9)), sorted(uses)))
    return made, second, draw(st.integers(0, n - 1))


@settings(max_examples=60, deadline=None)
@given(program=_programs(), by_attribute=st.booleans())
def test_identity_changes_exactly_if_something_reached_changes(
    program: tuple[list[tuple[str, int, list[int]]], list[bool], int], by_attribute: bool
) -> None:
    made, in_second, edited = program
    reached: set[int] = set()
    queue = [len(made) - 1]  # the model uses the last statement
    while queue:
        each = queue.pop()
        if each not in reached:
            reached.add(each)
            queue += made[each][2]

    def texts(values: list[int], mine: str, second: str) -> tuple[str, str]:
        parts: tuple[list[str], list[str]] = ([], [])
        for place, ((kind, _, uses), value) in enumerate(zip(made, values, strict=True)):
            own = in_second[place]
            names = [
                f"{second}.n{u}" if by_attribute and in_second[u] and not own else f"n{u}"
                for u in uses
            ]
            parts[own].append(_statement(kind, f"n{place}", value, names))
        there = [f"n{place}" for place, is_there in enumerate(in_second) if is_there]
        head = [f"import {second}"]
        if there and not by_attribute:
            head.append(f"from {second} import {', '.join(there)}")
        last = f"n{len(made) - 1}"
        last = f"{second}.{last}" if by_attribute and in_second[-1] else last
        model = f"class Model:\n    def predict(self, X):\n        return {last}"
        return "\n".join([*head, *parts[0], model, ""]), "\n".join([*parts[1], ""])

    values = [value for _, value, _ in made]
    changed = [value + (place == edited) for place, value in enumerate(values)]
    mine, second = f"mine_{next(_NUMBER)}", f"second_{next(_NUMBER)}"
    found = []
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        try:
            for numbers in (values, changed):
                for name, text in zip((mine, second), texts(numbers, mine, second), strict=True):
                    sys.modules.pop(name, None)
                    Path(folder, f"{name}.py").write_text(text)
                importlib.invalidate_caches()
                found.append(identity_of(importlib.import_module(mine).Model()))
        finally:
            sys.path.remove(folder)
            for name in (mine, second):
                sys.modules.pop(name, None)
    assert (found[0] != found[1]) == (edited in reached)
