"""Peak memory of a run at 1 and at 50 million rows, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from bench.clock import Line

_CODE = """
import re, sys
import streamgauge as sg
rows = int(sys.argv[1])
sg.evaluate(sg.SEA(rows, seed=1), sg.NaiveBayes(), keep=sys.argv[2])
status = open("/proc/self/status").read()  # getrusage would tell the parent's peak if larger
print(int(re.search(r"VmHWM:\\s+(\\d+)", status).group(1)) / 1024)
"""


def peak_megabytes(rows: int, keep: str) -> float:
    """Of a process that evaluates naive Bayes on so many generated rows."""
    command = [sys.executable, "-c", _CODE, str(rows), keep]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def measure() -> Iterator[Line]:
    """The growth."""
    small, large = (peak_megabytes(rows, "none") for rows in (1_000_000, 50_000_000))
    growth = large / small - 1
    shown = f"{small:.0f} -> {large:.0f} MB"
    yield Line("peak memory, 1 -> 50 million rows", shown, "flat (<= 5 %)", growth <= 0.05)
