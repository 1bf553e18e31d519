"""The configuration of a monitor: `monitor.toml` as structs, checked."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from streamgauge._support.call_parser import build
from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError, shown
from streamgauge._support.strict_toml import convert, parse_toml
from streamgauge._support.types import Label
from streamgauge._support.valid_text import valid_text
from streamgauge.monitoring.sources.base import Source
from streamgauge.monitoring.sources.declarations import find_source, settings_of, usual_source

Span = str | int  # "36h", or a number in the unit of integer times


class FeedConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where events come from, and their columns.

    A feed that was read is of a subclass which has the settings of its source as fields, too.
    """

    source: ClassVar[type[Source]] = Source  # type: ignore[type-abstract]
    settings: ClassVar[tuple[str, ...]] = ()

    kind: str  # of source
    id: str = "id"
    time: str = "time"

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        raise NotImplementedError

    def open_source(self, home: Path) -> Source:
        """The source; its paths are relative to `home`."""
        settings = {name: getattr(self, name) for name in self.settings}
        return self.source(self.columns, home, **settings)  # type: ignore[call-arg]


class PredictionFeed(FeedConfig, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where predictions come from, and their columns. With `label`, labels come from there, too."""

    prediction: str | None = None
    proba: str | dict[str, str] | None = None  # a column, or columns with their classes
    model: str | None = None
    segments: list[str] = []
    label: str | None = None
    label_time: str | None = None

    @property
    def probabilities(self) -> dict[str | None, str]:
        """Columns of probabilities by class; None: the positive class."""
        if self.proba is None or isinstance(self.proba, str):
            return {} if self.proba is None else {None: self.proba}
        return {label: column for column, label in self.proba.items()}

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        given = [self.id, self.time, self.prediction, *self.probabilities.values(), self.model]
        given += [*self.segments, self.label, self.label_time]
        return list(dict.fromkeys(column for column in given if column is not None))


class LabelFeed(FeedConfig, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where labels come from, and their columns."""

    label: str = "label"

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        return list(dict.fromkeys([self.id, self.time, self.label]))


class JoinRules(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How events are joined; durations are texts, or numbers if times are integers."""

    timeout: Span
    lateness: Span = 0
    remember: Span | None = None
    ahead: Span | None = None
    idle: str | None = None  # on this computer's clock, whatever the times of events count


class Scoring(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What is measured."""

    forget: list[str] = msgspec.field(default_factory=lambda: ["Cumulative()", "Window(1000)"])
    metrics: str | list[str] | None = None
    references: list[str] = []
    detectors: list[str] = []
    compare: list[tuple[str, str]] = []
    every: int = 100  # scored rows between two checks of the alarms and points of the curve
    points: int = 2000  # of the curve; beyond them every other one is left out
    cohort: Span | None = None


class AlarmRule(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """When to raise an alarm: a threshold, a reference that is better, or a detector."""

    name: str | None = None
    metric: str = "accuracy"
    over: str = "Cumulative()"
    below: float | None = None
    above: float | None = None
    worse_than: str | None = None
    detector: str | None = None
    clear: float | None = None  # the value at which the alarm ends
    rows: int = 300  # scored rows before it may be raised
    model: str | None = None
    segment: str | None = None


class BaselinePeriod(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What the newest window is compared with, by the times of labels."""

    first: Span | None = None  # the first while, such as "30d"
    start: Span | None = msgspec.field(default=None, name="from")
    to: Span | None = None


_FEEDS: dict[str, type[FeedConfig]] = {"predictions": PredictionFeed, "labels": LabelFeed}


_FREE = (
    "command", "webhook", "alarms", "snapshot", "waiting_in_memory", "state", "name",
    "learn_classes", "baseline",
)  # fmt: skip
_FREE_KEYS = {"join": ("lateness", "ahead", "idle"), "scores": ("points",)}


class MonitorConfig(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """All that `monitor.toml` says."""

    predictions: PredictionFeed
    join: JoinRules
    labels: LabelFeed | None = None
    name: str = "monitor"
    state: str = "monitor-state"
    task: Literal["classification", "regression"] = "classification"
    classes: list[Label] | None = None
    learn_classes: int = 1000  # labels from which classes are learned, if none are declared
    scores: Scoring = Scoring()
    baseline: BaselinePeriod | None = None
    alarms: list[AlarmRule] = []
    command: list[str] = []  # run when an alarm is raised or ends
    webhook: str | None = None  # gets the same as JSON
    snapshot: Span = "10s"  # time between snapshots
    waiting_in_memory: int = 20_000_000  # rows; beyond them the waiting room is on disk

    @property
    def forget(self) -> list[str]:
        """All forgettings: those of the scores, and those that alarms name."""
        named = [rule.over for rule in self.alarms if rule.detector is None]
        return list(dict.fromkeys([*self.scores.forget, *named]))

    @property
    @valid_text()
    def binding(self) -> dict[str, str]:
        """What a snapshot belongs to, by key: all that decides what was read, joined and measured.

        Other settings may change between two starts.
        """
        given = msgspec.to_builtins(self)
        for free in _FREE:
            given.pop(free)
        for table, keys in _FREE_KEYS.items():
            for key in keys:
                given[table].pop(key)
        given["scores"]["forget"] = self.forget
        for name, feed in (("predictions", self.predictions), ("labels", self.labels)):
            for movable in () if feed is None else feed.source.movable:
                given[name].pop(movable)  # a log may move; its content is checked
        found: dict[str, str] = {}
        for name, value in given.items():
            values = {name: value}
            if isinstance(value, dict) and name in (*_FEEDS, *_FREE_KEYS):
                values = {f"{name}.{key}": each for key, each in value.items()}
            found |= {key: msgspec.json.encode(each).decode() for key, each in values.items()}
        return found


def read_config(path: str | Path, home: Path | None = None) -> MonitorConfig:
    """Read a TOML file, with paths relative to `home`, by default its folder.

    Errors name the key and the line.
    """
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot read the configuration: {error.strerror}") from None
    return make_config(
        parse_toml(text, str(path)), str(path), text, place.parent if home is None else home
    )


def make_config(
    values: Mapping[str, Any], where: str = "monitor", text: str = "", home: Path = Path()
) -> MonitorConfig:
    """The configuration from plain values; paths in it are relative to `home`."""
    tables: dict[str, type[msgspec.Struct]] = {
        "join": JoinRules,
        "scores": Scoring,
        "alarms": AlarmRule,
        "baseline": BaselinePeriod,
    }
    values, fields = dict(values), []
    for name, feed in _FEEDS.items():
        tables[name] = feed
        if isinstance(values.get(name), Mapping):
            tables[name], values[name] = _with_source(feed, values[name], home, f"{where}: {name}")
            fields.append((name, tables[name]))
    whole: type[Any] = msgspec.defstruct(
        "MonitorConfig", fields, bases=(MonitorConfig,), kw_only=True, frozen=True,
        forbid_unknown_fields=True,
    )  # fmt: skip
    config = _with_usual_texts(convert(values, whole, where, tables, text), where)
    _check(config, where)
    return config


def _with_source(
    feed: type[FeedConfig], given: Mapping[str, Any], home: Path, where: str
) -> tuple[type[FeedConfig], dict[str, Any]]:
    """A feed with the settings of its source as fields, and its values with the kind of source."""
    values = dict(given)
    kind = values.pop("kind", None)
    if kind is None:
        kind, values = usual_source(values, home)
    if not isinstance(kind, str | type):
        raise UsageError(f"{where}: kind = {shown(kind)}; expected the name of a source")
    try:
        name, source = find_source(kind)
        settings = settings_of(source)
        taken = next((each for each in settings if hasattr(feed, each)), None)
        if taken is not None:
            raise UsageError(f"source {name}: its setting {taken!r} is a key of feeds; rename it")
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None
    fields = [
        (each, kind) if default is inspect.Parameter.empty else (each, kind, default)
        for each, (kind, default) in settings.items()
    ]
    made: type[Any] = msgspec.defstruct(
        feed.__name__, fields, bases=(feed,), kw_only=True, frozen=True, forbid_unknown_fields=True,
        namespace={"source": source, "settings": tuple(settings)},
    )  # fmt: skip
    return made, {**values, "kind": name}


def _with_usual_texts(config: MonitorConfig, where: str) -> MonitorConfig:
    """The configuration, in which equal forgettings are written in the same way."""

    def usual(text: str, key: str) -> str:
        try:
            return repr(build(text, "forgetting"))
        except UsageError as error:
            raise UsageError(f"{where}: {key}: {error}") from None

    forget = [usual(each, "scores: forget") for each in config.scores.forget]
    alarms = [replace(rule, over=usual(rule.over, "alarms: over")) for rule in config.alarms]
    return replace(config, scores=replace(config.scores, forget=forget), alarms=alarms)


def _check(config: MonitorConfig, where: str) -> None:
    feed = config.predictions
    if feed.prediction is None and feed.proba is None:
        raise UsageError(
            f"{where}: predictions: expected prediction = 'COLUMN', proba = 'COLUMN' or both"
        )
    if (config.labels is None) == (feed.label is None):
        raise UsageError(
            f"{where}: expected labels either in a feed of their own, [labels], or in the feed of "
            "predictions: label = 'COLUMN'"
        )
    if feed.label_time is not None and feed.label is None:
        raise UsageError(f"{where}: predictions: label_time needs label = 'COLUMN'")
    if config.task == "regression" and (config.classes is not None or feed.proba is not None):
        raise UsageError(f"{where}: task = 'regression' has no classes and no probabilities")
    if feed.model is None:
        for rule in config.alarms:
            if rule.model not in (None, config.name):
                raise UsageError(
                    f"{where}: alarms: model = {rule.model!r}, but the only model is "
                    f"{config.name!r}; expected that name, or no model"
                )
    given = config.baseline
    if given is not None and (given.first is None) == (given.start is None and given.to is None):
        raise UsageError(
            f"{where}: baseline: expected first = '30d', or from and to, or one of these two"
        )
    if config.webhook is not None and not config.webhook.startswith(("http://", "https://")):
        raise UsageError(
            f"{where}: webhook = {config.webhook!r}; expected an address, https://... or http://..."
        )
    if config.join.idle is not None:
        duration("join: idle", config.join.idle)
    if config.scores.every < 1 or config.learn_classes < 1:
        raise UsageError(f"{where}: every and learn_classes: expected 1 or more")
    if config.labels is not None and feed.kind == config.labels.kind and feed.source.one_feed:
        raise UsageError(f"{where}: {feed.kind} can be one feed only; name a file for the other")
