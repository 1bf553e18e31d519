"""A fake pip that downloads nothing and writes a small wheel instead."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

FEATURES = ("period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer")
MEMBER = "skmultiflow/data/datasets/elec.csv"
ROWS = 45_312
HEADER = "period,nswprice,nswdemand,vicprice,vicdemand,transfer,class\n"
OURS = f"{','.join(FEATURES)},target\n"


@cache
def member(rows: int = ROWS) -> str:
    """The wheel's table: float noise after the sixth decimal, classes 0 and 1."""
    lines = [f"0.{i % 48:02}0000000001,0.5,0.25,0.125,0.{i % 7}99999999,1,{i % 2}\n"
             for i in range(rows)]  # fmt: skip
    return HEADER + "".join(lines)


def wheel(text: str | bytes, name: str = MEMBER) -> Callable[[Path], None]:
    """A function that writes a wheel with one member into a folder."""

    def write(folder: Path) -> None:
        path = folder / "scikit_multiflow-0.4.1-cp37-cp37m-manylinux1_x86_64.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, text)

    return write


def not_a_zip(folder: Path) -> None:
    """Write a wheel that is not a zip archive."""
    (folder / "x.whl").write_bytes(b"no zip")


class Pip:
    """A fake `subprocess.run` that records its commands."""

    def __init__(
        self, write: Callable[[Path], None] | None = None, code: int = 0, stderr: str = ""
    ):
        self.write, self.code, self.stderr = write, code, stderr
        self.commands: list[list[str]] = []

    def __call__(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        assert options["timeout"] > 0
        self.commands.append(command)
        if self.write is not None:
            self.write(Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, self.code, "", self.stderr)
