"""Kernels on disk with checksums: what is damaged or cannot be written is compiled again.

numba trusts its cache files: half a file raises an error in the middle of a run, and a flipped bit
runs. A file is one kernel here, with a hash of its bytes and the key it was saved under.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from contextlib import AbstractContextManager, suppress
from functools import cache as cached
from pathlib import Path
from typing import IO, Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime import rtsys

from streamgauge._support.inside import Inside, LinkError
from streamgauge._support.locks import Lock, acquire
from streamgauge._support.whole_file import whole_file

_DIGEST = hashlib.sha256().digest_size
_LONGEST = 60.0  # seconds to wait for another process
_PAUSE = 0.01
_held: dict[Path, Lock] = {}


class QuickCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """numba's cache of one kernel, without what only compiling needs.

    numba would first import its implementations of all of Python and NumPy, which takes longer
    than to load the kernels of an evaluation. Its compiler imports them too.

    Where several processes need a kernel that the cache lacks, one compiles it, the others wait.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel of a signature, ready to be called, or None: numba then compiles and saves it.

        A kernel calls only kernels that do not call it, so that no two processes wait for each
        other.
        """
        rtsys.initialize(target_context)  # memory of arrays
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
            if found is None:
                _lock(self._compiling)
                found = self._load_overload(sig, target_context)
                if found is not None:
                    _unlock(self._compiling)
            return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save a kernel that was compiled, for this process and those that wait."""
        try:
            super().save_overload(sig, data)
        finally:
            _unlock(self._compiling)

    @property
    def _compiling(self) -> Path:
        """The file that is locked while a process compiles the kernel."""
        return Path(self._cache_file._index_path).with_suffix(".lock")


def _lock(path: Path) -> None:
    """Wait until no other process compiles a kernel, but not for one that seems to hang."""
    ends = time.monotonic() + _LONGEST
    # A compilation that failed in this process has left its lock.
    while path not in _held and time.monotonic() < ends:
        try:
            if (lock := acquire(_place(path))) is not None:
                _held[path] = lock
            else:
                time.sleep(_PAUSE)
        except OSError:  # a read-only folder
            return


def _unlock(path: Path) -> None:
    if (lock := _held.pop(path, None)) is not None:
        with suppress(OSError):
            lock.release()


class CheckedCacheFile(IndexDataCacheFile):  # type: ignore[misc]
    """numba's index and data files of one kernel, each with a checksum."""

    def save(self, key: Any, data: Any) -> None:
        """Save a kernel; without space or permission, the next process compiles it again."""
        with suppress(OSError):
            super().save(key, (key, data))

    def load(self, key: Any) -> Any:
        """The kernel saved under a key, or None."""
        # A full disk may leave an index that names the data of another key.
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def _load_index(self) -> dict[Any, str]:
        found = _read(self._index_path)
        if found is None:
            return {}
        version, stamp, overloads = found
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return _read(self._data_path(name))

    def _dump(self, thing: Any) -> bytes:
        data: bytes = super()._dump(thing)
        return hashlib.sha256(data).digest() + data

    def _open_for_write(self, path: str) -> AbstractContextManager[IO[bytes]]:
        return whole_file(_place(Path(path)))


def _place(path: Path) -> Inside:
    """A file of numba's, in a folder that it has made in ours."""
    return Inside(path.parents[1], path.parent.name, path.name)


@cached
def _check_folder(ours: Path, numbas: Path) -> None:
    try:
        Inside(ours, *numbas.relative_to(ours).parts).make()
    except LinkError:
        raise
    except OSError:
        pass  # a read-only home


def _read(path: str) -> Any:
    """What a file holds; None if it is missing or damaged."""
    try:
        content = Path(path).read_bytes()
    except OSError:
        return None
    digest, data = content[:_DIGEST], content[_DIGEST:]
    return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None


def check_cache(compiled: Any, folder: Path) -> None:
    """Let a kernel use checked files, and none outside the folder.

    A numba without these private names keeps its own files.
    """
    cache: Any = getattr(compiled, "_cache", None)
    if getattr(cache, "_cache_file", None) is None:
        return
    if not Path(cache.cache_path).is_relative_to(folder):
        cache.disable()  # numba takes the source's folder if it cannot use ours
        return
    _check_folder(folder, Path(cache.cache_path))
    if type(cache._cache_file) is IndexDataCacheFile:
        cache._cache_file.__class__ = CheckedCacheFile
        if type(cache) is FunctionCache:
            cache.__class__ = QuickCache
