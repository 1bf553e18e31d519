"""The JavaScript of pages: made once, kept, and made again if the kept text is damaged."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge.figures.javascript import javascript


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    javascript.cache_clear()
    yield
    javascript.cache_clear()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The versions that vl-convert is asked for."""
    asked = []

    def bundle(snippet: str, version: str) -> str:
        asked.append(f"{snippet} {version}")
        return "x = '</script><!--';\r\n"

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    return asked


def test_text_is_kept_and_cannot_end_its_element(
    made: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STREAMGAUGE_CACHE", str(tmp_path))
    first = javascript()
    assert first == "x = '<\\/script><\\!--';\n"
    javascript.cache_clear()
    assert javascript() == first
    assert len(made) == 1
    (kept,) = (tmp_path / "javascript").iterdir()
    kept.write_bytes(kept.read_bytes()[:-2])
    javascript.cache_clear()
    assert javascript() == first
    assert len(made) == 2


def test_needs_no_cache_folder(made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STREAMGAUGE_CACHE", "/dev/null/none")
    assert javascript().startswith("x = ")
    assert made


def test_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[plot\]'"):
        javascript()
