"""A class of another library by its name, as texts give it: `tree.HoeffdingTreeClassifier`."""

from __future__ import annotations

import importlib
from typing import Any

from streamgauge._support.errors import MissingExtra, did_you_mean


def library_class(library: str, package: str, name: str, example: str) -> type[Any]:
    """A class that a module of the library's package defines; ValueError if there is no such one.

    Importing the module runs it: the caller refuses those that must not be run.
    """
    module_name, _, class_name = name.rpartition(".")
    if not module_name:
        raise ValueError(
            f"{name!r} names no module of {library}; expected module.Class, such as {example}()"
        )
    try:
        importlib.import_module(package)
    except ImportError:
        raise MissingExtra(package, package) from None
    try:
        module = importlib.import_module(f"{package}.{module_name}")
    except ImportError:
        raise ValueError(f"{library} has no module {module_name!r}") from None
    found = getattr(module, class_name, None)
    if not isinstance(found, type) or not found.__module__.startswith(f"{package}."):
        close = did_you_mean(class_name, getattr(module, "__all__", ()))
        raise ValueError(f"{library}'s module {module_name!r} has no class {class_name!r}{close}")
    return found
