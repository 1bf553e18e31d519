"""The configuration of a monitor: `monitor.toml` as structs, checked."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from streamgauge._support.call_parser import build
from streamgauge._support.durations import duration
from streamgauge._support.errors import UsageError
from streamgauge._support.strict_toml import convert, parse_toml
from streamgauge._support.types import Label
from streamgauge._support.valid_text import valid_text

Format = Literal["csv", "jsonl", "parquet"]
Span = str | int  # "36h", or a number in the unit of integer times


class PredictionFeed(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where predictions come from, and their columns. With `label`, labels come from there, too."""

    path: str
    format: Format | None = None
    id: str = "id"
    time: str = "time"
    prediction: str | None = None
    proba: str | dict[str, str] | None = None  # a column, or columns with their classes
    model: str | None = None
    segments: list[str] = []
    label: str | None = None
    label_time: str | None = None
    repeats: bool = False  # standard input sends everything again after a restart

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


class LabelFeed(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where labels come from, and their columns."""

    path: str
    format: Format | None = None
    id: str = "id"
    time: str = "time"
    label: str = "label"
    repeats: bool = False

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
    alarms: list[AlarmRule] = []
    command: list[str] = []  # run when an alarm is raised or ends
    snapshot: Span = "10s"  # time between snapshots
    waiting_in_memory: int = 20_000_000  # rows; beyond them the waiting room is on disk

    @property
    def forget(self) -> list[str]:
        """All forgettings: those of the scores, and those that alarms name."""
        named = [rule.over for rule in self.alarms if rule.detector is None]
        return list(dict.fromkeys([*self.scores.forget, *named]))

    @property
    @valid_text()
    def fingerprint(self) -> str:
        """A hash of all that changes figures: a snapshot belongs to it."""
        given = msgspec.to_builtins(self)
        for free in ("command", "snapshot", "waiting_in_memory", "alarms", "state", "name"):
            given.pop(free)
        given["forget"] = self.forget
        for feed in ("predictions", "labels"):
            if given[feed]:
                given[feed].pop("path")  # a log may move; its content is checked
        return hashlib.sha256(msgspec.json.encode(given, order="sorted")).hexdigest()[:16]


def read_config(path: str | Path) -> MonitorConfig:
    """Read a TOML file; errors name the key and the line."""
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot read the configuration: {error.strerror}") from None
    return make_config(parse_toml(text, str(path)), str(path), text)


def make_config(values: dict[str, Any], where: str = "monitor", text: str = "") -> MonitorConfig:
    """The configuration from plain values."""
    tables: dict[str, type[msgspec.Struct]] = {
        "predictions": PredictionFeed,
        "labels": LabelFeed,
        "join": JoinRules,
        "scores": Scoring,
        "alarms": AlarmRule,
    }
    config = _with_usual_texts(convert(values, MonitorConfig, where, tables, text), where)
    _check(config, where)
    return config


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
    if config.join.idle is not None:
        duration("join: idle", config.join.idle)
    if config.scores.every < 1 or config.learn_classes < 1:
        raise UsageError(f"{where}: every and learn_classes: expected 1 or more")
    if config.labels is not None and feed.path == config.labels.path == "-":
        raise UsageError(f"{where}: standard input can be one feed only; name a file for the other")
