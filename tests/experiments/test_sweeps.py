"""Numbers in the names of cells: found, masked, and which of them vary."""

from __future__ import annotations

import pytest

import streamgauge as sg
from streamgauge.experiments._sweeps import check_swept, coordinates, numbers_in, swept_names
from streamgauge.ranking.score_table import LearnerScore


def cell(
    learner: str, labels: str = "Immediate()", stream: sg.Stream | None = None
) -> LearnerScore:
    if stream is None:
        return LearnerScore("elec2", learner, 0.5, labels)
    return LearnerScore(stream.name, learner, 0.5, labels, origin=stream.origin)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HoeffdingTree", []),
        ("KNN(5)", [("KNN", 5)]),
        ("KNN(-5, p=1e-3)", [("KNN", -5), ("p", 0.001)]),
        ("SWT(Tree(grace=9), order=2, on=True)", [("order", 2), ("grace", 9)]),
        ("Mix([A(x=1), A(x=2)])", [("x", 1), ("x #2", 2)]),
        ("river:tree.Tree(grace_period=3, seed=1)", [("grace_period", 3)]),
        ("mine:Learner('a:b', x=2)", [("x", 2)]),
        ("my learner, version 2", []),
        ("((((", []),
        ("[" * 5000, []),
        ("f(\x00)", []),
    ],
)
def test_numbers_are_found_in_calls_only(text: str, found: list[tuple[str, float]]) -> None:
    assert [(each.name, each.value) for each in numbers_in(text)] == found


def test_names_are_masked_where_numbers_vary() -> None:
    cells = [cell("Bäum(x=1, y=2)"), cell("Bäum(x=3, y=2)"), cell("Majority")]
    places = coordinates(cells, ["x"])
    assert [each.at for each in places] == [(1,), (3,), (None,)]
    assert [each.learner for each in places] == ["Bäum(x=…, y=2)", "Bäum(x=…, y=2)", "Majority"]
    assert swept_names(cells) == ["x"]


def test_injection_and_delay_have_numbers_for_none() -> None:
    cells = [
        cell("NaiveBayes", labels, stream)
        for stream in (sg.inject(sg.SEA(900, seed=1), order=order) for order in (0, 2, 4))
        for labels in ("Immediate()", "Delay(10)", "Sampled(0.5)")
    ]
    assert swept_names(cells) == ["Delay", "inject"]
    places = coordinates(cells, ["Delay", "inject"])
    assert [each.at for each in places[:3]] == [(1, 0), (10, 0), (None, 0)]
    assert [each.at[1] for each in places[::3]] == [0, 2, 4]
    assert {each.stream for each in places} == {"SEA(900)"}
    assert {each.labels for each in places} == {"Delay(…)", "Sampled(0.5)"}


def test_numbers_of_a_stream_vary_and_its_seed_does_not() -> None:
    cells = [
        cell("NaiveBayes", stream=sg.SEA(900, seed=seed, noise=noise).take(100))
        for seed, noise in ((1, 0.1), (2, 0.2))
    ]
    assert swept_names(cells) == ["noise"]
    places = coordinates(cells, ["noise"])
    assert [each.at for each in places] == [(0.1,), (0.2,)]
    assert {each.stream for each in places} == {"take(SEA(900, noise=…), 100)"}


def test_numbers_of_different_learners_do_not_vary() -> None:
    assert swept_names([cell("KNN(5)"), cell("Tree(grace=100)"), cell("Tree")]) == []


def test_unknown_number_is_named_with_a_suggestion() -> None:
    with pytest.raises(
        sg.UsageError, match=r"did you mean 'grace_period'\?\); expected one of gra"
    ):
        check_swept("x", "grace_perid", ["grace_period", "Delay"])
    with pytest.raises(sg.UsageError, match=r"x='grace': .*; no number varies"):
        check_swept("x", "grace", [])
