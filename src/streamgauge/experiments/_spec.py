"""The spec of an experiment: strictly read, frozen, with a canonical text and its hash."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta

from streamgauge._support.errors import UsageError, did_you_mean
from streamgauge._support.registry import SECOND_NAMES
from streamgauge._support.strict_toml import convert, line_of, parse_toml
from streamgauge._support.valid_text import valid_text
from streamgauge.runs.directories import readable
from streamgauge.runs.options import EXPERIMENT_OPTIONS, Option

_Text: TypeAlias = Annotated[str, Meta(min_length=1)]
_Path: TypeAlias = Annotated[str, Meta(pattern=r"^[^\x00]+\Z")]
_Count: TypeAlias = Annotated[int, Meta(gt=0, lt=2**53)]
_Seed: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31)]
_Seeds: TypeAlias = Annotated[int, Meta(gt=0, le=100_000)]
_Texts: TypeAlias = tuple[_Text, ...]
_UNITS = {"": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


KEPT = "memory:"  # begins the text of an object that only the process of the grid has


def is_kept(text: object) -> bool:
    """Whether a text names an object that only the process of the grid has."""
    return isinstance(text, str) and text.startswith(KEPT)


def shown_text(text: str) -> str:
    """A text for tables and messages."""
    return text.removeprefix(KEPT).rpartition("#")[0] if is_kept(text) else text


class StreamEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options of every stream: row limit, orders of temporal injection, name."""

    kind: ClassVar[str]  # the key of a spec that says which stream it is
    rows: _Count | None = None
    inject: tuple[Annotated[int, Meta(ge=0)], ...] | Annotated[int, Meta(ge=0)] = 0
    name: _Text | None = None


class LoadEntry(StreamEntry, frozen=True, kw_only=True):
    """A data set of the catalog, or the path of a user's card."""

    kind: ClassVar[str] = "load"
    load: _Path
    variant: _Text | None = None


class ReadEntry(StreamEntry, frozen=True, kw_only=True):
    """A file, with the keys of `sg.read`."""

    kind: ClassVar[str] = "read"
    read: _Path
    target: _Text | None = None
    features: _Texts | None = None
    drop: _Texts = ()
    nominal: _Texts = ()
    classes: tuple[str | int, ...] | None = None
    arrives: _Text | None = None
    revealed: _Text | None = None
    task: Literal["classification", "regression"] | None = None


class GenerateEntry(StreamEntry, frozen=True, kw_only=True):
    """A generator or a transform: `splice([SEA(5000), SEA(5000, variant=1)], at=[5000])`."""

    kind: ClassVar[str] = "generate"
    generate: _Text


class TenetEntry(StreamEntry, frozen=True, kw_only=True):
    """Streams of the TENET benchmark: "all" or names, with one or more kinds of drift."""

    kind: ClassVar[str] = "tenet"
    tenet: _Text | _Texts
    drift: _Text | _Texts = "abrupt"


class ObjectEntry(StreamEntry, frozen=True, kw_only=True):
    """A stream that `Grid` was given as an object, by its key; a file cannot have one."""

    kind: ClassVar[str] = "memory"
    memory: _Text


KINDS: dict[str, type[StreamEntry]] = {
    each.kind: each for each in (LoadEntry, ReadEntry, GenerateEntry, TenetEntry)
}
_ALL_KINDS: dict[str, type[StreamEntry]] = {**KINDS, ObjectEntry.kind: ObjectEntry}


class Spec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An experiment: every stream × learner × label policy × seed is a cell.

    `make_spec` adds the options of `evaluate` as further fields.
    """

    streams: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1)]
    learners: (
        Annotated[_Texts, Meta(min_length=1)] | Annotated[dict[_Text, _Text], Meta(min_length=1)]
    )
    name: _Text = "experiment"
    seeds: _Seeds | Annotated[tuple[_Seed, ...], Meta(min_length=1)] = 1
    labels: _Texts = ()  # by default the stream's reveal times if it has them, else immediate
    detectors: _Texts = ()  # run over the predictions of every run
    modules: _Texts = ()  # user modules, for learners such as "mine:Learner(x=1)"
    predictions: bool = True  # save them with every run
    timeout: Annotated[float, Meta(gt=0)] | None = None  # seconds per cell
    max_memory: _Count | _Text | None = None  # bytes, or "2 GB"

    @property
    def options(self) -> dict[str, Any]:
        """The options of every evaluation: texts, numbers and tuples of them."""
        return {each.name: getattr(self, each.name) for each in EXPERIMENT_OPTIONS}

    @property
    def sources(self) -> tuple[StreamEntry, ...]:
        """The entries of `streams`, each as its struct."""
        return tuple(source_of(values) for values in self.streams)

    @property
    def seed_list(self) -> tuple[int, ...]:
        """The seeds; `seeds = 3` means 1, 2, 3."""
        return self.seeds if isinstance(self.seeds, tuple) else tuple(range(1, self.seeds + 1))

    @property
    def named_learners(self) -> dict[str, str]:
        """Learner texts by their names in tables."""
        if isinstance(self.learners, dict):
            return self.learners
        return {_name_of(text): text for text in self.learners}

    @property
    def memory_bytes(self) -> int | None:
        """`max_memory` in bytes."""
        if not isinstance(self.max_memory, str):
            return self.max_memory
        found = re.fullmatch(r"(\d+(?:\.\d+)?) *(\w*)", self.max_memory)
        if not found or found[2] not in _UNITS:
            raise UsageError(f"max_memory: {self.max_memory!r}; expected bytes, or text: '2 GB'")
        return int(float(found[1]) * _UNITS[found[2]])

    def canonical(self) -> str:
        """A text that is equal for equal experiments."""
        return json.dumps(msgspec.to_builtins(self), sort_keys=True, ensure_ascii=False)

    @property
    @valid_text()
    def sha256(self) -> str:
        """Hash of the canonical text."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()


