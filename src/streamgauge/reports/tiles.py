"""Tiles: what a page says first, a number each."""

from __future__ import annotations

from streamgauge.reports.html import Html, tag


def tile(name: str, value: str, note: str, bad: bool = False) -> Html:
    """A tile: its name, the value, and a note below it."""
    return tag(
        "div",
        tag("div", name, class_="name"),
        tag("div", value, class_="value"),
        tag("div", note, class_="about"),
        class_="tile bad" if bad else "tile",
    )
