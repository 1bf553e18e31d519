"""Parses text such as `Window(100)` into objects: calls of known names with literal parameters.

The text is parsed with `ast` and never passed to `eval`.
"""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from streamgauge._support import registry
from streamgauge._support.errors import StreamgaugeError, UsageError, did_you_mean, instead_of
from streamgauge._support.user_modules import NO_MODULES, Modules

ALL_NAMES = "`streamgauge names`"
Lookup = Callable[[str], Callable[..., Any]]


class Unread(Exception):  # noqa: N818 - nothing is wrong
    """A text is right as far as it was read; what follows must not be imported or called yet."""


class UnknownName(ValueError):  # noqa: N818 - as the messages say it
    """A text calls something that does not exist."""


@dataclass(frozen=True)
class Scope:
    """The names that a text may call.

    Parameters
    ----------
    lookup
        Returns the callable with this name; raises ValueError, with suggestions, if it is unknown.
    libraries
        Prefixes of other libraries, as in `river:tree.Class()`, with a parser for the rest.
    modules
        Prefixes of the user's modules; `lookup` gets `mine:Class()` as `mine.Class`.
    bare_names
        Whether a name without parentheses is a call without arguments.
    calls
        Whether to make the calls; if not, names and parameters are checked only.
    """

    lookup: Lookup
    libraries: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)
    modules: tuple[str, ...] = ()
    bare_names: bool = True
    calls: bool = True


def parse_call(text: str, scope: Scope) -> Any:
    """Parse a text and make the call; raises whatever makes that impossible."""
    prefixes = [re.escape(prefix) for prefix in (*scope.libraries, *scope.modules)]
    if prefixes:  # inside quotes, a colon is left alone
        text = re.sub(rf"""(?<!["'])\b({"|".join(prefixes)}):(?=\w)""", r"\1.", text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd backslashes and the like
            tree = ast.parse(text.strip(), mode="eval").body
        return _value(tree if isinstance(tree, ast.Call) else ast.Call(tree, [], []), scope)
    except (RecursionError, MemoryError):
        raise ValueError("the text is nested too deeply") from None


def _value(node: ast.expr, scope: Scope) -> Any:
    """The value of a call, a bare name, a list or a literal; anything else is an error."""
    if isinstance(node, ast.Name | ast.Attribute) and scope.bare_names:
        node = ast.Call(node, [], [])
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        library, dot, _ = name.partition(".")
        if dot and library in scope.libraries:
            return scope.libraries[library](ast.unparse(node).removeprefix(f"{library}."))
        called = scope.lookup(name)
        if any(keyword.arg is None for keyword in node.keywords):
            raise ValueError(f"{name}(**...): expected arguments by name")
        keywords = {str(k.arg): _value(k.value, scope) for k in node.keywords}
        _check_keywords(name, called, keywords)
        arguments = [_value(each, scope) for each in node.args]
        return called(*arguments, **keywords) if scope.calls else None
    if isinstance(node, ast.List | ast.Tuple):
        return [_value(item, scope) for item in node.elts]
    try:
        return ast.literal_eval(node)
    except ValueError:
        wrong = ast.unparse(node)
        raise SyntaxError(f"{wrong}: expected a literal: a number, a text in quotes") from None


def cannot_be_read(error: Exception) -> bool:
    """Whether a text is no call of a name at all, so that an example of one helps."""
    return isinstance(error, SyntaxError)


def why(error: Exception) -> str:
    """The message of an error, with its kind where that says more than that a value is wrong."""
    if isinstance(error, SyntaxError | ValueError | TypeError | AttributeError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def _check_keywords(name: str, called: Callable[..., Any], given: Iterable[str]) -> None:
    """Refuse parameters that a callable does not have, with a suggestion."""
    asked = list(given)
    if not asked:
        return
    try:
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):  # some callables of other libraries have none
        return
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return
    known = [each.name for each in parameters if each.kind is not each.VAR_POSITIONAL]
    for keyword in asked:
        if keyword not in known:
            close = did_you_mean(keyword, known)
            listed = f"; it has {', '.join(known) or 'none'}"
            raise TypeError(f"{name} has no parameter {keyword!r}{close or listed}")


def build(text: str, kind: Any, modules: Modules = NO_MODULES, only_ours: bool = False) -> Any:
    """Build the object that a text describes: a call of a registered name of this kind.

    Parameters
    ----------
    text
        A call with literal arguments, or a name alone.
    kind
        The kind of object, one of the registry's.
    modules
        The user's modules, which the text may name: `mine:Nightly(7)`.
    only_ours
        Load none of them: where the text needs one, it is checked as far as it goes, and Unread is
        raised.

    Examples
    --------
    >>> build("Window(100)", "forgetting")
    Window(100)
    """

    prefix, colon, _ = text.partition(":")
    if colon and prefix.isidentifier() and prefix not in modules:
        raise UsageError(
            f"{text!r} is not a {kind}: no module {prefix!r} is given; name its file, {prefix}.py, "
            "in `modules` of an experiment or with --module"
        )

    def find(name: str) -> Any:
        found = in_modules(name, modules, only_ours)
        return registry.find(name, kind) if found is None else found

    return build_known(text, kind, registry.names(kind), find, modules=modules)


def in_modules(name: str, modules: Modules, only_ours: bool) -> Any:
    """What `mine.Name` is in the user's module `mine`; None if it is in none of the modules."""
    module, _, attribute = name.rpartition(".")
    if module not in modules:
        return None
    if only_ours:
        modules[module].check_defines(attribute)
        raise Unread
    return modules[module].find(attribute)


def build_known(
    text: str,
    what: str,
    known: Sequence[str],
    find: Lookup,
    calls: bool = True,
    modules: Modules = NO_MODULES,
) -> Any:
    """Build the object that a text describes: a call of one of the names in `known` or `modules`.

    `what` is the kind of object, for the error message. Without `calls` the text is only checked.
    """

    def lookup(name: str) -> Callable[..., Any]:
        if name not in known and name.rpartition(".")[0] not in modules:
            raise UnknownName(f"unknown name {name!r}{instead_of(name, known, ALL_NAMES)}")
        return find(name)

    try:
        return parse_call(text, Scope(lookup, modules=tuple(modules), calls=calls))
    except (StreamgaugeError, Unread):
        raise
    except Exception as error:  # a constructor may raise anything for odd arguments
        hint = f"; expected a call such as {known[0]}(...)" if cannot_be_read(error) else ""
        raise UsageError(f"{text!r} is not a {what}: {why(error)}{hint}") from None
