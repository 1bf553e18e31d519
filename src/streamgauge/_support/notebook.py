"""One line of a notebook's output that is updated in place, without ipywidgets.

IPython's `display` gives an output an id, and a front end replaces the output with that id:
JupyterLab, VS Code and Colab do it alike.
"""

from __future__ import annotations

import html
import sys
from typing import Any


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook; IPython is not imported to find out."""
    module = sys.modules.get("IPython")
    shell = getattr(module, "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class NotebookLine:
    """An output of the cell that runs, which shows a bar and a text."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str, done: float | None) -> None:
        """Show a text, after a bar if it is known what fraction is done."""
        from IPython.display import display

        bar = "" if done is None else f'<progress value="{done:.4f}" max="1"></progress> '
        data = {"text/plain": text, "text/html": f"<div>{bar}{html.escape(text)}</div>"}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)
