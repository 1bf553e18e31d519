"""Names that installed packages add, by entry points of the group `streamgauge`.

The name of an entry point is a kind and a name, with `_` for a space in the kind:

    [project.entry-points.streamgauge]
    "learner.MyLearner" = "my_package.learners:MyLearner"
    "label_policy.Nightly" = "my_package.labels:Nightly"
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "streamgauge"
KINDS = (
    "learner", "reference", "wrapper", "detector", "label policy", "generator", "transform",
    "metric", "source", "file format",
)  # fmt: skip


@cache
def _found() -> Mapping[tuple[str, str], tuple[EntryPoint, ...]]:
    """The entry points by kind and name; more than one if packages use the same name."""
    import importlib.metadata  # deferred: `import streamgauge` needs no names of other packages

    found: dict[tuple[str, str], tuple[EntryPoint, ...]] = {}
    for point in sorted(importlib.metadata.entry_points(group=GROUP), key=lambda p: p.name):
        prefix, _, name = point.name.rpartition(".")
        kind = prefix.replace("_", " ")
        if kind not in KINDS:
            expected = ", ".join(f"{each.replace(' ', '_')}.Name" for each in KINDS)
            warnings.warn(
                f"{_package(point)}: entry point {point.name!r} of group {GROUP!r} is ignored; "
                f"expected one of {expected}",
                stacklevel=2,
            )
        elif point not in found.get((kind, name), ()):
            found[kind, name] = (*found.get((kind, name), ()), point)
    return found


def names(kind: str) -> tuple[str, ...]:
    """The names of a kind that installed packages define."""
    return tuple(name for each, name in _found() if each == kind)


def source(kind: str, name: str) -> str:
    """The package, or packages, that define a name."""
    return " and ".join(map(_package, _found()[kind, name]))


def load(kind: str, name: str) -> Any:
    """Import the object with a name."""
    points = _found()[kind, name]
    if len(points) > 1:
        raise UsageError(
            f"{kind} {name!r} is defined by {source(kind, name)}; expected one: uninstall the other"
        )
    try:
        return points[0].load()
    except Exception as error:  # the package's own code may raise anything
        raise UsageError(
            f"{kind} {name!r} of {source(kind, name)} cannot be imported from {points[0].value}: "
            f"{type(error).__name__}: {error}"
        ) from error


def _package(point: EntryPoint) -> str:
    return f"package {point.dist.name}" if point.dist else f"{point.value}"
