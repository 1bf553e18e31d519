"""Writes what full streams are worth: docs/worth.md, its picture, README's sentence (`make worth`).

Runs worth.toml first, and keeps the runs in results/worth: stopped, it goes on where it was.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import streamgauge as sg

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "pictures" / "worth.svg"
DARK = PICTURE.with_name("worth-dark.svg")
PAGE = ROOT / "docs" / "worth.md"
README = ROOT / "README.md"
_WIDTH = 620  # pixels: GitHub shows pages of about 800
_PADDING = {"left": 5, "top": 5, "bottom": 5, "right": 25}  # a browser's font may be wider
_SENTENCE = re.compile(r"(<!-- make worth -->).*?(<!-- end -->)")
_BRIGHTER = {"#0072b2": "#3d9fdb", "#d55e00": "#f07c22", "#ffffff": "#0d1117"}  # in the dark
_INTRODUCTION = """\
# What a stream is worth

`make worth` writes this page: it runs [examples/worth.toml](../examples/worth.toml), {learners}
on {streams} full streams, and draws the picture in the README. The references
use past labels only, no features. `results.plot("worth")` draws it from any
experiment ([figures.md](figures.md)).

{sentence}.

![{sentence}](pictures/worth.svg)

The best learner is the most accurate of those that are clearly better than the
best reference; if none is, the most accurate of all. *Better* and *worse* hold
for all learners on a stream together (Holm); ± is half the width of the interval
([semantics.md](semantics.md)).
"""
_NOTE = """\
LED, Hyperplane and SEA are generated (SEA with 10 % noise); the others are the public
files in their own order ([data.md](data.md)). In those of powersupply and rialto
the next label almost always follows from the last one.
"""


def worth(store: Path) -> sg.Results:
    """The runs; those in the store are not repeated."""
    return sg.run_grid(ROOT / "examples" / "worth.toml", store)


def drawn(chart: Any) -> list[dict[str, Any]]:
    """The rows that the chart shows, a stream each."""
    (rows,) = chart.to_dict()["datasets"].values()
    return list(rows)


def page(results: sg.Results, sentence: str, rows: list[dict[str, Any]]) -> str:
    """The page: the picture, its numbers, and the accuracy of every learner and reference."""
    learners = len({run.name for run in results})
    intro = _INTRODUCTION.format(
        learners=f"{learners} learners", streams=len(rows), sentence=sentence
    )
    lengths = {each.cell.stream: each.run.counts.rows for each in results.cell_results if each.run}
    lines = [
        "| stream | rows | best reference | % | best learner | % | points | verdict |",
        "| --- | ---: | --- | ---: | --- | ---: | ---: | --- |",
    ]
    for row in rows:
        cells = [
            row["stream"], f"{lengths[row['stream']]:,}",
            row["reference"], f"{100 * row['reference_score']:.2f}",
            row["learner"], f"{100 * row['score']:.2f}",
            row["margin"], f"{row['mark']} {row['word']}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    every = results.table(value="accuracy", references=True).to_markdown()
    parts = [intro, "\n".join(lines) + "\n", _NOTE, "## Every learner\n", every]
    return "\n".join(parts).rstrip() + "\n"


def dark(svg: str) -> str:
    """The picture on a dark ground: greys are turned over, colours are brighter."""
    return re.sub(r'(?<=")(black|white|#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6})(?=")', _turned, svg)


def _turned(found: re.Match[str]) -> str:
    text = {"black": "#000000", "white": "#ffffff"}.get(found[0], found[0].lower())
    if len(text) == 4:
        text = "#" + "".join(2 * digit for digit in text[1:])
    levels = [int(text[place : place + 2], 16) for place in (1, 3, 5)]
    if text in _BRIGHTER or len(set(levels)) > 1:
        return _BRIGHTER.get(text, text)
    return "#" + "".join(f"{247 - round(level * 0.9):02x}" for level in levels)


def main() -> None:
    """Run what is missing, then write all of them."""
    results = worth(ROOT / "results" / "worth")
    chart = results.plot("worth").properties(width=_WIDTH, padding=_PADDING)
    sentence = " ".join(chart.title.text)
    chart.title.text = [sentence]
    chart.title.subtitle = [" ".join(chart.title.subtitle)]
    chart.save(PICTURE)
    DARK.write_text(dark(PICTURE.read_text(encoding="utf-8")), encoding="utf-8")
    PAGE.write_text(page(results, sentence, drawn(chart)), encoding="utf-8")
    text, count = _SENTENCE.subn(rf"\g<1>{sentence}.\2", README.read_text(encoding="utf-8"))
    assert count == 1, "README.md: expected one sentence between its two comments"
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
