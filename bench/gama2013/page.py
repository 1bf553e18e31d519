"""Writes docs/gama2013.md: our cells beside the paper's, and one line per claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import streamgauge as sg
from bench.gama2013.claims import (
    FADING,
    WINDOWS,
    Cards,
    Found,
    claims,
    distances,
    led_false_alarms,
)
from bench.gama2013.paper import COLUMNS, LEAVES, STREAMS, TABLE_2, TABLE_3, Cell, Table
from bench.gama2013.runs import RUNS, SECOND_TREE, detections, plain, ratio

_NAMES = {"mc": "MC", "nba": "NBa"}

_INTRO = f"""\
# gama2013, Tables 2 and 3

`python -m bench.gama2013` prints this page; the long tests compare the two. Each stream has one
drift in the middle. The learner is a Hoeffding tree (δ = 1e-7) with majority class (MC) or naive
Bayes (NBa) at the leaves; the detector is Page–Hinkley with δ = 0.1, λ = 100. A cell shows the
delay of the first alarm after the drift, mean ± standard deviation over ten runs, and (runs with a
miss; runs with a false alarm): **ours**, then theirs.

The concepts are the same in all ten runs; only the rows differ. LED: 24 attributes, then seven
swapped, at row 128,000. The other streams change at row 32,000 and have as many rows after it.
RBF: 50 centroids, then 50 others that move by 0.01 per row. RandomTree: trees 1 and {SECOND_TREE}.
The paper does not say which trees it used, and it matters: of the second trees 2 to 30, three have
all twenty cells of Table 2 within two of the paper's standard deviations; nineteen have none,
because they are slower (`python -m bench.gama2013 trees`). We took the first that fits, so
RandomTree only shows that the paper's delays are possible. Waveform: 40 attributes, then 19 swapped
with noise (the paper says 21, but only 19 are noise)."""

_NOTES = """\
## Differences and their causes

- Waveform: our runs miss the drift more often with longer memory. With majority class the error
  jumps from 0.34 to 0.69 and falls to 0.52 within three thousand rows. Page–Hinkley tolerates 0.54,
  the mean before the drift plus δ, so a long memory never sees enough of the rise. With naive Bayes
  the error is back at 0.2 after four thousand rows, so the error over all rows hardly rises. The
  paper detected the drift in every run, with naive Bayes even from the error over all rows
  (19698 ± 3935): its trees must have been wrong for longer.
- LED with naive Bayes: in {runs} of ten runs the ratio to Fading(0.9994) raises a false alarm at
  rows {low:,} to {high:,} ({later} more later). At row 35,600 Hoeffding's bound falls below the tie
  threshold, the tree makes its first split, and its young leaves err more often: 41 % instead of
  25 % for a thousand rows. The learner changed, not the stream. The plain test does not react, and
  the paper reports no such alarm.
- RBF: our centroids are not the paper's, and the drift between ours is detected sooner and in every
  run.
- Table 3 on LED with majority class: the ratio to Fading(0.999) misses the drift in all runs of the
  paper and in nine of ours."""


def results() -> tuple[Cards, Found]:
    """Run all experiments; takes a minute or two."""
    found: Found = {}
    for stream in STREAMS:
        for leaf, runs in detections(stream).items():
            found[stream, leaf] = runs
    return {column: sg.score_alarms(runs, dummies=[]) for column, runs in found.items()}, found


def page() -> Iterator[str]:
    """The lines of the page."""
    cards, found = results()
    yield _INTRO
    yield from _table("Table 2: the plain test on an estimate of the error", TABLE_2, cards, plain)
    title = "Table 3: the test on the ratio of two estimates, by long-term estimate"
    yield from _table(title, TABLE_3, cards, ratio)
    yield "\n## Claims\n"
    for claim in claims(cards, found):
        yield f"- {claim}"
    yield f"- Cells within two of the paper's standard deviations: {_nearness(cards)}."
    first, later = led_false_alarms(found)
    yield "\n" + _NOTES.format(runs=len(first), low=first[0], high=first[-1], later=len(later))


def _table(
    title: str,
    theirs: Table,
    cards: Cards,
    detector: Callable[[str], str],
) -> Iterator[str]:
    yield f"\n## {title}\n"
    yield "| | " + " | ".join(f"{stream} {_NAMES[leaf]}" for stream, leaf in COLUMNS) + " |"
    yield "|---" * (1 + len(COLUMNS)) + "|"
    for name, cells in theirs.items():
        pairs = [
            f"**{_ours(cards[column][detector(name)])}** {cells[column]}" for column in COLUMNS
        ]
        yield f"| {name} | " + " | ".join(pairs) + " |"


def _nearness(cards: Cards) -> str:
    parts = []
    for name, table, detector in (("Table 2", TABLE_2, plain), ("Table 3", TABLE_3, ratio)):
        away = distances(cards, table, detector, STREAMS)
        near = sum(each <= 2 for each in away.values())
        parts.append(f"{near} of {len(away)} in {name}")
    return ", ".join(parts)


def _ours(score: sg.AlarmScore) -> Cell:
    """Our score in the paper's format."""
    misses, false = score.runs_with_miss, score.runs_with_false_alarm
    if not score.detections:
        return Cell(None, None, misses, false)
    return Cell(score.mtd, score.delay_sd if score.detections > 1 else None, misses, false)


def trees() -> Iterator[str]:
    """Which second trees give the paper's delays on RandomTree, one line per tree."""
    names = (*FADING, *WINDOWS)
    for tree in range(2, 31):
        near, shown = 0, []
        for leaf, runs in detections("RandomTree", [*map(plain, names)], tree).items():
            card = sg.score_alarms(runs, dummies=[])
            for name in names:
                cell, score = TABLE_2[name]["RandomTree", leaf], card[plain(name)]
                assert cell.mean is not None
                assert cell.sd is not None
                near += bool(score.misses == 0 and abs(score.mtd - cell.mean) <= 2 * cell.sd)
            shown.append(f"{_NAMES[leaf]} {_ours(card[plain('Fading(0.997)')])}")
        cells = f"{near} of {len(names) * len(LEAVES)} cells"
        yield f"tree {tree}: {cells}; Fading(0.997): {', '.join(shown)}"
    yield f"{RUNS} runs of each"
