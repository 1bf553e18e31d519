"""Change a saved run so that all its checksums fit, as another program might write it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamgauge.runs.directories import PARTS
from streamgauge.runs.integrity import described, sealed


def reseal(directory: Path, change: dict[str, Any] | None = None) -> None:
    """Write the changed run.json, with checksums of the files as they are now."""
    values = json.loads((directory / "run.json").read_text())
    values |= {"files": described(directory, PARTS), **(change or {})}
    del values["checksum"]
    (directory / "run.json").write_bytes(sealed(values))
