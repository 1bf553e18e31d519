"""`python -m bench.against REV`: our CPU seconds now, as a ratio to those of another commit.

Both versions run in a process of their own and take turns, job by job, so that a busy machine slows
both; a job whose median ratio is above the bound is measured again before it is called slower.
"""

from __future__ import annotations

import argparse
import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
_MOST = 1.10  # a slower job is named
_TURN = 0.4  # CPU seconds of one turn, about
_COVTYPE_ROWS, _SLOW_ROWS, _SMALL_RUNS = 10_000, 3_000, 40

Job = Callable[[], object]
_Ask = Callable[[str, int], Any]  # the seconds of a job, with this many passes; or why not


def jobs() -> dict[str, Callable[[], Job]]:
    """What is measured: a name, and what prepares the job."""
    import streamgauge as sg
    from bench.parity.peers import PEERS

    streams = {"Elec2": lambda: sg.load("elec2"), "bikes": lambda: sg.load("bike_hour")}
    found: dict[str, Callable[[], Job]] = {}

    def evaluating(text: str, stream: str, rows: int | None = None, **options: Any) -> Job:
        return partial(sg.evaluate, _in_memory(streams[stream](), rows), text, **options)

    streams["covtype"] = lambda: sg.load("covtype")
    for peer in PEERS:
        rows = _SLOW_ROWS if peer.rows is not None else None
        for stream in ("bikes",) if peer.regression else ("Elec2", "covtype"):
            most = rows or (_COVTYPE_ROWS if stream == "covtype" else None)
            found[f"{peer.ours} on {stream}"] = partial(evaluating, peer.ours, stream, most)
    for text in ("ESN()", "SWT(NaiveBayes())", "TemporalCorrection(HoeffdingTree())",
                 "Resetting(NaiveBayes(), DDM())"):  # fmt: skip
        found[f"{text} on Elec2"] = partial(evaluating, text, "Elec2")
    late = {"labels": sg.Delay(1000), "reevaluate": sg.Reevaluate(every=100, bins=20)}
    found["re-evaluation"] = partial(evaluating, "NaiveBayes()", "Elec2", None, **late)
    forget = {"forget": [sg.Cumulative(), sg.Window(1000), sg.Fading(0.999)], "every": 10}
    found["three curves"] = partial(evaluating, "NaiveBayes()", "Elec2", None, **forget)
    found["a run of ten rows"] = _short_runs
    found["a store of small runs"] = _small_store
    for name in ("elec2", "covtype", "airlines"):
        found[f"reading {name}"] = partial(_reading, name)
    for text in ("SEA", "LED", "RandomTree"):
        found[f"generating {text}"] = partial(_generating, text)
    for text in ("DDM", "EDDM", "ADWIN", "PageHinkley"):
        found[f"{text} over a million errors"] = partial(_detecting, text)
    for kind in ("csv", "jsonl"):
        found[f"monitoring {kind}"] = partial(_monitoring, kind)
    return found


def _in_memory(stream: Any, rows: int | None) -> Any:
    from bench.naive_bayes import in_memory

    return in_memory(stream if rows is None else stream.take(rows))


def _short_runs() -> Job:
    import streamgauge as sg

    stream = _in_memory(sg.load("elec2"), 10)
    return lambda: [str(sg.evaluate(stream, "NaiveBayes()")) for _ in range(20)]


def _small_store() -> Job:
    import streamgauge as sg

    folder = tempfile.mkdtemp()
    for seed in range(_SMALL_RUNS):
        sg.evaluate(sg.SEA(500, seed=seed), "NaiveBayes()").save(folder)
    return lambda: sg.results(folder).to_frame("arrow")


def _reading(name: str) -> Job:
    import streamgauge as sg

    return lambda: sum(len(block) for block in sg.load(name).take(200_000).blocks(8192))


def _generating(name: str) -> Job:
    import streamgauge as sg

    return lambda: [len(b) for b in getattr(sg, name)(200_000, seed=1).blocks(8192)]


