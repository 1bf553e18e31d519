"""The streams of an experiment: expands the entries of its spec, opens streams by seed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from streamgauge._support.errors import InputError, UsageError, instead_of
from streamgauge._support.inside import Inside
from streamgauge.experiments._spec import (
    GenerateEntry,
    LoadEntry,
    ObjectEntry,
    ReadEntry,
    StreamEntry,
    TenetEntry,
)
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets.catalog import is_card_path, load
from streamgauge.streams.files import read
from streamgauge.streams.generators.tenet import tenet_streams
from streamgauge.streams.stored import SUFFIX, StoredStream, write_stream
from streamgauge.streams.stream_text import parse_stream
from streamgauge.streams.transforms.inject import inject

_MAX_OPEN = 2  # few, since a shuffled stream holds all its rows in memory
_IN_MEMORY: dict[str, Stream] = {}  # streams that a grid of this process was given, by key
_Options: TypeAlias = tuple[tuple[str, str | tuple[str | int, ...]], ...]


class SingleStream(msgspec.Struct, frozen=True):
    """One stream of an experiment: its name in tables, and what makes it.

    `argument` is the data set, path, generator text, TENET name or key in memory, by `kind`;
    `options` are further keyword arguments.
    """

    name: str
    kind: str
    argument: str
    options: _Options
    rows: int | None
    inject: int

    def _modified(self) -> tuple[int, ...]:
        """What changes if the file is written, so that it is opened again."""
        try:
            found = Path(self.argument).stat()
        except (OSError, ValueError):  # no file
            return ()
        return found.st_ino, found.st_size, found.st_mtime_ns

    def open(self, seed: int) -> Stream:
        """Open the stream for a seed; data from files are the same for every seed."""
        varies = self.kind in ("generate", "tenet")
        return _open(self, seed if varies else 0, self._modified())

    def stored_in(self, folder: Inside) -> SingleStream:
        """The same stream for other processes: one in memory is written to a file in `folder`."""
        if self.kind != "memory":
            return self
        place = folder / f"{self.argument}{SUFFIX}"
        stream = _in_memory(self.argument)
        if not _is_stored(stream, place.path):
            write_stream(stream, place)
        return msgspec.structs.replace(self, kind="stored", argument=str(place))


def _is_stored(stream: Stream, path: Path) -> bool:
    """Whether a file holds the stream and is not damaged."""
    try:
        return StoredStream(path).fingerprint() == stream.fingerprint()
    except InputError:
        return False


def keep_in_memory(key: str, stream: Stream) -> None:
    """Let entries {"memory": key} refer to this stream."""
    _IN_MEMORY[key] = stream


def _in_memory(key: str) -> Stream:
    if key not in _IN_MEMORY:
        raise UsageError(f"streams: no stream {key!r} in memory; give the stream itself to Grid")
    return _IN_MEMORY[key]


@lru_cache(maxsize=_MAX_OPEN)  # the cells of one stream run one after another
def _open(single: SingleStream, seed: int, _: tuple[int, ...]) -> Stream:
    rows = single.rows
    options: dict[str, Any] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in single.options
    }
    match single.kind:
        case "load":
            stream: Stream = load(single.argument, **options)
        case "read":
            stream = read(single.argument, **options)
        case "memory":
            stream = _in_memory(single.argument)
        case "stored":
            stream = StoredStream(Path(single.argument))
        case "generate":
            stream = parse_stream(single.argument, seed)
        case _:
            given: dict[str, Any] = {"seed": seed} | ({} if rows is None else {"rows": rows})
            stream, rows = tenet_streams(**options, **given)[single.argument], None
    if rows is not None:
        stream = stream.take(rows)
    if single.inject:
        stream = inject(stream, order=single.inject)
    return stream


def expand(source: StreamEntry, base: Path) -> Iterator[SingleStream]:
    """Expand an entry of a spec into single streams; paths are relative to `base`."""
    orders = source.inject if isinstance(source.inject, tuple) else (source.inject,)
    several = len(orders) > 1
    for default_name, argument, options in _arguments(source, base):
        cut = source.rows is not None and source.kind != "tenet"
        name = source.name or (f"{default_name}[:{source.rows}]" if cut else default_name)
        for order in orders:
            injected = order and (several or source.name is None)
            full_name = f"{name} inject={order}" if injected else name
            yield SingleStream(full_name, source.kind, argument, options, source.rows, order)


def _arguments(source: StreamEntry, base: Path) -> Iterator[tuple[str, str, _Options]]:
    """Default name, argument and options of each stream."""
    match source:
        case LoadEntry(load=name, variant=variant):
            path = str((base / name).resolve()) if is_card_path(name) else name
            if variant is None:
                yield name, path, ()
            else:
                yield f"{name}:{variant}", path, (("variant", variant),)
        case ReadEntry(read=path):
            names = [field.name for field in msgspec.structs.fields(ReadEntry)]
            own = set(names) - {"read", *StreamEntry.__struct_fields__}
            given = {key: getattr(source, key) for key in sorted(own)}
            file = (base / path).resolve()
            options = tuple((key, value) for key, value in given.items() if value not in (None, ()))
            yield file.name.removesuffix(".gz").rpartition(".")[0], str(file), options
        case ObjectEntry(memory=key):
            yield key, key, ()
        case GenerateEntry(generate=text):
            yield text.strip(), text, ()
        case TenetEntry(tenet=asked, drift=drift):
            for kind in (drift,) if isinstance(drift, str) else drift:
                known = list(tenet_streams(drift=kind))  # type: ignore[arg-type]  # checks it
                wanted = known if asked == "all" else [asked] if isinstance(asked, str) else asked
                for name in wanted:
                    if name not in known:
                        raise UsageError(
                            f"tenet: no stream {name!r}{instead_of(name, ['all', *known])}"
                        )
                    yield f"{name} {kind}", name, (("drift", kind),)
