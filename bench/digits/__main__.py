"""`python -m bench.digits record OUT.json`, `python -m bench.digits compare OLD.json NEW.json`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.digits.comparing import compare, report

_PACKAGES = ("numpy", "numba", "scipy", "pyarrow", "river", "scikit-learn", "torch", "capymoa")


def main() -> int:
    """Record or compare; the exit code is 1 if digits differ or a case failed."""
    parser = argparse.ArgumentParser(prog="bench.digits", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run every case and save its numbers")
    recording.add_argument("out", type=Path)
    recording.add_argument("--only", default="", help="only cases whose name contains this text")
    comparing = commands.add_parser("compare", help="compare two recordings digit by digit")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--ids", action="store_true", help="fail if run ids differ, too")
    given = parser.parse_args()
    if given.command == "record":
        return _record(given.out, given.only)
    old, new = (json.loads(path.read_text()) for path in (given.old, given.new))
    found = compare(old, new)
    print("\n".join(report(found)))
    return int(bool(found.digits) or (given.ids and found.ids[0] > 0))


def _record(out: Path, only: str) -> int:
    if "STREAMGAUGE_DATA" not in os.environ:
        sys.exit("bench.digits: set STREAMGAUGE_DATA to the folder with the data sets")
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[threads] = "1"  # before numpy loads: sums must not depend on the core count
    import streamgauge
    from bench.digits.jobs import jobs

    made_with = {package: _version(package) for package in _PACKAGES}
    made_with["streamgauge"] = str(Path(streamgauge.__file__).parent)
    print(f"recording {made_with['streamgauge']}", file=sys.stderr)
    cases = {}
    for name, job in jobs(Path(os.environ["STREAMGAUGE_DATA"])).items():
        if only in name:
            began = time.perf_counter()
            cases[name] = _record_case(name, job)
            took = f"{time.perf_counter() - began:6.2f} s"
            print(f"{took}  {name}  {cases[name].get('failed', '')}", file=sys.stderr, flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"made_with": made_with, "cases": cases}, indent=0))
    failed = sum("failed" in case for case in cases.values())
    skipped = sum("missing" in case for case in cases.values())
    print(f"{len(cases)} cases, {failed} failed, {skipped} skipped: {out}")
    return int(failed > 0)


def _record_case(name: str, job: Any) -> dict[str, Any]:
    from bench.digits.jobs import missing

    if package := missing(name):
        return {"missing": package}
    try:
        return dict(job()._asdict())
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main())
