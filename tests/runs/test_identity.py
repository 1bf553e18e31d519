"""Run ids depend on the settings, the learner's code and the version of our numbers."""

from __future__ import annotations

import importlib
import re
import sys
import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import streamgauge as sg
from streamgauge._support.types import Block
from streamgauge.evaluation.texts import object_of
from streamgauge.learners.adapters.coerce import as_learner
from streamgauge.runs.identity import NUMBERS, identity_of
from streamgauge.testing import example_stream
from tests.evaluation.toys import Fixed

ROOT = Path(__file__).parents[2]


def test_identity_contains_a_hash_of_user_code_and_package_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, str] = {}
    for text in ("x = 1", "x = 2"):
        name = f"own_{text[-1]}"
        (tmp_path / f"{name}.py").write_text(f"class Own:\n    {text}\n")
        monkeypatch.syspath_prepend(tmp_path)
        names[text] = identity_of(importlib.import_module(name).Own()).replace(name, "own")
    assert names["x = 1"] != names["x = 2"]
    rivers = identity_of(object_of("river:naive_bayes.GaussianNB()", "learner"))
    assert re.search(r"\(river \d+\.\d+", rivers)


def distinct(learners: list[Any]) -> int:
    return len({identity_of(as_learner(each)) for each in learners})


def test_models_of_scikit_learn_differ_in_every_parameter() -> None:
    pytest.importorskip("sklearn")
    from sklearn.linear_model import SGDClassifier
    from sklearn.naive_bayes import GaussianNB

    priors = np.full(2000, 1 / 2000)
    other = priors.copy()
    other[1000:1002] = 0, 2 / 2000
    late = sg.from_sklearn(SGDClassifier())
    late.period = 50
    learners = [
        sg.from_sklearn(SGDClassifier()), late, sg.from_sklearn(SGDClassifier(), batch_size=20),
        sg.from_sklearn(SGDClassifier(alpha=0.5)), GaussianNB(priors=priors),
        GaussianNB(priors=other),
    ]  # fmt: skip
    assert distinct(learners) == len(learners)
    assert distinct([late, sg.from_sklearn(SGDClassifier(), batch_size=50)]) == 1
    assert distinct([sg.from_sklearn(SGDClassifier(), name=name) for name in "ab"]) == 1


def test_models_of_river_differ_in_functions_and_inner_objects() -> None:
    pytest.importorskip("river")
    from river import compose, linear_model, optim

    def pipeline(function: Any, rate: float = 0.1) -> Any:
        model = linear_model.LogisticRegression(optimizer=optim.SGD(rate))
        return compose.Pipeline(compose.FuncTransformer(function), model)

    def scaled(by: float) -> Any:
        return lambda x: {key: value * by for key, value in x.items()}

    learners = [
        pipeline(scaled(1.0)), pipeline(scaled(2.0)), pipeline(scaled(1.0), 0.5),
        pipeline(lambda x: x), pipeline(lambda x: {}),
    ]  # fmt: skip
    assert distinct(learners) == len(learners)


def test_modules_of_pytorch_differ_in_what_their_factory_captures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Module:
        pass

    torch = types.ModuleType("torch")
    torch.nn = types.SimpleNamespace(Module=Module)  # type: ignore[attr-defined]
    torch.__version__ = "2.0"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)

    def mlp(lr: float, hidden: int = 8) -> Any:
        def make(inputs: int, outputs: int) -> Any:
            return inputs, hidden, outputs

        return sg.from_torch(make, optimizer=lambda parameters: (parameters, lr))

    slower = mlp(0.5)
    slower.period = 64
    assert distinct([mlp(1e-6), mlp(0.5), mlp(0.5, hidden=64), slower]) == 4
    assert distinct([mlp(0.5), mlp(0.5)]) == 1
    assert "(torch 2.0)" in identity_of(mlp(0.5))


class Quiet(Fixed):
    """All of them look the same."""

    def __repr__(self) -> str:
        return "Quiet()"


