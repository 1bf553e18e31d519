"""What an experiment may say, and what is told to whoever says something else."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import streamgauge as sg
from streamgauge.experiments._parsing import make_learner, make_stream
from streamgauge.experiments._spec import make_spec
from streamgauge.runs.identity import NUMBERS, identity_of
from tests.cli.running import write_table
from tests.conftest import real_data
from tests.experiments.stores import grid, write_spec

ROOT = Path(__file__).parents[2]
GOOD = """name = "my study"
seeds = 2
streams = [{generate = "SEA(300)"}, {read = "table.csv", target = "y", rows = 200}]
learners = ["NaiveBayes()", "mine:Calm(code=1)"]
labels = ["Immediate()", "Delay(10)"]
forget = ["Cumulative()", "Fading(0.99)"]
modules = ["mine"]
"""


def test_a_grid_from_toml(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv", 500)
    made = sg.Grid.read(write_spec(tmp_path, GOOD))
    assert len(made.cells) == 2 * 2 * 2 * 2
    assert made.name == "my study"
    first, last = made.cells[0], made.cells[-1]
    assert (first.stream, first.learner, first.labels) == ("SEA(300)", "NaiveBayes", "Immediate()")
    assert (last.stream, last.learner, last.seed) == ("table[:200]", "mine:Calm(code=1)", 2)
    assert len({cell.id for cell in made.cells}) == 16
    again = sg.Grid.read(write_spec(tmp_path, "# a comment\n" + GOOD))
    assert again.spec.sha256 == made.spec.sha256
    assert again.cells == made.cells


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seeds = 2", "seeds = 2\nlearnes = 3", r"line 3: unknown key 'learnes' \(did you mean"),
        ("seeds = 2", 'seeds = "two"', "line 2: seeds: expected"),
        ("seeds = 2", "seeds = 0", "line 2: seeds: expected"),
        ("seeds = 2", "seeds = [1, 1]", "seeds: 1 stands there more than once"),
        ("seeds = 2", "seeds = = 2", "no TOML.*line 2"),
        ('"NaiveBayes()",', '"NaiveBayes()", "NaiveBayes",', "'NaiveBayes' stands there more than"),
        ("seeds = 2", 'max_memory = "2 QB"', "max_memory: '2 QB'; expected bytes"),
        ("NaiveBayes()", "NaiveByes()", r"line 4: learners\[0\].*did you mean 'NaiveBayes'"),
        ("NaiveBayes()", "__import__('os').abort()", r"line 4: learners\[0\].*unknown name"),
        ("NaiveBayes()", "NaiveBayes(x=open('f'))", "unknown name 'open'"),
        ("mine:Calm(code=1)", "mine:Clam()", "module 'mine' has no class or function 'Clam'"),
        ("mine:Calm(code=1)", "mine:np.ones(3)", "unknown name 'mine.np.ones'"),
        ('modules = ["mine"]', "", "unknown prefix 'mine'.*`modules`"),
        ('modules = ["mine"]', 'modules = ["no_such"]', "unknown prefix 'mine'"),
        ("Delay(10)", "Delay(0)", r"line 5: labels\[1\]: Delay\(0\): a label cannot come before"),
        ("Delay(10)", "Dealy(10)", r"line 5: labels\[1\].*did you mean 'Delay'"),
        ("Fading(0.99)", "Fading(2)", r"line 6: forget\[1\]"),
        ("SEA(300)", "SAE(300)", r"line 3: streams\[0\].*did you mean 'SEA'"),
        ("SEA(300)", "Delay(300)", r"line 3: streams\[0\].*'Delay' is none"),
        ('generate = "SEA(300)"', 'generat = "SEA(300)"', r"line 3: streams\[0\].*mean 'generate'"),
        ('target = "y"', 'traget = "y"', r"line 3: streams\[1\]: unknown key 'traget' \(did you"),
        ('target = "y", ', "", r"streams\[1\]: has no key 'target'"),
        ('{generate = "SEA(300)"}', '"SEA(300)"', "streams.*expected"),
        ('{generate = "SEA(300)"}', '{generate = "SEA(9)", load = "elec2"}', "exactly one of load"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    write_table(tmp_path / "table.csv", 500)
    assert old in GOOD
    path = write_spec(tmp_path, GOOD.replace(old, new))
    with pytest.raises(sg.UsageError) as caught:
        sg.Grid.read(path)
    assert str(caught.value).startswith(str(path))
    assert re.search(said, str(caught.value)), str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(sg.UsageError, match="cannot be read as an experiment"):
        sg.Grid.read(tmp_path / "no.toml")
    with pytest.raises(sg.StreamgaugeError, match=r"no\.csv"):
        _ = sg.Grid([{"read": str(tmp_path / "no.csv"), "target": "y"}], ["NaiveBayes()"]).cells
    with pytest.raises(sg.UsageError, match=r"no data set 'elec3'.*did you mean 'elec2'"):
        _ = sg.Grid([{"load": "elec3"}], ["NaiveBayes()"]).cells
    with pytest.raises(sg.UsageError, match=r"two are called 'SEA\(9\)'; .*another name"):
        _ = sg.Grid([{"generate": "SEA(9)"}, {"generate": "SEA(9)"}], ["NaiveBayes()"]).cells


def test_objects_instead_of_texts() -> None:
    texts = grid(
        learners=["KNN(n_neighbors=3, window_size=50)"], labels=["Delay(7)"], forget=["Window(9)"]
    )
    objects = grid(
        learners=[sg.KNN(n_neighbors=3, window_size=50)],
        labels=[sg.Delay(7)],
        forget=[sg.Window(9)],
    )
    assert objects.cells == texts.cells
    named = grid(learners={"mine": sg.NaiveBayes()})
    assert {cell.learner for cell in named.cells} == {"mine"}

    class Local:
        def predict_one(self, x: object) -> int:
            return 0

        def learn_one(self, x: object, y: object) -> None: ...

    for wrong, said in (
        ({"learners": [Local()]}, "cannot be told to another process"),
        ({"learners": "NaiveBayes()"}, "learners: expected"),
        ({"labels": "Delay(3)"}, "labels: expected `array`, got `str`"),
        ({"streams": [sg.SEA(9)]}, r"streams\[0\]: SEA\(9\); expected a table"),
        ({"streams": {"load": "elec2"}}, "streams: expected `array`, got `object`"),
        ({"seed": 3}, r"unknown key 'seed' \(did you mean 'seeds'\?\)"),
    ):
        with pytest.raises(sg.UsageError, match=said):
            grid(**wrong)


def test_a_cell_is_what_decides_its_numbers(tmp_path: Path) -> None:
    table = write_table(tmp_path / "table.csv", 500)
    (tmp_path / "theirs.py").write_text("from mine import Calm as _C\nclass Calm(_C): pass\n")
    spec = GOOD.replace('modules = ["mine"]', 'modules = ["theirs"]').replace("mine:", "theirs:")

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


def test_the_code_of_ones_own_learner_is_part_of_its_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, str] = {}
    for text in ("x = 1", "x = 2"):
        name = f"own_{text[-1]}"
        (tmp_path / f"{name}.py").write_text(f"class Own:\n    {text}\n")
        monkeypatch.syspath_prepend(tmp_path)
        names[text] = identity_of(importlib.import_module(name).Own()).replace(name, "own")
    assert names["x = 1"] != names["x = 2"]
    rivers = identity_of(make_learner("river:naive_bayes.GaussianNB()", ()))
    assert re.search(r"\(river \d+\.\d+", rivers)


def test_what_a_seed_varies(tmp_path: Path) -> None:
    text = "drift([SEA(50), SEA(50, variant=2)], at=[50])"
    first, again, other = (make_stream(text, seed) for seed in (1, 1, 2))
    blocks = [next(s.blocks(100)).X for s in (first, again, other)]
    assert np.array_equal(blocks[0], blocks[1])
    assert not np.array_equal(blocks[0], blocks[2])
    assert not np.array_equal(
        blocks[0][:50], blocks[0][50:]
    )  # the concepts have seeds of their own
    assert make_stream("SEA(50)", 3).name == "SEA(50, seed=3)"
    assert make_stream("SEA(50, 9)", 3).name == make_stream("SEA(50, seed=9)", 4).name
    fixed = grid(streams=[{"generate": "SEA(99, seed=5)"}], learners=["NaiveBayes()"])
    assert len({cell.id for cell in fixed.cells}) == 2  # the learner has its seed all the same


def test_streams_of_a_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    def tenet_streams(drift: str = "abrupt", rows: int = 100, seed: int = 1) -> dict[str, object]:
        names = {"SEA": 0, "Sine": 1}
        return {n: sg.SEA(rows, seed, noise=0.1 * (drift == "gradual")) for n in names}

    def inject(stream: sg.Stream, order: int) -> sg.Stream:
        return stream.take(order)

    monkeypatch.setattr(sg, "tenet_streams", tenet_streams, raising=False)
    monkeypatch.setattr(sg, "inject", inject, raising=False)
    entry = {"tenet": "all", "drift": ["abrupt", "gradual"], "inject": [0, 2], "rows": 40}
    cells = grid(streams=[entry], learners=["NaiveBayes()"], seeds=1).cells
    assert [cell.stream for cell in cells] == [
        "SEA abrupt", "SEA abrupt inject=2", "Sine abrupt", "Sine abrupt inject=2",
        "SEA gradual", "SEA gradual inject=2", "Sine gradual", "Sine gradual inject=2",
    ]  # fmt: skip
    assert [c.place.startswith("SEA_40_seed=1_2") for c in cells[:4]] == [False, True] * 2
    assert "SEA_40_seed=1_noise" in cells[4].place
    one = grid(streams=[{"tenet": "Sine"}], learners=["NaiveBayes()"], seeds=[7]).cells
    assert one[0].place.startswith("SEA_100_seed=7-")
    with pytest.raises(sg.UsageError, match=r"no stream 'SAE'.*did you mean 'SEA'"):
        _ = grid(streams=[{"tenet": "SAE"}]).cells


def test_memory_in_words() -> None:
    spec = {"streams": [{"load": "elec2"}], "learners": ["NaiveBayes"]}
    for text, size in (("2 GB", 2 * 10**9), ("512MiB", 2**29), ("1.5 kB", 1500), (77, 77)):
        assert make_spec({**spec, "max_memory": text}, "here").memory_bytes == size


def test_the_changelog_tells_the_version_of_numbers() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text().partition("### Numbers change")[2]
    assert re.search(rf"`NUMBERS` is {NUMBERS}\b", changes)


def test_the_docs_name_every_key() -> None:
    page = (ROOT / "docs" / "experiments.md").read_text()
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    spec = make_spec(tomllib.loads(block), "docs")
    assert set(tomllib.loads(block)) == set(spec.__struct_fields__)


def test_the_example_runs(tmp_path: Path) -> None:
    real_data("elec2")
    for file in ("bench.toml", "own_learner.py"):
        text = (ROOT / "examples" / file).read_text()
        (tmp_path / file).write_text(text.replace("10000", "300").replace("5000", "150"))
    spec = (tmp_path / "bench.toml").read_text()
    spec = re.sub("(?m)^(timeout|max_memory).*$", "", spec.replace("seeds = 3", "seeds = 1"))
    (tmp_path / "bench.toml").write_text(spec)
    found = sg.run(tmp_path / "bench.toml", tmp_path / "store", workers=0)
    assert len(found) == 3 * 2 * 5
    assert found.table(rows="stream,labels").columns == ("NB", "HT", "SWT-HT", "Persistent", "Own")
