"""The JavaScript that draws charts in a page: Vega, Vega-Lite and Vega-Embed in one text.

vl-convert takes seconds to put it together, so the text is kept in the cache folder.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache
from importlib.metadata import version as installed
from pathlib import Path

from streamgauge._support.cache_dir import cache_dir
from streamgauge._support.errors import MissingExtra
from streamgauge._support.inside import Inside
from streamgauge._support.whole_file import whole_file

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
    file = f"{installed('vl-convert-python')}-{version}.js"
    place = Inside(cache_dir(), "javascript", file)
    found = _read(place.path)
    if found is None:
        found = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version)
        found = found.replace("\r", "").replace("</script", "<\\/script").replace("<!--", "<\\!--")
        _keep(place, found)
    return found


def _read(path: Path) -> str | None:
    """The text in a file; None if it is missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, text = content[:_DIGEST], content[_DIGEST:]
    return text.decode() if hashlib.sha256(text).digest() == digest else None


def _keep(place: Inside, text: str) -> None:
    """Write the file; without space or permission, the next process makes the text again."""
    with suppress(OSError):
        place.parent.make()
        with whole_file(place) as file:
            file.write(hashlib.sha256(text.encode()).digest() + text.encode())
