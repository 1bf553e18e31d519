"""Checks of streams, and the stream that the checks of learners use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from streamgauge._support.types import Block, Schema, Targets
from streamgauge.streams.base import Stream
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing._require import require, require_equal

BLOCK_SIZES = (1, 7, 64)
ONE_BLOCK = 1 << 20  # more rows than a test stream has


def example_stream(rows: int = 400, seed: int = 0, regression: bool = False) -> Stream:
    """Make a small stream with everything that is hard to handle.

    It has numeric, nominal and constant features, missing values, late labels and labels that are
    never revealed.

    Parameters
    ----------
    rows
        Number of rows.
    seed
        Random seed.
    regression
        Make the target a number instead of one of three classes.

    Returns
    -------
    Stream
        The stream, with arrival and reveal times.

    Examples
    --------
    >>> import numpy as np
    >>> from streamgauge.testing import example_stream
    >>> block = next(example_stream(rows=400).blocks(400))
    >>> np.isnan(block.X).sum(axis=0).tolist(), int((block.y < 0).sum())  # missing, never revealed
    ([21, 27, 22, 21, 19], 12)
    """
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.normal(size=rows),
            rng.integers(0, 3, rows),
            rng.exponential(size=rows) * 1e3,
            np.full(rows, 4.0),
            rng.integers(0, 5, rows),
        ]
    )
    X[rng.random(X.shape) < 0.05] = np.nan
    noise = rng.random(rows)
    level = np.where(np.isnan(X[:, 0]), 0.0, X[:, 0]) + noise
    y: Targets = level if regression else np.digitize(level, [0.2, 1.0]).astype(np.int32)
    never_revealed = rng.random(rows) < 0.03
    y[never_revealed] = np.nan if regression else -1
    arrives = np.cumsum(rng.integers(0, 3, rows))
    schema = Schema(
        ("number", "colour", "amount", "constant", "size"),
        ((), ("blue", "green", "red"), (), (), ("XL", "L", "M", "S", "XS")),
        () if regression else ("a", "b", "c"),
        time=True,
    )
    block = Block(0, X, y, arrives, arrives + rng.integers(0, 30, rows))
    return ArrayStream("example", schema, block)


def check_stream(stream: Stream) -> None:
    """Assert that a stream matches its schema and yields the same rows in every pass.

    Parameters
    ----------
    stream
        The stream. It is read several times, in blocks of several sizes.

    Raises
    ------
    AssertionError
        The stream fails a check.

    Examples
    --------
    >>> import streamgauge as sg
    >>> from streamgauge.testing import check_stream
    >>> stream = sg.SEA(1000, seed=1)
    >>> check_stream(stream)
    >>> try:
    ...     check_stream(stream.map(lambda X, y: (X - X.mean(), y)))
    ... except AssertionError as error:
    ...     print(error)
    blocks of 1 rows differ in X
    """
    schema, whole = stream.schema, read_all(stream)
    n = len(whole)
    require(len(set(schema.features)) == len(schema.features), "duplicate feature names")
    require(
        len(schema.values) == len(schema.features),
        f"schema.values has {len(schema.values)} entries, expected one per feature",
    )
    require(stream.rows in (None, n), f"stream.rows is {stream.rows}, but a pass yields {n} rows")
    for size in (*BLOCK_SIZES, 1000):
        start = 0
        for block in _unchanging(stream.blocks(size)):
            require(block.start == start, f"a block starts at row {block.start}, expected {start}")
            require(
                len(block) == size or block.start + len(block) == n,
                f"the block at row {start} has {len(block)} rows, expected {size}",
            )
            check_block(block, schema)
            rows = whole.cut(start, start + len(block))
            for name in ("X", "y", "arrives", "revealed"):
                found, expected = getattr(block, name), getattr(rows, name)
                require((found is None) == (expected is None), f"only some blocks have {name}")
                if found is not None:
                    require_equal(found, expected, f"blocks of {size} rows differ in {name}")
            start += len(block)
        require(start == n, f"one pass yields {n} rows, another {start}")


def _unchanging(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks; raise an error if the next one changes the arrays of one before."""
    last: tuple[Block, list[Any]] | None = None
    for block in blocks:
        if last is not None:
            before, columns = last
            for found, expected in zip((before.X, before.y), columns, strict=True):
                require_equal(
                    found,
                    expected,
                    f"the block at row {before.start} changes when the next one is read; make new "
                    "arrays for every block",
                )
        last = block, [block.X.copy(), block.y.copy()]
        yield block


def check_block(block: Block, schema: Schema) -> None:
    expected = (len(block), len(schema.features))
    require(block.X.shape == expected, f"X has shape {block.X.shape}, expected {expected}")
    require(block.X.dtype == np.float64, f"X is {block.X.dtype}, expected float64")
    require(block.X.flags.c_contiguous, "X is not in C order")
    require(not np.isinf(block.X).any(), "X has infinite values")
    for j, values in enumerate(schema.values):
        codes = block.X[:, j][~np.isnan(block.X[:, j])]
        if values:
            require(np.isin(codes, np.arange(len(values))).all(), f"feature {j}: unknown codes")
    if schema.regression:
        require(block.y.dtype == np.float64, f"y is {block.y.dtype}, expected float64")
    else:
        require(block.y.dtype == np.int32, f"y is {block.y.dtype}, expected int32")
        require(((block.y >= -1) & (block.y < len(schema.classes))).all(), "y has unknown codes")
    if block.arrives is not None:
        require((np.diff(block.arrives) >= 0).all(), "arrival times are not in ascending order")


def read_all(stream: Stream) -> Block:
    """The whole stream as one block."""
    blocks = list(stream.blocks(ONE_BLOCK))
    require(blocks, "the stream is empty")
    if len(blocks) == 1:
        return blocks[0]
    columns = {
        name: None
        if getattr(blocks[0], name) is None
        else np.concatenate([getattr(block, name) for block in blocks])
        for name in ("X", "y", "arrives", "revealed")
    }
    return Block(0, **columns)  # type: ignore[arg-type]


def change_labels(block: Block, first: int) -> Block:
    """The block with every label from row `first` on changed."""
    y = block.y.copy()
    later = y[first:]
    if y.dtype == np.int32:
        known = later >= 0
        later[known] = (later[known] + 1) % (int(block.y.max()) + 1)
    else:
        later *= -3
    return replace(block, y=y)
