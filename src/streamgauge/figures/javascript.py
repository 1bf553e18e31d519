"""The JavaScript that draws charts in a page: Vega, Vega-Lite and Vega-Embed in one text.

vl-convert takes seconds to put it together, so the text is kept in the cache folder.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version as installed
from pathlib import Path

from streamgauge._support.cache_dir import cache_dir
from streamgauge._support.errors import MissingExtra

_DIGEST = hashlib.sha256().digest_size


@cache
def javascript() -> str:
    """The bundle, which sets `vegaEmbed`; it can stand inside a script element."""
    try:
        import altair as alt
        import vl_convert
    except ImportError:
        raise MissingExtra("Altair with vl-convert", "plot") from None
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    path = cache_dir() / "javascript" / f"{installed('vl-convert-python')}-{version}.js"
    found = _read(path)
    if found is None:
        found = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)
        found = found.replace("\r", "").replace("</script", "<\\/script").replace("<!--", "<\\!--")
        _keep(path, found)
    return found


def _read(path: Path) -> str | None:
    """The text in a file; None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, text = content[:_DIGEST], content[_DIGEST:]
    return text.decode() if hashlib.sha256(text).digest() == digest else None


def _keep(path: Path, text: str) -> None:
    """Write the file; without space or permission, the next process makes the text again."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(text.encode()).digest() + text.encode())
        Path(aside).replace(path)
