"""Errors of writing a file, in words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from streamgauge._support.errors import UsageError


@contextmanager
def write_errors(what: str, options: str) -> Iterator[None]:
    """Turn a failed write into an error that names the options for another path."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"cannot write {what}: {error}; choose another path with {options}"
        ) from None
