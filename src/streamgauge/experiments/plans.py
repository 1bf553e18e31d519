"""The plans of the experiments in a folder, and the TOML file that runs one again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from streamgauge.experiments._spec import is_kept
from streamgauge.experiments._store import Store, StoredPlan


def plans(folder: str | Path) -> list[StoredPlan]:
    """The plans in a folder that can be used, by name."""
    return Store(folder).plans()


def plan_to_toml(plan: StoredPlan) -> str | None:
    """The experiment as a TOML file for `streamgauge run`; None if it was given objects.

    Data files and modules are as the experiment named them: relative to its file.
    """
    spec = plan.spec
    if any("memory" in stream for stream in spec["streams"]) or any(map(is_kept, _texts_in(spec))):
        return None
    tables = {"streams": spec["streams"]}
    named = spec["learners"] if isinstance(spec["learners"], Mapping) else None
    simple = {
        key: value
        for key, value in spec.items()
        if key not in tables and value not in (None, [], ()) and (key != "learners" or not named)
    }
    lines = [_pair(key, value) for key, value in simple.items()]
    for stream in spec["streams"]:
        lines += ["", "[[streams]]", *(_pair(key, value) for key, value in stream.items())]
    if named:
        lines += ["", "[learners]", *(_pair(key, value) for key, value in named.items())]
    return "\n".join(lines) + "\n"


def _texts_in(values: Any) -> Iterator[str]:
    """All texts in nested values."""
    if isinstance(values, str):
        yield values
    elif isinstance(values, Mapping | list | tuple):
        for each in values.values() if isinstance(values, Mapping) else values:
            yield from _texts_in(each)


def _pair(key: str, value: Any) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return f"{key if bare else _text(key)} = {_text(value)}"


def _text(value: Any) -> str:
    """Texts, numbers and lists are written in TOML as in JSON."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
