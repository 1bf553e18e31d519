"""Run ids: a hash of everything that determines a run's numbers, known before it runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from streamgauge._support.canonical import Canonical
from streamgauge._support.value_text import without_addresses
from streamgauge.measures.metric import Metric
from streamgauge.runs.options import EvaluationOptions

NUMBERS = 5  # incremented when the numbers of a run change; see CHANGELOG.md
_LONGEST = 1000  # characters of a canonical text; of a longer one there is a hash
_SHOWN = 900
_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True, kw_only=True)
class Settings(EvaluationOptions):
    """The options of a run as texts and numbers, with the defaults filled in; part of its id."""

    labels: str = field()  # not the default of the options: a stored run has it
    forget: tuple[str, ...] = field()
    every: int = field()
    metrics: tuple[str, ...] = field()
    seed: int = field()
    warmup: int = field()
    cost: tuple[tuple[float, ...], ...] | None = field()
    oracle: bool = field()
    references: tuple[str, ...] = ()  # those added to the default ones
    reevaluate: str | None = None
    protocol: str | None = None
    custom_metrics: dict[str, str] = field(default_factory=dict)  # name → identity
    custom: dict[str, str] = field(
        default_factory=dict
    )  # labels, forget, ... of the user → identity
    model: int | None = None  # of a cross-validation
    longest_wait: int | None = None  # every label is known after this many rows; None: unknown

    @property
    def late(self) -> bool:
        """Whether labels come later than right after their row's prediction."""
        return self.labels not in ("Immediate()", "Delay(1)")


def run_id(stream: str, learner: str, settings: Settings) -> str:
    """The id of a run, from the stream's fingerprint, the learner's identity and the settings."""
    parts = {
        "numbers": NUMBERS,
        "stream": stream,
        "learner": learner,
        "settings": asdict(settings),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def identity_of(thing: Any) -> str:
    """A learner, its parameters and its code as text, the same in every process."""
    return _shortened(Canonical(thing).text)


def custom_metrics(metrics: Iterable[Metric]) -> dict[str, str]:
    """The metrics that are not ours: name → their function's identity."""
    return {metric.name: identity_of(metric.value) for metric in metrics if is_custom(metric)}


def is_custom(metric: Metric) -> bool:
    """Whether a metric's function is not ours."""
    return not str(getattr(metric.value, "__module__", "")).startswith("streamgauge.")


def custom_settings(things: Iterable[Any]) -> dict[str, str]:
    """The settings whose text does not say all: text → identity.

    Those are the user's own, and ours with a stream or a function of the user inside.
    """
    found = {setting_text(each): Canonical(each) for each in things if not is_plain(each)}
    return {text: _shortened(each.text) for text, each in found.items() if each.foreign}


def is_plain(setting: Any) -> bool:
    """Whether a setting is ours and its text says all: its parameters are numbers and texts."""
    if not type(setting).__module__.startswith("streamgauge."):
        return setting is None
    values = getattr(setting, "__dict__", {"": setting}).values()
    return all(type(each) in _PLAIN for each in values)


def setting_text(thing: Any) -> str:
    """A setting as text, the same in every process."""
    return without_addresses(repr(thing))


def _shortened(text: str) -> str:
    """The text, or its beginning and a hash."""
    if len(text) <= _LONGEST:
        return text
    version = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return f"{text[:_SHOWN]}… (sha256 {version})"