def _detecting(name: str) -> Job:
    import numpy as np

    import streamgauge as sg

    errors = (np.random.default_rng(1).random(1_000_000) < 0.3).astype(np.float64)
    return lambda: sg.detect(errors, [getattr(sg, name)()])


def _monitoring(kind: str) -> Job:
    from bench import monitoring

    home = Path(tempfile.mkdtemp())
    feeds = monitoring._feeds(0, 200_000)
    paths = {name: monitoring._FORMATS[kind][1](home / name, feed) for name, feed in feeds.items()}
    turn = iter(range(10**9))
    return lambda: monitoring._rate(home, paths, f"state-{next(turn)}")


def _work() -> None:
    """Answer each name of a job with its CPU seconds, or with why it cannot run here."""
    answers, found, ready = sys.stdout, jobs(), {}
    for line in sys.stdin:
        name, _, passes = line.rstrip("\n").rpartition("\t")
        with redirect_stdout(io.StringIO()):
            try:
                if name not in ready:
                    ready = {name: found[name]()}
                    ready[name]()  # compiles
                began = time.process_time()
                for _ in range(int(passes)):
                    ready[name]()
                answer = str((time.process_time() - began) / int(passes))
            except Exception as error:  # an older version may lack what a job needs
                answer = f"{type(error).__name__}: {error}".replace("\n", " ")
        print(answer, file=answers, flush=True)


@contextmanager
def _worker(source: Path) -> Iterator[_Ask]:
    env = os.environ | {"PYTHONPATH": f"{source / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "bench.against", "--work"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout

        def ask(name: str, passes: int) -> Any:
            to.write(f"{name}\t{passes}\n")
            to.flush()
            answer = back.readline().strip()
            try:
                return float(answer)
            except ValueError:
                return answer or "the process ended"

        try:
            yield ask
        finally:
            to.close()


def _ratio(now: _Ask, then: _Ask, name: str, rounds: int) -> tuple[float, float] | str:
    """The median over rounds of seconds now over seconds then, and the seconds now."""
    first = [each(name, 1) for each in (then, now)]
    if wrong := [each for each in first if isinstance(each, str)]:
        return wrong[0]
    passes = max(1, round(_TURN / max(first)))
    took = []
    for i in range(rounds):
        turn = [now, then] if i % 2 else [then, now]  # the first has colder caches
        seconds = {each: each(name, passes) for each in turn}
        took.append((seconds[now], seconds[then]))
    return statistics.median(a / b for a, b in took), statistics.median(a for a, _ in took)


def main() -> int:
    """Compare every job; the exit code is 1 if one is slower than the bound."""
    parser = argparse.ArgumentParser("python -m bench.against", description=__doc__)
    parser.add_argument("revision", nargs="?", help="the commit to compare with")
    parser.add_argument("--only", default="", help="only jobs whose name contains this")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        _work()
        return 0
    if not chosen.revision:
        parser.error("name the commit to compare with, for example HEAD~1")
    slower = []
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "-q", "--detach", folder, chosen.revision], check=True)
        try:
            with _worker(ROOT) as now, _worker(Path(folder)) as then:
                for name in (each for each in jobs() if chosen.only in each):
                    found = _ratio(now, then, name, chosen.rounds)
                    if not isinstance(found, str) and found[0] > _MOST:
                        found = _ratio(now, then, name, 2 * chosen.rounds)
                    if isinstance(found, str):
                        print(f"not measured: {name}: {found}", flush=True)
                        continue
                    mark = "SLOWER" if found[0] > _MOST else "ok"
                    slower += [name] if mark == "SLOWER" else []
                    print(f"{mark:6} {found[0]:.2f}  {found[1]:8.4f} s  {name}", flush=True)
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)
    print(f"{len(slower)} slower than {chosen.revision} by more than {_MOST - 1:.0%}")
    return bool(slower)


if __name__ == "__main__":
    sys.exit(main())
