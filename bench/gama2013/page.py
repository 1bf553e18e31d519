"""docs/gama2013.md: ours beside theirs, cell by cell, and a line for each claim."""

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

`python -m bench.gama2013` prints this page; the long tests compare the two. A drift in the middle
of a stream, a Hoeffding tree (δ = 1e-7) with majority votes (MC) or naive Bayes (NBa) in its
leaves, Page–Hinkley with δ = 0.1, λ = 100: the delay of its first alarm after the drift, mean ±
standard deviation over ten runs, (runs with a miss; runs with a false alarm). Each cell is
**ours** over theirs.

The concepts are the same in all ten runs, only the rows are drawn anew. LED: 24 attributes, then
seven swapped, at row 128,000; the others change at row 32,000, and as many rows follow. RBF: 50
centroids, then 50 others that move by 0.01 a row. RandomTree: trees 1 and {SECOND_TREE}. The
paper does not say which trees it took, and it matters: of the second trees 2 to 30 three have all
twenty cells of Table 2 within two of the paper's standard deviations, nineteen have none, being
slower (`python -m bench.gama2013 trees`). We took the first that fits, so that RandomTree says
only that the paper's delays are possible. Waveform: 40 attributes, then 19 swapped with noise (the
paper says 21, but there are only 19 of noise)."""

_NOTES = """\
## Where it differs, and why

- Waveform: our runs miss the more often, the longer the memory. With majority votes the error
  jumps from 0.34 to 0.69, falls to 0.52 within three thousand rows, and Page–Hinkley bears 0.54,
  the mean before the drift plus δ: a long memory never sees enough of it. With naive Bayes the
  error is back at 0.2 after four thousand rows, so that the error of all rows hardly rises. The
  paper found the drift in every run, with naive Bayes even by the error of all rows (19698 ± 3935):
  its trees must have been wrong for longer.
- LED with naive Bayes: in {runs} of ten runs the ratio to Fading(0.9994) raises a false alarm at
  rows {low:,} to {high:,} ({later} more later). At row 35,600 Hoeffding's bound falls below the tie
  threshold, the tree makes its first split, and its young leaves err more often, 41 % instead of
  25 % for a thousand rows. The learner changed, not the stream. The plain test takes no notice, and
  the paper reports no such alarm.
- RBF: ours are other centroids than the paper's, and the drift between them is found sooner and
  always.
- Table 3 on LED with majority votes: a ratio to Fading(0.999) fails there in all runs and here in
  nine."""


def results() -> tuple[Cards, Found]:
    """Everything, in a minute or two."""
    found: Found = {}
    for stream in STREAMS:
        for leaf, runs in detections(stream).items():
            found[stream, leaf] = runs
    return {column: sg.score_alarms(runs, dummies=[]) for column, runs in found.items()}, found


def page() -> Iterator[str]:
    """Line by line."""
    cards, found = results()
    yield _INTRO
    yield from _table("Table 2: the plain test, on an estimate of the error", TABLE_2, cards, plain)
    yield from _table("Table 3: on the ratio of estimates, by the long one", TABLE_3, cards, ratio)
    yield "\n## Claims\n"
    for claim in claims(cards, found):
        yield f"- {claim}"
    yield f"- Within two of the paper's standard deviations, of all cells: {_nearness(cards)}."
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
    """As the paper prints it."""
    misses, false = score.runs_with_miss, score.runs_with_false_alarm
    if not score.detections:
        return Cell(None, None, misses, false)
    return Cell(score.mtd, score.delay_sd if score.detections > 1 else None, misses, false)


def trees() -> Iterator[str]:
    """Which second trees give the paper's delays on RandomTree."""
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
