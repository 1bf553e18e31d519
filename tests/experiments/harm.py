"""Damage the files of a store at random: bytes, lengths, types, formats, names."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

from streamgauge.runs.integrity import sealed

_VALUES: list[Any] = [None, -1, 1e308, "x", "\x1b[31m", [], {}, [[]], {"a": None}, True, 2**70]


def damage_something(store: Path, rng: random.Random, resealed: bool = False) -> str:
    """Damage a random file of the store and say what was done.

    `resealed` also writes JSON with checksums that fit, which only another program would do.
    """
    files = sorted(p for p in store.rglob("*") if p.is_file() and ".running" not in p.parts)
    if not files:
        return "nothing left"
    file = rng.choice(files)
    kinds = ["flip", "flip", "cut", "empty", "remove", "directory", "append", "zeros", "swap"]
    kinds += ["pipe", "device"]
    if file.suffix == ".json":
        kinds += ["json", "json", "format", *(["resealed"] * 9 if resealed else [])]
    kind = rng.choice(kinds)
    if kind == "swap":
        file.write_bytes(rng.choice(files).read_bytes())
    else:
        _HARM[kind](file, rng)
    return f"{kind}: {file.relative_to(store)}"


def _flip(file: Path, rng: random.Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(rng.randint(1, 5) if content else 0):
        content[rng.randrange(len(content))] ^= rng.randint(1, 255)
    file.write_bytes(content)


def _cut(file: Path, rng: random.Random) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: rng.randrange(len(content) + 1)])


def _to_directory(file: Path, rng: random.Random) -> None:
    file.unlink()
    file.mkdir()


def _to_pipe(file: Path, rng: random.Random) -> None:
    file.unlink()
    os.mkfifo(file)


def _to_device(file: Path, rng: random.Random) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


def _zeros(file: Path, rng: random.Random) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def _json(file: Path, rng: random.Random, seal: bool = False) -> None:
    """Another value somewhere in the JSON, perhaps with a checksum that fits."""
    try:
        values = json.loads(file.read_bytes())
    except ValueError:
        return
    if not isinstance(values, dict) or not values:
        return
    place: Any = values
    while True:
        key = rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if isinstance(place[key], dict | list) and place[key] and rng.random() < 0.6:
            place = place[key]
            continue
        if isinstance(place, dict) and rng.random() < 0.2:
            del place[key]
        else:
            place[key] = rng.choice(_VALUES)
        break
    if seal:
        values.pop("checksum", None)
        file.write_bytes(sealed({"extra": 0, **values}))
    else:
        file.write_text(json.dumps(values))


def _format(file: Path, rng: random.Random) -> None:
    text = file.read_bytes()
    file.write_bytes(text.replace(b"run/4", b"run/5").replace(b"grid/2", b"grid/3"))


_HARM: dict[str, Any] = {
    "flip": _flip,
    "cut": _cut,
    "empty": lambda file, rng: file.write_bytes(b""),
    "remove": lambda file, rng: file.unlink(),
    "directory": _to_directory,
    "pipe": _to_pipe,
    "device": _to_device,
    "append": lambda file, rng: file.write_bytes(file.read_bytes() + rng.randbytes(9)),
    "zeros": _zeros,
    "json": _json,
    "resealed": lambda file, rng: _json(file, rng, seal=True),
    "format": _format,
}
