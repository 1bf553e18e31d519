"""Grids: from TOML and from Python, what identifies a cell, and errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import streamgauge as sg
from streamgauge.learners.learner_text import parse_learner
from tests.cli.running import write_table
from tests.conftest import real_data
from tests.experiments.stores import grid, write_spec

ROOT = Path(__file__).parents[2]
GOOD = """name = "my study"
seeds = 2
streams = [{generate = "SEA(300)"}, {read = "table.csv", target = "y", rows = 200}]
learners = ["NaiveBayes()", "mine:Constant(code=1)"]
labels = ["Immediate()", "Delay(10)"]
forget = ["Cumulative()", "Fading(0.99)"]
modules = ["mine"]
"""


def test_toml_file_gives_one_cell_per_combination(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv", 500)
    made = sg.Grid.read(write_spec(tmp_path, GOOD))
    assert len(made.cells) == 2 * 2 * 2 * 2 - 2  # naive Bayes on the table: one for both seeds
    assert made.name == "my study"
    first, last = made.cells[0], made.cells[-1]
    assert (first.stream, first.learner, first.labels) == ("SEA(300)", "NaiveBayes", "Immediate()")
    assert (last.stream, last.learner, last.seed) == ("table[:200]", "mine:Constant(code=1)", 2)
    assert len({cell.id for cell in made.cells}) == 14
    again = sg.Grid.read(write_spec(tmp_path, "# a comment\n" + GOOD))
    assert again.spec.sha256 == made.spec.sha256
    assert again.cells == made.cells


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seeds = 2", "seeds = 2\nlearnes = 3", r"line 3: unknown key 'learnes' \(did you mean"),
        ("seeds = 2", 'seeds = "two"', "line 2: seeds: expected"),
        ("seeds = 2", "seeds = 0", "line 2: seeds: expected"),
        ("seeds = 2", "seeds = [1, 1]", "seeds: 1 is listed more than once"),
        ("seeds = 2", "seeds = = 2", "TOML.*line 2"),
        ('"NaiveBayes()",', '"NaiveBayes()", "NaiveBayes",', "'NaiveBayes' is listed more than"),
        ("seeds = 2", 'max_memory = "2 QB"', "max_memory: '2 QB'; expected bytes"),
        ("NaiveBayes()", "NaiveByes()", r"line 4: learners\[0\].*did you mean 'NaiveBayes'"),
        ("NaiveBayes()", "__import__('os').abort()", r"line 4: learners\[0\].*unknown name"),
        ("NaiveBayes()", "NaiveBayes(x=open('f'))", "unknown name 'open'"),
        ("mine:Constant(code=1)", "mine:Constnt()", "'mine' does not define a class or function"),
        ("mine:Constant(code=1)", "mine:np.ones(3)", "unknown name 'mine.np.ones'"),
        ('modules = ["mine"]', "", "unknown prefix 'mine'.*`modules`"),
        ('modules = ["mine"]', 'modules = ["no_such"]', "line 7: modules: no module 'no_such'"),
        ("Delay(10)", "Delay(0)", r"line 5: labels\[1\]: Delay\(0\): a label cannot be revealed"),
        ("Delay(10)", "Dealy(10)", r"line 5: labels\[1\].*did you mean 'Delay'"),
        ("Fading(0.99)", "Fading(2)", r"line 6: forget\[1\]"),
        ("SEA(300)", "SAE(300)", r"line 3: streams\[0\].*did you mean 'SEA'"),
        ("SEA(300)", "Delay(300)", r"line 3: streams\[0\].*unknown name 'Delay'"),
        ('generate = "SEA(300)"', 'generat = "SEA(300)"', r"line 3: streams\[0\].*mean 'generate'"),
        ('target = "y"', 'traget = "y"', r"line 3: streams\[1\]: unknown key 'traget' \(did you"),
        ('{generate = "SEA(300)"}', '"SAE(300)"', r"line 3: streams\[0\].*did you mean 'SEA'"),
        ('{generate = "SEA(300)"}', "300", r"streams\[0\]: 300; expected a text such as 'elec2'"),
        ('{generate = "SEA(300)"}', '{generate = "SEA(9)", load = "elec2"}', "exactly one of load"),
    ],
)  # fmt: skip
def test_error_names_file_line_and_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    write_table(tmp_path / "table.csv", 500)
    assert old in GOOD
    path = write_spec(tmp_path, GOOD.replace(old, new))
    with pytest.raises(sg.UsageError) as caught:
        sg.Grid.read(path)
    assert str(caught.value).startswith(str(path))
    assert re.search(said, str(caught.value)), str(caught.value)


def test_missing_files_and_duplicate_names_are_errors(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="cannot read the experiment"):
        sg.Grid.read(tmp_path / "no.toml")
    with pytest.raises(sg.StreamgaugeError, match=r"no\.csv"):
        _ = sg.Grid([{"read": str(tmp_path / "no.csv"), "target": "y"}], ["NaiveBayes()"]).cells
    with pytest.raises(sg.UsageError, match=r"unknown data set 'elec3'.*did you mean 'elec2'"):
        _ = sg.Grid([{"load": "elec3"}], ["NaiveBayes()"]).cells
    with pytest.raises(sg.UsageError, match=r"two have the name 'SEA\(9\)'; .*another name"):
        _ = sg.Grid([{"generate": "SEA(9)"}, {"generate": "SEA(9)"}], ["NaiveBayes()"]).cells


def test_objects_give_the_same_cells_as_texts() -> None:
    texts = grid(
        learners=["KNN(n_neighbors=3, window_size=50)"], labels=["Delay(7)"], forget=["Window(9)"]
    )
    objects = grid(
        learners=[sg.KNN(n_neighbors=3, window_size=50)],
        labels=[sg.Delay(7)],
        forget=[sg.Window(9)],
    )
    assert objects.cells == texts.cells
    alone = grid(
        learners="KNN(n_neighbors=3, window_size=50)", labels="Delay(7)", forget=sg.Window(9)
    )
    assert alone.cells == texts.cells
    assert grid(streams="SEA(300)").cells == grid().cells[:4]
    named = grid(learners={"mine": sg.NaiveBayes()})
    assert {cell.learner for cell in named.cells} == {"mine"}

    for wrong, said in (
        ({"learners": 3}, "int"),
        ({"learners": ["memory:Mine#0"]}, "no learner 'Mine' in memory; give the object itself"),
        ({"metrics": ["mine:score"]}, "no module 'mine' is given"),
        ({"labels": 3}, r"labels\[0\]: '3' is not a label policy"),
        ({"streams": [9]}, "expected a stream, got int"),
        ({"streams": ["elec3"]}, "unknown data set 'elec3'"),
        ({"streams": [{"memory": "0f"}]}, "no stream '0f' in memory; give the stream itself"),
        ({"streams": {"load": "elec2"}}, "streams: expected a list, got a table"),
        ({"protocol": "Holdout(5)"}, r"protocol\[0\]: 'Holdout\(5\)' is not a protocol"),
        ({"protocol": "Holdout(5000, 10)"}, "ends before the first test"),
        ({"reevaluate": "Again()"}, r"reevaluate\[0\]: 'Again\(\)' is not a re-evaluation"),
        ({"detectors": ["DMD"]}, r"detectors\[0\]: detector 'DMD': unknown name.*mean 'DDM'"),
        ({"detectors": ["DDM", "DDM"]}, "detectors: 'DDM' is listed more than once"),
        ({"detectors": ["DDM"], "predictions": False}, "detectors need the predictions"),
        ({"detectors": ["DDM"], "protocol": "Holdout(50, 9, 'first')"}, "use test='interleaved'"),
        ({"forget": []}, "forget: expected"),
    ):
        with pytest.raises(sg.UsageError, match=said):
            _ = grid(**wrong).cells


def test_streams_as_texts_and_objects_are_the_cells_of_their_tables(tmp_path: Path) -> None:
    path = write_table(tmp_path / "table.csv", 300)
    tables = grid(
        streams=[
            {"generate": "SEA(90, seed=3)"},
            {"generate": "splice([SEA(90, seed=1), SEA(90, seed=2, variant=1)], at=[90], n=180, "
                         "seed=0)"},
            {"read": str(path), "target": "y", "drop": ["noise"]},
            {"tenet": "Sine1", "drift": "gradual", "rows": 400},
        ]
    ).cells  # fmt: skip
    concepts = [sg.SEA(90, seed=1), sg.SEA(90, seed=2, variant=1)]
    objects = grid(
        streams=[
            sg.SEA(90, seed=3),
            sg.splice(concepts, seed=0),
            sg.read(path, "y", drop=["noise"]),
        ]
    ).cells
    assert objects == tables[: 3 * 2]  # no seed changes these streams and learners
    texts = grid(streams=["SEA(90, seed=3)", str(path), "tenet:Sine1:gradual"]).cells
    assert texts[:2] == tables[:2]
    assert texts[2].stream == "table"
    assert texts[-1].stream == "Sine1 gradual"


def test_river_models_are_the_cells_of_their_texts() -> None:
    tree = pytest.importorskip("river.tree")
    objects = grid(learners=[tree.HoeffdingTreeClassifier(grace_period=50)]).cells
    texts = grid(learners=["river:tree.HoeffdingTreeClassifier(grace_period=50)"]).cells
    assert objects == texts
    lambdas = pytest.importorskip("river.compose").FuncTransformer(lambda x: x)
    here = grid(learners=[lambdas | tree.HoeffdingTreeClassifier()])
    assert all(job.kept for job in here.jobs)


def test_data_sets_given_as_objects_are_loaded_by_name(elec2: sg.Stream) -> None:
    papers = sg.load("elec2", "papers")
    made = grid(streams=[elec2, papers])
    assert made.spec.streams == ({"load": "elec2"}, {"load": "elec2", "variant": "papers"})
    assert made.cells[0] == grid(streams=["elec2"]).cells[0]


def test_cell_id_depends_on_everything_that_changes_results(tmp_path: Path) -> None:
    table = write_table(tmp_path / "table.csv", 500)
    (tmp_path / "theirs.py").write_text(
        "from mine import Constant as _C\nclass Constant(_C): pass\n"
    )
    spec = GOOD.replace('modules = ["mine"]', 'modules = ["theirs", "mine"]').replace(
        "mine:", "theirs:"
    )

    def ids(text: str) -> dict[tuple[str, str, str, int], str]:
        cells = sg.Grid.read(write_spec(tmp_path, text)).cells
        return {(c.stream, c.learner, c.labels, c.seed): c.id for c in cells}

    before = ids(spec)
    for same in (
        spec.replace("my study", "another"),
        spec.replace("seeds = 2", "timeout = 5\nseeds = 2"),
        spec.replace('rows = 200', 'rows = 200, name = "table[:200]"'),
    ):  # fmt: skip
        assert ids(same) == before
    more = ids(spec.replace('["NaiveBayes()",', '["NaiveBayes()", "Majority()",'))
    assert {key: more[key] for key in before} == before
    for other in (
        spec.replace("Fading(0.99)", "Fading(0.9)"),
        spec.replace("seeds = 2", "warmup = 5\nseeds = 2"),
        spec.replace("seeds = 2", "every = 7\nseeds = 2"),
    ):
        assert not set(ids(other).values()) & set(before.values())
    table.write_text(table.read_text().replace("no\n", "yes\n", 1))
    after = ids(spec)
    assert {key for key in before if before[key] != after[key]} == {
        key for key in before if key[0] == "table[:200]"
    }


def test_same_learner_twice_is_an_error() -> None:
    same = {"a": "HoeffdingTree()", "b": "HoeffdingTree(grace_period=200)"}
    with pytest.raises(sg.UsageError, match="'a' and 'b' are the same learner") as caught:
        _ = sg.Grid(["SEA(300)"], same).cells
    assert "remove one of them" in str(caught.value)


def test_trained_model_of_river_stays_in_this_process() -> None:
    pytest.importorskip("river")
    from river import naive_bayes

    model = naive_bayes.GaussianNB()
    assert len(sg.Grid(["SEA(300)"], [model]).cells) == 1
    model.learn_one({"x1": 1.0}, 0)
    trained = sg.Grid(["SEA(300)"], [model])
    assert trained.cells[0].learner == "GaussianNB"
    assert trained.cells[0].id == sg.evaluate("SEA(300)", model).id


def test_each_learner_text_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    def counting(text: str, *options: Any) -> Any:
        parsed.append(text)
        return parse_learner(text, *options)

    monkeypatch.setattr("streamgauge.evaluation.texts.parse_learner", counting)
    made = grid(learners=["NaiveBayes()", sg.Majority()], labels=["Immediate()", "Delay(5)"])
    assert len(made.cells) == 2 * 2 * 2 * 2
    assert sorted(parsed) == ["Majority()", "NaiveBayes()"]


def test_example_experiment_runs(tmp_path: Path) -> None:
    real_data("elec2")
    for file in ("bench.toml", "own_learner.py"):
        text = (ROOT / "examples" / file).read_text()
        (tmp_path / file).write_text(text.replace("10000", "300").replace("5000", "150"))
    spec = (tmp_path / "bench.toml").read_text()
    spec = re.sub("(?m)^(timeout|max_memory).*$", "", spec.replace("seeds = 3", "seeds = 1"))
    (tmp_path / "bench.toml").write_text(spec)
    found = sg.run_grid(tmp_path / "bench.toml", tmp_path / "store", workers=0)
    assert len(found) == 3 * 2 * 5
    assert found.table(rows="stream,labels").columns == ("NB", "HT", "HT-past", "Persistent", "Own")
