"""Parameters that several classes share: what they are for and which values they take, said once.

    Delta = Annotated[float, Declared("Significance level of the test.", above=0, below=1)]

A constructor annotates a parameter with such an alias, which type checkers read as `float`.
`Parametrized` then refuses other values and adds the description to the docstring of the class.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType, NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from streamgauge._support.argument_types import check_arguments
from streamgauge._support.errors import UsageError

_WIDTH = 96  # of a line in a docstring, without its indentation
_TITLE = re.compile(r"^\w[\w ]*\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\S.*)\n((?:[ ]+.*\n?|\n(?=[ ]))*)", re.MULTILINE)


@dataclass(frozen=True)
class Declared:
    """A parameter's description, empty if each class has its own, and its range; None is allowed.

    Of a parameter that takes one of several texts, the texts are those of its type, a `Literal`.
    """

    about: str = ""
    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    def check(self, owner: str, name: str, hint: Any, value: Any) -> None:
        """Raise an error for a value of another type or out of range."""
        check_arguments(owner, {name: hint}, {name: value})
        if value is not None and not self._holds(value):
            raise UsageError(f"{owner}({name}={value!r}): expected {self._range(name)}")
        texts = _texts(hint)
        if texts and value not in texts:
            *first, last = map(repr, texts)
            expected = f"{', '.join(first)} or {last}" if first else last
            raise UsageError(f"{owner}({name}={value!r}): expected {name} {expected}")

    def _holds(self, value: float) -> bool:
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def _range(self, name: str) -> str:
        lower = self.least if self.above is None else self.above
        upper = self.most if self.below is None else self.below
        less = "<=" if self.above is None else "<"
        if upper is None:
            return f"{name} {less.replace('<', '>')} {lower:,}"
        return f"{lower:,} {less} {name} {'<=' if self.below is None else '<'} {upper:,}"


class Parameter(NamedTuple):
    """A parameter of a constructor that is declared: its type and its declaration."""

    hint: Any
    declared: Declared


def declared_in(init: Any) -> dict[str, Parameter]:
    """The parameters of a constructor whose annotation is a declaration."""
    init = inspect.unwrap(init)
    if not isinstance(init, FunctionType):
        return {}
    hints = {
        name: init.__globals__.get(hint) if isinstance(hint, str) else hint
        for name, hint in init.__annotations__.items()
    }
    return {
        name: Parameter(*get_args(hint)[:2])
        for name, hint in hints.items()
        if get_origin(hint) is Annotated and isinstance(get_args(hint)[1], Declared)
    }


def with_descriptions(doc: str, names: Iterable[str], declared: Mapping[str, Parameter]) -> str:
    """A class's docstring that describes the declared parameters, all in the order of `names`.

    What the docstring itself says about a parameter is kept.
    """
    doc = inspect.cleandoc(doc)
    head, own, tail = _split(doc)
    entries = {each: match[0].rstrip() for match in _ENTRY.finditer(own) for each in _named(match)}
    for name, (_, parameter) in declared.items():
        if name not in entries and parameter.about:
            entries[name] = f"{name}\n" + textwrap.indent(
                textwrap.fill(parameter.about, _WIDTH), "    "
            )
    ordered = [entries.pop(name) for name in names if name in entries] + list(entries.values())
    section = "\n".join(["Parameters\n----------", *dict.fromkeys(ordered)]) if ordered else ""
    return "\n\n".join(part for part in (head, section, tail) if part)


def _split(doc: str) -> tuple[str, str, str]:
    """A docstring's text before the parameters, the parameters, and all that follows."""
    titles = list(_TITLE.finditer(doc))
    starts = [title.start() for title in titles] + [len(doc)]
    if not titles or not titles[0][0].startswith("Parameters\n"):
        return doc[: starts[0]].rstrip(), "", doc[starts[0] :]
    return doc[: starts[0]].rstrip(), doc[titles[0].end() : starts[1]], doc[starts[1] :]


def _named(entry: re.Match[str]) -> list[str]:
    """The parameters that an entry describes: `a, b` describes two."""
    return [name.strip() for name in entry[1].split(",")]


def _texts(hint: Any) -> tuple[Any, ...]:
    """The values of a parameter that takes only texts, and perhaps None; empty of any other."""
    parts = get_args(hint) if NoneType in get_args(hint) else (hint,)
    kinds = [each for each in parts if each is not NoneType]
    if not all(get_origin(each) is Literal for each in kinds):
        return ()
    texts = [text for each in kinds for text in get_args(each)]
    return (*texts, None) if NoneType in parts else tuple(texts)
