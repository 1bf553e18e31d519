"""The options of an evaluation, declared once: in Python, on command lines, in files and runs.

`EvaluationOptions` holds them as given, `evaluation.plan.Plan` as checked objects and
`runs.identity.Settings` as texts. `OPTIONS` describes each of them: the command line, the keys of
experiments and the command that repeats a run are made from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from streamgauge._support.errors import UsageError

if TYPE_CHECKING:
    import numpy.typing as npt

    from streamgauge.measures.forgetting import Forgetting
    from streamgauge.measures.metric import Metric
    from streamgauge.prequential.labels import LabelPolicy
    from streamgauge.prequential.protocols import FoldModel, Holdout, PrequentialCV
    from streamgauge.prequential.reevaluation.reevaluate import Reevaluate

Form = Literal["text", "texts", "integer", "flag", "matrix"]
# Groups of options in --help.
LATE, METRICS, MORE = "Events and late labels", "Metrics and references", "More"


class Option(NamedTuple):
    """How an option is written outside Python."""

    name: str
    default: Any
    help: str  # on the command line
    form: Form
    kind: str = ""  # of the object that a text describes, as in the registry; empty: a plain text
    metavar: str = ""
    flag: str = ""  # on the command line
    least: int = 0  # of an integer
    varies: bool = False  # between the cells of an experiment, which has a key of its own for it
    group: str | None = None  # in --help; None: with what is wanted most

    def words(self, value: Any) -> list[str]:
        """A value as words of the command line; none for the default."""
        if value == self.default:
            return []
        match self.form:
            case "flag":
                return [self.flag]
            case "texts":
                listed = [value] if isinstance(value, str) else value
                return [word for each in listed for word in (self.flag, each)]
            case "matrix":
                return [self.flag, json.dumps(value)]
        return [self.flag, str(value)]

    def read(self, given: Any) -> Any:
        """A value of the command line as `evaluate` takes it."""
        if given is None or given == []:
            return self.default
        return _matrix(self.flag, given) if self.form == "matrix" else given


def _matrix(flag: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise UsageError(
            f"{flag} {text}: expected a list of rows of numbers, e.g. '[[0, 1], [5, 0]]'"
        ) from None


def _written(form: Form, help: str, **others: Any) -> dict[str, Any]:
    return {"form": form, "help": help, **others}


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """The options of an evaluation, unchecked; `evaluate` explains each of them."""

    protocol: Holdout | PrequentialCV | FoldModel | str | None = field(
        default=None,
        metadata=_written(
            "text",
            "E.g. 'Holdout(1000, 500)' or 'PrequentialCV(10)'.",
            kind="protocol",
            metavar="PROTOCOL",
            group=MORE,
        ),
    )
    labels: LabelPolicy | str | None = field(
        default=None,
        metadata=_written(
            "text",
            "When labels come: 'Delay(100)', 'Sampled(0.1)', ...",
            kind="label policy",
            metavar="POLICY",
            varies=True,
        ),
    )
    forget: Sequence[Forgetting | str] | None = field(
        default=None,
        metadata=_written(
            "texts",
            "How metrics forget: 'Window(1000)', 'Fading(0.999)'.",
            kind="forgetting",
            metavar="FORGETTING",
            group=METRICS,
        ),
    )
    seed: int = field(
        default=1,
        metadata=_written("integer", "Random seed.", varies=True, group=MORE),
    )
    warmup: int = field(
        default=0,
        metadata=_written("integer", "Train on N rows before scoring.", group=MORE),
    )
    metrics: str | Sequence[str | Metric] = field(
        default="labels",
        metadata=_written(
            "texts",
            "A metric, 'labels' (default) or 'all' (also AUC, ...).",
            kind="metric",
            metavar="METRIC",
            group=METRICS,
            flag="--metric",
        ),
    )
    references: Sequence[Any] = field(
        default=(),
        metadata=_written(
            "texts",
            "A learner to add to the references.",
            kind="learner",
            metavar="LEARNER",
            group=METRICS,
            flag="--reference",
        ),
    )
    cost: npt.ArrayLike | None = field(
        default=None,
        metadata=_written(
            "matrix",
            "For cost_loss, true by predicted: '[[0, 1], [5, 0]]'.",
            metavar="MATRIX",
            group=METRICS,
        ),
    )
    every: int | None = field(
        default=None,
        metadata=_written(
            "integer",
            "Rows per point of the curve. Default: some 500 points.",
            least=1,
            group=METRICS,
        ),
    )
    oracle: bool = field(
        default=False,
        metadata=_written("flag", "Let Persistent see labels that are still late.", group=LATE),
    )
    reevaluate: Reevaluate | str | None = field(
        default=None,
        metadata=_written(
            "text",
            "'Reevaluate(every=10)': predict waiting rows again.",
            kind="re-evaluation",
            metavar="HOW",
            group=LATE,
        ),
    )
    max_labels: int | None = field(
        default=None,
        metadata=_written("integer", "Stop once N labels have been revealed.", least=1, group=LATE),
    )

    @classmethod
    def among(cls, values: Mapping[str, Any]) -> EvaluationOptions:
        """The options among other values, such as the arguments of a function."""
        return cls(**{option.name: values[option.name] for option in OPTIONS})


OPTIONS: tuple[Option, ...] = tuple(
    Option(each.name, each.default, **{
        "flag": f"--{each.name.replace('_', '-')}",
        "metavar": "N" if each.metadata["form"] == "integer" else "",
        **each.metadata,
    })
    for each in fields(EvaluationOptions)
)  # fmt: skip
EXPERIMENT_OPTIONS = tuple(option for option in OPTIONS if not option.varies)


def command_words(options: EvaluationOptions) -> list[str]:
    """The options that are not at their default, as words of the command line."""
    return [word for each in OPTIONS for word in each.words(getattr(options, each.name))]
