"""Objects by text: calls of known names with literal parameters, parsed and never `eval`ed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, did_you_mean

Lookup = Callable[[str], Callable[..., Any]]


@dataclass(frozen=True)
class Names:
    """What a text may name.

    lookup: what a name stands for; raises ValueError, with near misses, if it is none.
    libraries: prefixes behind which another grammar begins, `river:...`, and what reads that.
    modules: prefixes of one's own, `mine:Class()`, which `lookup` knows as `mine.Class`.
    alone: a name without brackets is called without parameters.
    """

    lookup: Lookup
    libraries: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    alone: bool = True


def read(text: str, names: Names) -> Any:
    """What a text says; ValueError, TypeError, SyntaxError or AttributeError if it cannot be."""
    prefixes = [re.escape(prefix) for prefix in (*names.libraries, *names.modules)]
    if prefixes:  # in quotes it is a text of its own
        text = re.sub(rf"""(?<!["'])\b({"|".join(prefixes)}):(?=\w)""", r"\1.", text)
    tree = ast.parse(text.strip(), mode="eval").body
    return _value(tree if isinstance(tree, ast.Call) else ast.Call(tree, [], []), names)


def _value(node: ast.expr, names: Names) -> Any:
    """A call of a known name, such a name alone, or a literal; nothing else is understood."""
    if isinstance(node, ast.Name | ast.Attribute) and names.alone:
        node = ast.Call(node, [], [])
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        library, dot, _ = name.partition(".")
        if dot and library in names.libraries:
            return names.libraries[library](ast.unparse(node).removeprefix(f"{library}."))
        called = names.lookup(name)
        if any(keyword.arg is None for keyword in node.keywords):
            raise ValueError(f"{name}(**...): expected parameters by their names")
        keywords = {str(k.arg): _value(k.value, names) for k in node.keywords}
        return called(*(_value(a, names) for a in node.args), **keywords)
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, names) for item in node.elts]
    return ast.literal_eval(node)


def build(
    text: str,
    known: Iterable[str],
    what: str,
    find: Callable[[str], Callable[..., Any]] = registry.find,
) -> Any:
    """The object that a text describes, a call of one of the public names in `known`.

    `what` it is, for the error message; `find` gives the callable behind a name.

    >>> build("Window(100)", ["Cumulative", "Window"], "forgetting")
    Window(100)
    """
    known = tuple(known)

    def lookup(name: str) -> Callable[..., Any]:
        if name not in known:
            raise ValueError(f"unknown name {name!r}{did_you_mean(name, known)}")
        return find(name)

    try:
        return read(text, Names(lookup))
    except UsageError:
        raise
    except (SyntaxError, ValueError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{text!r} is not a {what}: {error}; expected one of {', '.join(known)}, with its "
            "parameters in brackets"
        ) from None
