"""Data sets by name: from STREAMGAUGE_DATA, else the cache, else a download into the cache."""

from __future__ import annotations

import csv
import gzip
import importlib.resources
import io
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamgauge.compiled import cache_home
from streamgauge.errors import DownloadError, UsageError
from streamgauge.streams.base import Stream
from streamgauge.streams.files import read

_PATIENCE = 300  # seconds for a download
_ADVICE = (
    "check the network, or put the data set's file into a folder and name it in STREAMGAUGE_DATA"
)


def known() -> list[str]:
    """The names `load` takes."""
    cards = importlib.resources.files("streamgauge.streams") / "cards"
    return sorted(card.name.removesuffix(".toml") for card in cards.iterdir())


def load(name: str) -> Stream:
    """A data set of the catalog as a stream: the same rows and features from every source."""
    if name not in known():
        raise UsageError(
            f"no data set {name!r}; there are: {', '.join(known())}; a file is read with "
            f"read({name!r}, target=...), on the command line --target"
        )
    text = importlib.resources.files("streamgauge.streams") / "cards" / f"{name}.toml"
    card = tomllib.loads(text.read_text())
    return read(
        _find(card),
        target=card["target"],
        features=card["features"],
        classes=card["classes"],
        name=name,
    )


def _find(card: dict[str, Any]) -> Path:
    if folder := os.environ.get("STREAMGAUGE_DATA"):
        path = Path(folder, card["file"])
        if path.exists():
            return path
    path = Path(cache_home(), "data", card["file"])
    if not path.exists():
        try:
            _download(card, path)
        except DownloadError:
            raise
        except OSError as error:
            raise DownloadError(
                f"{card['title']}: cannot be kept in {path.parent}: {error}; name a folder that "
                "can be written in STREAMGAUGE_CACHE"
            ) from None
    return path


def _download(card: dict[str, Any], path: Path) -> None:
    """Fetch the wheel with pip, rewrite its table in our form; `path` appears when complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=path.parent) as folder:
        aside = Path(folder) / path.name
        wheel = _fetch_wheel(card["package"], Path(folder))
        try:
            with zipfile.ZipFile(wheel) as archive:
                table = archive.open(card["package"]["member"])
                rows = _write(card, csv.reader(io.TextIOWrapper(table, "utf-8")), aside)
        except (zipfile.BadZipFile, zlib.error, csv.Error, KeyError, ValueError) as error:
            raise DownloadError(
                f"{card['title']}: {wheel.name} is not as expected: {error}"
            ) from None
        if rows != card["rows"]:
            raise DownloadError(
                f"{card['title']}: {wheel.name} has {rows:,} rows, expected {card['rows']:,}"
            )
        aside.replace(path)


def _fetch_wheel(package: dict[str, Any], folder: Path) -> Path:
    wanted = f"{package['name']}=={package['version']}"
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
        "--disable-pip-version-check", "--implementation", "cp", "--retries", "1",
        "--python-version", package["python"], "--abi", package["abi"],
        "--platform", package["platform"], "--dest", str(folder), wanted,
    ]  # fmt: skip
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise DownloadError(
            f"cannot fetch {wanted}: no answer from the package index; {_ADVICE}"
        ) from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        reason = next(
            (line for line in reversed(done.stderr.splitlines()) if "ERROR" in line),
            done.stderr.strip() or "pip gave no reason",
        )
        raise DownloadError(f"cannot fetch {wanted} from the package index: {reason}; {_ADVICE}")
    return wheels[0]


def _write(card: dict[str, Any], source: Iterator[list[str]], path: Path) -> int:
    """Our column names and class names, numbers to their true decimals; how many rows."""
    package = card["package"]
    next(source, None)
    rows = 0
    with gzip.open(path, "wt", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*card["features"], card["target"]])
        for *cells, label in source:
            numbers = [
                repr(round(float(cell), package["decimals"]))
                for cell, _ in zip(cells, card["features"], strict=True)
            ]
            writer.writerow([*numbers, package["labels"][label]])
            rows += 1
    return rows
