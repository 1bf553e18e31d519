"""Learners parsed from text."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner


def test_parsed_learners_show_their_parameters_in_their_names() -> None:
    tree = parse_learner("river:tree.HoeffdingTreeClassifier(delta=0.01)")
    assert tree.name == "HoeffdingTreeClassifier(delta=0.01)"
    text = "river:ensemble.BaggingClassifier(model=tree.HoeffdingTreeClassifier(), n_models=3)"
    assert parse_learner(text).name.startswith("BaggingClassifier(model=tree.Hoeffding")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "HoeffdingTree(grace=3)",
            r"no parameter 'grace' \(did you mean 'grace_period'\?\)$",
        ),
        ("SWT(NaiveBayes(x=1))", "NaiveBayes has no parameter 'x'; it has "),
        (
            "sklearn:naive_bayes.GausianNB()",
            r"no class 'GausianNB' \(did you mean 'GaussianNB'\?\)",
        ),
        ("mine:Centroid(decy=0.9)", "unknown prefix 'mine'; expected river:"),
        ("river:foo()", "'foo' names no module of River; expected module.Class, such as tree.H"),
        ("sklearn:foo()", "'foo' names no module of scikit-learn; expected module.Class"),
    ],
)
def test_names_are_listed_only_for_an_unknown_name(text: str, said: str) -> None:
    with pytest.raises(sg.UsageError, match=said) as error:
        parse_learner(text)
    assert "LeveragingBagging" not in str(error.value)
    assert len(str(error.value)) < 300


def test_a_typing_error_gets_one_suggestion_and_other_texts_an_example() -> None:
    for text, meant in (
        ("HoeffdingTre", "HoeffdingTree"),
        ("DWM", "DynamicWeightedMajority"),
        ("srp()", "StreamingRandomPatches"),
    ):
        with pytest.raises(sg.UsageError, match=rf" \(did you mean '{meant}'\?\)$"):
            parse_learner(text)
    for text, said in (
        (" ", "no learner given"),
        ("Oak", "unknown name 'Oak'"),
        ("SWT(KNN(n_neighbors=a + b))", r"a \+ b: expected a literal"),
    ):
        with pytest.raises(sg.UsageError, match=f"{said}.*; expected a name such as NaiveBayes, "):
            parse_learner(text)
