"""Entries of `streams` from what users give: a text, a stream, a frame, a River data set."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import Any

from streamgauge._support.errors import StreamgaugeError
from streamgauge._support.valid_text import valid_text
from streamgauge.experiments._sources import keep_in_memory
from streamgauge.streams.base import Stream
from streamgauge.streams.coerce import as_stream
from streamgauge.streams.datasets.catalog import load
from streamgauge.streams.files import FileStream
from streamgauge.streams.parsing import parse_stream


@valid_text()
def entry_of(thing: Any) -> dict[str, Any]:
    """The table that describes a stream; its rows stay in memory if only this process has them."""
    stream = as_stream(thing)
    name = stream.name
    if name.endswith(")") and _is_same(stream, lambda: parse_stream(name, 0)):
        return {"generate": name}
    data_set, _, variant = name.partition(":")
    if _is_same(stream, lambda: load(data_set, variant or None)):
        return {"load": data_set} | ({"variant": variant} if variant else {})
    if isinstance(stream, FileStream):
        given = {key: value for key, value in asdict(stream.roles).items() if value}
        return {"read": str(stream.path.resolve()), "name": name} | given
    key = hashlib.sha256(f"{name} {stream.fingerprint()}".encode()).hexdigest()[:16]
    keep_in_memory(key, stream)
    return {"memory": key, "name": name}


def _is_same(stream: Stream, make: Any) -> bool:
    """Whether other processes can make the stream in this way."""
    try:
        return bool(make().fingerprint() == stream.fingerprint())
    except StreamgaugeError:
        return False
