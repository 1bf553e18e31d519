"""Objects by text, `Window(1000)`: a known name with literal parameters, never `eval`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from streamgauge.errors import UsageError


def build(text: str, known: Iterable[Callable[..., Any]], what: str) -> Any:
    """The object that a text names, made by one of `known`; `what` it is, for the error.

    >>> build("complex(1, imag=2)", [complex], "a number")
    (1+2j)
    """
    makers = {maker.__name__: maker for maker in known}
    try:
        node = ast.parse(text.strip(), mode="eval").body
        call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
        maker = makers[ast.unparse(call.func)]
        keywords = {k.arg: ast.literal_eval(k.value) for k in call.keywords if k.arg is not None}
        return maker(*map(ast.literal_eval, call.args), **keywords)
    except UsageError:
        raise
    except (SyntaxError, KeyError, ValueError, TypeError):
        raise UsageError(
            f"{text!r} is no {what}; expected one of {', '.join(makers)}, with its parameters in "
            "brackets"
        ) from None
