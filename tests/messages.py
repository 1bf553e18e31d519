"""The messages of errors that a call raises."""

from __future__ import annotations

from typing import Any

import pytest

import streamgauge as sg


def error_of(source: Any, *given: Any, **options: Any) -> str:
    """Return the message of the InputError that the call raises."""
    with pytest.raises(sg.InputError) as caught:
        source(*given, **options)
    return str(caught.value)


def usage_error(source: Any, *given: Any, **options: Any) -> str:
    """Return the message of the UsageError that the call raises."""
    with pytest.raises(sg.UsageError) as caught:
        source(*given, **options)
    return str(caught.value)
