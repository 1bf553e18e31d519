"""Whether saved files are as they were written: a checksum in each JSON, and one per other file.

The last field of a sealed JSON file is the checksum of the text before it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from streamgauge._support.errors import InputError
from streamgauge._support.file_stamp import open_regular, read_regular
from streamgauge._support.valid_text import valid_text
from streamgauge.rendering.plain_values import restored
from streamgauge.runs.directories import FORMAT, PARTS, RUN_FILE, id_in_name

REMEDY = "evaluate the run again"
_SEAL = re.compile(rb',\n "checksum": "([0-9a-f]{64})"\n}\n')
_SEAL_BYTES = 84  # of the text that _SEAL matches
_Kind = TypeVar("_Kind")


class StoredFile(msgspec.Struct, frozen=True):
    """What a file of a saved run must be."""

    bytes: int
    sha256: str


class _ListedFiles(msgspec.Struct, frozen=True):
    """The part of a run.json that says what belongs to the run."""

    id: str
    files: dict[str, StoredFile]


class _Header(msgspec.Struct, frozen=True):
    format: Any = None


@valid_text()
def sealed(values: Mapping[str, Any]) -> bytes:
    """Plain values as JSON, with a checksum as the last field."""
    text = msgspec.json.format(msgspec.json.encode(values), indent=1).removesuffix(b"\n}")
    return text + b',\n "checksum": "%s"\n}\n' % hashlib.sha256(text).hexdigest().encode()


def read_sealed(
    file: Path, version: str, kind: type[_Kind], remedy: str, strict: bool = True
) -> _Kind:
    """Read and check a sealed JSON file; `remedy` ends the messages of errors."""
    try:
        text = read_regular(file)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error}; {remedy}") from None
    # A sealed text has each top-level field on a line of its own, indented by one.
    if f'\n "format": "{version}",\n'.encode() not in text:
        found = decode(text, _Header, file, remedy).format
        if found != version:
            raise InputError(
                f"{file}: expected format {version!r}, got {found!r}: another version of "
                f"streamgauge wrote it, or another program; {remedy}"
            )
    seal = _SEAL.fullmatch(text, max(0, len(text) - _SEAL_BYTES))
    if seal is None or hashlib.sha256(text[: seal.start()]).hexdigest().encode() != seal[1]:
        decode(text, _Header, file, remedy)  # the error of a text that was cut says more
        raise InputError(f"{file}: damaged: its checksum does not fit; {remedy}")
    return decode(text, kind, file, remedy, strict)


def decode(text: bytes, kind: type[_Kind], file: Path, remedy: str, strict: bool = True) -> _Kind:
    """Decode JSON; an error names the file and the field."""
    try:
        return msgspec.json.decode(text, type=kind, strict=strict, dec_hook=restored)
    except msgspec.ValidationError as error:
        raise InputError(f"{file}: {error}; {remedy}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{file}: invalid JSON: {error}; {remedy}") from None


def described(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The size and checksum of those files that exist, as plain values."""
    paths = [path for name in names if (path := folder / name).is_file()]
    return {path.name: {"bytes": path.stat().st_size, "sha256": _sha256(path)} for path in paths}


def check_file(path: Path, expected: StoredFile | None, remedy: str, since: int = 0) -> None:
    """Raise an error unless a file is as it was written.

    A file with its size that was not modified at `since` (in nanoseconds) or later is not read.
    """
    if expected is None:
        raise InputError(f"{path}: not part of the saved run; {remedy}")
    try:
        facts = path.stat()
        same = facts.st_size == expected.bytes
        if same and facts.st_mtime_ns >= since:
            same = _sha256(path) == expected.sha256
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error}; {remedy}") from None
    if not same:
        raise InputError(f"{path}: damaged: its checksum does not fit; {remedy}")


def check_files(file: Path, files: Mapping[str, StoredFile], remedy: str, quick: bool) -> None:
    """Raise an error unless the files that a run.json lists are as they were written.

    `quick` trusts those that are not newer than run.json, which is written last.
    """
    since = file.stat().st_mtime_ns if quick else 0
    for name, expected in files.items():
        if name not in PARTS:
            raise InputError(
                f"{file}: files has {name!r}; expected some of {', '.join(PARTS)}; {remedy}"
            )
        check_file(file.parent / name, expected, remedy, since)


def damage(directory: Path, run_id: str | None = None, quick: bool = False) -> str | None:
    """Why a saved run cannot be used; None if it is intact.

    `run_id` is the id that the run must have. `quick` is that of `check_files`.
    """
    file = directory / RUN_FILE
    try:
        listed = read_sealed(file, FORMAT, _ListedFiles, REMEDY)
        check_id(file, listed.id, run_id)
        check_files(file, listed.files, REMEDY, quick)
    except InputError as error:
        return str(error)
    return None


def check_id(file: Path, found: str, run_id: str | None) -> None:
    """Raise an error unless a run.json is of the run with this id, and of its directory."""
    expected = id_in_name(file.parent.name) if run_id is None else run_id
    if not found.startswith(expected):
        raise InputError(
            f"{file}: the run {found[:12]}; expected the run {expected[:12]}; {REMEDY}"
        )


def _sha256(path: Path) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
