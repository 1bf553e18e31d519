"""The layout of the package: private modules, no import cycles, no hidden imports, short files."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import streamgauge
from streamgauge._support import registry

PACKAGE = Path(str(streamgauge.__file__)).parent
LONGEST = 450  # lines

# Modules that may import others by name: the registry, and adapters of optional packages.
BY_NAME = ("__init__.py", "_support/registry.py", "learners/adapters/", "papers/catalog.py")


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(node: ast.AST, module: str) -> Iterator[str]:
    """The package's modules that a module imports, at the top or later, except for typing."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.ImportFrom) and (child.module or "").startswith("streamgauge"):
            for alias in child.names:
                full = f"{child.module}.{alias.name}"
                yield full if full in modules() else str(child.module)
        elif isinstance(child, ast.Import):
            yield from (a.name for a in child.names if a.name.startswith("streamgauge"))
        else:
            yield from imports(child, module)


@cache
def graph() -> dict[str, frozenset[str]]:
    return {
        name: frozenset(imports(ast.parse(path.read_text()), name)) - {name}
        for name, path in modules().items()
    }


def package_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def shared_modules() -> set[str]:
    """Modules that define a public name or are imported from another top-level package."""
    registered = {registry.module_of(name) for name in registry.PUBLIC}
    for kind in registry.BY_KIND:
        registered |= {registry.module_of(name, kind) for name in registry.own_names(kind)}
    used = {b for a, targets in graph().items() for b in targets if package_of(a) != package_of(b)}
    return registered | used


def test_no_import_cycle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, f"import cycle: {' -> '.join([*path, module])}"
        if module not in done:
            for target in sorted(graph()[module]):
                visit(target, (*path, module))
            done.add(module)

    for module in sorted(graph()):
        visit(module, ())


def test_private_modules_stay_in_their_package() -> None:
    for module, targets in graph().items():
        for target in targets:
            private = target.rpartition(".")[2].startswith("_") and package_of(target) != "_support"
            same = package_of(module) == package_of(target)
            assert not private or same, f"{module} imports {target}"


def test_private_modules_begin_with_an_underscore() -> None:
    """In a folder with shared modules, all others are private; internal folders need no marks."""
    wrong = []
    for module, path in modules().items():
        folder, _, name = module.rpartition(".")
        if path.name == "__init__.py" or package_of(module) in ("_support", "papers", "testing"):
            continue
        has_shared = any(each.rpartition(".")[0] == folder for each in shared_modules())
        if has_shared and module not in shared_modules() and not name.startswith("_"):
            wrong.append(module)
    assert wrong == []


def test_only_registry_and_adapters_import_by_name() -> None:
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).as_posix()
        text = path.read_text()
        if not place.startswith(BY_NAME):
            assert "import_module(" not in text, place
            assert "__import__(" not in text, place


def test_files_are_short_and_say_their_purpose() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        assert text.count("\n") <= LONGEST, path
        assert ast.get_docstring(ast.parse(text)), path


@pytest.mark.parametrize("path", sorted((PACKAGE.parents[1] / "tests").rglob("test_*.py"), key=str))
def test_tests_mirror_the_source(path: Path) -> None:
    """A folder of tests is a folder of the package."""
    folder = path.parent.relative_to(PACKAGE.parents[1] / "tests")
    assert folder.parts[:1] in ((), ("parity",)) or (PACKAGE / folder).is_dir(), path
