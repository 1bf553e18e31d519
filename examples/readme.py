"""Writes what README.md shows of Elec2 and of the papers (`make readme`); see worth.py."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "README.md"
_SESSION = re.compile(r"(streamgauge demo\n```\n\n```\n).*?(```)", re.DOTALL)
_CLAIMS = re.compile(r"(<!-- make readme -->).*?(<!-- end -->)")
_COUNTS = re.compile(r"^.* Claims: (\d+) hold, (\d+) do not hold, (\d+) cannot be told\.$", re.M)


def session() -> str:
    """What `streamgauge demo` prints first: what is to beat, and a line per learner."""
    code = "from streamgauge.cli import main; main()"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", code, "demo"],
            cwd=folder, capture_output=True, encoding="utf-8", check=True,
        )  # fmt: skip
    about, table, *_ = done.stdout.split("\n\n")
    return f"{about}\n\n{table}\n"


def claims() -> str:
    """How many claims of the papers hold, as their pages say."""
    found = []
    for page in sorted((ROOT / "docs" / "papers").glob("*.md")):
        (counts,) = _COUNTS.findall(page.read_text(encoding="utf-8"))
        found.append([int(count) for count in counts])
    hold, fail, untold = map(sum, zip(*found, strict=True))
    return (
        f"{hold + fail + untold} claims of {len(found)} papers run again: {hold} hold, {fail} do "
        f"not, {untold} cannot be told"
    )


def written(page: str) -> str:
    """The page with the session and the claims as they are now."""
    for part, text in ((_SESSION, session()), (_CLAIMS, claims())):
        page, count = part.subn(rf"\g<1>{text}\2", page)
        assert count == 1, f"README.md: expected one place for {part.pattern}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
