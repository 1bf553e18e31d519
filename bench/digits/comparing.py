"""Compares two recordings: numbers must be equal to the last digit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

_SHOWN = 200  # differences printed at most
_WORDS_SHOWN = 20


class Found(NamedTuple):
    """The differences between two recordings."""

    digits: list[str]
    words: list[str]
    renamed: dict[tuple[str, str], int]  # changed keys with unchanged values
    notes: list[str]
    ids: tuple[int, int]  # (different, all)
    cases: tuple[int, int]  # (compared, all)
    changed: dict[str, int]  # number of differing values by case


def compare(old: dict[str, Any], new: dict[str, Any]) -> Found:
    """Compare every case."""
    found = Found([], [], {}, [], (0, 0), (0, 0), {})
    others = total = compared = 0
    ours, theirs = old["cases"], new["cases"]
    for what in sorted({*old["made_with"], *new["made_with"]}):
        pair = [each["made_with"].get(what) for each in (old, new)]
        if pair[0] != pair[1] and what != "streamgauge":
            found.notes.append(f"made with another {what}: {pair[0]} -> {pair[1]}")
    for name in dict.fromkeys([*ours, *theirs]):
        if name not in ours or name not in theirs:
            found.digits.append(f"{name}: only in the {'old' if name in ours else 'new'} recording")
            continue
        one, other = ours[name], theirs[name]
        skipped = {each["missing"] for each in (one, other) if "missing" in each}
        if skipped:
            found.notes.append(f"{name}: not compared, {', '.join(skipped)} missing")
            continue
        failed = [each["failed"] for each in (one, other) if "failed" in each]
        if failed:
            found.digits.append(f"{name}: failed: {failed[-1]}")
            continue
        compared += 1
        different = list(_differences(one["digits"], other["digits"], name, found.renamed))
        if different:
            found.changed[name] = len(different)
            found.digits.extend(different)
        found.words.extend(_differences(one["words"], other["words"], name, {}))
        pairs = list(zip(one["ids"], other["ids"], strict=False))
        total += max(len(one["ids"]), len(other["ids"]))
        others += sum(a != b for a, b in pairs) + abs(len(one["ids"]) - len(other["ids"]))
    every = len({*ours, *theirs})
    return found._replace(ids=(others, total), cases=(compared, every))


def _differences(
    old: Any, new: Any, where: str, renamed: dict[tuple[str, str], int]
) -> Iterator[str]:
    """The places where two nested values are not identical."""
    if isinstance(old, dict) and isinstance(new, dict):
        added = [key for key in new if key not in old]
        for key, value in old.items():
            if key in new:
                yield from _differences(value, new[key], f"{where}/{key}", renamed)
                continue
            twin = next((a for a in added if _leaves(new[a]) == _leaves(value)), None)
            if twin is None:
                yield f"{where}/{key}: only in the old recording"
            else:
                added.remove(twin)
                renamed[key, twin] = renamed.get((key, twin), 0) + 1
        yield from (f"{where}/{key}: only in the new recording" for key in added)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{where}/{place}", renamed)
    elif repr(old) != repr(new):  # exact for floats; NaN equals NaN, 0.0 differs from -0.0
        yield f"{where}: {_short(old)} -> {_short(new)}"


def _leaves(value: Any) -> list[str]:
    """All values below, regardless of their keys."""
    if isinstance(value, dict | list):
        below = value.values() if isinstance(value, dict) else value
        return sorted(leaf for each in below for leaf in _leaves(each))
    return [repr(value)]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def report(found: Found) -> Iterator[str]:
    """The lines of the report."""
    yield from found.notes
    if found.renamed:
        keys = ", ".join(f"{a} -> {b} ({n})" for (a, b), n in found.renamed.items())
        yield f"renamed, with the same numbers: {keys}"
    yield f"words differ: {len(found.words)}"
    yield from (f"  {line}" for line in found.words[:_WORDS_SHOWN])
    yield f"run ids differ: {found.ids[0]} of {found.ids[1]}"
    yield f"cases compared: {found.cases[0]} of {found.cases[1]}"
    yield f"digits differ: {len(found.digits)}" if found.digits else "digits equal"
    yield from (f"  {count:5} in {name}" for name, count in found.changed.items())
    yield from (f"  {line}" for line in found.digits[:_SHOWN])
    if len(found.digits) > _SHOWN:
        yield f"  and {len(found.digits) - _SHOWN} more"
