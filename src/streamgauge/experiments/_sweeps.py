"""Numbers of cells: what a sweep varies, such as `grace_period`, Delay(n) or a stream's noise."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.ranking.score_table import LearnerScore
from streamgauge.rendering.words import unique_names
from streamgauge.streams.origin import Origin

_MASK = "…"
_INJECT = "inject"  # the order of temporal injection; 0 without it
_IMMEDIATE = ("Immediate", "Immediate()")  # what a model knows is as under Delay(1) (semantics §1)


class SweptNumber(NamedTuple):
    """A number in a text: a parameter's value, or a positional one, named after its call."""

    name: str
    value: float
    start: int  # in bytes
    stop: int


class Coordinates(NamedTuple):
    """Where a cell stands in the sweep of one or two numbers."""

    at: tuple[float | None, ...]  # None: the cell has no such number
    stream: str  # the rest of its name, with the numbers masked
    learner: str
    labels: str
    of_learner: bool  # whether the numbers it lacks are parameters of other learners


def numbers_in(text: str) -> list[SweptNumber]:
    """The numbers in a call, the outermost first; a text that is no call has none.

    >>> text = "TemporallyAugmented(HoeffdingTree(grace_period=100), order=2)"
    >>> [(n.name, n.value) for n in numbers_in(text)]
    [('order', 2), ('grace_period', 100)]
    >>> [(n.name, n.value) for n in numbers_in("Delay(50)")]
    [('Delay', 50)]
    """
    plain = re.sub(r"(?<=\w):(?=\w)", ".", text)  # river:tree.X() is parsed as river.tree.X()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd backslashes and the like
            tree = ast.parse(plain, mode="eval").body
        found = list(_numbers(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = unique_names([each.name for each in found])
    return [each._replace(name=name) for each, name in zip(found, names, strict=True)]


def _numbers(call: ast.expr) -> Iterator[SweptNumber]:
    if not isinstance(call, ast.Call):
        return
    own = ast.unparse(call.func).rpartition(".")[2]
    given = [(own, each) for each in call.args]
    given += [(each.arg, each.value) for each in call.keywords if each.arg is not None]
    for name, node in given:
        value = _value(node)
        if value is not None and name != "seed" and node.end_col_offset is not None:
            yield SweptNumber(name, value, node.col_offset, node.end_col_offset)
    for _, node in given:
        for inner in node.elts if isinstance(node, ast.List | ast.Tuple) else [node]:
            yield from _numbers(inner)


def _value(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    return value if _is_number(value) else None


def coordinates(cells: Sequence[LearnerScore], names: Sequence[str]) -> list[Coordinates]:
    """Where each cell stands by the numbers of these names."""
    parameters = {n.name for cell in cells for n in numbers_in(cell.learner)}
    of_learner = all(name in parameters for name in names)
    found = []
    for cell in cells:
        at: dict[str, float] = {}
        masked = [_masked(text, names, at) for text in (cell.learner, cell.labels)]
        if "Delay" in names and cell.labels in _IMMEDIATE:
            at["Delay"], masked[1] = 1, f"Delay({_MASK})"
        stream = _masked_stream(cell, names, at)
        place = tuple(at.get(name) for name in names)
        found.append(Coordinates(place, stream, masked[0], masked[1], of_learner))
    return found


def _masked_stream(cell: LearnerScore, names: Sequence[str], at: dict[str, float]) -> str:
    """The cell's stream without seeds and the numbers of these names, which are put in `at`."""
    origin = cell.origin
    if origin is None:
        return cell.stream
    if _INJECT in names:
        at[_INJECT] = 0  # without an injection

    def masked(name: str, value: Any) -> Any:
        if name not in names or not _is_number(value):
            return None if name == "seed" else value
        at.setdefault(name, value)
        return _Masked()

    def inner(step: Origin) -> Origin:
        if step.maker == _INJECT and _INJECT in names:
            at[_INJECT] = step.arguments["order"]
            return inner(step.sources[0])
        return replace(step, sources=tuple(map(inner, step.sources)))

    return inner(origin).changed(masked).title


class _Masked:
    def __repr__(self) -> str:
        return _MASK


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _masked(text: str, names: Sequence[str], at: dict[str, float]) -> str:
    """The text without the numbers of these names, which are put down in `at`."""
    raw = text.encode()
    for number in sorted(numbers_in(text), key=lambda each: -each.start):
        if number.name in names:
            at.setdefault(number.name, number.value)
            raw = raw[: number.start] + _MASK.encode() + raw[number.stop :]
    return raw.decode()


def swept_names(cells: Sequence[LearnerScore]) -> list[str]:
    """The numbers that differ between cells which are otherwise equal."""
    texts = [text for cell in cells for text in (cell.learner, cell.labels)]
    known = dict.fromkeys(number.name for text in texts for number in numbers_in(text))
    origins = {cell.origin for cell in cells if cell.origin is not None}
    steps = [step for each in origins for step in each.walk() if step.maker != _INJECT]
    for step in sorted(steps, key=lambda each: each.text):
        numbers = [name for name, value in step.arguments.items() if _is_number(value)]
        known |= dict.fromkeys(name for name in numbers if name != "seed")
    known[_INJECT] = None
    return [name for name in known if _varies(coordinates(cells, [name]))]


def _varies(places: Iterable[Coordinates]) -> bool:
    values: dict[tuple[str, ...], set[float]] = {}
    for each in places:
        if each.at[0] is not None:
            values.setdefault((each.stream, each.learner, each.labels), set()).add(each.at[0])
    return any(len(found) > 1 for found in values.values())


def check_swept(option: str, name: str, known: Sequence[str]) -> None:
    """Require the name of a number that varies between the cells."""
    if name not in known:
        which = f"expected one of {', '.join(known)}" if known else "no number varies"
        raise UsageError(
            f"{option}={name!r}: no number of this name varies between the cells"
            f"{did_you_mean(str(name), known)}; {which}"
        )
