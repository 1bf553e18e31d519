"""`make bench`: measures every promised speed, as a ratio to the peer, in one run on one core."""

from __future__ import annotations

import os
import sys

from bench import (
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
    naive_bayes,
    reevaluate,
    regressors,
    trees,
    wrappers,
)


def main() -> int:
    """Run all benchmarks and print a table; the exit code is 1 if a promise is not kept."""
    if hasattr(os, "sched_setaffinity"):
        # The peers' threads share this core, too.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    parts = (
        compiling,
        naive_bayes,
        trees,
        wrappers,
        flat,
        knn,
        regressors,
        generic,
        moa,
        metrics,
        reevaluate,
        detectors,
        generators,
        csv_files,
        experiments,
        memory,
    )
    lines = [line for part in parts for line in part.measure()]
    width = max(len(line.what) for line in lines)
    print()
    for line in lines:
        mark = "ok  " if line.kept else "MISS"
        print(f"{mark} {line.what.ljust(width)}  {line.shown}  (promised {line.promised})")
    return 0 if all(line.kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
