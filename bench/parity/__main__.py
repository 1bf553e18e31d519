"""`make parity`: compares our learners with their peers and writes bench/parity.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import streamgauge as sg
from bench.parity.cells import Cells, versions
from bench.parity.comparison import Comparison
from bench.parity.page import Row, holds, section, unbiased
from bench.parity.peers import PEERS, Peers
from bench.parity.streams import ROWS

PAGE = Path(__file__).parent.parent / "parity.md"
SAVED = Path("results/parity/cells.jsonl")
SEEDS, RIVER_ROWS = 3, 2000  # so that everything takes about an hour


def main() -> int:
    """Compare; the exit code is 1 if a bound does not hold."""
    parser = argparse.ArgumentParser("python -m bench.parity", description=__doc__)
    parser.add_argument(
        "--rows", type=int, default=ROWS, help="use at most the first N rows of each stream"
    )
    parser.add_argument(
        "--seeds", type=int, default=SEEDS, help="number of seeds for learners with randomness"
    )
    parser.add_argument(
        "--river-rows", type=int, default=RIVER_ROWS, help="rows for River, which is slow"
    )
    parser.add_argument(
        "--only", action="append", help="compare only this learner of ours; may be repeated"
    )
    parser.add_argument(
        "--output",
        type=Path,
        help=f"file to write; default: {PAGE.name}, or the terminal with other options",
    )
    options = parser.parse_args()
    chosen = [peers for peers in PEERS if not options.only or peers.name in options.only]
    if not set(options.only or []) <= {peers.name for peers in PEERS}:
        parser.error(f"--only: expected one of {', '.join(peers.name for peers in PEERS)}")
    sizes = options.rows, options.seeds, options.river_rows
    shortened = options.only or sizes != (ROWS, SEEDS, RIVER_ROWS)
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(Cells(SAVED), Path(folder), options.rows, options.river_rows)
        results = {
            peers: comparison.rows_of(peers, options.seeds) if peers.built else []
            for peers in chosen
        }
    text = "\n".join(_head(options, comparison.missing) + _tables(results))
    output = options.output or (None if shortened else PAGE)
    if output is None:
        print(text)
    else:
        output.write_text(text, encoding="utf-8")
    kept = [holds(peers, row) for peers, rows in results.items() for row in rows]
    kept += [unbiased(peers, rows)[1] for peers, rows in results.items()]
    return 1 if False in kept else 0


HEAD = """\
# Parity

Written by `make parity` (`python -m bench.parity`): at most {rows:,} rows of each stream, {seeds} seeds for
learners with randomness, River on the first {river_rows:,} rows only. streamgauge {ours}, CapyMOA {capymoa}, River {river}.

Accuracy and kappa are in percent, labels are immediate, and CapyMOA runs in its own prequential loop. MOA scores an
abstention as class 0 (for a regressor, as 0), so ours is scored the same way here, except in the comparison with River,
where both run in our loop and an abstention counts as wrong. Differences are ours minus theirs. River has no bound,
because its algorithms differ in places (its nearest neighbours are not normalised, its naive Bayes takes numeric
features only).
"""  # noqa: E501 - text of the page


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


def _tables(results: dict[Peers, list[Row]]) -> list[str]:
    return [line for peers, rows in results.items() for line in section(peers, rows)]


if __name__ == "__main__":
    sys.exit(main())
