"""Learners parsed from text."""

from __future__ import annotations

from streamgauge.learners.parsing import parse_learner


def test_parsed_learners_show_their_parameters_in_their_names() -> None:
    tree = parse_learner("river:tree.HoeffdingTreeClassifier(delta=0.01)")
    assert tree.name == "HoeffdingTreeClassifier(delta=0.01)"
    text = "river:ensemble.BaggingClassifier(model=tree.HoeffdingTreeClassifier(), n_models=3)"
    assert parse_learner(text).name.startswith("BaggingClassifier(model=tree.Hoeffding")
