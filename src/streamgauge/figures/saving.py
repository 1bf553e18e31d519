"""Altair's charts with our style, and with a `save` whose .html loads and evaluates nothing."""

from __future__ import annotations

import functools
import importlib.util
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from streamgauge._support.errors import MissingExtra, UsageError
from streamgauge._support.paths import check_path as check_any_path
from streamgauge.figures._print_size import PrintWidth, fitted, print_width, printed_svg
from streamgauge.figures.javascript import javascript

_SUFFIXES = (".pdf", ".svg", ".png", ".html", ".json")
_PICTURES = (".pdf", ".svg", ".png")
_PPI = 200  # of a .png: sharp in print
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # XML has none of them
# The converter measures texts in Arial's widths; in a wider font of the browser they would be cut.
_FONT = "Arial, Helvetica, Liberation Sans, sans-serif"
_CONFIG: dict[str, dict[str, Any]] = {
    "view": {"strokeWidth": 0},
    "axis": {"labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "grid": True},
    "legend": {
        "labelFontSize": 11, "orient": "bottom", "columns": 3, "labelLimit": 220, "symbolSize": 300
    },
}  # fmt: skip
# vega-embed interprets the expressions of a chart (`ast`), so the policy needs no `unsafe-eval`.
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>Figure</title>
<script>{javascript}</script>
</head>
<body>
<div id="figure"></div>
<script>
vegaEmbed("#figure", {chart}, {{mode: "vega-lite", ast: true, renderer: "svg"}});
</script>
</body>
</html>
"""


def styled(chart: Any) -> Any:
    """The same chart in our style, whose `save` writes self-contained pages and sharp pictures.

    The style is added when the whole chart is written, because Altair refuses to combine charts
    that have one of their own: `a & b`, `a | b` and `a + b` work.
    """
    kind: Any = type(chart)
    return chart if hasattr(kind, "streamgauge") else _class(kind)(**chart._kwds)


@functools.cache
def _class(kind: Any) -> Any:
    """A class of Altair's charts with our style and our `save`.

    Altair's own .html loads JavaScript from the network, and lets a name in a chart end its script.
    """

    class Figure(kind):  # type: ignore[misc]
        streamgauge = True

        @property
        def caption(self) -> str:
            """Everything there is to say about the figure, a sentence per line.

            Two lines of it stand below the title.
            """
            told = self._kwds.get("description")
            return told if isinstance(told, str) else ""

        def to_dict(self, *given: Any, **options: Any) -> dict[str, Any]:
            """The specification; settings of the user's go before ours."""
            chart: dict[str, Any] = super().to_dict(*given, **options)
            if (options.get("context") or {}).get("top_level", True):
                own = chart.get("config", {})
                shared = {key: {**each, **own.get(key, {})} for key, each in _CONFIG.items()}
                chart["config"] = {"font": _FONT, **own, **shared}
            return chart

        def save(
            self, fp: Any, format: str | None = None, width: str | None = None, **options: Any
        ) -> None:
            """Save as .pdf, .svg, .png, .html or .json; options are those of Altair.

            `width`: "column" (3.3 inches) or "page" (6.9), of a .pdf, .svg or .png. Panels get
            narrower or wider, text does not: it has at least 7 points in a column, 8 on a page.
            """
            kind = f".{format}" if format else _suffix(fp)
            size = None if width is None else print_width(width)
            if size is not None and kind not in _PICTURES:
                raise UsageError(f"width={width!r}: expected a .pdf, .svg or .png, got {kind}")
            if kind == ".html":
                _write(html_page(self.to_dict()), fp)
                return
            if _has_controls(self.to_dict()):  # the converter would end the whole program
                raise UsageError(
                    "the figure has a text with control characters, which no picture can hold; "
                    "remove them from its titles and data, or save it as .html"
                )
            if size is not None:
                ppi = options.pop("ppi", _PPI)
                _write(_printed(self.to_dict(), kind, size, ppi), fp)
                return
            if kind == ".png" and "scale_factor" not in options:
                options.setdefault("ppi", _PPI)
            super().save(fp, format, **options)

        def __add__(self, other: Any) -> Any:
            return styled(super().__add__(other))

        def __and__(self, other: Any) -> Any:
            return styled(super().__and__(other))

        def __or__(self, other: Any) -> Any:
            return styled(super().__or__(other))

    return Figure


def _printed(chart: dict[str, Any], kind: str, width: PrintWidth, ppi: float) -> str | bytes:
    """A picture in this width on paper."""
    import altair as alt
    import vl_convert

    drawn, scale = fitted(chart, width)
    if kind == ".svg":
        return printed_svg(drawn, scale, "pt")
    if kind == ".pdf":
        return bytes(vl_convert.svg_to_pdf(printed_svg(drawn, scale)))
    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    text = json.dumps(drawn)
    return bytes(vl_convert.vegalite_to_png(text, vl_version=version, scale=scale, ppi=ppi))


def _has_controls(value: Any) -> bool:
    """Whether a text in nested values has characters that no SVG can hold."""
    if isinstance(value, str):
        return _CONTROLS.search(value) is not None
    if isinstance(value, dict):
        return any(map(_has_controls, value)) or any(map(_has_controls, value.values()))
    return isinstance(value, list) and any(map(_has_controls, value))


def stacked(charts: Iterable[Any]) -> Any:
    """Finished charts one below the other, each with its title."""
    import altair as alt

    several = list(charts)
    return several[0] if len(several) == 1 else styled(alt.vconcat(*several, spacing=30))


def html_page(chart: dict[str, Any]) -> str:
    """A page with the chart, its data and all JavaScript in it."""
    text = json.dumps(chart).replace("<", "\\u003c")  # no name ends the script
    return _PAGE.format(javascript=javascript(), chart=text)


def _suffix(fp: Any) -> str:
    """The suffix of a path, which says the format; for a file object Altair asks for `format`."""
    return check_path(fp) if isinstance(fp, str | Path) else ""


def check_path(path: str | Path) -> str:
    """The suffix of a path; an error if no figure can be saved as such a file."""
    suffix = check_any_path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise UsageError(
            f"{path}: cannot save a figure as {suffix or 'a file without a suffix'}; expected one "
            f"of {', '.join(_SUFFIXES)}"
        )
    return suffix


def require_altair() -> None:
    """Raise an error with the pip line if Altair or its converter to pictures is not installed."""
    for name in ("altair", "vl_convert"):
        if importlib.util.find_spec(name) is None:
            raise MissingExtra("Altair with vl-convert", "plot")


def _write(content: str | bytes, fp: Any) -> None:
    if not isinstance(fp, str | Path):
        fp.write(content)
    elif isinstance(content, bytes):
        Path(fp).write_bytes(content)
    else:
        Path(fp).write_text(content, encoding="utf-8")
