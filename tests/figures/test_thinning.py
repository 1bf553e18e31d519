"""Thinning keeps the extremes, the ends and the gaps of each series."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from streamgauge.figures._thinning import POINTS, thinned


def frame(**series: np.ndarray) -> pa.Table:
    names = np.repeat(list(series), [len(each) for each in series.values()])
    values = np.concatenate(list(series.values()))
    rows = np.concatenate([np.arange(len(each)) for each in series.values()])
    return pa.table(
        {"series": names, "rows": rows, "value": pa.array(values, mask=np.isnan(values))}
    )


def test_short_series_are_kept_whole() -> None:
    table = frame(a=np.arange(10.0), b=np.arange(POINTS, dtype=float))
    assert thinned(table) == (table, 1)


def test_extremes_and_ends_stay() -> None:
    value = np.random.default_rng(1).normal(size=100_003)
    value[77_777], value[5] = 99.0, -99.0
    table, step = thinned(frame(a=value, b=np.arange(3.0)))
    assert step == 202
    kept = {name: table.filter(pa.array(np.array(table["series"]) == name)) for name in "ab"}
    assert len(kept["a"]) <= POINTS + 2
    assert {0, 5, 77_777, 100_002} <= set(kept["a"]["rows"].to_pylist())
    assert len(kept["b"]) == 3
    for start in range(0, 100_003, step):  # no stretch loses its highest value
        stretch = value[start : start + step]
        inside = (kept["a"]["rows"].to_numpy() // step) == start // step
        assert kept["a"]["value"].to_numpy()[inside].max() == stretch.max()


def test_gaps_stay_gaps() -> None:
    value = np.zeros(50_000)
    value[20_000:30_000] = np.nan
    table, _ = thinned(frame(a=value))
    holes = table["rows"].to_numpy()[np.isnan(table["value"].to_numpy())]
    assert holes.min() == 20_000
    assert holes.max() > 29_000


def test_panels_are_thinned_apart() -> None:
    table = frame(a=np.arange(2000.0))
    table = table.append_column("panel", pa.array(["one"] * 1000 + ["two"] * 1000))
    assert len(thinned(table, ("series", "panel"))[0]) == 2000
