"""Entries of `streams` from what users give: a text, a stream, a frame, a River data set."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from streamgauge._support.valid_text import valid_text
from streamgauge.experiments._sources import keep_in_memory
from streamgauge.streams.base import DEFAULT_SEED
from streamgauge.streams.coerce import as_stream


@valid_text()
def entry_of(thing: Any) -> dict[str, Any]:
    """The table that describes a stream; its rows stay in memory if only this process has them."""
    stream = as_stream(thing, seed=None)
    name, origin = stream.name, stream.origin
    given = origin.arguments
    if origin.maker == "load":
        return {"load": given["name"]} | {k: each for k, each in given.items() if k == "variant"}
    if origin.maker == "read":
        path = str(Path(given["path"]).resolve())
        return {"read": path, "name": name} | {k: each for k, each in given.items() if k != "path"}
    readers = ("read", "read_events")  # of files whose path may be relative
    if origin.is_repeatable and not any(each.maker in readers for each in origin.walk()):
        return {"generate": origin.text} | ({} if origin.text == name else {"name": name})
    stream = stream.seeded(DEFAULT_SEED)
    key = hashlib.sha256(f"{name} {stream.fingerprint()}".encode()).hexdigest()[:16]
    keep_in_memory(key, stream)
    return {"memory": key, "name": name}
