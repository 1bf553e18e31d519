"""Writes docs/gama2013.md: our numbers and the printed ones, cell by cell, and every claim."""

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

`python -m bench.gama2013` prints this page; a test of the long tier checks that it is up to date.
The setup: one drift in the middle of a stream; a Hoeffding tree (δ = 1e-7) with majority votes (MC)
or naive Bayes (NBa) in its leaves; Page–Hinkley with δ = 0.1 and λ = 100. The tables show the delay
of the first alarm after the drift, mean ± standard deviation over ten runs (runs with a miss; runs
with a false alarm). Each cell has **our** result first, then the paper's.

The concepts are the same in all ten runs; only the rows differ. LED has 24 attributes, of which
seven are swapped at row 128,000; the other streams change at row 32,000. As many rows follow as
came before the drift. RBF: 50 centroids, then 50 others that move by 0.01 per row. RandomTree:
trees 1 and {SECOND_TREE}. The paper does not say which trees it used, and the choice matters: of
the second trees 2 to 30, three put all twenty cells of Table 2 within two of the paper's
standard deviations; nineteen put none there, because they are slower
(`python -m bench.gama2013 trees`). We use the first that fits, so RandomTree shows only that the
paper's delays are possible. Waveform: 40 attributes, of which 19 are swapped with noise (the paper
says 21, but only 19 are noise)."""

_NOTES = """\
## Differences and their reasons

- Waveform: our runs miss the drift more often, the longer the memory. With majority votes the error
  jumps from 0.34 to 0.69 and falls to 0.52 within three thousand rows. Page–Hinkley tolerates 0.54,
  the mean before the drift plus δ, so a long memory never sees enough of the rise. With naive Bayes
  the error is back at 0.2 after four thousand rows, so the error over all rows hardly rises. The
  paper found the drift in every run, with naive Bayes even by the error over all rows
  (19698 ± 3935): its trees must have been wrong for longer.
- LED with naive Bayes: in {runs} of ten runs the ratio to Fading(0.9994) raises a false alarm at
  rows {low:,} to {high:,} ({later} more later). At row 35,600 Hoeffding's bound falls below the tie
  threshold, the tree makes its first split, and its new leaves err more often: 41 % instead of 25 %
  for a thousand rows. The learner changed, not the stream. The plain test does not react, and the
  paper reports no such alarm.
- RBF: our centroids are not the paper's; the drift between ours is found sooner and in every run.
- Table 3 on LED with majority votes: a ratio to Fading(0.999) fails in all runs of the paper and in
  nine of ours."""


def results() -> tuple[Cards, Found]:
    """Run everything; takes a minute or two."""
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
    yield from _table(
        "Table 3: the test on a ratio of estimates, by the long one", TABLE_3, cards, ratio
    )
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
    """Our score as a cell of the paper."""
    misses, false = score.runs_with_miss, score.runs_with_false_alarm
    if not score.detections:
        return Cell(None, None, misses, false)
    return Cell(score.mtd, score.delay_sd if score.detections > 1 else None, misses, false)


def trees() -> Iterator[str]:
    """How close each choice of the second tree comes to the paper's delays on RandomTree."""
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
