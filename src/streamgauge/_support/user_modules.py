"""The user's own modules: Python files in one folder, found by name and loaded from there alone.

Finding a module and checking what it defines reads its text; only `UserModule.load` runs it. No
file elsewhere in Python's search path can take its place. The folder itself comes last in that
path, for what the module imports: no file in it can take the place of an installed package.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge._support.paths import exists

_FOLDERS: list[str] = []  # the folder that this module added to the search path, if any


@dataclass(frozen=True)
class UserModule:
    """A module by its name, the folder it belongs to, and its file in that folder."""

    name: str
    folder: Path
    file: Path

    def load(self) -> ModuleType:
        """The module; runs its code unless it is loaded."""
        loaded = sys.modules.get(self.name)
        if loaded is not None and _file_of(loaded) == self.file.resolve():
            return loaded
        _use_folder(self.folder, self.name)
        loader = _FromSource(self.name, str(self.file))
        spec = importlib.util.spec_from_file_location(self.name, self.file, loader=loader)
        if spec is None:
            raise ValueError(f"module {self.name!r}: cannot load {self.file}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.name] = module
        try:
            loader.exec_module(module)
        except BaseException as error:
            sys.modules.pop(self.name, None)
            if not isinstance(error, Exception):
                raise
            raise ValueError(
                f"module {self.name!r} cannot be imported: {type(error).__name__}: {error}"
            ) from error
        return module

    def find(self, name: str) -> Any:
        """A class or function that the module defines, not one that it imports; loads it."""
        found = getattr(self.load(), name, None)
        home = str(getattr(found, "__module__", None))
        if not callable(found) or not f"{home}.".startswith(f"{self.name}."):
            raise self._lacks(name)
        return found

    def check_defines(self, name: str) -> None:
        """Check that the module's text defines a name, without running it."""
        try:
            body = ast.parse(self.file.read_bytes()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError, OSError) as error:
            raise ValueError(f"module {self.name!r} cannot be imported: {error}") from None
        if name not in _defined(body):
            raise self._lacks(name)

    def _lacks(self, name: str) -> ValueError:
        return ValueError(f"module {self.name!r} does not define a class or function {name!r}")


class _FromSource(SourceFileLoader):
    """Compiles the source each time: a cached .pyc may be older than an edit of the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def find_modules(names: Iterable[str], folder: Path) -> dict[str, UserModule]:
    """The modules with these names: `mine.py` or `mine/__init__.py` in the folder."""
    return {name: UserModule(name, folder, _find(name, folder)) for name in names}


def _find(name: str, folder: Path) -> Path:
    top, *_ = parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        raise UsageError(
            f"{name!r} is not the name of a module; expected a name such as mine, for mine.py "
            f"in {folder}"
        )
    if top in sys.stdlib_module_names or top == __name__.partition(".")[0]:
        raise UsageError(
            f"{name!r} is a module of {'Python' if top in sys.stdlib_module_names else top}; "
            f"expected one of your own, in {folder}"
        )
    path = folder.joinpath(*parts)
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    found = next((each for each in candidates if exists(each) and each.is_file()), None)
    if found is None:
        raise UsageError(f"no module {name!r}; expected {candidates[0]}")
    if not found.resolve().is_relative_to(folder.resolve()):
        raise UsageError(
            f"module {name!r}: {found} is a link to {found.resolve()}; copy the file into {folder}"
        )
    if (other := _installed(top, folder)) is not None:
        raise UsageError(f"module {name!r}: {other} has the same name; rename {found}")
    return found


def _installed(name: str, folder: Path) -> str | None:
    """The file outside the folder that `import name` would load."""
    paths = [each for each in sys.path if each not in _FOLDERS]
    spec = PathFinder.find_spec(name, paths)
    if spec is None or spec.origin is None:  # a folder without __init__.py has no origin
        return None
    return None if Path(spec.origin).resolve().is_relative_to(folder.resolve()) else spec.origin


def _use_folder(folder: Path, name: str) -> None:
    """Let modules of the folder import each other; forget those of the folder used before."""
    before = [Path(each) for each in _FOLDERS]
    for key, module in list(sys.modules.items()):
        file = _file_of(module) if before else None
        if f"{key}.".startswith(f"{name}.") or (file and any(map(file.is_relative_to, before))):
            del sys.modules[key]
    sys.path[:] = [each for each in sys.path if each not in _FOLDERS]
    _FOLDERS[:] = {str(folder.resolve())} - set(sys.path)
    sys.path += _FOLDERS


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if isinstance(file, str) else None


def _defined(body: Sequence[ast.stmt]) -> Iterator[str]:
    """The names that statements define, in branches too, but not inside functions and classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for each in targets:
            parts = each.elts if isinstance(each, ast.Tuple | ast.List) else [each]
            yield from (part.id for part in parts if isinstance(part, ast.Name))
        for block in ("body", "orelse", "finalbody"):
            yield from _defined(getattr(node, block, ()))
        for handler in getattr(node, "handlers", ()):
            yield from _defined(handler.body)
