"""Seed foreign models, and the global random numbers that they may draw."""

from __future__ import annotations

import io
import pickle
import random
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np

_SEEDS = ("seed", "random_state", "random_seed")  # as River, scikit-learn and CapyMOA call them
GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)
_CONTAINERS = (list, tuple, deque)
_NOT_PARTS = (
    *(str, bytes, int, float, complex, type(None), type, np.generic, *GENERATORS),
    *(types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType),
)


def seed_parts(
    model: Any, seed: int, make_another: Callable[[], Any] | None = None
) -> tuple[str, ...]:
    """Seed every part of a model in place; return why the seed does not determine its numbers.

    A part whose attribute `seed` (`random_state`, `random_seed`) is None gets a seed, the outermost
    one the given seed, and its generators start again from it. Other seeds are the user's and stay.

    `make_another` makes a new model with the same parameters. Two of them, seeded alike, must be
    equal; otherwise a part has drawn random numbers before it could be seeded.
    """
    parts = [part for part in _parts_of(model) if _has_attributes(part)]
    with_seed = [part for part in parts if _seeds_of(part)]
    unseeded = seedless_parts(model)
    for number, part in enumerate(unseeded):
        own = seed if number == 0 else _derived(seed, number)
        vars(part).update(dict.fromkeys(_seeds_of(part), own))
        for _, generator in _generators_of(part):
            _restart(generator, own)
    known = {id(generator) for part in with_seed for _, generator in _generators_of(part)}
    reasons = [
        f"{type(part).__name__}.{name} is a random generator without a `seed` beside it"
        for part in parts
        for name, generator in _generators_of(part)
        if id(generator) not in known or isinstance(generator, random.SystemRandom)
    ]
    if unseeded and make_another is not None and _differ(make_another, seed):
        reasons.append(f"{type(model).__name__} draws random numbers when it is made")
    return tuple(dict.fromkeys(reasons))


def generators_of_run(model: Any) -> list[Any]:
    """The generators in a model that `seed_parts` starts again from the seed of the run."""
    return [each for part in seedless_parts(model) for _, each in _generators_of(part)]


def seedless_parts(model: Any) -> list[Any]:
    """The parts of a model that get the seed of the run: they have a `seed`, which is None."""
    parts = [part for part in _parts_of(model) if _has_attributes(part)]
    seeds = [(part, _seeds_of(part)) for part in parts]
    return [part for part, given in seeds if given and all(s is None for s in given.values())]


def _parts_of(model: Any) -> list[Any]:
    """All objects that a model consists of, outermost first."""
    found: dict[int, Any] = {}
    queue = deque([model])
    while queue:
        each = queue.popleft()
        if id(each) in found or isinstance(each, _NOT_PARTS):
            continue
        found[id(each)] = each
        if isinstance(each, np.ndarray):
            queue.extend(each.ravel() if each.dtype.hasobject else ())
        elif isinstance(each, dict):
            queue.extend(each.values())
        elif isinstance(each, _CONTAINERS):
            queue.extend(each)
        if _has_attributes(each):
            queue.extend(vars(each).values())
    return list(found.values())


def _has_attributes(part: Any) -> bool:
    """Whether it has a dict of attributes; a library of C functions makes one up on demand."""
    return isinstance(getattr(part, "__dict__", None), dict)


def _seeds_of(part: Any) -> dict[str, Any]:
    return {name: vars(part)[name] for name in _SEEDS if name in vars(part)}


def _generators_of(part: Any) -> list[tuple[str, Any]]:
    """The generators among a part's attributes, with the attribute's name."""
    found = []
    for name, value in vars(part).items():
        inside = value.values() if isinstance(value, dict) else value
        held = inside if isinstance(value, (dict, *_CONTAINERS)) else [value]
        found += [(name, each) for each in held if isinstance(each, GENERATORS)]
    return found


def _derived(seed: int, number: int) -> int:
    """Another seed, for the part of this number."""
    return int(np.random.SeedSequence([abs(seed), number]).generate_state(1)[0])


def _restart(generator: Any, seed: int) -> None:
    if isinstance(generator, np.random.Generator):
        bits = generator.bit_generator
        bits.state = type(bits)(seed).state
    else:
        generator.seed(seed)


def _differ(make: Callable[[], Any], seed: int) -> bool:
    """Whether two new models differ although they are seeded alike; False if that is unknown."""
    try:
        pair = [make(), make()]
        for model in pair:
            seed_parts(model, seed)
        first, second = map(_without_generators, pair)
    except Exception:  # a foreign model may raise anything, e.g. because of a lambda
        return False
    return first != second


class _Pickler(pickle.Pickler):
    """Leaves generators out: they are seeded, but remember the entropy they were made with."""

    def persistent_id(self, obj: Any) -> str | None:
        return "generator" if isinstance(obj, GENERATORS) else None


def _without_generators(model: Any) -> bytes:
    file = io.BytesIO()
    _Pickler(file).dump(model)
    return file.getvalue()


def is_random(thing: object) -> bool:
    """Whether the numbers of a learner or detector may depend on the seed of a run.

    It does not if it declares `random = False`. What does not say counts as random, and so does a
    user's class that only inherits the declaration: it may draw numbers itself.
    """
    kind = type(thing)
    declares = next((each for each in kind.__mro__ if "random" in vars(each)), None)
    ours = kind.__module__.partition(".")[0] == "streamgauge"
    trusted = declares is not None and (ours or declares is kind)
    return not trusted or getattr(thing, "random", True) is not False


class GlobalRandom:
    """The global random numbers of Python, NumPy and PyTorch, as one learner of a run gets them.

    They depend only on the seed of the run, not on other learners, and those of the caller stay as
    they are. PyTorch's are included once it has been imported.
    """

    def __init__(self, seed: int) -> None:
        self._seed = abs(seed)
        self._states = _first_states(seed)

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Use these random numbers for a while."""
        others = _global_states()
        _set_global_states(*self._states, self._seed)
        try:
            yield
        finally:
            self._states = _global_states()
            _set_global_states(*others)


@lru_cache(8)
def _first_states(seed: int) -> tuple[Any, Any, Any]:
    """The states of Python and NumPy that a seed gives; to set them is to copy them."""
    numpys = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(abs(seed))))
    return random.Random(seed).getstate(), numpys.get_state(legacy=False), None


def _global_states() -> tuple[Any, Any, Any]:
    torch: Any = sys.modules.get("torch")
    torchs = torch.get_rng_state() if hasattr(torch, "get_rng_state") else None
    return random.getstate(), np.random.get_state(legacy=False), torchs  # noqa: NPY002 - global


def _set_global_states(pythons: Any, numpys: Any, torchs: Any, seed: int | None = None) -> None:
    """Set the states; PyTorch starts from the seed if it has no state yet."""
    random.setstate(pythons)
    np.random.set_state(numpys)  # noqa: NPY002
    torch: Any = sys.modules.get("torch")
    if torchs is not None:
        torch.set_rng_state(torchs)
    elif seed is not None and hasattr(torch, "set_rng_state"):
        torch.set_rng_state(torch.Generator().manual_seed(seed % 2**64).get_state())
