"""The conditions a run was evaluated under, as objects: label policy, protocol, classes.

A run keeps its settings as text so that it can be stored; here they become objects, once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from streamgauge._support import registry
from streamgauge._support.call_parser import build, build_known
from streamgauge._support.errors import UsageError
from streamgauge.prequential.labels import Immediate, LabelPolicy
from streamgauge.prequential.protocols import Holdout, PrequentialCV
from streamgauge.runs.run import Run


@dataclass(frozen=True, repr=False)
class ExternalHoldout:
    """A `Holdout` with a test set from another stream, of which a run keeps only the name."""

    every: int
    size: int
    test: str

    def __repr__(self) -> str:
        return f"Holdout(every={self.every}, size={self.size}, test={self.test!r})"


Protocol = Holdout | ExternalHoldout | PrequentialCV


@dataclass(frozen=True)
class Conditions:
    """What runs must have in common to be compared."""

    stream: str
    labels: LabelPolicy | str  # str: a custom policy, of which a run keeps only the text
    classes: tuple[Any, ...]  # () = regression
    protocol: Protocol | None = None
    model: int | None = None  # of a cross-validation
    longest_wait: int | None = 1  # rows until every label is known; None: unknown
    assumed: bool = False  # columns carry no label policy: labels are assumed immediate

    @property
    def reuses_test_set(self) -> bool:
        """Whether the same test set is predicted repeatedly."""
        match self.protocol:
            case Holdout(test=test):
                return test != "interleaved"
            case ExternalHoldout():
                return True
        return False

    def labels_text(self) -> str:
        """The label policy and the protocol, for reports."""
        if self.assumed:
            return "assumed immediate"
        labels = str(self.labels)
        return labels if self.protocol is None else f"{labels} · {self.protocol_text()}"

    def protocol_text(self) -> str:
        """The protocol, with the model of a cross-validation."""
        return str(self.protocol) + ("" if self.model is None else f", model {self.model}")


def assumed_conditions(classes: tuple[Any, ...] = ()) -> Conditions:
    """The conditions of plain columns: each label is assumed to arrive with its row."""
    return Conditions("columns", Immediate(), classes, assumed=True)


def conditions_of(run: Run) -> Conditions:
    """The conditions of a run."""
    settings = run.settings
    return Conditions(
        run.stream.name,
        _label_policy(settings.labels),
        run.classes,
        None if settings.protocol is None else _protocol(settings.protocol),
        settings.model,
        settings.longest_wait,
    )


def _label_policy(text: str) -> LabelPolicy | str:
    try:
        policy: LabelPolicy = build(text, "label policy")
    except UsageError:
        return text
    return policy


def _protocol(text: str) -> Protocol:
    def find(name: str) -> Any:
        return _holdout if name == "Holdout" else registry.find(name)

    protocol: Protocol = build_known(text, "protocol", registry.names("protocol"), find)
    return protocol


def _holdout(every: int, size: int, test: str) -> Holdout | ExternalHoldout:
    match test:
        case "interleaved" | "first":
            return Holdout(every, size, test)
    return ExternalHoldout(every, size, test)
