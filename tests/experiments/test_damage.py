"""Stores damaged at random: no traceback, no wrong number, and the next run repairs them."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import streamgauge as sg
from streamgauge.cli import make_app
from streamgauge.experiments._alarms import read_alarms
from tests.experiments.harm import damage_something
from tests.experiments.stores import contents, left_over

STREAMS = [{"generate": "SEA(300)"}, {"generate": "Sine1(200)"}]


def made() -> sg.Grid:
    return sg.Grid(
        STREAMS, ["NaiveBayes()", "Majority()"], name="small", labels=["Delay(5)"],
        reevaluate="Reevaluate(every=5, bins=3)", detectors=["DDM"],
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "store"
    assert len(sg.run_grid(made(), folder, workers=0)) == 4
    return folder


def command(*arguments: str) -> str:
    """Run the command line; an error is a message, never a traceback."""
    result = CliRunner().invoke(make_app(arguments[:1]), list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        assert isinstance(result.exception, sg.StreamgaugeError), result.exc_info
    return result.output


def use(store: Path, expected: dict[str, float] | None) -> None:
    """Read the store in every way; numbers that are shown are right."""
    found = sg.results(store)
    for run in found:
        assert expected is None or run.overall["accuracy"] == expected[run.id]
    uses: list[Callable[[], object]] = [
        lambda: str(found.table()), lambda: found.to_frame("arrow"), lambda: repr(found),
        *(
            lambda view=view: found.sql(f"select count(*) from {view}", "arrow")
            for view in ("runs", "curves", "predictions", "bins", "alarms")
        ),
        *(
            lambda run=run, of=of: of(run)
            for run in found
            for of in (
                str, sg.Run.to_dict, lambda r: r.curve, lambda r: r.predictions,
                lambda r: r.bins.curve(1), lambda r: r.cost_curve,
            )
        ),
    ]  # fmt: skip
    for each in uses:
        with contextlib.suppress(sg.StreamgaugeError):
            each()
    for arguments in (["status", str(store)], ["table", str(store)], ["rank", str(store)]):
        command(*arguments)


def fuzz(whole: Path, folder: Path, rounds: int, seed: int, resealed: bool = False) -> None:
    expected = {run.id: run.overall["accuracy"] for run in sg.results(whole)}
    before = contents(whole)
    rng = random.Random(seed)
    store = folder / "store"
    shutil.copytree(whole, store)
    for number in range(rounds):
        done = [damage_something(store, rng, resealed) for _ in range(rng.randint(1, 4))]
        try:
            use(store, None if resealed else expected)
            if number % 5 == 4 or rounds == 1:
                found = sg.run_grid(made(), store, workers=0)
                assert (len(found), found.damaged) == (4, [])
                if not resealed:  # a resealed list of files may leave a device out
                    after = contents(store)
                    assert after == {name: after[name] for name in after} | before
                    assert left_over(store) == []
                shutil.rmtree(store)
                shutil.copytree(whole, store)
        except Exception as error:
            raise AssertionError(f"seed {seed}, round {number}: {done}: {error!r}") from error


def test_damaged_stores_are_read_without_a_traceback_and_repaired(
    whole: Path, tmp_path: Path
) -> None:
    fuzz(whole, tmp_path, rounds=1, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_many_damaged_stores(whole: Path, tmp_path: Path, seed: int) -> None:
    fuzz(whole, tmp_path, rounds=100, seed=100 + seed, resealed=seed >= 7)


def test_alarms_with_a_flipped_byte_are_read_or_left_out(whole: Path, tmp_path: Path) -> None:
    """Arrow reads some damaged footers that DuckDB refuses."""
    store = tmp_path / "store"
    shutil.copytree(whole, store)
    path = sorted(store.glob("*/alarms.parquet"))[0]
    content = path.read_bytes()
    tables = [read_alarms(each) for each in store.glob("*/alarms.parquet") if each != path]
    others = sum(len(table) for table in tables if table is not None)
    readable = 0
    for place in range(len(content) - 400, len(content), 8):
        damaged = bytearray(content)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        own = read_alarms(path)
        found = sg.results(store).sql("select count(*) as n from alarms", "arrow")
        assert found["n"].to_pylist() == [others + (0 if own is None else len(own))]
        readable += own is not None
    assert 0 < readable < 50
