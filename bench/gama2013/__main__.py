"""`python -m bench.gama2013` prints docs/gama2013.md; with `trees`, results for other trees."""

from __future__ import annotations

import sys

from bench.gama2013.page import page, trees

if __name__ == "__main__":
    for line in trees() if sys.argv[1:] == ["trees"] else page():
        print(line, flush=True)
