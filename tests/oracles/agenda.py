"""Oracle for the order of events: when each row is predicted (P) and learned (L), semantics §1."""

Event = tuple[str, int]


def events(
    policy: str,
    n: int,
    *,
    delay: int = 1,
    chunk: int = 1,
    arrives: list[int] | None = None,
    revealed: list[int | None] | None = None,
    ties: str = "arrivals_first",
    known: list[bool] | None = None,
) -> list[Event]:
    """All events of a stream of n rows, in order; rows without a known label are never learned."""
    if policy == "immediate":
        all_events = _immediate(n)
    elif policy == "delay":
        all_events = _delay(n, delay)
    elif policy == "chunks":
        all_events = _chunks(n, chunk)
    elif policy == "from_stream":
        if revealed is None:
            raise ValueError("from_stream needs reveal times")
        all_events = _from_stream(list(range(n)) if arrives is None else arrives, revealed, ties)
    else:
        raise ValueError(f"unknown policy {policy!r}")
    return [(kind, row) for kind, row in all_events if kind == "P" or known is None or known[row]]


def _immediate(n: int) -> list[Event]:
    out: list[Event] = []
    for row in range(n):
        out.append(("P", row))
        out.append(("L", row))
    return out


def _delay(n: int, delay: int) -> list[Event]:
    if delay < 1:
        raise ValueError("expected a delay of at least 1")
    out: list[Event] = []
    for clock in range(n + delay):  # the clock runs on after the last row
        if clock >= delay:
            out.append(("L", clock - delay))
        if clock < n:
            out.append(("P", clock))
    return [(kind, row) for kind, row in out if row < n]


def _chunks(n: int, chunk: int) -> list[Event]:
    if chunk < 1:
        raise ValueError("expected a chunk of at least 1 row")
    out: list[Event] = []
    for start in range(0, n, chunk):
        rows = range(start, min(start + chunk, n))
        out.extend(("P", row) for row in rows)
        out.extend(("L", row) for row in rows)
    return out


def _from_stream(arrives: list[int], revealed: list[int | None], ties: str) -> list[Event]:
    if ties not in ("arrivals_first", "labels_first"):
        raise ValueError(f"unknown ties {ties!r}")
    if arrives != sorted(arrives):
        raise ValueError("rows must be in order of arrival")
    # Sorting by (time, phase, row, step) is the whole rule.
    agenda: list[tuple[int, int, int, int, str]] = []
    for row, (arrival, reveal) in enumerate(zip(arrives, revealed, strict=True)):
        agenda.append((arrival, 1, row, 0, "P"))
        if reveal is None:
            continue
        if reveal < arrival:
            raise ValueError(f"row {row} is revealed before it arrives")
        if ties == "arrivals_first":
            agenda.append((reveal, 2, row, 0, "L"))  # after all arrivals at that time
        elif reveal > arrival:
            agenda.append((reveal, 0, row, 0, "L"))  # before all arrivals at that time
        else:
            agenda.append((reveal, 1, row, 1, "L"))  # right after the row's own prediction
    return [(kind, row) for _time, _phase, row, _step, kind in sorted(agenda)]
