"""Writes the pictures of docs/figures.md by running its examples (`make readme`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"


def pictures(folder: Path) -> None:
    """Save each chart that the page shows, under its name in the examples."""
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(compile(block, "docs/figures.md", "exec"), names)
    for name in re.findall(r"\(pictures/(\w+)\.svg\)", page):
        names[name].save(folder / f"{name}.svg")


if __name__ == "__main__":
    pictures(DOCS / "pictures")
