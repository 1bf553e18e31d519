"""Run ids: a hash of everything that determines a run's numbers, known before it runs."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from streamgauge.learners.base import CompiledLearner
from streamgauge.measures.metric import Metric

NUMBERS = 2  # incremented when the numbers of a run change; see CHANGELOG.md


@dataclass(frozen=True)
class Settings:
    """The settings of a run, apart from stream and learner, as text; part of its id."""

    labels: str
    forget: tuple[str, ...]
    every: int
    metrics: tuple[str, ...]
    seed: int
    warmup: int
    cost: tuple[tuple[float, ...], ...] | None
    oracle: bool
    custom_metrics: dict[str, str] = field(default_factory=dict)  # name → function and version
    references: tuple[str, ...] = ()  # those added to the default ones
    reevaluate: str | None = None
    protocol: str | None = None
    model: int | None = None  # of a cross-validation

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


def identity_of(learner: Any) -> str:
    """A learner, its parameters and its code's version as text, the same in every process."""
    if isinstance(learner, CompiledLearner):
        return repr(learner)
    if type(learner).__module__.startswith("streamgauge.") and hasattr(learner, "base"):
        # The repr of a wrapper may show only the name of its base.
        return f"{learner!r} of {identity_of(learner.base)}"
    given = getattr(learner, "_given", learner)
    kind = given if inspect.isroutine(given) or inspect.isclass(given) else type(given)
    # An object whose repr has no parameters is identified by its attributes.
    is_opaque = repr(given).startswith("<") and hasattr(given, "__dict__")
    shown = vars(given) if is_opaque else given
    text = f"{kind.__module__}.{kind.__qualname__} {shown!r} {_code_version(kind)}"
    text += f" {getattr(learner, 'made_with', '')}"
    if given is not learner and hasattr(learner, "get_params"):  # an adapter's, e.g. batch_size
        others = {
            name: value
            for name, value in learner.get_params().items()
            if value is not given and name != "name"
        }
        text += f" {others}" if others else ""
    return re.sub(r"\s+", " ", re.sub(r" at 0x[0-9a-f]+", "", text)).strip()


def custom_metrics(metrics: Iterable[Metric]) -> dict[str, str]:
    """The metrics that are not ours: name → their function and its version."""
    return {
        metric.name: _function_identity(metric.value)
        for metric in metrics
        if not str(getattr(metric.value, "__module__", "")).startswith("streamgauge.")
    }


def _function_identity(function: Any) -> str:
    """A function's place and a hash of its code and of the values it has captured."""
    if not inspect.isfunction(function):
        return identity_of(function)
    captured = [cell.cell_contents for cell in function.__closure__ or ()]
    text = f"{_code_text(function.__code__)} {captured} {function.__defaults__}"
    version = hashlib.sha256(re.sub(r" at 0x[0-9a-f]+", "", text).encode()).hexdigest()
    return f"{function.__module__}.{function.__qualname__} (sha256 {version})"


def _code_text(code: CodeType) -> str:
    """Compiled code as text. A source line would not do: it may hold two functions."""
    constants = [_code_text(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _code_version(kind: Any) -> str:
    """The version of the package, or a hash of the file if it has no version."""
    package = kind.__module__.partition(".")[0]
    if package in ("streamgauge", "__main__"):  # NUMBERS versions our code; a script has no version
        return ""
    if version := getattr(sys.modules.get(package), "__version__", None):
        return f"({package} {version})"
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None:
        return ""
    return f"(sha256 {hashlib.sha256(Path(file).read_bytes()).hexdigest()})"
