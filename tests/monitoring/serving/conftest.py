"""Fixtures of the tests of serving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from streamgauge._support.compile_message import compile_message
from streamgauge.monitoring.serving._reading import Reading, take
from tests.monitoring.loans import caught_up


@pytest.fixture(scope="module")
def monitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A monitor that has read its whole log."""
    found = caught_up(tmp_path_factory.mktemp("loans"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def reading(monitor: Any) -> Reading:
    return take(monitor)


@pytest.fixture(autouse=True)
def _kept_compile_message() -> Iterator[None]:
    """A service redirects the message on compiling."""
    before = compile_message.show
    yield
    compile_message.show = before
