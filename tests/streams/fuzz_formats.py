"""Everything that reads data, applied to mutated inputs; a format may run in its own process.

`python -m tests.streams.fuzz_formats FORMAT COUNT SEED` prints what failed; a crash ends only it.
"""

from __future__ import annotations

import atexit
import gzip
import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import streamgauge as sg
from streamgauge._support.inside import Inside
from streamgauge.streams.stored import StoredStream, write_stream
from streamgauge.testing._streams import check_block
from tests.fuzz import failures

FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

PLAIN = b"a,b,y\n" + b"".join(f"{i}.5,w{i % 3},{i % 2}\n".encode() for i in range(12))
QUOTED = b'a,"b c",y\r\n1,"x,1",yes\r\n,"y ""z""",no\r\n3,"",yes\r\n4,"two\nlines",no\r\n'
WIDE = (
    b",".join(b"c%d" % i for i in range(60)) + b",y\n" + (b"1," * 60 + b"u\n,") + b"2," * 59 + b"v"
)
TIMES = b"t,r,a,y\n" + b"".join(
    f"2013-01-0{i + 1}T11:00Z,2013-01-0{i + 2}T00:00Z,{i},{i % 2}\n".encode() for i in range(7)
)
DENSE = (
    b"@relation r\n% comment\n@attribute a numeric\n@attribute 'b c' {x, 'y z', \"w\"}\n"
    b"@attribute s string\n@attribute y {u,v}\n@data\n1,x,q,u\n?,'y z',\"r s\",v\n% c\n\n2,w,t,u\n"
)
SPARSE = (
    b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c real\n"
    b"@attribute y {u,v}\n@data\n{0 1.5, 3 v}\n{1 'y', 2 7}\n{}\n{3 ?}\n"
)
LOG = b"id,t,a,y\n1,0,3,\n2,5,4,\n1,30,12,\n2,95,,no\n1,120,,yes\n3,130,5,\n3,131,,no\n"
SCORES = b"id,t,d,y,p,q\n" + b"".join(
    f"{i},{i},{i + 3},{'ab'[i % 2]},{'ab'[i // 2 % 2]},0.{i % 9}\n".encode() for i in range(14)
)
CARD = (
    b'name = "m"\ntitle = "M"\nabout = "?"\npaper = "none"\nlicence = "ours"\ntarget = "y"\n'
    b'classes = ["no", "yes"]\nfeatures = ["a", "b"]\nnominal = ["b"]\nrows = 4\n'
    b'[leaks]\nc = "later"\n[variants.small]\nabout = "x"\nfeatures = ["a"]\n'
    b"[derived]\nb = { every = 2, values = [1, 2] }\n"
)


def typed_table() -> pa.Table:
    """A table with a column of each kind."""
    n = 40
    words = pa.array(["x", "y", None, "z"] * (n // 4))
    return pa.table(
        {
            "a": np.arange(n) / 4,
            "i": pa.array([None, *range(1, n)], pa.int32()),
            "s": words,
            "d": words.dictionary_encode(),
            "t": pa.array(np.arange(n) * 10**9, pa.timestamp("ns")),
            "f": pa.array([i % 2 == 0 for i in range(n)]),
            "y": ["u", "v"] * (n // 2),
        }
    )


def parquet(**options: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(typed_table(), out, **options)
    return out.getvalue()


def arrow(compression: str | None = None) -> bytes:
    out = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(out, typed_table().schema, options=options) as writer:
        writer.write_table(typed_table(), max_chunksize=13)
    return out.getvalue()


def written(name: str, data: bytes) -> Path:
    path = FOLDER / name
    path.write_bytes(data)
    return path


def check_rows(stream: sg.Stream) -> None:
    """Rows must match their schema in every pass."""
    for _ in range(2):
        rows = 0
        for block in stream.blocks(7):
            check_block(block, stream.schema)
            rows += len(block)
        assert rows == stream.rows


def reader(suffix: str, **options: Any) -> Callable[[bytes], None]:
    """Read a file of this kind."""
    return lambda data: check_rows(sg.read(written(f"x{suffix}", data), "y", **options))


def zipped(data: bytes) -> None:
    """The text inside is mutated, not the compressed bytes."""
    check_rows(sg.read(written("x.csv.gz", gzip.compress(data)), "y"))


def events(data: bytes) -> None:
    path = written("log.csv", data)
    check_rows(sg.read_events(path, "y", id="id", time="t", on_conflict="skip"))
    check_rows(sg.read_events(path, "y", id="id", time="t"))


def scores(data: bytes) -> None:
    sg.score(written("log.csv", data), true="y", pred="p", arrives="t", revealed="d")


def probabilities(data: bytes) -> None:
    sg.score(written("log.csv", data), true="y", proba={"q": "a"})


def joined(data: bytes) -> None:
    asked = written("asked.csv", SCORES)
    sg.score(asked, true="y", pred="p", label_log=written("answers.csv", data), id="id")


def card(data: bytes) -> None:
    """A card and its file; a card of another name has no file and no source."""
    written("m.csv.gz", gzip.compress(b"a,y\n1,no\n2,yes\n3,no\n4,yes\n"))
    check_rows(sg.load(written("m.toml", data)))


def stored() -> bytes:
    write_stream(sg.SEA(50, seed=1), Inside(FOLDER, "stored.npz"))
    return (FOLDER / "stored.npz").read_bytes()


# What to do, valid inputs, and how many mutations of them the long tier tries
FORMATS: dict[str, tuple[Callable[[bytes], None], list[bytes], int]] = {
    "csv": (reader(".csv"), [PLAIN, QUOTED, WIDE], 2000),
    "csv-times": (reader(".csv", arrives="t", revealed="r"), [TIMES], 400),
    "csv-in-gz": (zipped, [PLAIN, QUOTED], 400),
    "csv.gz": (reader(".csv.gz"), [gzip.compress(PLAIN), gzip.compress(QUOTED)], 600),
    "arff": (reader(".arff"), [DENSE, SPARSE], 2000),
    "arff.gz": (reader(".arff.gz"), [gzip.compress(DENSE)], 200),
    "parquet": (
        reader(".parquet", drop=["t"]),
        [parquet(), parquet(compression="zstd", version="1.0")],
        1000,
    ),
    "arrow": (reader(".arrow", drop=["t"]), [arrow(), arrow("lz4")], 1000),
    "events": (events, [LOG], 600),
    "scores": (scores, [SCORES], 300),
    "probabilities": (probabilities, [SCORES], 200),
    "labels": (joined, [b"id,y\n0,a\n1,b\n2,a\n3,b\n"], 200),
    "card": (card, [CARD], 600),
    "stored": (lambda data: check_rows(StoredStream(written("m.npz", data))), [stored()], 500),
}


def main(name: str, count: int, seed: int) -> int:
    action, seeds, _ = FORMATS[name]
    found = failures(action, seeds, count, seed)
    print("\n".join(found))
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
