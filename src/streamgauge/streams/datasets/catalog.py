"""Data sets by name: from the STREAMGAUGE_DATA folder, else the cache, else a download."""

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
from streamgauge._support.file_stamp import check_regular_file
from streamgauge._support.paths import exists
from streamgauge.streams.base import Stream
from streamgauge.streams.datasets._card import DEFAULT_VARIANT, Card, parse_card
from streamgauge.streams.datasets._open_dataset import open_stream
from streamgauge.streams.origin import Origin

_CARD_SUFFIX = ".toml"  # a name that ends with it is the path of a user's card


def load(name: str | Path, variant: str | None = None) -> Stream:
    r"""Load a data set as a stream, downloading it on first use.

    The rows and features are the same whichever source the data set comes from.

    Parameters
    ----------
    name
        A data set of the catalog, such as ``"elec2"``, or the path of your own card (a TOML file).
        `streamgauge data list` lists the catalog.
    variant
        An alternative set of features. `streamgauge data info NAME` lists a data set's variants.

    Returns
    -------
    Stream
        The data set's rows in their original order.

    Raises
    ------
    UsageError
        If the data set or variant is unknown, or the card is invalid.
    DownloadError
        If the data set cannot be downloaded.

    Examples
    --------
    >>> import gzip
    >>> from pathlib import Path
    >>> import streamgauge as sg
    >>> with gzip.open("machine.csv.gz", "wt") as file:
    ...     _ = file.write("heat,stops\n20,no\n35,no\n90,yes\n")
    >>> _ = Path("machine.toml").write_text('''
    ... name = "machine"
    ... title = "A machine"
    ... about = "Will the machine stop within the hour?"
    ... paper = "none"
    ... licence = "ours"
    ... target = "stops"
    ... features = ["heat"]
    ... ''')
    >>> stream = sg.load("machine.toml")  # or sg.load("elec2")
    >>> next(stream.blocks(3)).X.tolist()
    [[20.0], [35.0], [90.0]]
    """
    if not isinstance(name, str | Path):
        raise UsageError(
            f"load({name!r}): expected the name of a data set, such as 'elec2', or the path of a "
            "card"
        )
    if variant is None and isinstance(name, str) and is_variant(name):
        name, _, variant = name.partition(":")
    return find_dataset(str(name)).open(variant)


def dataset_names() -> list[str]:
    """The names of all data sets in the catalog, sorted."""
    cards = importlib.resources.files("streamgauge.streams.datasets") / "cards"
    return sorted(card.name.removesuffix(_CARD_SUFFIX) for card in cards.iterdir())


def is_variant(name: str) -> bool:
    """Whether a name is that of a data set and its variant, such as elec2:papers."""
    data_set, colon, _ = name.partition(":")
    return bool(colon) and data_set in dataset_names()


def is_card_path(name: str) -> bool:
    """Whether a name is the path of a user's card."""
    return name.endswith(_CARD_SUFFIX)


def find_dataset(name: str) -> Dataset:
    """Look up a data set by its name in the catalog or by the path of its card."""
    return Dataset(read_card(name), Path(name) if is_card_path(name) else None)


def read_card(name: str) -> Card:
    """Read the card of a data set, given its name in the catalog or the card's path."""
    if is_card_path(name):
        if exists(Path(name)):
            check_regular_file(Path(name), "a card, a TOML file that describes a data set")
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # of the path, or not UTF-8
            raise UsageError(f"{name}: cannot read the card: {error}") from None
        return parse_card(text, name)
    names = dataset_names()
    if name not in names:
        raise UsageError(
            f"unknown data set {name!r}"
            + (
                did_you_mean(name, names)
                or f"; expected one of {len(names)}, such as elec2: `streamgauge data list`; to "
                f"read a file, use sg.read({name!r}, target=...), or --target on the command line"
            )
        )
    cards = importlib.resources.files("streamgauge.streams.datasets") / "cards"
    text = (cards / f"{name}{_CARD_SUFFIX}").read_text(encoding="utf-8")
    return parse_card(text, f"card {name}")


class Location(NamedTuple):
    """Where a data set's file is, or where a download will put it."""

    kind: Literal["folder", "cache", "package", "https", "unavailable"]
    path: Path


@dataclass(frozen=True)
class Dataset:
    """A card and the places where its file may be. `card_path` is None for the catalog's cards."""

    card: Card
    card_path: Path | None = None

    def locate(self) -> Location:
        """The first place that has the file; nothing is downloaded."""
        folders = [self.card_path.parent] if self.card_path else []
        folders += [Path(folder)] if (folder := os.environ.get("STREAMGAUGE_DATA")) else []
        if self.card.events is not None:
            folders += [folder / self.card.events.folder for folder in folders]
        for folder_path in folders:
            if (path := folder_path / self.card.file).exists():
                return Location("folder", path)
        path = cache_dir() / "data" / self._cached_file()
        if path.exists():
            return Location("cache", path)
        if self.card.package is not None:
            return Location("package", path)
        return Location("https" if self.card.https is not None else "unavailable", path)

    def _cached_file(self) -> str:
        """The name in the cache; a user's card may change or share its name, so hash the card."""
        if self.card_path is None:
            return f"{self.card.name}{self.card.suffix}"
        digest = hashlib.sha256(msgspec.json.encode(self.card)).hexdigest()[:12]
        return f"{self.card.name}-{digest}{self.card.suffix}"

    def file(self) -> Path:
        """The path of the file, downloaded first if necessary."""
        location = self.locate()
        if location.kind == "unavailable":
            raise DownloadError(
                f"{self.card.title}: no download source is known; put {self.card.file} (columns "
                f"{', '.join(self.card.columns)}) into a folder and set STREAMGAUGE_DATA to that "
                "folder"
            )
        if location.kind in ("package", "https"):
            from streamgauge.streams.datasets._fetch import fetch  # deferred: a slow import

            fetch(self.card, location.path)
        return location.path

    def open(self, variant: str | None = None) -> Stream:
        """Open the data set as a stream of the variant's features."""
        self.card.features_of(variant)  # an unknown variant fails before the download
        stream = open_stream(self.card, self.file(), variant)
        name = self.card.name if self.card_path is None else str(self.card_path)
        chosen = {} if variant in (None, DEFAULT_VARIANT) else {"variant": variant}
        stream._origin = Origin("load", {"name": name, **chosen})
        stream.leaks = self.card.leaks
        return stream
