"""Experiments on a Ray cluster of two nodes, one of which is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import streamgauge as sg
from tests.experiments.stores import contents, left_over, write_spec

SPEC = """name = "ray"
seeds = 8
streams = [{generate = "SEA(2000, noise=0.1)"}, {generate = "Sine1(1000)"}]
learners = ["NaiveBayes()", "mine:Slow(0.5)", "mine:Raising(after=50)"]
modules = ["mine"]
"""
# In a separate program: Ray leaves threads and open files behind.
PROGRAM = """
import threading, time
from pathlib import Path
import streamgauge as sg
from ray.cluster_utils import Cluster

def lose(cluster, node, store):
    while len(list(store.glob("*-*"))) < 6:  # while cells are running
        time.sleep(0.1)
    print("lost at", len(list(store.glob("*-*"))), flush=True)
    cluster.remove_node(node, allow_graceful=False)

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
try:
    second = cluster.add_node(num_cpus=1)
    threading.Thread(target=lose, args=(cluster, second, Path("a")), daemon=True).start()
    found = sg.run_grid("bench.toml", "a", ray=cluster.address, started=print)
    print(found)
finally:
    cluster.shutdown()
"""
LOCAL = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}  # 127.0.0.1


@pytest.mark.long
def test_losing_a_node_loses_no_cell(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    path = write_spec(tmp_path, SPEC)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path, env=os.environ | LOCAL, capture_output=True, text=True, timeout=900,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "48 to run" in done.stdout
    assert "lost at" in done.stdout
    found = sg.results(tmp_path / "a")
    assert len(found) == 32
    assert {failure.kind for _, failure in found.failures} == {"raised"}
    assert len(found.failures) == 16
    assert left_over(tmp_path / "a") == []
    sg.run_grid(path, tmp_path / "b", workers=0)
    ours, theirs = contents(tmp_path / "a"), contents(tmp_path / "b")
    runs = [name for name in theirs if ".failed" not in name]  # tracebacks contain paths
    assert {name: ours[name] for name in runs} == {name: theirs[name] for name in runs}
    assert ours.keys() == theirs.keys()


def test_missing_ray_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    made = sg.Grid([{"generate": "SEA(100)"}], ["NaiveBayes()"])
    with pytest.raises(sg.MissingExtra, match=r"pip install 'streamgauge\[ray\]'"):
        sg.run_grid(made, tmp_path, ray="auto")
