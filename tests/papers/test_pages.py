"""The committed page of every paper is what its command writes now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from streamgauge.papers.catalog import paper_keys
from streamgauge.papers.reproduce import reproduce

PAGES = Path(__file__).parents[2] / "docs" / "papers"
_PROFILE = re.compile(r"--profile (\w+)")
_SECONDS = re.compile(r"\d[\d,.]* (seconds|minutes|s|min)\b")  # differ from run to run


KEYS = sorted(path.stem for path in PAGES.glob("*.md"))


def page(key: str) -> Path:
    return PAGES / f"{key}.md"


def test_every_page_is_that_of_a_paper() -> None:
    assert {"ziffer2024"} <= {*KEYS} <= {*paper_keys()}


@pytest.mark.parametrize("key", KEYS)
def test_page_says_which_command_writes_it_and_has_its_figures(key: str) -> None:
    text = page(key).read_text(encoding="utf-8")
    assert re.search(rf"`streamgauge reproduce {key} --profile \w+ --output {key}\.md`", text)
    for file in re.findall(r"\]\((\S+\.svg)\)", text):
        assert (PAGES / file).stat().st_size > 0


@pytest.mark.long
@pytest.mark.parametrize("key", KEYS)
def test_page_is_what_the_command_writes(key: str, tmp_path: Path) -> None:
    committed = page(key).read_text(encoding="utf-8")
    profile = _PROFILE.search(committed)
    assert profile is not None
    report = reproduce(key, profile[1], store=tmp_path / "store", progress=False)
    assert report.missing == []
    written = report.save(tmp_path / f"{key}.md").read_text(encoding="utf-8")
    assert _lines(written) == _lines(committed)


def _lines(text: str) -> list[str]:
    return _SECONDS.sub("…", text).splitlines()
