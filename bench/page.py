"""docs/performance.md: the last measurement of every part, with its version and machine."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.clock import Line

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "performance.md"
SAVED = Path(__file__).parent / "measured.json"
_PACKAGES = ("numba", "numpy", "river", "capymoa", "pandas")


@dataclass(frozen=True)
class Measured:
    """What a part measured, when, with which version, on which machine."""

    title: str
    lines: list[Line]
    date: str
    version: str
    machine: str
    packages: str


def measured_now(title: str, lines: Sequence[Line]) -> Measured:
    """A measurement made by this process."""
    return Measured(
        title,
        list(lines),
        datetime.date.today().isoformat(),
        version_without(PAGE, SAVED),
        _machine(),
        _packages(),
    )


def load() -> dict[str, Measured]:
    """The saved measurements, by part."""
    if not SAVED.exists():
        return {}
    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    return {
        part: Measured(**values | {"lines": [Line(**line) for line in values["lines"]]})
        for part, values in saved.items()
    }


def save(measured: dict[str, Measured]) -> None:
    """Save the measurements and write the page."""
    values = {part: asdict(each) for part, each in measured.items()}
    SAVED.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(measured), encoding="utf-8")


def page(measured: dict[str, Measured]) -> str:
    """The page, in Markdown."""
    missed = sum(not line.kept for each in measured.values() for line in each.lines)
    total = sum(len(each.lines) for each in measured.values())
    parts = [_HEAD.format(kept=total - missed, total=total)]
    for part, each in measured.items():
        rows = [
            f"| {line.what} | {line.shown} | {line.promised} | {'yes' if line.kept else '**no**'} |"
            for line in each.lines
        ]
        parts.append(
            f"## {each.title}\n\n| | measured | promised | kept |\n|---|---|---|---|\n"
            + "\n".join(rows)
            + f"\n\n`make bench ONLY={part}` · {each.date} · version {each.version} · "
            f"{each.machine} · {each.packages}\n"
        )
    return "\n".join(parts)


_HEAD = """\
# Performance

Written by `make bench`; do not edit. Speeds are ratios to River and CapyMOA on the same machine in
the same run. Our jobs and CapyMOA's take turns, so that a busy moment affects both, and the median
counts; boosters and random patches, whose peers take minutes, are timed once, and so is River, in
most parts on the first 600 to 10,000 rows only. One core, unless a line says otherwise. Absolute
times vary by half on shared machines, ratios less so. {kept} of {total} promises were kept at the
last measurement of each part. Kernels compile once and then come from a cache; the ratios leave
that time out.
"""


def version_without(*pages: Path) -> str:
    """The version, in a checkout with the commit; dirty if more than these pages changed."""
    number = importlib.metadata.version("streamgauge")
    own = [f":!{path.relative_to(ROOT)}" for path in pages]
    commit, changes = _git("rev-parse", "--short", "HEAD"), _git("status", "--porcelain", ".", *own)
    return f"{number} ({commit}{'-dirty' if changes else ''})" if commit else number


def _git(*arguments: str) -> str:
    """What git prints; nothing outside a checkout."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _packages() -> str:
    found = []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)
