"""What links in a store, a cache or a state folder point to is neither changed nor removed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import streamgauge as sg
from streamgauge._support import inside
from tests.experiments.stores import grid, write_spec
from tests.links import SCENARIOS, SPEC, STATES, Battery, tree

PACKAGE = Path(str(sg.__file__)).parent
WRITES = re.compile(  # what `Inside` has as well only as a function of `os`
    r"(\bos\.(remove|replace|truncate|unlink)|\b(NamedTemporaryFile|TemporaryDirectory)|\.(chmod"
    r"|copyfile|copytree|hardlink_to|link|makedirs|mkdir|mkdtemp|mkstemp|move|rename|rmdir|rmtree"
    r"|symlink|symlink_to|touch|write_bytes|write_text))\("
)
# Files that write by paths, and what: a new folder of a random name, or what the user has named.
BY_PATH = {
    "_support/cache_dir.py": "whether a folder can be written, by a file without a name",
    "_support/stub.py": "our own source",
    "_support/whole_file.py": "the folder of an output that the user has named",
    "cli/_figures.py": "the folder of a figure that the user has named",
    "cli/monitor.py": "what -o names; the new folder of a demo",
    "experiments/_ray_cluster.py": "a scratch folder",
    "figures/saving.py": "a figure that the user has named",
    "monitoring/demo/replay.py": "the new folder of a demo",
    "monitoring/first_config.py": "what -o of monitor init names; it must not exist",
    "runs/bins/outcome_log.py": "a scratch folder",
    "runs/_predictions.py": "a scratch folder",
    "runs/_scratch.py": "a scratch folder",
    "runs/_stored_parts.py": "a scratch folder",
    "runs/store.py": "a scratch folder",
}


@pytest.mark.long
@pytest.mark.parametrize("by_handle", [True, False])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_link_is_followed_wherever_it_stands(
    scenario: str, by_handle: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inside, "_BY_HANDLE", by_handle)
    battery = Battery(scenario, tmp_path / "tries")
    found = {each: battery.failure(each) for each in battery.tries()}
    assert len(found) >= 9 * len(STATES)
    assert {each: wrong for each, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("name", [".running", "grids", "streams"])
def test_folder_of_a_store_that_is_a_link_is_refused_by_its_name(tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    (victim / "photos").mkdir(parents=True)
    (victim / "photos" / "cat.jpg").write_bytes(b"a cat")
    (victim / "small.json").write_text("of the user")
    before = tree(victim)
    store = tmp_path / "store"
    store.mkdir()
    (store / name).symlink_to("../victim")
    stream = sg.from_arrays([[0.0], [1.0]] * 20, [0, 1] * 20)
    with pytest.raises(sg.UsageError, match=rf"{name} is a link to \.\./victim; .*: remove the l"):
        sg.run_grid(grid(streams=[stream]), store, workers=0)
    assert tree(victim) == before


def test_failure_takes_the_place_of_a_link(tmp_path: Path) -> None:
    made = sg.Grid.read(write_spec(tmp_path, SPEC))
    (cell,) = (each for each in made.cells if "Raising" in each.learner)
    store, victim = tmp_path / "store", tmp_path / "victim"
    victim.mkdir()
    (victim / "failure.json").write_text("of the user")
    store.mkdir()
    (store / f"{cell.directory}.failed").symlink_to(victim)
    assert len(sg.run_grid(made, store, workers=0).failures) == 1
    assert not (store / f"{cell.directory}.failed").is_symlink()
    assert tree(victim) == {"failure.json": b"of the user"}


def test_store_that_the_user_names_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "store").symlink_to("elsewhere")
    assert len(sg.run_grid(grid(seeds=1), tmp_path / "store", workers=0)) == 4
    assert (tmp_path / "elsewhere" / "grids" / "small.json").exists()


def test_all_else_is_written_through_inside() -> None:
    """A new way of writing belongs into `Inside`, or into the list above with its reason."""
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if path.name != "inside.py" and WRITES.search(_code(path))
    }
    assert found == set(BY_PATH)


def _code(path: Path) -> str:
    """The text without its examples."""
    return re.sub(r"(?m)^ *(>>>|\.\.\.).*$", "", path.read_text())
