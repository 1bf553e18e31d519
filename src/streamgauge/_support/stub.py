"""Writes the public names, `__init__.pyi` for type checkers and docs/names.md: `make stub`."""

from __future__ import annotations

from pathlib import Path

from streamgauge._support import overview, registry

PATH = Path(__file__).parent.parent / "__init__.pyi"
PAGE = PATH.parents[2] / "docs" / "names.md"
_HEAD = '''\
"""The public names, for type checkers and editors; written by `make stub` from the registry."""

from streamgauge import testing as testing
'''


def stub() -> str:
    """The text of `__init__.pyi`."""
    lines = sorted(
        f"from {registry.module_of(name)} import {name} as {name}" for name in registry.PUBLIC
    )
    tail = "\n\n__all__: list[str]\n__version__: str\n"
    return _HEAD + "\n".join(lines) + tail


if __name__ == "__main__":
    PATH.write_text(stub(), encoding="utf-8")
    if PAGE.parent.is_dir():
        PAGE.write_text(overview.as_markdown(), encoding="utf-8")
