"""`make parity`: compare our learners with their peers and write bench/parity.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import streamgauge as sg
from bench.parity.cells import Cells, versions
from bench.parity.contest import Contest
from bench.parity.page import Row, holds, section, unbiased
from bench.parity.rivals import RIVALS, Rival
from bench.parity.streams import ROWS

PAGE = Path(__file__).parent.parent / "parity.md"
SAVED = Path("results/parity/cells.jsonl")


def main() -> int:
    """Compare; exit code 1 if a bound does not hold."""
    parser = argparse.ArgumentParser("python -m bench.parity", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="use at most N rows of each stream")
    parser.add_argument("--seeds", type=int, default=10, help="number of seeds for random learners")
    parser.add_argument("--river-rows", type=int, default=5000, help="rows for River (slow)")
    parser.add_argument("--only", action="append", help="one of our learners; may be repeated")
    parser.add_argument("--output", type=Path, help=f"default: {PAGE.name}, or stdout if partial")
    options = parser.parse_args()
    chosen = [rival for rival in RIVALS if not options.only or rival.name in options.only]
    if len(chosen) < len(options.only or []):
        parser.error(f"--only: expected one of {', '.join(rival.name for rival in RIVALS)}")
    shortened = options.only or (options.rows, options.seeds) != (ROWS, 10)
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(Cells(SAVED), Path(folder), options.rows, options.river_rows)
        results = {
            rival: contest.rows_of(rival, options.seeds) if rival.built else [] for rival in chosen
        }
    text = "\n".join(_head(options, contest.missing) + _tables(results))
    output = options.output or (None if shortened else PAGE)
    if output is None:
        print(text)
    else:
        output.write_text(text)
    kept = [holds(rival, row) for rival, rows in results.items() for row in rows]
    kept += [unbiased(rival, rows)[1] for rival, rows in results.items()]
    return 1 if False in kept else 0


HEAD = """\
# Parity

Written by `make parity` (`python -m bench.parity`): at most {rows:,} rows of each stream, {seeds} seeds for
random learners, River on the first {river_rows:,} rows only. streamgauge {ours}, CapyMOA {capymoa}, River {river}.

Accuracy and kappa in percent, immediate labels, CapyMOA in its own prequential loop. MOA scores an abstention as class 0
(a regressor's as 0), so ours is scored the same way here, except beside River: there both run in our loop, and an
abstention is wrong. Differences are ours minus theirs. River has no bound, because its algorithms differ in places (its
neighbours are not normalised, its naive Bayes accepts numeric features only).
"""  # noqa: E501 - lines of the page, not of the program


def _head(options: argparse.Namespace, missing: dict[str, str]) -> list[str]:
    theirs = versions()
    head = HEAD.format(
        rows=options.rows,
        seeds=options.seeds,
        river_rows=options.river_rows,
        ours=sg.__version__,
        capymoa=theirs["CapyMOA"],
        river=theirs["River"],
    )
    return [head, *(f"Left out: {name}: {why}\n" for name, why in missing.items())]


def _tables(results: dict[Rival, list[Row]]) -> list[str]:
    return [line for rival, rows in results.items() for line in section(rival, rows)]


if __name__ == "__main__":
    sys.exit(main())
