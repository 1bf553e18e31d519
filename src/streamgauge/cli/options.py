"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Arrives = Annotated[str | None, typer.Option(help="Column of arrival times.")]
Revealed = Annotated[str | None, typer.Option(help="Column of reveal times.")]
Windows = Annotated[list[int] | None, typer.Option(help="Also measure over the last so many rows.")]
Fadings = Annotated[list[float] | None, typer.Option(help="Also measure with fading, e.g. 0.999.")]
Json = Annotated[Path | None, typer.Option(help="Write the results there (docs/json.md).")]
Debug = Annotated[bool, typer.Option(help="Show the traceback of an error.")]
