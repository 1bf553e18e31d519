"""`make hostile`: the hostile tests of the long tier; writes bench/hostile.md with their counts."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from bench.page import ROOT, version_without

PAGE = Path(__file__).with_suffix(".md")
SAVED = Path(__file__).with_suffix(".json")


class Part(NamedTuple):
    """Tests, what they try, and how often."""

    what: str
    tests: tuple[str, ...]
    tries: Callable[[], str]


def _pairs() -> str:
    from tests import combinations

    cases = len([*combinations.covering(combinations.OPTIONS, combinations.refused())])
    return f"{cases} cases × {len(combinations.BLOCKS)} sizes of blocks × 2 fillings of memory"


def _battery() -> str:
    from tests import hostile

    names, tries, rows = (sum(each) for each in zip(*hostile.counts().values(), strict=True))
    return f"{tries:,} cases of {names} names, {rows:,} rows"


def _links() -> str:
    from tests.links import count_tries

    return f"{count_tries():,} tries"


def _feeds() -> str:
    from tests.monitoring.sources.fuzzing import WAYS

    return f"10,000 files in each of {len(WAYS)} combinations of a format and a way to follow it"


def _formats() -> str:
    from tests.streams.fuzz_formats import FORMATS

    return f"{sum(count for _, _, count in FORMATS.values()):,} files in {len(FORMATS)} formats"


def _texts() -> str:
    from tests.experiments.fuzz_texts import TARGETS

    return f"{sum(count for _, _, count in TARGETS.values()):,} texts for {len(TARGETS)} readers"


def _cuts() -> str:
    from tests.monitoring.test_cuts import cut_counts

    return ", ".join(f"{count:,} {what}" for what, count in cut_counts().items())


def _kills() -> str:
    from tests.monitoring.test_kills import KILLS

    return f"{KILLS} kills of a monitor with corrections, 30 of a study"


PARTS = {
    "pairs": Part(
        "Options of `evaluate` in all pairs, bounds checked: the same numbers however blocks are "
        "cut and whatever memory held",
        ("tests/test_combinations.py",), _pairs,
    ),
    "battery": Part(
        "Learners, detectors, metrics and functions on extreme values past all their thresholds, "
        "bounds checked",
        ("tests/test_hostile.py",), _battery,
    ),
    "links": Part(
        "Links in place of every path that is written: what they point to stays as it is",
        ("tests/test_links.py",), _links,
    ),
    "feeds": Part(
        "Mutated files that a monitor follows: read or counted, and the next one is read",
        ("tests/monitoring/sources/test_fuzz.py",), _feeds,
    ),
    "formats": Part(
        "Mutated data files: rows or an error in words",
        ("tests/streams/formats/test_mutations.py",), _formats,
    ),
    "texts": Part(
        "Mutated experiment files, cards and texts: an error in words",
        ("tests/experiments/test_mutated_texts.py",), _texts,
    ),
    "cuts": Part(
        "Logs with corrections, repeats and late events, cut at random: figures, alarms and their "
        "times as one event at a time gives them",
        ("tests/monitoring/test_cuts.py",), _cuts,
    ),
    "kills": Part(
        "Processes killed at random: the same numbers in the end",
        ("tests/monitoring/test_kills.py", "tests/experiments/test_kills.py"), _kills,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What came out of a part."""

    tries: str
    tests: int
    failed: int
    minutes: float
    date: str
    version: str


def run(part: Part) -> Outcome:
    """Run the long tests of a part."""
    began, tries = time.monotonic(), part.tries()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-m", "long", f"--junit-xml={report}",
             *part.tests],
            cwd=ROOT, check=False, env={**os.environ, "HYPOTHESIS_PROFILE": "thorough"},
        )  # fmt: skip
        suite = ElementTree.parse(report).getroot()[0]
    count = {name: int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")}
    return Outcome(
        tries, count["tests"] - count["skipped"], count["failures"] + count["errors"],
        round((time.monotonic() - began) / 60, 1), datetime.date.today().isoformat(),
        version_without(PAGE, SAVED),
    )  # fmt: skip


def page(outcomes: dict[str, Outcome]) -> str:
    """The page, in Markdown."""
    lines = [
        f"| {PARTS[name].what} | {each.tries} | {each.tests - each.failed} of {each.tests} | "
        f"{each.minutes:g} | {each.date}, {each.version} |"
        for name, each in outcomes.items()
    ]
    return "\n".join([_HEAD, *lines, ""])


_HEAD = """\
# Hostile tests

What the long tier tries in order to break streamgauge, and how it came out. `make hostile` runs the
tests and writes this page; `make hostile ONLY="pairs links"` runs some of them.

| what | tries | tests passed | minutes | date, version |
|---|---|---|---|---|"""


def main() -> int:
    """Run the parts asked for and write the page; the exit code is 1 if a test fails."""
    parser = argparse.ArgumentParser("python -m bench.hostile", description=__doc__)
    parser.add_argument("part", nargs="*", help=f"only these parts of {', '.join(PARTS)}")
    chosen = parser.parse_args().part or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"unknown part {unknown[0]!r}; expected one of {', '.join(PARTS)}")
    failed = 0
    for name in chosen:
        found = run(PARTS[name])
        failed += found.failed
        saved = json.loads(SAVED.read_text(encoding="utf-8")) if SAVED.exists() else {}
        saved[name] = asdict(found)
        kept = {each: saved[each] for each in PARTS if each in saved}  # a stop loses nothing
        SAVED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        outcomes = {each: Outcome(**values) for each, values in kept.items()}
        PAGE.write_text(page(outcomes), encoding="utf-8")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
