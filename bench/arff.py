"""Reading ARFF, MOA's format: a million rows of Elec2, read and evaluated; writes such files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import streamgauge as sg
from bench.clock import Line, all_cores, take_turns
from streamgauge.streams.frames import ArrayStream

_REPEATS = 23  # of Elec2: a million rows
_LEAST_READ = 3.0  # million rows a second
_LEAST_EVALUATED = 1.75
_LONG = 10_000  # cells of a long line; the longer one has four times as many
_MOST_GROWTH = 8.0  # 4 if the time is linear, 16 if it is quadratic


def measure() -> Iterator[Line]:
    """Opening a file and one pass over it, and an evaluation that begins with the file.

    On two cores: one reads while the other plays.
    """
    with tempfile.TemporaryDirectory() as folder, all_cores():
        path = Path(folder) / "elec2.arff"
        write_arff(sg.load("elec2", variant="all"), path)
        header, mark, rows = path.read_text(encoding="utf-8").partition("@data\n")
        path.write_text(header + mark + rows * _REPEATS, encoding="utf-8")
        million = _REPEATS * rows.count("\n") / 1e6
        stream = sg.read(path, "class")
        in_memory = ArrayStream("elec2", stream.schema, next(stream.blocks(round(1e6 * million))))
        jobs: dict[str, Callable[[], object]] = {
            "read": partial(_read, path),
            "evaluated": partial(sg.evaluate, path, sg.HoeffdingTree(), target="class"),
            "in memory": partial(sg.evaluate, in_memory, sg.HoeffdingTree()),
        }
        take_turns(1, jobs)
        seconds = take_turns(5, jobs)
    speed = {name: million / each for name, each in seconds.items()}
    yield Line(
        "ARFF, a million rows of Elec2: opening and a pass, two cores",
        f"{speed['read']:.2f} M rows/s",
        f">= {_LEAST_READ:g} M rows/s",
        speed["read"] >= _LEAST_READ,
    )
    yield Line(
        "ARFF, a million rows of Elec2: a Hoeffding tree evaluated from the file, two cores",
        f"{speed['evaluated']:.2f} M rows/s ({speed['in memory']:.2f} M in memory)",
        f">= {_LEAST_EVALUATED:g} M rows/s",
        speed["evaluated"] >= _LEAST_EVALUATED,
    )
    yield from _long_lines()


def _long_lines() -> Iterator[Line]:
    """The time of a line of the header or of the data is linear in its length."""
    for kind in ("nominal values", "sparse cells", "blanks", "quoted cells", "signs of a comment"):
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for name, cells in (("short", _LONG), ("long", 4 * _LONG)):
                paths[name] = Path(folder) / f"{name}.arff"
                paths[name].write_text(_with_long_line(kind, cells), encoding="utf-8")
            jobs: dict[str, Callable[[], object]] = {
                name: partial(_try_to_read, path) for name, path in paths.items()
            }
            take_turns(1, jobs)
            seconds = take_turns(5, jobs)
        growth = seconds["long"] / seconds["short"]
        yield Line(
            f"ARFF, a line of four times as many {kind}: times the seconds",
            f"{growth:.1f}x",
            f"<= {_MOST_GROWTH:g}x",
            growth <= _MOST_GROWTH,
        )


def _with_long_line(kind: str, cells: int) -> str:
    head, data = "@attribute a numeric\n@attribute y {u,v}\n@data\n", "1,u\n2,v\n"
    if kind == "nominal values":
        values = ",".join(f"v{i}" for i in range(cells))
        return f"@attribute a {{{values}}}\n@attribute y {{u,v}}\n@data\nv1,u\nv2,v\n"
    if kind == "sparse cells":
        return head + "{" + ",".join(f"{i} 1" for i in range(cells)) + "}\n{1 v}\n"
    if kind == "blanks":
        return head.replace("numeric", "numeric" + " " * 8 * cells + "x") + data
    if kind == "quoted cells":
        return head + "'a'," * cells + "\n" + data
    return head + data + "%" * 400 * cells


def _try_to_read(path: Path) -> None:
    with suppress(sg.InputError):  # most of these lines are errors
        for _ in sg.read(path, "y").blocks(1 << 14):
            pass


def _read(path: Path) -> int:
    return sum(len(block) for block in sg.read(path, "class").blocks(1 << 14))


def write_arff(stream: sg.Stream, path: Path) -> None:
    """Write the stream; nominal values keep the order of their codes, missing cells become `?`."""
    schema = stream.schema
    with path.open("w", encoding="utf-8") as file:
        file.write("@relation stream\n\n")
        for j, values in enumerate(schema.values):
            kind = f"{{{','.join(map(_quoted, values))}}}" if values else "numeric"
            file.write(f"@attribute f{j} {kind}\n")
        classes = [_quoted(str(label)) for label in schema.classes]
        target = f"{{{','.join(classes)}}}" if classes else "numeric"
        file.write(f"@attribute class {target}\n\n@data\n")
        for block in stream.blocks(8192):
            for x, y in zip(block.X.tolist(), block.y.tolist(), strict=True):
                cells = [
                    "?"
                    if value != value
                    else _quoted(values[int(value)])
                    if values
                    else repr(value)
                    for value, values in zip(x, schema.values, strict=True)
                ]
                file.write(",".join([*cells, _label(y, classes)]) + "\n")


def _label(y: float, classes: list[str]) -> str:
    if y != y or (classes and y < 0):
        return "?"  # not known
    return classes[int(y)] if classes else repr(y)


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
