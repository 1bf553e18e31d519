"""--protocol: a way to test, by text: `Holdout(every=1000, size=500)`, with literal parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from streamgauge._support.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from streamgauge.evaluation.options import Protocol


def parse_protocol(text: str | None) -> Protocol | None:
    """The protocol a text names; none is the prequential one."""
    from streamgauge._support.call_parser import Names, read

    if text is None:
        return None
    try:
        return read(text, Names(_protocol, alone=False))  # type: ignore[no-any-return]
    except (SyntaxError, ValueError, TypeError) as error:
        raise UsageError(
            f"--protocol {text!r}: {error}; expected Holdout(every=1000, size=500), its test= "
            "'interleaved' or 'first', or PrequentialCV(k=10), its mode= 'cv', 'split' or "
            "'bootstrap'"
        ) from None


def _protocol(name: str) -> Any:
    from streamgauge._support import registry

    known = registry.names("protocol")
    if name not in known:
        raise ValueError(f"unknown protocol {name!r}{did_you_mean(name, known)}")
    return registry.find(name)
