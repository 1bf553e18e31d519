"""Every case by name: a job that runs something and reads its numbers."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamgauge as sg
from bench.digits import cases, learners, readings, streams
from bench.digits.files import files, first_lines, folder
from bench.digits.learners import Make
from bench.digits.readings import Reading

Job = Callable[[], Reading]

_PACKAGES = ("torch", "river", "sklearn", "capymoa")


def missing(name: str) -> str | None:
    """The package that a case needs and that is not installed, if any."""
    package = name.split("/")[1]
    needed = package in _PACKAGES and importlib.util.find_spec(package) is None
    return package if needed else None


def jobs(data: Path) -> dict[str, Job]:
    """All jobs, in order."""
    parts = (_streams(), _readers(data), _learners(), _evaluations(), _detection(), _comparisons())
    every = [job for part in parts for job in part]
    return dict(every) | {"experiment/grid": _experiment, "experiment/example": _example}


@cache
def _stream(name: str) -> Any:
    return streams.STREAMS[name]()


def _play(stream: str, make: Make, options: dict[str, Any]) -> Any:
    return sg.evaluate(_stream(stream), make(), progress=False, **options)


@cache
def _run(stream: str, learner: str = "naive_bayes") -> Any:
    """A run that several cases use."""
    make = next(each for name, _, each in learners.LEARNERS if name == learner)
    return _play(stream, make, {})


def _streams() -> Iterator[tuple[str, Job]]:
    for name, generate in streams.GENERATORS.items():
        for seed in (1, 77):
            job = partial(_of_made, partial(generate, streams.GENERATED, seed))
            yield f"generator/{name}/{seed}", job
    for name, make in streams.VIEWS.items():
        yield f"view/{name}", partial(_of_made, make)
    for name, make_all in streams.TENET.items():
        yield f"tenet/{name}", partial(_tenet, make_all)


def _of_made(make: Make) -> Reading:
    return readings.of_stream(make(), streams.GENERATED)


def _of_file(read: Callable[[dict[str, Any]], Any]) -> Reading:
    return readings.of_stream(read(files()), streams.GENERATED)


def _tenet(make_all: Callable[[], Any]) -> Reading:
    every = {
        key: readings.of_stream(stream, streams.GENERATED) for key, stream in make_all().items()
    }
    ids = tuple(each for reading in every.values() for each in reading.ids)
    return Reading({key: each.digits for key, each in every.items()}, None, ids)


def _readers(data: Path) -> Iterator[tuple[str, Job]]:
    for name, make in streams.LOADED.items():
        yield f"load/{name}", partial(_of_made, make)
    for name, read in streams.READ.items():
        yield f"read/{name}", partial(_of_file, read)
    for name in ("agrawal", "led", "electricity"):
        path = data / "grzenda2019" / f"{name}.arff.gz"
        yield f"read/arff_events_{name}", partial(_arff_events, path)
    yield "read/nycflights", partial(_of_made, partial(streams.nycflights, data))


def _arff_events(path: Path) -> Reading:
    """The first lines of an event log published with grzenda2019, and a run over them."""
    stream = streams.arff_events(first_lines(path))
    run = readings.of_run(sg.evaluate(stream, sg.NaiveBayes(), progress=False))
    rows = readings.of_stream(stream, streams.GENERATED)
    return Reading({"stream": rows.digits, "run": run.digits}, rows.words, rows.ids + run.ids)


def _learners() -> Iterator[tuple[str, Job]]:
    for name, played, make in learners.LEARNERS:
        for place, stream in enumerate(played.split()):
            yield f"learner/{name}/{stream}", partial(_learner, stream, make, place > 0)


def _learner(stream: str, make: Make, late: bool) -> Reading:
    return readings.of_run(_play(stream, make, cases.learner_options(late)))


def _evaluations() -> Iterator[tuple[str, Job]]:
    for name, (stream, make, options) in cases.EVALUATIONS.items():
        yield f"evaluate/{name}", partial(_evaluation, stream, make, options)
    yield "evaluate/several", _several
    yield "evaluate/saved", _saved
    yield "evaluate/evolving", lambda: readings.of_run(cases.evolving(files()))
    for name, score in cases.SCORES.items():
        yield f"score/{name}", partial(_score, score)


def _evaluation(stream: str, make: Make, options: Callable[[], dict[str, Any]]) -> Reading:
    result = _play(stream, make, options())
    return readings.of_run(result) if isinstance(result, sg.Run) else readings.of_models(result)


def _several() -> Reading:
    """Learners that share one pass."""
    runs = [readings.of_run(run) for run in _play("elec2", cases.several, {})]
    ids = tuple(each for run in runs for each in run.ids)
    return Reading([run.digits for run in runs], [run.words for run in runs], ids)


def _saved() -> Reading:
    """A run whose predictions are kept on disk, saved and read back."""
    run = _play("elec2", sg.HoeffdingTree, {"save": str(folder() / "kept")})
    place = run.save(folder() / "saved")
    return readings.of_stored(sg.compare(place, run), place, run)


def _score(score: Callable[[Any, Path], sg.Run]) -> Reading:
    """Scores the predictions of a run, given as columns or as a file."""
    place = _run("elec2").save(folder() / "scored")
    return readings.of_run(score(_run("elec2").predictions, place / "predictions.parquet"))


def _detection() -> Iterator[tuple[str, Job]]:
    for name, make in learners.DETECTORS.items():
        yield f"detect/{name}", partial(_detect, "sine_drift", "naive_bayes", make)
    for name in learners.FOR_REGRESSION:
        make = learners.DETECTORS[name]
        yield f"detect_numbers/{name}", partial(_detect, "bike_hour", "tree_regressor_other", make)
    yield (
        "detect/river/adwin",
        partial(_detect, "sine_drift", "naive_bayes", learners.river_detector),
    )
    for name, scored in cases.ALARMS.items():
        yield f"alarms/{name}", partial(_alarms, scored)


def _detect(stream: str, learner: str, make: Make) -> Reading:
    return readings.of_dict(sg.detect(_run(stream, learner), [make()]).to_dict())


def _alarms(scored: Callable[[Any], Any]) -> Reading:
    return readings.of_dict(scored([_run("sine_drift"), _run("sea_drift")]).to_dict())


def _comparisons() -> Iterator[tuple[str, Job]]:
    for name, compared in cases.COMPARISONS.items():
        yield f"compare/{name}", partial(_compare, compared)
    for name, ranked in cases.RANKINGS.items():
        yield f"rank/{name}", partial(_rank, ranked)
    for name, inspected in cases.INSPECTIONS.items():
        yield f"inspect/{name}", partial(_inspect, inspected)


def _compare(compared: Callable[[Any], Any]) -> Reading:
    found = compared(_run)
    return readings.of_comparisons(found if isinstance(found, sg.Comparisons) else [found])


def _rank(ranked: Callable[[Any], Any]) -> Reading:
    return readings.of_dict(ranked(_run).to_dict())


def _inspect(inspected: Callable[[Any], Any]) -> Reading:
    return readings.of_dict(inspected(_stream).to_dict())


def _experiment() -> Reading:
    """A small grid, in this process."""
    results = sg.run_grid(cases.grid(), folder() / "grid", workers=0, progress=False)
    return readings.of_results(results)


def _example() -> Reading:
    """The ids of the cells in examples/bench.toml, known without running them."""
    path = Path(__file__).parents[2] / "examples" / "bench.toml"
    cells = sg.Grid.read(path).cells
    return Reading({"cells": len(cells)}, None, tuple(cell.id for cell in cells))
