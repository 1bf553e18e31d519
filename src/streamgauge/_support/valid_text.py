"""Text that is not valid Unicode is an error in words."""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType

from streamgauge._support.errors import InputError


class valid_text(ContextDecorator):  # noqa: N801 - a decorator
    r"""Say which text cannot be written as UTF-8: Python allows halves of characters in a string.

    >>> with valid_text():  # doctest: +ELLIPSIS
    ...     "a\ud800".encode()
    Traceback (most recent call last):
    ...
    streamgauge._support.errors.InputError: the text 'a\ud800' is not valid Unicode ...
    """

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, UnicodeEncodeError):
            text = error.object[max(0, error.start - 50) : error.end + 50]
            raise InputError(
                f"the text {text!r} is not valid Unicode ({error.reason}); expected names, cells "
                "and labels that can be written as UTF-8"
            ) from None
