"""Data sets by name: from STREAMGAUGE_DATA, else the cache, else a download into the cache."""

from __future__ import annotations

import hashlib
import importlib.resources
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from streamgauge._support.cache_dir import cache_dir
from streamgauge._support.errors import DownloadError, UsageError, did_you_mean
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets._card import Card, parse_card
from streamgauge.streams.datasets._open import open_stream

_OWN = ".toml"  # a name that ends so is the path of a card of one's own


def known() -> list[str]:
    """The names `load` takes, cards of one's own aside."""
    cards = importlib.resources.files("streamgauge.streams.datasets") / "cards"
    return sorted(card.name.removesuffix(_OWN) for card in cards.iterdir())


def is_card(name: str) -> bool:
    """Is this the path of a card of one's own?"""
    return name.endswith(_OWN)


def load(name: str | Path, variant: str | None = None) -> Stream:
    """A data set of the catalog, or of a card of your own, as a stream.

    The same rows and features from every source; `streamgauge data list` names the data sets,
    `streamgauge data info NAME` their variants.
    """
    if not isinstance(name, str | Path):
        raise UsageError(f"load({name!r}): expected a name such as 'elec2', or the path of a card")
    return data_set(str(name)).open(variant)


def data_set(name: str) -> DataSet:
    """A data set by its name in the catalog, or by the path of its card."""
    return DataSet(card_of(name), Path(name) if is_card(name) else None)


def card_of(name: str) -> Card:
    """What is known of a data set."""
    if is_card(name):
        try:
            return parse_card(Path(name).read_text(encoding="utf-8"), name)
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{name}: cannot be read as a card: {error}") from None
    names = known()
    if name not in names:
        hint = did_you_mean(name, names)
        raise UsageError(
            f"no data set {name!r}{hint}; there are: {', '.join(names)}; a file is read with "
            f"read({name!r}, target=...), on the command line --target"
        )
    text = importlib.resources.files("streamgauge.streams.datasets") / "cards" / f"{name}{_OWN}"
    return parse_card(text.read_text(encoding="utf-8"), f"card {name}")


class Place(NamedTuple):
    """Where a data set's file lies, or will lie once it is downloaded."""

    kind: Literal["folder", "cache", "package", "https", "nowhere"]
    path: Path


@dataclass(frozen=True)
class DataSet:
    """A card and the places its file may be in. `own`: the path of a card of one's own."""

    card: Card
    own: Path | None = None

    def place(self) -> Place:
        """The first place that has it; nothing is fetched."""
        folders = [self.own.parent] if self.own else []
        folders += [Path(folder)] if (folder := os.environ.get("STREAMGAUGE_DATA")) else []
        for folder_path in folders:
            if (path := folder_path / self.card.file).exists():
                return Place("folder", path)
        path = cache_dir() / "data" / self._cached()
        if path.exists():
            return Place("cache", path)
        if self.card.package is not None:
            return Place("package", path)
        return Place("https" if self.card.https is not None else "nowhere", path)

    def _cached(self) -> str:
        """Cards of one's own may share a name, and change."""
        if self.own is None:
            return self.card.file
        said = hashlib.sha256(msgspec.json.encode(self.card)).hexdigest()[:12]
        return f"{self.card.name}-{said}.csv.gz"

    def find(self) -> Path:
        """The file, downloaded if need be."""
        place = self.place()
        if place.kind == "nowhere":
            raise DownloadError(
                f"{self.card.title}: no place is known to fetch it from; put {self.card.file} "
                f"(columns {', '.join(self.card.columns)}) into a folder and name that in "
                "STREAMGAUGE_DATA"
            )
        if place.kind in ("package", "https"):
            from streamgauge.streams.datasets._fetch import fetch

            fetch(self.card, place.path)
        return place.path

    def open(self, variant: str | None = None) -> Stream:
        """As a stream of the variant's features."""
        self.card.features_of(variant)  # a variant that is none is not worth a download
        return open_stream(self.card, self.find(), variant)
