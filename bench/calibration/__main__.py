"""Simulate every claim, or those of the modules named, and write docs/calibration.md."""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path

from bench.calibration.case import Case, Measured, measure
from bench.page import ROOT
from streamgauge._support.claims import CLAIMS

MODULES = (
    "verdict",
    "comparison",
    "anytime",
    "inspection",
    "waits",
    "ranking",
    "detection",
    "monitoring",
    "references",
    "planning",
    "ablation",
    "alarms",
)
PAGE = ROOT / "docs" / "calibration.md"
SAVED = Path(__file__).with_name("measured.json")

_HEAD = """\
# How often our sentences are false

`make calibration` writes this page. Each claim that we print about more rows of the same kind has
an id (`streamgauge._support.claims`) and rows here. Streams are drawn on which the claim is not
true; *false* is how often it was made all the same, *nominal* what its rule promises, *most* what
we accept, *power* how often it is made on streams on which it is true, *oracle* how often one
would make it who knows how the rows depend on each other. All in per cent of the trials; ± is one
standard error. A row above *most* by more than two standard errors has the mark **✗**.
[semantics.md](semantics.md) states the rules.
"""


def cases_of(module: str) -> list[Case]:
    """What a module simulates."""
    found: list[Case] = import_module(f"bench.calibration.{module}").cases()
    return found


def page(measured: list[Measured]) -> Iterator[str]:
    """The lines of the page: a table per claim, in the order of the claims."""
    yield _HEAD
    for claim in CLAIMS.values():
        rows = [each for each in measured if each.claim == claim.id]
        yield f"## `{claim.id}`\n"
        yield f"{claim.says[0].upper()}{claim.says[1:]} (nominal {claim.nominal:g}).\n"
        yield "| data | false | most | power | oracle | trials |\n|---|--:|--:|--:|--:|--:|"
        for row in rows:
            mark = "" if row.holds else " **✗**"
            false = f"{row.false:.1f} ± {row.error:.1f}{mark}"
            power, oracle = ("" if math.isnan(x) else f"{x:.0f}" for x in (row.power, row.oracle))
            yield f"| {row.data} | {false} | {row.most:g} | {power} | {oracle} | {row.trials:,} |"
        yield ""


def read() -> list[Measured]:
    """What earlier runs measured."""
    saved = json.loads(SAVED.read_text(encoding="utf-8")) if SAVED.exists() else []
    nan = {"power": math.nan, "oracle": math.nan}
    return [Measured(**{**nan, **each}) for each in saved]


def write(measured: list[Measured]) -> None:
    """Save the measurements and write the page."""
    plain = [{k: v for k, v in asdict(each).items() if v == v} for each in measured]
    text = "[\n" + ",\n".join(json.dumps(each) for each in plain) + "\n]\n"
    SAVED.write_text(text, encoding="utf-8")
    PAGE.write_text("\n".join(page(measured)), encoding="utf-8")


def main(words: list[str]) -> int:
    """Run the cases of all modules, or of those asked for; the others keep their rows."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=", ".join(MODULES))
    parser.add_argument("--trials", type=int, help="the most trials of a case")
    options = parser.parse_args(words)
    asked = options.modules
    if unknown := [name for name in asked if name not in MODULES]:
        parser.error(f"{unknown[0]}: expected one of {', '.join(MODULES)}")
    started = time.monotonic()
    cases = [case for module in asked or MODULES for case in cases_of(module)]
    ours = {case.claim for case in cases}
    kept = [each for each in read() if asked and each.claim not in ours and each.claim in CLAIMS]
    found: list[Measured] = []
    # Cases hold functions, so processes are forked; the slowest cases come first.
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        for each in pool.imap(partial(measure, trials=options.trials), cases, chunksize=1):
            found.append(each)
            mark = "" if each.holds else "  <- above its limit"
            print(
                f"{each.claim:28} {each.data:44} false {each.false:5.1f} ± {each.error:.1f}"
                f"  power {each.power:5.1f} / {each.oracle:5.1f}{mark}",
                flush=True,
            )
    write(kept + found)
    print(f"{len(found)} rows in {(time.monotonic() - started) / 60:.0f} minutes: {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
