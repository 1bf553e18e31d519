"""Where code comes from: a package with a version, or the user's modules with their content."""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, NamedTuple

from streamgauge._support.user_modules import listed_spec
from streamgauge._support.value_text import attribute

_OWN = "streamgauge"
_MAIN = ("__main__", "__mp_main__")  # a script or notebook is edited all the time: see `canonical`
_SLOTS = (MemberDescriptorType, GetSetDescriptorType)
_BY_PYTHON = {  # what Python itself adds to classes
    "__abstractmethods__", "__annotate_func__", "__annotations__", "__annotations_cache__",
    "__dataclass_fields__", "__dataclass_params__", "__dict__", "__doc__", "__firstlineno__",
    "__match_args__", "__module__", "__non_callable_proto_members__", "__orig_bases__",
    "__parameters__", "__protocol_attrs__", "__qualname__", "__slotnames__", "__slots__",
    "__static_attributes__",
    "__type_params__", "__weakref__", "_abc_impl", "_is_protocol", "_is_runtime_protocol",
}  # fmt: skip
_SUFFIXES = (".py", ".pyc", ".so", ".pyd")


def definition(kind: type) -> Iterator[tuple[str, Any]]:
    """What the body of a class defines, without what Python adds."""
    for name, value in vars(kind).items():
        if name not in _BY_PYTHON and not isinstance(value, _SLOTS):
            yield name, value


def globals_in(code: CodeType) -> Iterator[str]:
    """The names of globals that code, and code inside it, reads."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from globals_in(constant)


def package_of(module: str) -> str | None:
    """The package and its version that a module belongs to; None for the user's own code.

    The user's code is what is neither part of Python or streamgauge nor installed with a version.
    """
    top = module.partition(".")[0]
    loaded = sys.modules.get(top)
    if top not in _PACKAGES or _PACKAGES[top][0] is not loaded:
        _PACKAGES[top] = loaded, _package(top, loaded)
    return _PACKAGES[top][1]


_PACKAGES: dict[str, tuple[ModuleType | None, str | None]] = {}  # while a module stays loaded


def _package(top: str, loaded: ModuleType | None) -> str | None:
    if top == _OWN or _is_pythons(top):
        return top  # `NUMBERS` is the version of our code
    version = attribute(loaded, "__version__")
    if loaded is None or top in _MAIN or not isinstance(version, str):
        return None
    return f"{top} {version}" if _is_installed(loaded) else None


def _is_pythons(name: str) -> bool:
    """Whether it is a module of Python; the user may have a statistics.py too."""
    if name not in sys.stdlib_module_names:
        return False
    loaded = sys.modules.get(name)
    path = _path_of(_find(name)) if loaded is None else _file_of(loaded)
    return path is None or _is_in_library(str(path))


def has_file(module: str) -> bool:
    """Whether the code of a loaded module is known by the content of its file."""
    return module not in _MAIN and _file_of(sys.modules.get(module)) is not None


def user_modules(*modules: str) -> dict[str, str]:
    """Loaded modules and all modules of the user that they import, with hashes of their files.

    A module's content counts from when it was first asked for: editing a file does not change the
    code that this process has loaded.
    """
    found: dict[str, str] = {}
    new = [*modules]
    packages = {module.partition(".")[0] for module in modules}
    while new:
        name = new.pop()
        if name in found or name in _MAIN or package_of(name) is not None:
            continue
        known = source_of(name)
        if known and (not known.in_library or name.partition(".")[0] in packages):
            found[name] = known.digest
            new += known.imports
    return dict(sorted(found.items()))


class ModuleSource(NamedTuple):
    """The file of a module, as it was when it was first asked for."""

    digest: str  # hash of the file
    path: Path
    tree: ast.Module | None  # None if it is not Python's text
    imports: tuple[str, ...]  # modules that it may import
    in_library: bool  # whether the file is among the installed packages


# By the specs of loaded modules, which a reload replaces; the spec is kept so that its id stays.
_READ: dict[int, tuple[ModuleSpec, ModuleSource]] = {}


def source_of(name: str) -> ModuleSource | None:
    """The file of a module, read once while the module stays loaded; None if it has no file."""
    module = sys.modules.get(name)
    spec = _find(name) if module is None else getattr(module, "__spec__", None)
    if module is not None and spec is not None and id(spec) in _READ:
        return _READ[id(spec)][1]
    path = _path_of(spec) if module is None else _file_of(module)
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except OSError:
        return None
    tree = _parsed(content) if path.suffix == ".py" else None
    names = dict.fromkeys([*_imports(tree, path, name), *_held(module)])
    digest = hashlib.sha256(content).hexdigest()
    source = ModuleSource(digest, path, tree, tuple(names), _is_in_library(str(path)))
    if module is not None and spec is not None:
        _READ[id(spec)] = spec, source
    return source


def _parsed(content: bytes) -> ast.Module | None:
    try:
        return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(tree: ast.Module | None, path: Path, name: str) -> Iterator[str]:
    """The modules that the text of a module imports, in functions too, and their parents."""
    for node in ast.walk(tree or ast.Module([], [])):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            full = import_base(node, name, path)
            yield from _with_parents(full)
            yield from (f"{full}.{alias.name}" for alias in node.names if full)


def import_base(node: ast.ImportFrom, name: str, path: Path) -> str:
    """The module that a module, of this name and file, imports names from."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    parts = package.split(".") if package else []
    base = parts[: len(parts) - node.level + 1] if node.level else []
    return ".".join([*base, *([node.module] if node.module else [])])


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1) if name)


def _held(module: ModuleType | None) -> Iterator[str]:
    """The modules among a module's globals, or that define them: those imported by other means."""
    for value in list(vars(module).values()) if module is not None else []:
        home = value.__name__ if isinstance(value, ModuleType) else _home_of(value)
        if isinstance(home, str):
            yield from _with_parents(home)


def _home_of(value: Any) -> Any:
    return value.__module__ if isinstance(value, type) or hasattr(value, "__code__") else None


def _find(name: str) -> ModuleSpec | None:
    """The spec of a module that is not loaded, without running any code."""
    parent = name.rpartition(".")[0]
    path = None
    if parent:
        holder = sys.modules.get(parent) or _find(parent)
        where = getattr(holder, "__path__", None)  # of a loaded package, if it is one
        path = list(where or getattr(holder, "submodule_search_locations", None) or ())
        if not path:
            return None
    try:
        return PathFinder.find_spec(name, path) or listed_spec(name)
    except (ImportError, ValueError, OSError):
        return None


def _path_of(spec: ModuleSpec | None) -> Path | None:
    origin = None if spec is None else spec.origin
    return Path(origin) if origin and origin.endswith(_SUFFIXES) else None


def _file_of(module: Any) -> Path | None:
    file = attribute(module, "__file__")
    return Path(file) if isinstance(file, str) and Path(file).is_file() else None


def _is_installed(module: Any) -> bool:
    paths = [attribute(module, "__file__"), *(attribute(module, "__path__") or ())]
    return any(_is_in_library(path) for path in paths if isinstance(path, str))


@cache
def _is_in_library(path: str) -> bool:
    return any(Path(path).is_relative_to(each) for each in _libraries())


@cache
def _libraries() -> frozenset[Path]:
    """Folders of installed packages, and of Python itself."""
    found = {path for name, path in sysconfig.get_paths().items() if name.endswith("lib")}
    found |= {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    return frozenset(map(Path, found))
