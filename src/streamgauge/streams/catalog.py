"""Data sets by name: from STREAMGAUGE_DATA, else the cache, else a download into the cache."""

from __future__ import annotations

import importlib.resources
import os
import tomllib
from pathlib import Path
from typing import Any

from streamgauge.compiled import cache_home
from streamgauge.errors import DownloadError, UsageError
from streamgauge.streams.base import Stream
from streamgauge.streams.files import read
from streamgauge.streams.packages import fetch


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
    card = card_of(name)
    return read(
        _find(card),
        target=card["target"],
        features=card["features"],
        classes=card["classes"],
        arrives=card.get("arrives"),
        revealed=card.get("revealed"),
        name=name,
    )


def card_of(name: str) -> dict[str, Any]:
    """What is known of a data set."""
    text = importlib.resources.files("streamgauge.streams") / "cards" / f"{name}.toml"
    return tomllib.loads(text.read_text())


def _find(card: dict[str, Any]) -> Path:
    if folder := os.environ.get("STREAMGAUGE_DATA"):
        path = Path(folder, card["file"])
        if path.exists():
            return path
    path = Path(cache_home(), "data", card["file"])
    if path.exists():
        return path
    if "package" not in card:
        raise DownloadError(
            f"{card['title']}: no place is known to fetch it from; put {card['file']} "
            f"({card['about_file']}) into a folder and name that in STREAMGAUGE_DATA"
        )
    try:
        fetch(card, path)
    except DownloadError:
        raise
    except OSError as error:
        raise DownloadError(
            f"{card['title']}: cannot be kept in {path.parent}: {error}; name a folder that "
            "can be written in STREAMGAUGE_CACHE"
        ) from None
    return path
