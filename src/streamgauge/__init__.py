"""streamgauge: is this stream classifier any better than repeating the last label?

Names are imported on first use, so importing streamgauge loads nothing heavy and compiles nothing.
Type checkers and editors read the names from `__init__.pyi`.
"""

from __future__ import annotations

import importlib

from streamgauge._support import overview as _overview
from streamgauge._support import registry as _registry
from streamgauge._support.errors import did_you_mean as _did_you_mean

__version__ = "0.1.0"
__doc__ = f"{__doc__}\n{_overview.as_text()}\n"
__all__ = sorted(_registry.PUBLIC)  # noqa: PLE0605 - computed: the registry is the only list


def __getattr__(name: str) -> object:
    if name == "testing":
        return importlib.import_module("streamgauge.testing")
    if name not in _registry.PUBLIC:
        close = _did_you_mean(name, _registry.PUBLIC)
        raise AttributeError(f"module 'streamgauge' has no attribute {name!r}{close}")
    value = globals()[name] = _registry.find(name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__", "testing"]
