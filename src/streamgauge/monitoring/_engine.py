"""The engine of a monitor: held events are released in order of time and scored per model."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from streamgauge._support.inside import Inside
from streamgauge._support.types import NEVER, Clock, Codes, Floats, Longs
from streamgauge.evaluation.plan import Plan, make_plan
from streamgauge.evaluation.probabilities import is_valid, probability_matrix
from streamgauge.learners.run_events import most_probable
from streamgauge.monitoring._alarm_book import AlarmBook
from streamgauge.monitoring._alarms import RuleContext
from streamgauge.monitoring._announce import senders
from streamgauge.monitoring._classes import Classes
from streamgauge.monitoring._error_detector import ErrorDetector
from streamgauge.monitoring._events import E, Held, LabelEvents, PredictionEvents, taken
from streamgauge.monitoring._feed import Vocabularies
from streamgauge.monitoring._file_backed_arrays import FileBackedArrays
from streamgauge.monitoring._live_log import LiveLog
from streamgauge.monitoring._maturity import Maturity
from streamgauge.monitoring._monitored_model import MonitoredModel, ScoredBatch
from streamgauge.monitoring._outbox import Outbox
from streamgauge.monitoring._pairs import ModelPair
from streamgauge.monitoring._spans import span
from streamgauge.monitoring._state_tree import StatePart, check_savable, load_fields
from streamgauge.monitoring.config import MonitorConfig
from streamgauge.prequential.id_table import RetentionRules
from streamgauge.prequential.labels import FromStream
from streamgauge.runs.options import EvaluationOptions

UNKNOWN_LABEL = "a label of a class that is not known"
UNKNOWN_PREDICTION = "a prediction of a class that is not known; it counts as wrong"
INVALID_PROBABILITIES = "probabilities that are not a distribution; they count as missing"
BEHIND = "an event behind the watermark; it counts from then on"
_ANY_CLASSES = ("0", "1")  # where classes are to be learned
_HOUR = 3600 * 10**9
_FEW = 3  # texts of unknown classes that are quoted
_MOST_MODELS = 100
MODEL_TOO_MANY = (
    f"a prediction of a model beyond the first {_MOST_MODELS}; is the column of the model right?"
)
_NO_MODEL = "(no model)"  # predictions whose cell is empty
_NO_CODE = -1  # of their model, and of the only one where no column names models


class Engine:
    """All models of a monitor, and the events that wait their turn.

    Attributes
    ----------
    models
        The models by name.
    now
        The watermark: everything before it has happened.
    clock
        What times count.
    counts
        Events that no model got, by reason.
    """

    state_fields = (
        "clock",
        "classes",
        "models",
        "counts",
        "unknown",
        "now",
        "predictions",
        "labels",
        "pairs",
        "recent",
        "alarms",
    )

    def __init__(self, config: MonitorConfig, folder: Inside, names: Vocabularies) -> None:
        self._config, self._folder, self._names = config, folder, names
        regression = config.task == "regression"
        feed = config.predictions
        self.classes = Classes(
            config.classes, config.learn_classes, list(feed.probabilities), names.classes
        )
        self.models: dict[str, MonitoredModel] = {}
        self.counts: Counter[str] = Counter()
        self.unknown: dict[str, list[str]] = {UNKNOWN_LABEL: [], UNKNOWN_PREDICTION: []}
        self.now = -NEVER
        self.clock: Clock = "integers"
        self._regression = regression
        width = 1 + len(feed.probabilities)
        self.predictions = Held(PredictionEvents.empty(width, len(feed.segments)))
        self.labels = Held(LabelEvents.empty(regression))
        self.recent = LabelEvents.empty(regression)  # of the last while, for new models
        classes = () if regression else self.classes.fixed or _ANY_CLASSES
        log = LiveLog(config.name, "", classes, "UTC", bool(feed.probabilities))
        plan = self._plan(log)  # as that of the first model will be
        self.alarms = AlarmBook(
            config.alarms,
            RuleContext(
                regression, config.scores.detectors,
                {metric.name: metric.scale for metric in plan.metrics},
                plan.scoring(log.schema).reference_names, config.predictions.segments,
                regression or self.classes.declared,
            ),
            self.models, Outbox(senders(config), folder / "delivered"),
        )  # fmt: skip
        self.pairs = [
            ModelPair(a, b, regression, folder / f"pair-{place}.bin")
            for place, (a, b) in enumerate(config.scores.compare)
        ]

    @property
    def held(self) -> int:
        """Number of events that have been read and wait their turn."""
        return len(self.predictions) + len(self.labels)

    def hold(self, predictions: PredictionEvents | None, labels: LabelEvents | None) -> None:
        """Take events that have been read."""
        if predictions is not None:
            self.predictions.add(self._from_now_on(predictions))
        if labels is not None:
            self.labels.add(self._from_now_on(labels))
            if not self._regression:
                self.classes.learn(labels.y)

    def _from_now_on(self, events: E) -> E:
        """Events behind the watermark happen at it: its feed was idle, or lateness has grown."""
        behind = events.times < self.now
        self._count(BEHIND, int(behind.sum()))
        return events._replace(times=np.where(behind, self.now, events.times))

    def release(self, before: int | None, now: int, clock: Clock) -> dict[str, ScoredBatch]:
        """Let all events before a time happen (None: all); return the rows that were scored."""
        if not self._regression and self.classes.fixed is None:
            return {}
        self.now, self.clock = now, clock
        predictions, labels = self.predictions.release(before), self.labels.release(before)
        labels = self._known(labels)
        predictions = predictions._replace(X=self._features(predictions.X))
        batches = {}
        self._make_models(predictions)
        for name, model in self.models.items():
            own = predictions
            if self._config.predictions.model is not None:
                own = taken(predictions, predictions.model == model.code)
            first = int(np.searchsorted(labels.times, model.since))
            batches[name] = model.advance(own, taken(labels, slice(first, None)), now)
            batches[name].labels[batches[name].labels >= 0] += first
        self._remember(labels, now)
        for pair in self.pairs:
            if pair.a in batches and pair.b in batches:
                pair.add(batches[pair.a], batches[pair.b])
        self.alarms.check(self.segment_name, clock)
        for model in self.models.values():
            model.thin(self._config.scores.points)
        return batches

    def maturities(self, pair: ModelPair) -> list[Maturity]:
        """The cohorts of both models of a pair, if there are both."""
        if not (pair.a in self.models and pair.b in self.models):
            return []
        return [self.models[name].maturity for name in (pair.a, pair.b)]

    def dump_state(self) -> dict[str, Any]:
        """What a snapshot keeps; models by their code, since a name may change."""
        models = {model.code: model for model in self.models.values()}
        return {name: getattr(self, name) for name in self.state_fields} | {"models": models}

    def load_parts(self, parts: dict[str, StatePart]) -> None:
        """Go on from a snapshot; rules that it did not have look at the scores as they are."""
        models, alarms = parts.pop("models"), parts.pop("alarms")
        load_fields(self, parts)
        for code, part in models.pairs():
            part.into(self._make_model(code))
        alarms.into(self.alarms)
        self.alarms.outbox.forget_delivered()
        self.alarms.check(self.segment_name, self.clock, history=False)

    def segment_name(self, column: int, code: int) -> str:
        """A segment in words: region=north."""
        texts = self._names.segments[column].texts
        value = texts[code] if code >= 0 else ""
        return f"{self._config.predictions.segments[column]}={value}"

    def _known(self, labels: LabelEvents) -> LabelEvents:
        if self._regression:
            return labels
        y = self.classes.codes()[labels.y]
        unknown = y < 0
        self._note_unknown(UNKNOWN_LABEL, labels.y[unknown])
        return taken(labels._replace(y=y), ~unknown)

    def _features(self, X: Floats) -> Floats:
        """The prediction as a class code, and the probabilities in the order of the classes."""
        if self._regression or not len(X):
            return self._width(X)
        codes = self.classes.codes()
        given = X[:, 0]
        missing = np.isnan(given)
        own = codes[np.where(missing, len(codes) - 1, given).astype(np.int64)]
        self._note_unknown(UNKNOWN_PREDICTION, given[~missing & (own < 0)].astype(np.int64))
        columns = self._config.predictions.probabilities
        if not columns:
            return np.where(own < 0, np.nan, own.astype(np.float64))[:, None]
        matrix = self._probabilities(X[:, 1:])
        if self._config.predictions.prediction is None:
            own = most_probable(matrix)
        return np.column_stack([np.where(own < 0, np.nan, own.astype(np.float64)), matrix])

    def _probabilities(self, given: Floats) -> Floats:
        classes = self.classes.fixed
        assert classes is not None
        by_class = dict(zip(self._config.predictions.probabilities, given.T, strict=True))
        valid = is_valid(by_class, classes, self.classes.declared)
        self._count(INVALID_PROBABILITIES, int((~valid).sum()))
        usable = {text: np.where(valid, column, np.nan) for text, column in by_class.items()}
        return probability_matrix(usable, classes, self.classes.declared, len(given), "proba")

    def _width(self, X: Floats) -> Floats:
        classes = self.classes.fixed or ()
        width = 1 + (len(classes) if self._config.predictions.probabilities else 0)
        return X if X.shape[1] == width else np.empty((0, width))

    def _name(self, code: int) -> str:
        """What a model is called; no other has this name."""
        if self._config.predictions.model is None:
            return self._config.name
        name = own = self._names.models.texts[code] if code >= 0 else _NO_MODEL
        number = 1
        while name in self.models:  # a model may be called like those without a name
            number += 1
            name = f"{own} ({number})"
        return name

    def _make_models(self, predictions: PredictionEvents) -> None:
        """New models, in the order of their first predictions, beyond some number counted only.

        They get the labels that may have come before their predictions, but no older ones.
        """
        if self._config.predictions.model is None:
            if not self.models:
                self._make_model(_NO_CODE)
            return
        known = {model.code for model in self.models.values()}
        codes, first, rows = np.unique(predictions.model, return_index=True, return_counts=True)
        for place in np.argsort(first):
            code = int(codes[place])
            if code in known:
                continue
            if len(self.models) >= _MOST_MODELS:
                self._count(MODEL_TOO_MANY, int(rows[place]))
                continue
            model = self._make_model(code)
            model.began = int(predictions.times[first[place]])
            model.since = model.began - self._rules().remember
            if len(self.recent.times):
                labels = taken(self.recent, self.recent.times >= model.since)
                model.advance(taken(predictions, slice(0)), labels, int(self.recent.times[-1]))

    def _remember(self, labels: LabelEvents, now: int) -> None:
        """Keep the labels that a prediction of a new model may still follow."""
        if self._config.predictions.model is not None:
            both = zip(self.recent, labels, strict=True)
            recent = LabelEvents._make(np.concatenate(each) for each in both)
            self.recent = taken(recent, now - self._rules().remember <= recent.times)

    def _make_model(self, code: int) -> MonitoredModel:
        """A new model, by its code in the vocabulary."""
        name = self._name(code)
        config = self._config
        classes = () if self._regression else self.classes.fixed
        assert classes is not None
        proba = bool(config.predictions.probabilities)
        log = LiveLog(config.name, name, classes, self.clock, proba)
        folder = (self._folder / f"model-{len(self.models)}").make()
        rules = self._rules()
        model = MonitoredModel(
            name, code, log, self._plan(log), rules, folder, config.predictions.segments,
            [ErrorDetector(text, self._regression) for text in config.scores.detectors],
            self._cohort(rules.timeout),
            FileBackedArrays(self._folder.path, config.waiting_in_memory),
        )  # fmt: skip
        self.models[name] = model
        return model

    def _plan(self, log: LiveLog) -> Plan:
        scores, feed = self._config.scores, self._config.predictions
        metrics = scores.metrics or ("all" if feed.probabilities else "labels")
        policy = FromStream(timeout=self._config.join.timeout)
        options = EvaluationOptions(
            labels=policy, forget=self._config.forget, metrics=metrics,
            references=scores.references, every=scores.every,
        )  # fmt: skip
        plan = make_plan(log, options, predictions=False)
        for reference in plan.all_references(log.schema):
            reference.start(log.schema, plan.seed)
            check_savable(reference)
        return plan

    def _rules(self) -> RetentionRules:
        rules = self._config.join
        timeout = span("timeout", rules.timeout)
        if rules.remember is None:
            return RetentionRules(timeout, timeout if self.clock == "integers" else _HOUR)
        return RetentionRules(timeout, span("remember", rules.remember))

    def _cohort(self, timeout: int) -> int:
        """The time that a cohort covers: a day, or an hour if labels have less than two days."""
        if self._config.scores.cohort is not None:
            return span("cohort", self._config.scores.cohort)
        if self.clock == "integers":
            return max(1, timeout // 24)
        return _HOUR if timeout < 48 * _HOUR else 24 * _HOUR

    def _note_unknown(self, what: str, codes: Codes | Longs) -> None:
        """Count texts that are no class, and keep the first few different ones."""
        self._count(what, len(codes))
        known = {str(label).casefold(): label for label in self.classes.fixed or ()}
        _, first = np.unique(codes, return_index=True)
        for code in codes[np.sort(first)].tolist():
            text = self._names.classes.texts[code]
            like = known.get(text.casefold())
            spelled = "" if like is None else f"; the class is spelled {like!r}"
            example = f"{what}: {text!r}{spelled}"
            if len(self.unknown[what]) < _FEW and example not in self.unknown[what]:
                self.unknown[what].append(example)

    def _count(self, what: str, events: int) -> None:
        if events:
            self.counts[what] += events
