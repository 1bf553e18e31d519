"""Checks texts that become MOA's command-line options, so that MOA makes nothing but learners.

MOA makes an object of any Java class that an option names, runs a task where a learner is expected,
and reads a serialised object from `file:PATH`. An option text comes from the command line or an
experiment file, so it may name only classes of `moa.classifiers`, and set no option of theirs that
takes a file or a class of Weka.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from streamgauge._support.errors import UsageError

LEARNERS = "moa.classifiers."
_TASKS = "moa.tasks."
_ALLOWED = re.compile(r"[\w.,+\-() ]*", re.ASCII)


def check_characters(learner: str, options: Mapping[str, Any]) -> None:
    """Refuse texts with characters of paths, prefixes and quotes; needs no Java."""
    for name, text in _texts(options):
        if not _ALLOWED.fullmatch(text):
            found = next(each for each in text if not _ALLOWED.fullmatch(each))
            raise UsageError(
                f"{learner}: {name}={text!r} contains {found!r}; expected MOA's options for "
                "learners, such as 'trees.HoeffdingTree -g 50', without files"
            )


def check_classes(learner: str, options: Mapping[str, Any], java_class: str | None = None) -> None:
    """Refuse texts by which MOA would make anything but learners, or open files.

    `java_class` is the MOA class that the options are for, if it is known. Java is running.
    """
    for name, text in _texts(options):
        words = [word for word in re.split(r"[\s(),]+", text) if word]
        classes = [word for word in words if _is_name(word)]
        for word in classes:
            for path in (word, _TASKS + word):
                if _exists(path) and not path.startswith(LEARNERS):
                    raise UsageError(
                        f"{learner}: {name}={text!r} names the Java class {path}; expected only "
                        f"classes of {LEARNERS.rstrip('.')}"
                    )
        named = [java_class, *classes, *(LEARNERS + word for word in classes)]
        flags = {flag for path in named if path for flag in _file_options(path)}
        for word in words:
            if word[:2] in flags:
                raise UsageError(
                    f"{learner}: {name}={text!r} sets {word[:2]}, which takes a file or a class of "
                    "another library; remove it"
                )


def _texts(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text among the options' values, with the name of its option."""
    for name, value in options.items():
        items = value if isinstance(value, list | tuple | set) else [value]
        yield from ((name, each) for each in items if isinstance(each, str))


def _is_name(word: str) -> bool:
    return all(part.isidentifier() for part in word.split("."))


def _exists(path: str) -> bool:
    """Whether there is such a Java class; its code does not run."""
    return _find(path) is not None


def _find(path: str) -> Any:
    from jpype import JClass, JException

    try:
        loader = JClass("moa.options.ClassOption").class_.getClassLoader()
        return JClass("java.lang.Class").forName(path, False, loader)
    except JException:  # not found, or of another letter case
        return None


def _file_options(path: str) -> Iterator[str]:
    """The options of a MOA learner that take a file, or a class of Weka: "-f"."""
    from jpype import JClass, JException

    if not path.startswith(LEARNERS) or not _exists(path):
        return
    try:
        options = JClass(path)().getOptions().getOptionArray()
    except (JException, TypeError, AttributeError):  # abstract, or without options
        return
    for option in options:
        kind = str(option.getClass().getSimpleName())
        if kind in ("FileOption", "WEKAClassOption") or "file" in str(option.getName()).lower():
            yield f"-{option.getCLIChar()}"
