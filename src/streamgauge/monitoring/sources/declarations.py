"""Which source a feed has, and the settings that its class declares."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from streamgauge._support import registry
from streamgauge._support.errors import UsageError, instead_of, shown
from streamgauge.monitoring.sources.base import Source

STANDARD_INPUT = "-"
_GIVEN = ("columns", "home")  # the parameters that every source has


def usual_source(feed: Mapping[str, Any], home: Path) -> tuple[str, dict[str, Any]]:
    """The kind of source that a path stands for, and the settings that are left.

    "-" is standard input; a folder, or a name without an ending, is a folder; all else is a file.
    """
    path = feed.get("path")
    if path == STANDARD_INPUT:
        return "StandardInput", {key: value for key, value in feed.items() if key != "path"}
    if not isinstance(path, str):
        return "GrowingFile", dict(feed)
    place = home / path
    folder = place.is_dir() or not (place.suffix or "format" in feed)
    return "Folder" if folder else "GrowingFile", dict(feed)


def find_source(kind: str | type) -> tuple[str, type[Source]]:
    """The name and the class of a source: a registered name, or a class of the user's."""
    if isinstance(kind, str):
        known = registry.names("source")
        if kind not in known:
            raise UsageError(f"unknown source {kind!r}{instead_of(kind, known)}")
        name, source = kind, registry.find(kind, "source")
    else:
        name, source = f"{kind.__module__}.{kind.__qualname__}", kind
    settings_of(source)
    return name, source


def settings_of(source: Any) -> dict[str, tuple[Any, Any]]:
    """The settings that a source declares, with their types and defaults.

    Raises a UsageError that names the source if it is not declared as a source has to be.
    """
    where = f"source {getattr(source, '__name__', shown(source))}"
    if not isinstance(source, type) or not issubclass(source, Source):
        raise UsageError(f"{where}: expected a class derived from Source, got {shown(source)}")
    missing = sorted(source.__abstractmethods__)
    if missing:
        raise UsageError(f"{where}: has no {', '.join(missing)}; expected position, seek and read")
    parameters = list(inspect.signature(source).parameters.values())
    first, rest = parameters[: len(_GIVEN)], parameters[len(_GIVEN) :]
    if [each.name for each in first] != list(_GIVEN) or any(
        each.kind is not inspect.Parameter.KEYWORD_ONLY for each in rest
    ):
        raise UsageError(
            f"{where}: __init__{inspect.signature(source)}; expected (self, columns, home, *, ...) "
            "with one keyword-only parameter per setting"
        )
    found = {each.name: (_type(source, each, where), each.default) for each in rest}
    for name in source.movable:
        if name not in found:
            raise UsageError(f"{where}: movable names {name!r}, which is not a setting")
    return found


def _type(source: type[Source], setting: inspect.Parameter, where: str) -> Any:
    """The type of a setting: one that TOML can hold."""
    try:
        kind = get_type_hints(source.__init__)[setting.name]
        msgspec.json.schema(kind)
    except (KeyError, NameError, TypeError) as error:
        found = "no type" if isinstance(error, KeyError) else str(setting.annotation)
        raise UsageError(
            f"{where}: the setting {setting.name!r} has {found}; expected texts, numbers, truth "
            "values, or lists and tables of them"
        ) from None
    if setting.default is not inspect.Parameter.empty:
        try:
            msgspec.defstruct("Setting", [(setting.name, kind, setting.default)])
            msgspec.convert(setting.default, kind)
        except (TypeError, msgspec.ValidationError) as error:
            raise UsageError(
                f"{where}: the setting {setting.name!r} has the default {shown(setting.default)}: "
                f"{error}"
            ) from None
    return kind
