"""A damaged, read-only or full kernel cache: kernels are compiled again, numbers stay the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from streamgauge._support import checked_cache
from streamgauge._support.inside import Inside
from streamgauge._support.locks import acquire, is_locked
from tests._support.test_jit import copy_support, run_python

KERNELS = """
from streamgauge._support.jit import inner, kernel

@inner
def double(x):
    return 2 * x

@kernel
def total(x):
    return double(x) + 1
"""
# Reloading the module makes new kernels, which ask the cache as in a new process.
SCRIPT = """
import importlib, os, random, resource, shutil, sys
from pathlib import Path
import streamgauge.kernels as module

cache = Path(os.environ["STREAMGAUGE_CACHE"])

def use():
    importlib.reload(module)
    found = module.total(3), module.total(3.5)
    return found, sum(module.total.stats.cache_hits.values())

def files():
    return sorted([*cache.rglob("*.nbi"), *cache.rglob("*.nbc")])
"""
DAMAGE = r"""
def cut(data, rng): return data[: len(data) // 2]
def empty(data, rng): return b""
def noise(data, rng): return rng.randbytes(len(data))
def other(data, rng): return b"\x80\x04N." + data
def flip(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1:]

expected, _ = use()
assert use() == (expected, 2), use()
rng = random.Random(1)
for damage in (cut, empty, noise, other, flip, flip):
    for path in files():
        path.write_bytes(damage(path.read_bytes(), rng))
    found, hits = use()
    assert (found, hits) == (expected, 0), (damage, found, hits)
    assert use() == (expected, 2)  # repaired

for suffix in (".nbi", ".nbc"):
    for path in files():
        if path.suffix == suffix:
            path.unlink()
            path.mkdir()
    assert use()[0] == expected
    for path in files():
        if path.is_dir():
            path.rmdir()
    assert use()[0] == expected
    assert use() == (expected, 2)

first, second = [path for path in files() if "total-" in path.name and "nbc" in path.name]
first.write_bytes(second.read_bytes())  # whole, but another kernel's
assert use()[0] == expected
print("same numbers")
"""
FULL = """
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
expected, hits = use()
assert use() == (expected, 0)
assert not [path for path in files() if path.stat().st_size > 200]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert use()[0] == expected
assert use() == (expected, 2)
print("same numbers")
"""
UNUSABLE = """
assert use() == use() == ((7, 8.0), 0)
assert not files()
assert not list(Path(module.__file__).parent.rglob("*.nb?"))  # nor beside the source
print("same numbers")
"""


@pytest.mark.long
@pytest.mark.parametrize("code", [DAMAGE, FULL])
def test_damaged_or_full_cache_changes_no_number(tmp_path: Path, code: str) -> None:
    copy_support(tmp_path / "streamgauge")
    (tmp_path / "streamgauge" / "kernels.py").write_text(KERNELS)
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": str(tmp_path / "cache")}
    assert run_python(SCRIPT + code, **env).stdout == "same numbers\n"


@pytest.mark.parametrize("where", [pytest.param("/proc/none", marks=pytest.mark.long), "file"])
def test_unusable_cache_folder_is_bypassed(tmp_path: Path, where: str) -> None:
    copy_support(tmp_path / "streamgauge")
    (tmp_path / "streamgauge" / "kernels.py").write_text(KERNELS)
    (tmp_path / "file").write_text("not a folder")
    cache = str(tmp_path / where) if where == "file" else where
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": cache}
    assert run_python(SCRIPT + UNUSABLE, **env).stdout == "same numbers\n"


def test_kernels_of_the_cache_load_without_the_compiler(tmp_path: Path) -> None:
    copy_support(tmp_path / "streamgauge")
    (tmp_path / "streamgauge" / "kernels.py").write_text(KERNELS)
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": str(tmp_path / "cache")}
    use = "import sys, streamgauge.kernels as module; module.total(3)\n"
    ask = "print('numba.np.arraymath' in sys.modules)\n"
    assert run_python(use + ask, **env).stdout == "True\n"
    new_signature = "assert module.total(3.5) == 8.0\n"
    assert run_python(use + ask + new_signature + ask, **env).stdout == "False\nTrue\n"


def test_process_waits_while_another_compiles_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checked_cache, "_LONGEST", 0.05)
    path = tmp_path / "kernel.lock"
    other = acquire(Inside.of(path))
    assert other is not None
    checked_cache._lock(path)  # never released: after a while it compiles, too
    checked_cache._unlock(path)
    assert is_locked(path)
    other.release()
    for _ in range(2):  # the second time as after a compilation that failed
        checked_cache._lock(path)
        assert is_locked(path)
    checked_cache._unlock(path)
    assert not path.exists()
    checked_cache._lock(tmp_path / "none" / "kernel.lock")  # where no file can be made


@pytest.mark.long
def test_of_two_processes_one_compiles_each_kernel(tmp_path: Path) -> None:
    copy_support(tmp_path / "streamgauge")
    (tmp_path / "streamgauge" / "kernels.py").write_text(KERNELS)
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": str(tmp_path / "cache")}
    code = (
        "import streamgauge.kernels as module; assert module.total(3) == 7\n"
        "print(sum(module.total.stats.cache_misses.values()))"
    )
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(lambda _: run_python(code, **env), range(2))
    assert sorted(each.stdout for each in done) == ["0\n", "1\n"]
    assert not list(tmp_path.rglob("*.lock"))


def test_user_without_a_home_has_no_cache(tmp_path: Path) -> None:
    code = (
        "import pathlib\n"
        "def home(): raise RuntimeError('Could not determine home directory.')\n"
        "pathlib.Path.home = home\n"
        "from streamgauge._support.cache_dir import cache_dir; print(cache_dir())"
    )
    env = {"STREAMGAUGE_CACHE": "", "XDG_CACHE_HOME": ""}
    assert run_python(code, **env).stdout == "/dev/null/streamgauge\n"


@pytest.mark.long
def test_damaged_answer_about_hooks_is_asked_again(tmp_path: Path) -> None:
    code = (
        "import os, pathlib; from streamgauge._support import numba_hooks\n"
        "works = numba_hooks.available()\n"
        "(answer,) = pathlib.Path(os.environ['STREAMGAUGE_CACHE']).rglob('hooks-*')\n"
        "for text in (b'', b'\\xff\\x00', b'perhaps'):\n"
        "    answer.write_bytes(text); numba_hooks.available.cache_clear()\n"
        "    assert numba_hooks.available() == works\n"
        "print(answer.read_text())"
    )
    assert run_python(code, STREAMGAUGE_CACHE=str(tmp_path)).stdout in ("yes\n", "no\n")
