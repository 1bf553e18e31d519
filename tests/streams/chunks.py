"""Small chunks of text files, so that a small file has many of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from streamgauge.streams.formats import _text_files


@contextmanager
def chunks_of(size: int) -> Iterator[None]:
    """Read text files in chunks of this many bytes, inside `with` or in a decorated test."""
    with mock.patch.object(_text_files, "CHUNK_BYTES", size):
        yield
