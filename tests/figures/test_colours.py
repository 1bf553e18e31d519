"""Colours and dashes of series."""

from __future__ import annotations

from importlib.resources import files

import pytest

from streamgauge._support import registry
from streamgauge.figures.colours import (
    BACKGROUNDS,
    COMMON,
    CONTEXT,
    GREY,
    PALETTE,
    colour_of,
    colours_of,
    context_of,
    dashes_of,
    shades,
)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colour", sorted({*PALETTE, *COMMON.values(), *shades(7), GREY, CONTEXT}))
@pytest.mark.parametrize("background", BACKGROUNDS)
def test_contrast_is_at_least_three_to_one(colour: str, background: str) -> None:
    assert contrast(colour, background) >= 3


def test_dark_background_is_that_of_pages() -> None:
    style = files("streamgauge.reports").joinpath("page.css").read_text(encoding="utf-8")
    assert all(f"--back: {colour};" in style for colour in BACKGROUNDS)


def test_common_learners_are_of_the_registry_and_differ() -> None:
    assert set(COMMON) <= set(registry.own_names("learner"))
    assert sorted(COMMON.values()) == sorted(PALETTE)


def test_learner_keeps_its_colour_whatever_stands_beside_it() -> None:
    every = registry.own_names("learner")
    together = colours_of(every, ["Persistent"])
    assert all(colours_of([name])[name] == together[name] for name in every)
    assert together["Persistent"] == GREY


@pytest.mark.parametrize("name", ["KNN(k=3)", "KNN, labels Delay(100)", "KNN"])
def test_variants_of_a_common_learner_have_its_colour(name: str) -> None:
    assert colour_of(name) == COMMON["KNN"]


def test_learners_of_one_colour_differ_in_dash() -> None:
    names = [f"learner {i}" for i in range(20)]
    colours, dashes = colours_of(names), dashes_of(names)
    assert len({(colours[name], str(dashes[name])) for name in names}) == 20


def test_reference_keeps_its_dash_whatever_stands_beside_it() -> None:
    every = ["Majority", "Persistent", "Transition", "Seasonal"]
    together = dashes_of(["NaiveBayes"], every)
    assert together["NaiveBayes"] == [1, 0]
    assert len({str(together[name]) for name in every}) == 4
    assert all(dashes_of([], [name])[name] == together[name] for name in every)
    assert dashes_of([], ["Majority (whole stream)"]).popitem()[1] == together["Majority"]


def test_of_many_learners_the_best_and_those_asked_for_have_colour() -> None:
    merits = {f"learner {i}": float(i) for i in range(8)} | {"broken": float("nan")}
    grey = context_of(merits, ["learner 0"])
    assert set(merits) - set(grey) == {"learner 0", "learner 5", "learner 6", "learner 7"}
    assert context_of(dict(list(merits.items())[:6])) == []


def test_shades_go_from_light_to_dark() -> None:
    found = [luminance(each) for each in shades(5)]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 5
