"""The user's own modules: Python files in one folder, found by name and loaded from there alone.

Finding a module and checking what it defines reads its text; only `UserModule.load` runs it. No
file elsewhere in Python's search path can take its place. The modules of a list can import each
other. The folder is not in that path, so that no other file in it is ever run: some packages try
to import others that may be missing, such as pandas bottleneck.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from streamgauge._support.errors import UsageError
from streamgauge._support.paths import exists


@dataclass(frozen=True)
class UserModule:
    """A module by its name, the folder it belongs to, its file, and those of the whole list."""

    name: str
    folder: Path
    file: Path
    files: Mapping[str, Path]

    def load(self) -> ModuleType:
        """The module; runs its code unless it is loaded."""
        loaded = sys.modules.get(self.name)
        if loaded is not None and _file_of(loaded) == self.file.resolve():
            return loaded
        _LISTED.use(self.folder, self.files)
        spec = listed_spec(self.name)
        if spec is None or spec.loader is None:
            raise ValueError(f"module {self.name!r}: cannot load {self.file}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[self.name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            sys.modules.pop(self.name, None)
            if not isinstance(error, Exception):
                raise
            raise ValueError(
                f"module {self.name!r} cannot be imported: {type(error).__name__}: {error}"
                f"{self._advice(error)}"
            ) from error
        return module

    def _advice(self, error: Exception) -> str:
        """What to do about an import of a file in the folder that is not listed."""
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if not missing or not any(map(exists, _candidates(missing, self.folder))):
            return ""
        return (
            f"; {missing!r} is in {self.folder}, but not listed: add it to modules = "
            f"{[*self.files, missing]}"
        )

    def find(self, name: str) -> Any:
        """A class or function that the module defines, not one that it imports; loads it.

        An object that the module makes, such as a Metric, is found as a function that returns it.
        """
        found = getattr(self.load(), name, None)
        if found is not None and not callable(found):
            self.check_defines(name)
            return lambda: found
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


Modules = Mapping[str, UserModule]  # by name
NO_MODULES: Modules = {}


class _FromSource(SourceFileLoader):
    """Compiles the source each time: a cached .pyc may be older than an edit of the same second."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def find_modules(names: Iterable[str], folder: Path) -> dict[str, UserModule]:
    """The modules with these names: `mine.py` or `mine/__init__.py` in the folder."""
    files = {name: _find(name, folder) for name in names}
    return {name: UserModule(name, folder, file, files) for name, file in files.items()}


class _ListedModules(MetaPathFinder):
    """Lets Python find the listed modules of one folder, after all others."""

    def __init__(self) -> None:
        self._folder, self._files = Path(), dict[str, Path]()

    def use(self, folder: Path, files: Mapping[str, Path]) -> None:
        """Find these modules from now on; forget those of the folder used before."""
        if folder != self._folder:
            _forget(self._files)
            self._folder, self._files = folder, {}
        loaded = {name: sys.modules.get(name) for name in files}
        _forget(
            name
            for name, module in loaded.items()
            if module is None or _file_of(module) != files[name].resolve()
        )
        self._files |= files
        if self not in sys.meta_path:
            sys.meta_path.append(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The listed module of a name, or the package that a listed one is in."""
        file = self._files.get(name)
        if file is not None:
            loader = _FromSource(name, str(file))
            return importlib.util.spec_from_file_location(name, file, loader=loader)
        if any(each.startswith(f"{name}.") for each in self._files):
            folder = self._folder.joinpath(*name.split(".")[:-1])
            return PathFinder.find_spec(name, [str(folder)])
        return None


_LISTED = _ListedModules()


def listed_spec(name: str) -> ModuleSpec | None:
    """How to load one of the user's modules, loaded or not."""
    return _LISTED.find_spec(name)


def _forget(names: Iterable[str]) -> None:
    """Let Python load modules, and those in them, again."""
    prefixes = tuple(f"{name}." for name in names)
    for key in [key for key in sys.modules if f"{key}.".startswith(prefixes)]:
        del sys.modules[key]


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
    candidates = _candidates(name, folder)
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


def _candidates(name: str, folder: Path) -> tuple[Path, Path]:
    """The files that may be a module."""
    path = folder.joinpath(*name.split("."))
    return path.with_name(f"{path.name}.py"), path / "__init__.py"


def _installed(name: str, folder: Path) -> str | None:
    """The file outside the folder that `import name` would load."""
    spec = PathFinder.find_spec(name)
    if spec is None or spec.origin is None:  # a folder without __init__.py has no origin
        return None
    return None if Path(spec.origin).resolve().is_relative_to(folder.resolve()) else spec.origin


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
