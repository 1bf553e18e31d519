"""Data sets that packages carry: fetched with pip, rewritten as a CSV file of ours."""

from __future__ import annotations

import csv
import gzip
import io
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv

from streamgauge.errors import DownloadError
from streamgauge.progress import say

_PATIENCE = 300  # seconds for a download
_ADVICE = (
    "check the network, or put the data set's file into a folder and name it in STREAMGAUGE_DATA"
)


def fetch(card: dict[str, Any], path: Path) -> None:
    """Fetch the card's package, write its table to `path`, which appears when complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=path.parent) as folder:
        aside = Path(folder) / path.name
        say(f"fetching {card['title']}, once ...")
        archive = _download(card["package"], Path(folder))
        try:
            rows = _rewrite(archive, card, aside)
        except (
            zipfile.BadZipFile, tarfile.TarError, zlib.error, csv.Error, KeyError, ValueError,
            pa.ArrowInvalid,
        ) as error:  # fmt: skip
            raise DownloadError(
                f"{card['title']}: {archive.name} is not as expected: {error}"
            ) from None
        if rows != card["rows"]:
            raise DownloadError(
                f"{card['title']}: {archive.name} has {rows:,} rows, expected {card['rows']:,}"
            )
        aside.replace(path)


def _download(package: dict[str, Any], folder: Path) -> Path:
    """A wheel for one platform if the card names one, else whatever pip finds."""
    wanted = f"{package['name']}=={package['version']}"
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
        "--disable-pip-version-check", "--retries", "1", "--dest", str(folder),
    ]  # fmt: skip
    if "platform" in package:
        command += ["--only-binary=:all:", "--implementation", "cp", "--abi", package["abi"]]
        command += ["--python-version", package["python"], "--platform", package["platform"]]
    try:
        done = subprocess.run(
            [*command, wanted], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise DownloadError(
            f"cannot fetch {wanted}: no answer from the package index; {_ADVICE}"
        ) from None
    archives = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    if done.returncode or not archives:
        reason = next(
            (line for line in reversed(done.stderr.splitlines()) if "ERROR" in line),
            done.stderr.strip() or "pip gave no reason",
        )
        raise DownloadError(f"cannot fetch {wanted} from the package index: {reason}; {_ADVICE}")
    return archives[0]


def _rewrite(archive: Path, card: dict[str, Any], path: Path) -> int:
    """Write the card's table; how many rows."""
    if "folder" in card["package"]:
        from streamgauge.streams.flights import flights

        table = flights(archive, card)
        with pa.CompressedOutputStream(str(path), "gzip") as file:
            pa.csv.write_csv(table, file)
        return len(table)
    with zipfile.ZipFile(archive) as package:
        member = package.open(card["package"]["member"])
        return _write(card, csv.reader(io.TextIOWrapper(member, "utf-8")), path)


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
