"""Measure all error rates and write them into docs/compare.md; some minutes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.tests_under_h0 import batch_means, levels

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"


def level_table() -> Iterator[str]:
    """All tests on independent rows and on runs of 20."""
    yield (
        "| alpha | differences | McNemar, every row | McNemar, at the end | anytime, every row "
        "| anytime, at the end | now, every row | batch means | a stretch found |"
    )
    yield "|---|---|" + "--:|" * 7
    for alpha in (0.05, 0.01):
        for run in (1, levels.RUN):
            level = levels.measure(alpha, run)
            kind = "independent" if run == 1 else f"in runs of {run}"
            rates = [
                level.mcnemar_ever, level.mcnemar_end, level.anytime_ever, level.anytime_end,
                level.now_ever, level.batch_means, level.stretches,
            ]  # fmt: skip
            yield f"| {alpha:g} | {kind} | {' | '.join(f'{100 * rate:.1f}' for rate in rates)} |"


def late_sentence() -> Iterator[str]:
    """Labels that come late."""
    late = levels.late(0.05)
    yield (
        f"At alpha 0.05, with labels in chunks of {levels.RUN} rows and equal differences in each "
        f"chunk, bounds that treat labels as known at once err in {100 * late.at_once:.1f} % of "
        f"500 streams, the bounds from chunks in {100 * late.chunks:.1f} %. With labels "
        f"{levels.RUN} rows late and differences that depend on each other over as many rows, the "
        f"bounds from blocks err in {100 * late.delay:.1f} %."
    )


def beyond_sentence() -> Iterator[str]:
    """Runs that no rule can see."""
    yield (
        f"False decisions in {batch_means.STREAMS:,} streams of 10,000 rows: runs of a fifth "
        f"of the stream, {batch_means.beyond(5)}; of a third, {batch_means.beyond(3)}."
    )


PARTS = {
    "batch means": batch_means.table,
    "long runs": beyond_sentence,
    "levels": level_table,
    "late labels": late_sentence,
}


def main(asked: list[str]) -> int:
    """Write every part of the page, or those asked for."""
    for name in asked or PARTS:
        lines = []
        for line in PARTS[name]():
            print(line, flush=True)
            lines.append(line)
        mark = f"<!-- measured: {name} -->\n"
        before, found, rest = PAGE.read_text(encoding="utf-8").partition(mark)
        _, end, after = rest.partition("<!-- end -->")
        if not (found and end):
            raise SystemExit(f"{PAGE}: expected a part from {mark.strip()} to <!-- end -->")
        text = "\n".join(lines) + "\n"
        PAGE.write_text(before + found + text + end + after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