class Nightly:
    labels_first = True

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def timetable(self, block: Block) -> sg.Timetable:
        row = np.arange(block.start, block.start + len(block))
        return sg.Timetable(row, (row // self.rows + 1) * self.rows, np.ones(len(block)))


def test_constant_repr_does_not_make_two_runs_one(tmp_path: Path) -> None:
    runs = [sg.evaluate(sg.SEA(99, seed=1), Quiet(value)) for value in ([1, 0], [0, 1], [1, 0])]
    assert len({run.id for run in runs}) == 2
    assert len({run.save(tmp_path) for run in runs}) == 2


def test_label_policies_and_test_sets_of_the_user_are_part_of_the_id() -> None:
    def run(**options: Any) -> sg.Run:
        return sg.evaluate(sg.SEA(99, seed=1), sg.NaiveBayes(), **options)  # type: ignore[no-any-return]

    by_rows = [run(labels=Nightly(rows)) for rows in (3, 5, 3)]
    assert len({each.id for each in by_rows}) == 2
    assert by_rows[0].settings.labels == f"<{__name__}.Nightly object>"  # no address
    inside = [run(labels=sg.Sampled(0.5, labels=Nightly(rows))) for rows in (3, 5)]
    assert inside[0].id != inside[1].id

    def test_set(shift: float) -> sg.Stream:
        return sg.SEA(20, seed=2).map(lambda X, y: (X + shift, y))

    held_out = [run(protocol=sg.Holdout(9, 5, test=test_set(shift))) for shift in (0, 1, 0)]
    assert held_out[0].id == held_out[2].id != held_out[1].id
    assert run().settings.custom == {}


def test_learner_without_identity_is_an_error_before_anything_runs() -> None:
    class Locked(Fixed):
        def __deepcopy__(self, memo: Any) -> Any:
            return self

    learner = Locked([1, 0])
    learner.lock = threading.Lock()  # type: ignore[attr-defined]
    with pytest.raises(sg.UsageError, match=r"Locked.lock: cannot tell this _thread.lock from"):
        sg.evaluate(sg.SEA(99, seed=1), learner)


def test_seed_of_a_run_is_required() -> None:
    for seed in (None, -1, "one", 1.5):
        with pytest.raises(sg.UsageError, match=r"evaluate: seed=.*; expected an integer, 0 or"):
            sg.evaluate(sg.SEA(99), sg.NaiveBayes(), seed=seed)  # type: ignore[arg-type]
    given: Any = np.int64(3)
    runs = [
        sg.evaluate(sg.SEA(99), sg.NaiveBayes(), labels=sg.Sampled(0.5), seed=seed)
        for seed in (3, given)
    ]
    assert runs[0].id == runs[1].id


def test_global_random_numbers_of_streams_and_policies_follow_the_seed_of_the_run() -> None:
    def noisy(X: Any, y: Any) -> Any:
        return X + np.random.normal(size=X.shape), y  # noqa: NPY002

    def run(seed: int) -> sg.Run:
        stream = sg.SEA(200, seed=1).map(noisy)
        return sg.evaluate(stream, sg.NaiveBayes(), labels=Nightly(4), seed=seed)

    one, again, other = run(1), run(1), run(2)
    assert one.predictions.equals(again.predictions)
    assert one.id == again.id
    assert not one.predictions.equals(other.predictions)


def test_changelog_states_the_current_numbers_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text().partition("### Numbers change")[2]
    assert re.search(rf"`NUMBERS` is {NUMBERS}\b", changes)


def test_id_depends_on_what_determines_the_numbers() -> None:
    def run(**options: object) -> sg.Run:
        return sg.evaluate(sg.SEA(300, seed=1), sg.NaiveBayes(), **options)  # type: ignore[no-any-return, call-overload]

    assert run().id == run(block_rows=50).id == run(predictions=False).id
    others = [run(seed=2), run(labels=sg.Delay(3)), run(warmup=9), run(forget=[sg.Window(5)])]
    assert len({r.id for r in [run(), *others]}) == 5


def test_id_depends_on_the_settings_of_re_evaluation() -> None:
    stream = example_stream()
    settings = [
        None,
        sg.Reevaluate(2, 3),
        sg.Reevaluate(2, 4),
        sg.Reevaluate(2, 3, compat="moa-fork"),
    ]
    runs = [sg.evaluate(stream, sg.NaiveBayes(), reevaluate=how) for how in settings]
    assert len({run.id for run in runs}) == 4
