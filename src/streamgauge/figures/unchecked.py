"""Charts made without Altair's checks, which look at every point many times."""

from __future__ import annotations

from contextlib import AbstractContextManager


def unchecked() -> AbstractContextManager[None]:
    """Inside this block Altair trusts that charts are valid: many are made in a row."""
    from altair.utils.schemapi import debug_mode

    block: AbstractContextManager[None] = debug_mode(False)
    return block
