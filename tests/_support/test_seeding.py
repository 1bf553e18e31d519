"""Seeding the parts of foreign models, and global random numbers."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np

from streamgauge._support.seeding import GlobalRandom, seed_parts


class Part:
    """Draws from its generators; `seed` as in River."""

    def __init__(self, seed: int | None = None, inner: Any = None) -> None:
        self.seed, self.inner = seed, inner
        self.python = random.Random(seed)
        self.numpys: list[Any] = [np.random.default_rng(seed), np.random.RandomState(seed)]

    def draw(self) -> list[float]:
        own = [self.python.random(), self.numpys[0].random(), float(self.numpys[1].rand())]
        return own + (self.inner.draw() if isinstance(self.inner, Part) else [])


class Drawn(Part):
    """Draws a random number when it is made."""

    def __init__(self) -> None:
        super().__init__()
        self.offset = self.python.random()


def test_outermost_part_gets_the_seed_and_others_seeds_of_their_own() -> None:
    model, again = (Part(inner=Part(inner=Part())) for _ in range(2))
    assert seed_parts(model, 5) == seed_parts(again, 5) == ()
    drawn = model.draw()
    assert drawn == again.draw()
    assert drawn[:3] == Part(5).draw()
    assert len(set(drawn)) == len(drawn)
    other = Part(inner=Part(inner=Part()))
    seed_parts(other, 6)
    assert not set(other.draw()) & set(drawn)


def test_seeds_of_the_user_stay() -> None:
    model = Part(inner={"steps": [("a", Part(3)), ("b", Part())]})
    seed_parts(model, 5)
    steps = dict(model.inner["steps"])
    assert (model.seed, steps["a"].seed) == (5, 3)
    assert steps["a"].draw() == Part(3).draw()
    assert steps["b"].seed not in (None, 3, 5)


def test_generator_without_a_seed_beside_it_is_reported_and_left_alone() -> None:
    """It may be the user's own: `Mine(42)` that keeps random.Random(42)."""
    model = SimpleNamespace(inner=SimpleNamespace(rng=random.Random(42)), x=np.zeros(3))
    (reason,) = seed_parts(model, 1)
    assert reason == "SimpleNamespace.rng is a random generator without a `seed` beside it"
    assert model.inner.rng.random() == random.Random(42).random()
    system = SimpleNamespace(seed=None, rng=random.SystemRandom())
    assert len(seed_parts(system, 1)) == 1


def test_generator_that_parts_share_needs_one_seed() -> None:
    """River's trees hold the generator of their forest."""
    forest = Part()
    forest.inner = [SimpleNamespace(rng=forest.python), forest]  # a cycle, too
    assert seed_parts(forest, 1) == ()


def test_random_numbers_drawn_when_a_model_is_made_are_reported() -> None:
    assert seed_parts(Part(), 1, Part) == ()
    assert seed_parts(Drawn(), 1, Drawn) == ("Drawn draws random numbers when it is made",)
    assert seed_parts(Part(), 1, lambda: 1 / 0) == ()  # it cannot be made: unknown


def test_global_random_numbers_depend_on_the_seed_alone() -> None:
    def draw(source: GlobalRandom) -> tuple[float, float]:
        with source.in_use():
            return random.random(), float(np.random.rand())  # noqa: NPY002

    before = random.getstate(), np.random.get_state()  # noqa: NPY002
    one, two, other = GlobalRandom(1), GlobalRandom(1), GlobalRandom(2)
    first = [draw(one), draw(one)]
    random.random()
    assert [draw(two), draw(two)] == first
    assert first[0] != first[1]
    assert draw(other) not in first
    random.setstate(before[0])
    draw(GlobalRandom(-1))
    assert random.getstate() == before[0]


def test_part_whose_attributes_are_made_up_is_left_alone() -> None:
    class Library:
        """As a library of C functions: whatever is asked for is a function."""

        def __getattribute__(self, name: str) -> Any:
            return len

    seed_parts(SimpleNamespace(library=Library(), own=Part()), 1)
    assert isinstance(Library().__dict__, type(len))
