"""Read ahead in a thread: the next blocks of a file are parsed while the last one is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing

from streamgauge._support.cores import available_cores
from streamgauge._support.types import Block

_BLOCKS, _BYTES = 4, 1 << 25  # read ahead at most, but always one block


def read_ahead(
    blocks: Generator[Block], at_hand: Callable[[], bool] = lambda: False
) -> Generator[Block]:
    """Yield the same blocks, and raise the same error after the same block.

    The thread only ever takes the next block, so that it ends with the iteration: an abandoned one
    waits for the block in progress. It starts once no block is `at_hand`: to hand over a block that
    need not be read takes longer than to make it.
    """
    with closing(blocks):
        first = next(blocks, None)  # many callers want only one block
        if first is None:
            return
        yield first
        while at_hand():
            if (block := next(blocks, None)) is None:
                return
            yield block
        if available_cores() == 1:
            yield from blocks
            return
        most = max(1, min(_BLOCKS, _BYTES // max(1, first.X.nbytes)))
        del first  # its memory is free once it is played
        thread = ThreadPoolExecutor(1, "streamgauge-reading")
        try:
            ahead: deque[Future[Block | None]] = deque()
            ahead.extend(thread.submit(next, blocks, None) for _ in range(most))
            while (block := ahead.popleft().result()) is not None:
                ahead.append(thread.submit(next, blocks, None))
                yield block
        finally:
            thread.shutdown(cancel_futures=True)
