"""`Origin`: what a stream is made from, as a value: its maker, the arguments, the streams inside.

Runs store it. What groups the rows of a ranking, draws a sweep, repeats a run or sends a stream to
another process reads it; names are for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

MEMORY = "memory"  # rows that only this process has
TENET_PREFIX = "tenet:"  # in texts and names of the streams of that benchmark


@dataclass(frozen=True)
class Origin:
    """What a stream is made from.

    Parameters
    ----------
    maker
        What makes it: a generator or transform by its registered name, load, read, read_events,
        tenet, take, skip, select; "memory" if only this process has the rows, "map" if a function
        of the user changes them.
    arguments
        The maker's arguments by name, as plain values; those at their default are left out. A
        generator without a seed has none here.
    sources
        The origins of the streams that it is made from, in order.
    same_rows
        Whether it has the rows of its source with other labels or in another order: not a stream
        that is independent of its source.

    Examples
    --------
    >>> import streamgauge as sg
    >>> origin = sg.inject(sg.SEA(500, seed=2, noise=0.1), order=4).take(100).origin
    >>> origin.text
    'take(inject(SEA(500, seed=2, noise=0.1), order=4), 100)'
    >>> origin.seeds, origin.sources[0].change.text
    ((2,), 'inject(order=4)')
    """

    maker: str
    arguments: dict[str, Any] = field(default_factory=dict)
    sources: tuple[Origin, ...] = ()
    same_rows: bool = False

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def text(self) -> str:
        """The call that makes it; a stream in memory is shown by its name."""
        if self.maker == MEMORY:
            return str(self.arguments["name"])
        return self._call([each.text for each in self.sources])

    @property
    def title(self) -> str:
        """A short form for people: a data set or file by its name, the rest as a call."""
        given = self.arguments
        match self.maker:
            case "load" | "memory":
                return ":".join(str(given[key]) for key in ("name", "variant") if key in given)
            case "read" | "read_events":
                return PurePath(given["path"]).name.removesuffix(".gz").rpartition(".")[0]
        return self._call([each.title for each in self.sources])

    @property
    def short(self) -> str:
        """The shortest form for people: without seeds and positions, concepts by an arrow.

        >>> Origin("SEA", {"n": 500, "seed": 2}).short
        'SEA(500)'
        """
        if self.maker == "splice":
            return " → ".join(each.short for each in self.sources)
        if not self.sources:
            return self.unseeded.title
        step = replace(self.unseeded, sources=())
        return step._call([each.short for each in self.sources])

    def _call(self, sources: list[str]) -> str:
        given = [f"[{', '.join(sources)}]"] if len(sources) > 1 else sources
        for place, (name, value) in enumerate(self.arguments.items()):
            is_clear = place == 0 and name in ("n", "name", "path")
            given.append(repr(value) if is_clear else f"{name}={value!r}")
        return f"{self.maker}({', '.join(given)})"

    @property
    def is_repeatable(self) -> bool:
        """Whether the text makes the same stream in another process."""
        return not any(each.maker in (MEMORY, "map") for each in self.walk())

    @property
    def seeds(self) -> tuple[int, ...]:
        """Every seed in it."""
        return tuple(each.arguments["seed"] for each in self.walk() if "seed" in each.arguments)

    @property
    def unseeded(self) -> Origin:
        """The same without its seeds: equal for several draws of one stream."""
        return self.changed(lambda name, value: None if name == "seed" else value)

    @property
    def independent(self) -> Origin:
        """The stream itself, without what only changes its labels or the order of its rows."""
        return self.sources[0].independent if self.same_rows else self

    @property
    def changes(self) -> tuple[Origin, ...]:
        """What changes the labels or the order of the rows, the last change first."""
        return (self.change, *self.sources[0].changes) if self.same_rows else ()

    @property
    def change(self) -> Origin:
        """The last step alone."""
        return replace(self, sources=())

    def walk(self) -> Iterator[Origin]:
        """Every origin in it: itself, then what it is made from."""
        yield self
        for each in self.sources:
            yield from each.walk()

    def changed(self, change: Callable[[str, Any], Any]) -> Origin:
        """The same with `change(name, value)` as each argument; None leaves it out."""
        pairs = ((name, change(name, value)) for name, value in self.arguments.items())
        arguments = {name: value for name, value in pairs if value is not None}
        sources = tuple(each.changed(change) for each in self.sources)
        return replace(self, arguments=arguments, sources=sources)
