"""`make bench`: measures every promised speed beside the peer; writes docs/performance.md."""

from __future__ import annotations

import argparse
import os
import sys
from types import ModuleType

from bench import (
    arff,
    boosting,
    compiling,
    csv_files,
    detectors,
    experiments,
    flat,
    generators,
    generic,
    knn,
    memory,
    metrics,
    moa,
    monitoring,
    naive_bayes,
    page,
    reevaluate,
    regressors,
    trees,
    wrappers,
)

PARTS: tuple[ModuleType, ...] = (
    naive_bayes, trees, boosting, knn, regressors, wrappers, moa, generic, metrics, reevaluate,
    detectors, generators, csv_files, arff, experiments, compiling, flat, memory, monitoring,
)  # fmt: skip


def main() -> int:
    """Run benchmarks and write the page; the exit code is 1 if a promise is not kept."""
    names = {part.__name__.rpartition(".")[2]: part for part in PARTS}
    parser = argparse.ArgumentParser("python -m bench", description=__doc__)
    parser.add_argument(
        "part", nargs="*", help=f"measure only these parts of {', '.join(names)}; default: all"
    )
    chosen = parser.parse_args().part
    if unknown := [name for name in chosen if name not in names]:
        parser.error(f"unknown part {unknown[0]!r}; expected one of {', '.join(names)}")
    if hasattr(os, "sched_setaffinity"):
        # The peers' threads share this core, too.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    measured = page.load()
    now: dict[str, page.Measured] = {}
    for name, part in names.items():
        if chosen and name not in chosen:
            continue
        now[name] = page.measured_now(str(part.__doc__).partition("\n")[0], list(part.measure()))
        for line in now[name].lines:
            mark = "ok  " if line.kept else "MISS"
            print(f"{mark} {line.what}  {line.shown}  (promised {line.promised})", flush=True)
        every = measured | now  # saved after each part: a stop loses nothing
        page.save({known: every[known] for known in names if known in every})
    return 0 if all(line.kept for each in now.values() for line in each.lines) else 1


if __name__ == "__main__":
    sys.exit(main())