def _type_of(option: Option) -> Any:
    """The type of an option in a file."""
    made: Any = _Text
    match option.form:
        case "flag":
            made = bool
        case "integer":
            made = Annotated[int, Meta(ge=option.least, lt=2**53)]
        case "matrix":
            made = tuple[tuple[float, ...], ...]
        case "texts" if option.default is None:
            made = Annotated[_Texts, Meta(min_length=1)]
        case "texts":
            made = _Text | _Texts if isinstance(option.default, str) else _Texts
    return made | None if option.default is None else made


_FILE: Any = msgspec.defstruct(
    "Spec",
    [(each.name, _type_of(each), each.default) for each in EXPERIMENT_OPTIONS],
    bases=(Spec,),
    module=__name__,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
)


def source_of(values: dict[str, Any], where: str = "stream") -> StreamEntry:
    """Read one stream of a spec; exactly one of the keys load, read, generate, tenet is given."""
    kinds = [key for key in values if key in _ALL_KINDS]
    if len(kinds) != 1:
        unknown = next((key for key in values if key not in KINDS), "")
        hint = "" if kinds else did_you_mean(unknown, KINDS)
        raise UsageError(
            f"{where}: {' and '.join(kinds) or 'keys ' + ', '.join(map(str, values)) + hint}; "
            f"expected exactly one of {', '.join(KINDS)}"
        )
    return convert(values, _ALL_KINDS[kinds[0]], where)


def make_spec(values: dict[str, Any], where: str, text: str = "") -> Spec:
    """Make a spec from plain values; `text` is the file's content, so that errors name the line."""
    if _is_list(values.get("streams")):
        tables = [entry_of_text(each) if isinstance(each, str) else each
                  for each in values["streams"]]  # fmt: skip
        values = {**values, "streams": tables}
        for number, stream in enumerate(tables):
            if not isinstance(stream, dict):
                raise UsageError(
                    f"{where}: streams[{number}]: {stream!r}; expected a text such as 'elec2', or "
                    'a table such as {load = "elec2"} or {generate = "SEA(1000)"}'
                )
    spec: Spec = convert(values, _FILE, where, text=text)
    for number, stream in enumerate(spec.streams):
        value = next((value for value in stream.values() if isinstance(value, str)), "")
        source_of(stream, f"{where}{line_of(text, value)}: streams[{number}]")
    lists: dict[str, Sequence[Any]] = {
        "labels": [*map(shown_text, spec.labels)],
        "forget": spec.options["forget"] or (),
        "modules": spec.modules,
        "detectors": spec.detectors,
    }
    lists["seeds"] = spec.seed_list
    texts = spec.learners
    lists["learners"] = [*texts.values()] if isinstance(texts, dict) else [*map(_name_of, texts)]
    for field, values_of_field in lists.items():
        (most, times), *_ = Counter(values_of_field).most_common(1) or [("", 0)]
        if times > 1:
            line = line_of(text, str(most))
            raise UsageError(f"{where}{line}: {field}: {most!r} is listed more than once")
    if spec.detectors and not spec.predictions:
        line = line_of(text, "predictions")
        raise UsageError(f"{where}{line}: detectors need the predictions; remove predictions=false")
    try:
        _ = spec.memory_bytes
    except UsageError as error:
        raise UsageError(f"{where}{line_of(text, 'max_memory')}: {error}") from None
    return spec


def entry_of_text(text: str) -> dict[str, Any]:
    """The table for a text: a generator, a stream of TENET, a data set, a card or a file."""
    if text.rstrip().endswith(")"):
        return {"generate": text}
    prefix, colon, name = text.partition(":")
    if colon and prefix == "tenet":
        name, _, drift = name.partition(":")
        return {"tenet": name} | ({"drift": drift} if drift else {})
    return {"load" if text.isidentifier() or text.endswith(".toml") else "read": text}


def _name_of(learner: str) -> str:
    """The name of a learner in tables, from its text, without second names such as SWT.

    >>> _name_of("KNN()"), _name_of("SWT(KNN())"), _name_of("mine:SWT()")
    ('KNN', 'TemporallyAugmented(KNN())', 'mine:SWT')
    """
    return _SECOND.sub(_first_name, shown_text(learner).strip().removesuffix("()"))


_SECOND = re.compile(rf"(?<![\w.:])({'|'.join(SECOND_NAMES)})(?=\(|\)|,|$)")


def _first_name(found: re.Match[str]) -> str:
    return SECOND_NAMES[found[0]]


def _is_list(values: Any) -> bool:
    return isinstance(values, list | tuple)


def read_spec(path: str | Path) -> tuple[Spec, str]:
    """Read a TOML file; return the spec, and the text for later error messages."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # of the path, or not UTF-8
        raise UsageError(f"{path}: cannot read the experiment: {error}") from None
    return make_spec(parse_toml(text, str(path)), str(path), text), text


def slug_of(name: str) -> str:
    """The name of an experiment as a file name; a hash makes it unique if characters were replaced.

    >>> slug_of("trees"), slug_of("trees, deep")
    ('trees', 'trees_deep-eb8981')
    """
    short = readable(name)
    return short if short == name else f"{short}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
