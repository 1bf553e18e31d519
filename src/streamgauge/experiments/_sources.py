"""The streams of an experiment: each entry of its list is one or more, opened by seed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge.experiments._parsing import make_stream
from streamgauge.experiments._spec import Generate, Load, Read, Source, Tenet
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets.catalog import is_card_path, load
from streamgauge.streams.files import read
from streamgauge.streams.generators.tenet import tenet_streams
from streamgauge.streams.transforms.inject import inject

_OPEN_AT_ONCE = 8


class OneStream(msgspec.Struct, frozen=True):
    """One stream: what it is called in tables, and the entry (of single values) that makes it."""

    name: str
    kind: str
    what: str
    options: dict[str, Any]
    rows: int | None
    inject: int

    def open(self, seed: int) -> Stream:
        """The stream of this seed; data that lie in files are the same for every seed."""
        varies = self.kind in ("generate", "tenet")
        return _opened(msgspec.json.encode(self), seed if varies else 0)


@lru_cache(maxsize=_OPEN_AT_ONCE)  # cells of one stream follow each other
def _opened(entry: bytes, seed: int) -> Stream:
    one = msgspec.json.decode(entry, type=OneStream)
    rows, options = one.rows, one.options
    match one.kind:
        case "load":
            stream: Stream = load(one.what, **options)
        case "read":
            stream = read(one.what, **options)
        case "generate":
            stream = make_stream(one.what, seed)
        case _:
            given: dict[str, Any] = {"seed": seed} | ({} if rows is None else {"rows": rows})
            stream, rows = tenet_streams(**options, **given)[one.what], None
    if rows is not None:
        stream = stream.take(rows)
    if one.inject:
        stream = inject(stream, order=one.inject)
    return stream


def streams_of(source: Source, base: Path) -> Iterator[OneStream]:
    """The streams an entry stands for; files are found from `base`."""
    orders = source.inject if isinstance(source.inject, tuple) else (source.inject,)
    several = len(orders) > 1
    for name, what, options in _entries(source, base):
        kind = type(source).__name__.lower()
        short = source.rows is not None and kind != "tenet"
        usual = f"{name}[:{source.rows}]" if short else name
        called = source.name or usual
        for order in orders:
            injected = order and (several or source.name is None)
            full = f"{called} inject={order}" if injected else called
            yield OneStream(full, kind, what, options, source.rows, order)


def _entries(source: Source, base: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, what and options of each."""
    match source:
        case Load(load=what, variant=variant):
            path = str((base / what).resolve()) if is_card_path(what) else what
            options = {} if variant is None else {"variant": variant}
            yield what if variant is None else f"{what}:{variant}", path, options
        case Read(read=what):
            names = [field.name for field in msgspec.structs.fields(Read)]
            mine = set(names) - {"read", *Source.__struct_fields__}
            given = {key: getattr(source, key) for key in sorted(mine)}
            file = (base / what).resolve()
            kept = {key: value for key, value in given.items() if value not in (None, ())}
            yield file.name.removesuffix(".gz").rpartition(".")[0], str(file), kept
        case Generate(generate=text):
            yield text.strip(), text, {}
        case Tenet(tenet=asked, drift=drift):
            for kind in (drift,) if isinstance(drift, str) else drift:
                there = list(tenet_streams(drift=kind))  # type: ignore[arg-type]  # checked there
                wanted = there if asked == "all" else [asked] if isinstance(asked, str) else asked
                for name in wanted:
                    if name not in there:
                        raise UsageError(
                            f"tenet: no stream {name!r}{did_you_mean(name, there)}; there are: "
                            f"all, {', '.join(there)}"
                        )
                    yield f"{name} {kind}", name, {"drift": kind}
