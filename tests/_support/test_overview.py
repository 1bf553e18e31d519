"""The public names by group, in `help(streamgauge)` and in docs/names.md."""

from __future__ import annotations

from pathlib import Path

import streamgauge as sg
from streamgauge._support import overview, registry

PAGE = Path(__file__).parents[2] / "docs" / "names.md"


def test_every_public_name_is_in_one_group() -> None:
    listed = [name for names in overview.groups().values() for name in names]
    shown = registry.PUBLIC - {*registry.SECOND_NAMES}
    assert sorted(listed) == sorted([*shown, *registry.own_names("metric")])


def test_help_shows_the_groups() -> None:
    assert sg.__doc__ is not None
    words = sg.__doc__.replace(",", " ").split()
    for title, names in overview.groups().items():
        assert f"\n{title}\n" in sg.__doc__
        assert {*names} <= {*words}


def test_page_is_that_of_the_registry() -> None:
    assert PAGE.read_text(encoding="utf-8") == overview.as_markdown(), "run `make stub`"
