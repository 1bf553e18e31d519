"""`ablate`: learners with their features, and with past labels alone (semantics §6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack, overload

from streamgauge._support.call_parser import build
from streamgauge._support.errors import UsageError
from streamgauge._support.printable import printable, printed
from streamgauge.comparison._answer import advantage_text
from streamgauge.comparison.compare import compare
from streamgauge.comparison.result import Comparison
from streamgauge.evaluation.evaluate import evaluate
from streamgauge.evaluation.options import EvaluateArguments
from streamgauge.learners.adapters.coerce import named_learners
from streamgauge.learners.base import Learner, Player, name_of
from streamgauge.learners.wrappers.labels_only import LabelsOnly
from streamgauge.learners.wrappers.past_labels import History
from streamgauge.learners.wrappers.resetting import Resetting
from streamgauge.learners.wrappers.temporal_correction import TemporalCorrection
from streamgauge.learners.wrappers.temporally_augmented import TemporallyAugmented
from streamgauge.measures.verdict import score_text
from streamgauge.prequential.protocols import Holdout
from streamgauge.rendering.html import notebook_html
from streamgauge.rendering.layout import wrap
from streamgauge.rendering.plain_values import plain
from streamgauge.rendering.sheet import sheet_of
from streamgauge.rendering.words import plural, unique_names
from streamgauge.runs.identity import identity_of
from streamgauge.runs.run import Run
from streamgauge.runs.text import table_lines
from streamgauge.streams.coerce import as_stream

FORMAT = "streamgauge.ablation/1"


@dataclass(frozen=True, repr=False)
class Ablation:
    """A learner as given, beside the same learner with past labels instead of features.

    Attributes
    ----------
    run
        The run of the learner as given.
    labels_only
        The run of the same learner with past labels alone.
    comparison
        The comparison of the two, `run` first.
    order, history
        Number of past labels, and whether they are revealed labels or predictions.
    uses_labels
        Whether the learner as given also gets past labels.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> ablation = sg.ablate(sg.SEA(2000, seed=1), "NaiveBayes")
    >>> ablation.answer, round(ablation.gain, 3)
    ('features', 0.252)
    """

    run: Run
    labels_only: Run
    comparison: Comparison
    order: int
    history: History
    uses_labels: bool

    @property
    def gain(self) -> float:
        """The accuracy of the learner as given, minus that of past labels alone."""
        return self.run.overall["accuracy"] - self.labels_only.overall["accuracy"]

    @property
    def answer(self) -> str:
        """What is better by the comparison: "features", "labels" or "neither"."""
        return {"A": "features", "B": "labels"}.get(self.comparison.answer, "neither")

    def to_dict(self) -> dict[str, Any]:
        """The ablation as plain values, as `--json` writes it (docs/json.md)."""
        values: dict[str, Any] = plain(
            {
                "format": FORMAT,
                "learner": self.run.name,
                "labels_only": self.labels_only.name,
                "order": self.order,
                "history": self.history,
                "uses_labels": self.uses_labels,
                "gain": self.gain,
                "answer": self.answer,
                "text": self.details,
            }
        )
        return {**values, "comparison": self.comparison.to_dict()}

    @property
    def details(self) -> str:
        """Both accuracies and what past labels alone get, as text; printing is shorter."""
        return printable(f"{self.run.name}: {self._said().format(f'({self._numbers()})')}.")

    @printed
    def __str__(self) -> str:
        return wrap(advantage_text(self.comparison))

    def _said(self) -> str:
        """The answer in words; {} is where the numbers go."""
        points, more = _points(self.gain), "more" if self.gain > 0 else "less"
        match self.answer, self.comparison.batch_means.word:
            case "features", _:
                if self.uses_labels:
                    return f"its features add {points} of accuracy over past labels alone {{}}"
                worth = f"which are worth {points} of accuracy more"
                return f"past labels do not replace its features, {worth} {{}}"
            case "labels", _:
                return f"past labels alone are better, by {points} of accuracy {{}}"
        return {
            "too few rows to say": "too few rows to say what its features add over past labels "
            "alone {}",
            "equal": "past labels alone predict what its features do {}",
            "open": f"{more} accurate than past labels alone on these rows {{}}, but they do not "
            "show whether that would hold on more of the same",
        }.get(
            self.comparison.batch_means.word,
            "no clear difference between its features and past labels alone {}",
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sheet = sheet_of(table_lines([self.run, self.labels_only]))
        return notebook_html([self.details], sheet, self.comparison)

    def _numbers(self) -> str:
        """Both accuracies, and what the other learner gets."""
        own, other = (
            score_text(run.overall["accuracy"], False) for run in (self.run, self.labels_only)
        )
        labels = " and ".join(
            f"the last {noun if self.order == 1 else plural(self.order, noun)}"
            for noun, histories in (("label", "revealed both"), ("prediction", "predicted both"))
            if self.history in histories.split()
        )
        instead = "and no features" if self.uses_labels else "instead of the features"
        return f"{own} against {other} for {self.labels_only.name}, which gets {labels} {instead}"


@overload
def ablate(
    stream: Any,
    learner: list[Any],
    *,
    order: int = 1,
    protocol: Holdout | str | None = None,
    **options: Unpack[EvaluateArguments],
) -> list[Ablation]: ...
@overload
def ablate(
    stream: Any,
    learner: dict[str, Any],
    *,
    order: int = 1,
    protocol: Holdout | str | None = None,
    **options: Unpack[EvaluateArguments],
) -> dict[str, Ablation]: ...
@overload
def ablate(
    stream: Any,
    learner: Any,
    *,
    order: int = 1,
    protocol: Holdout | str | None = None,
    **options: Unpack[EvaluateArguments],
) -> Ablation: ...
def ablate(
    stream: Any,
    learner: Any,
    *,
    order: int = 1,
    protocol: Holdout | str | None = None,
    **options: Unpack[EvaluateArguments],
) -> Ablation | list[Ablation] | dict[str, Ablation]:
    """Evaluate learners with their features and with past labels alone: what do features add?

    Each learner as given is compared with `LabelsOnly(learner, order)`. A learner that gets past
    labels itself, by `TemporallyAugmented` or `TemporalCorrection`, is compared with `LabelsOnly`
    of its base and, if it has one, with its own order: the same labels, without the features.

    Parameters
    ----------
    stream
        The data, as for `evaluate`, with classes.
    learner
        A learner, as for `evaluate`, a list of them, or a dict of them by name.
    order
        Number of past labels for learners that do not get any themselves.
    protocol
        By default prequential; or `Holdout(every, size)`.
    options
        As in `evaluate`: labels, forget, seed, ...

    Returns
    -------
    Ablation
        Both runs and their comparison; a list or dict of them for a list or dict of learners.

    Raises
    ------
    UsageError
        If a learner has no features to leave out, or past labels cannot replace them.

    References
    ----------
    Ours, not from a paper.

    Examples
    --------
    >>> import streamgauge as sg
    >>> stream = sg.inject(sg.SEA(2000, seed=1), order=2)
    >>> for each in sg.ablate(stream, ["NaiveBayes", "TemporallyAugmented(NaiveBayes)"]):
    ...     print(f"{each.run.name}: {each.gain:+.3f}")
    NaiveBayes: -0.053
    TemporallyAugmented(NaiveBayes()): +0.010
    """
    data = as_stream(stream, target=options.pop("target", None), seed=options.get("seed", 1))
    if data.schema.regression:
        raise UsageError(f"{data.name} is a stream for regression; ablate needs classes")
    chosen = build(protocol, "protocol") if isinstance(protocol, str) else protocol
    if not isinstance(chosen, Holdout | None):
        raise UsageError(
            f"protocol={chosen!r}: ablate compares single runs; expected Holdout(every, size) "
            "or None, the prequential protocol"
        )
    given = named_learners(learner)
    without = {name: labels_only(each, order) for name, each in given.items()}
    # Learners of one base share it: NaiveBayes and TemporallyAugmented(NaiveBayes).
    unique = {identity_of(each): each for each in without.values()}
    names = unique_names([*given, *map(name_of, unique.values())])[len(given) :]
    alone = dict(zip(names, unique.values(), strict=True))
    runs = evaluate(data, {**given, **alone}, protocol=chosen, **options)
    name_alone = dict(zip(unique, names, strict=True))
    made = {}
    for name, other in without.items():
        pair = runs[name], runs[name_alone[identity_of(other)]]
        past, uses_labels = _labels_part(other), _uses_labels(given[name])
        made[name] = Ablation(*pair, compare(*pair), past.order, past.history, uses_labels)
    if isinstance(learner, Mapping):
        return made
    return list(made.values()) if isinstance(learner, list) else made[next(iter(made))]


def labels_only(learner: Any, order: int) -> Learner | Player:
    """The same learner with past labels instead of features."""
    match learner:
        case LabelsOnly():
            raise UsageError(f"{name_of(learner)} has no features to leave out; pass its base")
        case TemporallyAugmented():
            return LabelsOnly(learner.base, learner.order, learner.refresh, learner.history)
        case TemporalCorrection():  # else the last label would count twice
            return labels_only(learner.base, order)
        case Resetting():
            return Resetting(labels_only(learner.base, order), learner.detector)
    return LabelsOnly(learner, order)


def _uses_labels(learner: Any) -> bool:
    if isinstance(learner, TemporallyAugmented | TemporalCorrection):
        return True
    return isinstance(learner, Resetting) and _uses_labels(learner.base)


def _labels_part(learner: Any) -> LabelsOnly:
    return learner if isinstance(learner, LabelsOnly) else _labels_part(learner.base)


def _points(gain: float) -> str:
    """A difference of accuracies in points, with enough digits not to be 0."""
    digits = 1
    while gain and float(f"{100 * abs(gain):.{digits}f}") == 0 and digits < 4:
        digits += 1
    return f"{100 * abs(gain):.{digits}f} points"
