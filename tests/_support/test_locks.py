"""Locked files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from streamgauge._support.inside import Inside
from streamgauge._support.locks import acquire, is_locked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no file locks")

HOLDER = """
import sys, time
from streamgauge._support.inside import Inside
from streamgauge._support.locks import acquire
assert acquire(Inside.of(sys.argv[1])) is not None
print("locked", flush=True)
time.sleep(60)
"""


def test_a_lock_is_exclusive_until_released(tmp_path: Path) -> None:
    path = tmp_path / "cell.lock"
    assert not is_locked(path)
    lock = acquire(Inside.of(path))
    assert lock is not None
    lock.write(b"here")
    assert is_locked(path)
    assert acquire(Inside.of(path)) is None
    assert path.read_bytes() == b"here"
    lock.release()
    assert not path.exists()
    again = acquire(Inside.of(path))
    assert again is not None
    again.release()


def test_death_of_the_holder_releases_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "cell.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        assert is_locked(path)
        assert acquire(Inside.of(path)) is None
        holder.kill()
        holder.wait()
    assert path.exists()
    assert not is_locked(path)
    lock = acquire(Inside.of(path))
    assert lock is not None
    lock.release()
