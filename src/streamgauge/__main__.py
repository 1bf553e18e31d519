"""`python -m streamgauge`: the command line."""

from __future__ import annotations

from streamgauge.cli import main

if __name__ == "__main__":
    main()
