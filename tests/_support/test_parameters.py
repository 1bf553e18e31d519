"""Every learner, wrapper, detector and generator shows its parameters."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import streamgauge as sg
from streamgauge._support import registry
from streamgauge._support.parameters import Parametrized
from streamgauge.learners._snapshot import in_arrays
from streamgauge.testing import example_stream

KINDS: tuple[registry.Kind, ...] = ("learner", "reference", "wrapper", "detector", "generator")
NAMES = registry.own_names(*KINDS)
REQUIRED: dict[str, Any] = {
    "base": sg.NaiveBayes(), "detector": sg.DDM(warm_start=20), "p": 0.1, "every": 5, "n": 10,
}  # fmt: skip
# Values other than the defaults, where the rules of `other` do not find one.
OTHER: dict[str, Any] = {
    "compat": "moa", "memory": "sensor", "split_criterion": "gini", "optimizer": "sgd",
    "forget": sg.Window(50),
    "on": sg.Window(50), "long": sg.Fading(0.9999), "short": sg.Fading(0.9), "fading": 0.9,
    "max_features": 0.5, "leaf_prediction": "mean", "history": "both", "start_as": 1,
    "max_byte_size": 10**6, "max_depth": 4, "window_size": 100, "n_drift_centroids": 3, "seed": 7,
    "drift_delta": 0.2,
    "warning_delta": 0.2, "beta": 0.7, "alpha": 0.97, "learning_rate": 0.5,
    "cell": "gru", "average": "logits", "base_learner": "hoeffding_tree",
    "training_method": "subspaces", "below": 0.4,
}  # fmt: skip
ONE_OF = {"EDetector": ("above", "below", 0.3)}  # the first, unless the second is given
NEEDED = {("LED", "n_drift_features"): {"irrelevant_features": True},
          ("Waveform", "n_drift_features"): {"has_noise": True}}  # fmt: skip


def make(name: str, **parameters: Any) -> Any:
    """The named object, with required parameters filled in."""
    if name == "CLSTM":
        pytest.importorskip("torch")
    kind = registry.find(name)
    required = {
        each: REQUIRED[each]
        for each, parameter in inspect.signature(kind).parameters.items()
        if parameter.default is inspect.Parameter.empty
    }
    if name in ONE_OF:
        first, second, value = ONE_OF[name]
        required |= {} if second in parameters else {first: value}
    return kind(**{**required, **parameters})


def other(name: str, parameter: str, default: Any) -> Any:
    """A valid value other than the default."""
    if parameter == "leaf_prediction" and default == "nba":
        return "nb"
    if parameter in OTHER:
        return OTHER[parameter]
    if isinstance(default, bool):
        return not default
    return default + 1 if isinstance(default, int) else default * 1.5 or 0.25


def optional(name: str) -> dict[str, Any]:
    signature = inspect.signature(registry.find(name))
    return {
        each: parameter.default
        for each, parameter in signature.parameters.items()
        if parameter.default is not inspect.Parameter.empty and each not in ONE_OF.get(name, ())[:1]
    }


def rebuilt(thing: object) -> Any:
    """The object that its repr makes."""
    return eval(repr(thing), {name: registry.find(name) for name in registry.PUBLIC})


@pytest.mark.parametrize("name", NAMES)
def test_get_params_equals_constructor_parameters_and_attributes(name: str) -> None:
    thing = make(name)
    assert isinstance(thing, Parametrized)
    parameters = thing.get_params()
    assert list(parameters) == list(inspect.signature(registry.find(name)).parameters)
    assert all(getattr(thing, each) is value for each, value in parameters.items())
    for each, default in optional(name).items():
        assert parameters[each] == default


@pytest.mark.parametrize("name", NAMES)
def test_repr_makes_the_same_object(name: str) -> None:
    assert repr(rebuilt(make(name))) == repr(make(name))


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, each) for name in NAMES for each in optional(name)]
)
def test_repr_shows_values_other_than_the_default(name: str, parameter: str) -> None:
    default = optional(name)[parameter]
    value = other(name, parameter, default)
    assert value != default
    thing = make(name, **{parameter: value}, **NEEDED.get((name, parameter), {}))
    assert thing.get_params()[parameter] == value
    assert f"{parameter}={value!r}" in repr(thing)
    assert rebuilt(thing).get_params()[parameter] == value
    assert f"{parameter}=" not in repr(make(name))


@pytest.mark.parametrize(
    "name", [n for n in registry.own_names("learner", "reference") if n != "CLSTM"]
)
def test_state_of_a_compiled_learner_is_arrays_and_constants(name: str) -> None:
    """Otherwise Resetting would have to run it label by label."""
    learner = make(name)
    learner.start(example_stream(regression=learner.task == "regression").schema, 1)
    assert in_arrays(learner)


def test_wrappers_show_their_parts() -> None:
    inner = sg.TemporallyAugmented(sg.HoeffdingTree(grace_period=50), order=2)
    wrapper = sg.Resetting(inner, sg.PageHinkley(on=sg.Fading(0.9)))
    assert wrapper.get_params() == {"base": inner, "detector": wrapper.detector}
    assert (
        repr(rebuilt(wrapper))
        == repr(wrapper)
        == (
            "Resetting(TemporallyAugmented(HoeffdingTree(grace_period=50), order=2), "
            "PageHinkley(on=Fading(0.9)))"
        )
    )


def test_adapters_show_their_parameters() -> None:
    from river import drift, naive_bayes
    from sklearn.linear_model import SGDClassifier

    model = SGDClassifier()
    assert sg.from_sklearn(model, batch_size=5).get_params() == {
        "model": model, "batch_size": 5, "name": "SGDClassifier",
    }  # fmt: skip
    rivers = naive_bayes.GaussianNB()
    assert sg.from_river(rivers, "mine").get_params() == {"model": rivers, "name": "mine"}
    kswin = drift.KSWIN(seed=1)
    assert sg.from_river(kswin).get_params() == {"detector": kswin}


def test_repr_of_a_generator_is_its_constructor_call() -> None:
    stream = sg.SEA(1000, seed=3, variant=2)
    assert repr(stream) == "SEA(1000, seed=3, variant=2)"
    assert repr(stream.take(5)).startswith("<stream SEA(1000, seed=3, variant=2)[:5]")


def test_unknown_parameter_names_the_class_and_a_close_one() -> None:
    for make in (sg.ADWINBagging, sg.LeveragingBagging):  # their constructor is Bagging's
        wrong: Any = make
        with pytest.raises(TypeError, match=rf"^{make.__name__} has no parameter 'n_model' \(did"):
            wrong(n_model=3)
