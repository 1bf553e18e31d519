"""Turn what users have into a stream: a name, a path, a text, a frame, a River data set, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamgauge._support import registry
from streamgauge._support.errors import DownloadError, UsageError, did_you_mean
from streamgauge._support.paths import exists
from streamgauge.streams.base import Stream, expected_stream
from streamgauge.streams.columns import is_frame

if TYPE_CHECKING:
    from streamgauge.streams.formats.schema_inference import Task


def as_stream(
    thing: Any, *, target: str | None = None, rows: int | None = None, seed: int | None = 1
) -> Stream:
    """Return streams unchanged; open names, paths and texts; wrap frames and River data sets.

    Parameters
    ----------
    thing
        A stream; a data set of the catalog, a file, a card or a text such as "SEA(1000)"; a pandas,
        polars or Arrow frame; a River data set; or (dict, label) pairs.
    target
        The target column of a frame or file.
    rows
        How many rows of a River data set or of pairs are needed at most.
    seed
        Seed of generators and shuffles that have none; None leaves them without one.
    """
    if isinstance(thing, Stream) and target is None:
        return thing if seed is None else thing.seeded(seed)
    # Deferred, here and below: readers and generators take a tenth of a second to import.
    from streamgauge.streams.frames import from_frame, from_rows

    if isinstance(thing, str | Path):
        return open_by_text(str(thing), {"target": target}, seed=seed)
    if is_frame(thing):
        return from_frame(thing, target)
    if target is not None:
        raise UsageError(
            f"target={target!r}: expected a frame or a file, got {type(thing).__name__}, whose "
            "target is known; remove target="
        )
    if hasattr(thing, "n_features") and hasattr(thing, "task") and isinstance(thing, Iterable):
        return _from_river(thing, rows)
    if _may_be_pairs(thing):
        return from_rows(islice(thing, rows))
    raise expected_stream(thing)


def open_by_text(
    text: str,
    columns: Mapping[str, Any],
    variant: str | None = None,
    *,
    seed: int | None = 1,
    option: str = "{}=",
) -> Stream:
    """Open a stream by name, by path, or by a text that describes it.

    `columns` are the arguments of `read`, for a file. `option` shows how the caller spells an
    argument, for error messages.
    """
    from streamgauge.streams.datasets.catalog import (
        dataset_names,
        is_card_path,
        is_variant,
        load,
    )
    from streamgauge.streams.files import read
    from streamgauge.streams.origin import TENET_PREFIX
    from streamgauge.streams.stream_text import parse_stream

    is_file = exists(Path(text))
    named = text in dataset_names() or is_variant(text)
    in_catalog = named and (columns["target"] is None or not is_file)
    generated = not is_file and (text.startswith(TENET_PREFIX) or _is_call(text))
    misspelt = text.isidentifier() and not columns["target"] and not is_file
    if in_catalog or generated or misspelt or is_card_path(text):
        given = [option.format(name) for name, value in columns.items() if value]
        if given:
            kind = "generated stream" if generated else "data set"
            raise UsageError(f"{text} is a {kind} with fixed columns; remove {' '.join(given)}")
        generators = registry.names("generator")
        if misspelt and text in generators:
            raise UsageError(f"{text} is a generator; expected its number of rows: {text}(10000)")
        near = did_you_mean(text, (*dataset_names(), *generators))
        if misspelt and near and not did_you_mean(text, dataset_names()):
            raise UsageError(
                f"unknown data set or generator {text!r}{near}; a generator needs its number of "
                "rows, e.g. SEA(10000)"
            )
        if not generated:
            return load(text, variant)
    if variant is not None:
        kind = "a generated stream" if generated else "a file"
        raise UsageError(
            f"{option.format('variant')} {variant}: only data sets have variants, and {text} is "
            f"{kind}"
        )
    if generated and text.startswith(TENET_PREFIX):
        from streamgauge.streams.generators.tenet import tenet_by_text  # many kernels

        benchmark = tenet_by_text(text)
        return benchmark if seed is None else benchmark.seeded(seed)
    if generated:
        return parse_stream(text, seed)
    return read(text, **{name: value for name, value in columns.items() if value})


def _is_call(text: str) -> bool:
    """Whether a text is meant as a call, even if a bracket is missing."""
    name, bracket, _ = text.partition("(")
    known = registry.names("generator", "transform")
    return bool(bracket) and (text.rstrip().endswith(")") or name.strip() in known)


def _from_river(dataset: Any, rows: int | None) -> Stream:
    """Read a River data set, known by its attributes, into memory."""
    name, kind = type(dataset).__name__, str(dataset.task)
    if kind.startswith("Multi-output"):
        raise UsageError(
            f"{name} has several targets ({kind}); expected one: from_rows((x, y[...]) for x, y "
            "in dataset)"
        )
    if rows is None and getattr(dataset, "n_samples", None) is None:
        raise UsageError(f"{name} has no end; expected a number of rows: {name}(...).take(10_000)")
    from streamgauge.streams.frames import from_rows

    task: Task = "classification" if kind.endswith("classification") else "regression"
    try:
        return from_rows(islice(dataset, rows), task=task, name=name)
    except OSError as error:
        raise DownloadError(
            f"River cannot read {name}: {error}; `streamgauge data list` shows other data sets"
        ) from error


def _may_be_pairs(thing: Any) -> bool:
    """Whether (dict, label) pairs may come out of it; arrays, dicts and texts are iterable too."""
    if isinstance(thing, list):
        return bool(thing) and isinstance(thing[0], tuple) and len(thing[0]) == 2
    return isinstance(thing, Iterable) and hasattr(thing, "__next__")
