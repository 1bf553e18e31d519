"""A run killed at random moments and resumed gives the same store, bit for bit."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

import streamgauge as sg
from tests.experiments.harm import damage_something
from tests.experiments.stores import contents, finish, left_over, start, write_spec

SPEC = """name = "killed"
seeds = {seeds}
streams = [{{generate = "SEA(2000, noise=0.1)"}}, {{generate = "Sine1(3000)"}}]
learners = ["NaiveBayes()", "mine:Slow({seconds})", "river:naive_bayes.GaussianNB()"]
labels = ["Immediate()", "Delay(50)"]
modules = ["mine"]
"""


class Program:
    """`streamgauge run`, restarted whenever it is killed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.kills = folder, {"parent": 0, "worker": 0}
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return start(self.folder, "run", "bench.toml", "--store", "a", "--workers", "2")

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def has_workers(self) -> bool:
        return bool(psutil.Process(self._process.pid).children())

    def kill(self, target: str) -> None:
        """Send SIGKILL. A worker whose parent is dead must exit by itself."""
        parent = psutil.Process(self._process.pid)
        workers = parent.children()
        if target == "worker":
            random.choice(workers).kill()
        else:
            parent.kill()
            self._process.communicate()
            _, alive = psutil.wait_procs(workers, timeout=60)
            assert not alive
        self.kills[target] += 1

    def restart(self) -> None:
        """Start it again after it has ended."""
        self._process = self._start()

    def finish(self) -> str:
        return finish(self._process)


def survive(tmp_path: Path, kills: int, seconds: float, seeds: int, seed: int) -> Program:
    write_spec(tmp_path, SPEC.format(seeds=seeds, seconds=seconds))
    cells = 2 * 3 * 2 * seeds
    assert len(sg.run_grid(tmp_path / "bench.toml", tmp_path / "b", workers=0)) == cells
    expected = contents(tmp_path / "b")
    store = tmp_path / "a"
    rng = random.Random(seed)
    program = Program(tmp_path)
    seen: set[str] = set()
    while sum(program.kills.values()) < kills and not program.ended:
        target = rng.choice(["parent", "worker"])
        while target == "worker" and not program.has_workers and not program.ended:
            time.sleep(0.05)  # a parent may be killed while it makes the plan
        time.sleep(rng.uniform(0, 2.5))
        if program.ended:
            break
        program.kill(target)
        if target == "parent":
            program.restart()
        now = contents(store) if store.exists() else {}
        runs = {name: value for name, value in now.items() if "failed" not in name}
        assert all(expected[name] == value for name, value in runs.items())  # no partial run
        assert seen <= runs.keys()  # no run is lost
        seen |= runs.keys()
    output = program.finish()
    for _ in range(3):  # the next run tries a cell again whose process was killed three times
        if "failed (" not in output:
            break
        output = finish(start(tmp_path, "run", "bench.toml", "--store", "a", "--workers", "2"))
    assert f"{cells} of {cells} cells are in a" in output
    assert contents(store) == expected
    assert left_over(store) == []
    return program


@pytest.mark.long
def test_resumes_after_killing_a_worker_and_the_parent(tmp_path: Path) -> None:
    spec = SPEC.format(seeds=2, seconds=0.5).replace(', "river:naive_bayes.GaussianNB()"', "")
    write_spec(tmp_path, spec.replace(', "Delay(50)"', ""))
    assert len(sg.run_grid(tmp_path / "bench.toml", tmp_path / "b", workers=0)) == 8
    program = Program(tmp_path)
    for target in ("worker", "parent"):
        before = len(list((tmp_path / "a").glob("*-*")))
        deadline = time.monotonic() + 100
        while len(list((tmp_path / "a").glob("*-*"))) <= before and time.monotonic() < deadline:
            time.sleep(0.02)  # while cells are running
        program.kill(target)
        if target == "parent":
            program.restart()
    assert program.kills == {"parent": 1, "worker": 1}
    assert "8 of 8 cells are in a" in program.finish()
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert left_over(tmp_path / "a") == []


@pytest.mark.long
def test_resumes_after_thirty_random_kills(tmp_path: Path) -> None:
    program = survive(tmp_path, kills=30, seconds=1.0, seeds=16, seed=8)
    assert sum(program.kills.values()) == 30
    assert min(program.kills.values()) >= 8


@pytest.mark.long
def test_resumes_after_kills_and_damage(tmp_path: Path) -> None:
    write_spec(tmp_path, SPEC.format(seeds=2, seconds=0.3))
    assert len(sg.run_grid(tmp_path / "bench.toml", tmp_path / "b", workers=0)) == 24
    rng = random.Random(5)
    program = Program(tmp_path)
    for _ in range(8):
        while not program.ended and not program.has_workers:
            time.sleep(0.05)
        time.sleep(rng.uniform(0, 2))
        if not program.ended:
            program.kill("parent")
        for _ in range(3):
            damage_something(tmp_path / "a", rng)
        program.restart()
    assert "24 of 24 cells are in a" in program.finish()
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert left_over(tmp_path / "a") == []


@pytest.mark.long
def test_ctrl_c_keeps_finished_cells_and_resumes(tmp_path: Path) -> None:
    write_spec(tmp_path, SPEC.format(seeds=2, seconds=2.0))
    process = start(tmp_path, "run", "bench.toml", "--store", "a", "--workers", "2")
    while not list((tmp_path / "a").glob("*-*")):
        time.sleep(0.05)
    workers = psutil.Process(process.pid).children()
    process.send_signal(signal.SIGINT)
    output = finish(process)
    assert re.search(
        r"interrupted: \d+ of 24 cells are done and saved to a; run the same command to resume",
        output,
    )
    assert process.returncode == 130
    assert not psutil.wait_procs(workers, timeout=10)[1]
    assert not list((tmp_path / "a").glob("*.failed"))
    assert left_over(tmp_path / "a") == []
    assert len(sg.run_grid(tmp_path / "bench.toml", tmp_path / "a", workers=0)) == 24
