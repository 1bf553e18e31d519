"""The part of the user's modules that a class or function uses: its text, and what that names.

A statement of a module counts if the class or function reaches it: by a name it reads, an attribute
of a module, an import, a base, a decorator. So does, always, one that may act on others: it calls
what is not known to have no effect. If names do not tell what is used, the whole module counts.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from streamgauge._support.user_code import ModuleSource, import_base, source_of, user_modules

Name = tuple[str, str]  # a module, and a name that it defines
_EVERYTHING = ""  # as a name: all that the module defines

# Modules and names by which code reaches what it does not name.
_OPAQUE_MODULES = {
    "ast", "builtins", "cloudpickle", "code", "ctypes", "dill", "gc", "imp", "importlib", "inspect",
    "joblib", "marshal", "pickle", "pkgutil", "runpy", "shelve", "sys", "types", "unittest",
}  # fmt: skip
_OPAQUE_NAMES = {
    "__builtins__", "__import__", "__loader__", "__spec__", "compile", "eval", "exec",
    "get_type_hints", "globals", "locals", "vars",
}  # fmt: skip
_OPAQUE_ATTRIBUTES = {
    "__builtins__", "__globals__", "__subclasses__", "f_back", "f_globals", "get_type_hints",
}  # fmt: skip
_HOOKS = {"__init_subclass__", "__set_name__", "__prepare__", "__mro_entries__"}
_PROPERTY = ("setter", "getter", "deleter")
_WITHOUT_EFFECT = {
    "abc": "abstractmethod",
    "builtins": (
        "abs bool bytes classmethod complex dict enumerate float frozenset int len list max min "
        "object property range reversed round set slice sorted staticmethod str sum tuple zip"
    ),
    "collections": "Counter OrderedDict defaultdict deque namedtuple",
    "dataclasses": "dataclass field",
    "enum": "auto unique",
    "functools": "cache cached_property lru_cache partial total_ordering wraps",
    "math": "ceil exp floor log log10 log2 sqrt",
    "numba": "guvectorize jit njit vectorize",
    "numpy": (
        "arange array asarray empty exp eye finfo float32 float64 full iinfo int32 int64 linspace "
        "log ones sqrt zeros"
    ),
    "pathlib": "Path",
    "re": "compile",
    "streamgauge": "Metric Reference Schema",
    "typing": "NamedTuple NewType ParamSpec TypeVar cast final overload runtime_checkable",
}
_PURE = {f"{home}.{name}" for home, names in _WITHOUT_EFFECT.items() for name in names.split()}
_Defines = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Code = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SIMPLE = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Import | ast.ImportFrom | ast.Pass


@dataclass
class _Unit:
    """A statement of a module."""

    digest: str
    names: set[str]  # that it binds
    reads: set[tuple[str, ...]]  # names, with the attributes that follow
    modules: list[tuple[str, str]]  # names of modules that it imports, and the modules
    values: list[Name]  # what it imports from modules
    acts: bool  # whether it may change what it does not bind
    is_class: bool


@dataclass
class _Module:
    """A module as statements; none if names do not tell what is used."""

    units: list[_Unit] = field(default_factory=list)
    followable: bool = True
    hooks: bool = True  # whether defining a class may run code of the user

    @cached_property
    def names(self) -> set[str]:
        """All names that it binds."""
        return {name for unit in self.units for name in unit.names}

    @cached_property
    def modules(self) -> dict[str, set[str]]:
        """The modules that a name may be."""
        found: dict[str, set[str]] = {}
        for unit in self.units:
            for name, module in unit.modules:
                found.setdefault(name, set()).add(module)
        return found


def used_code(module: str, name: str) -> dict[str, str]:
    """The statements that a top-level class or function uses, as `module.name` → hash.

    A module that cannot be followed is there as a whole, with all modules that it imports.
    """
    return dict(_used(module, name, tuple(user_modules(module).items())))


@lru_cache(1024)
def _used(module: str, name: str, whole: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """`used_code`, while the files of all modules that it may use stay the same."""
    known = {each: _module_of(each) for each, _ in whole}
    home = known.get(module)
    if home is None or not home.followable or name not in home.names:
        return dict(whole)
    return dict(sorted(_Search(known).run((module, name)).items()))


class _Search:
    """Follows names through modules."""

    def __init__(self, known: dict[str, _Module]) -> None:
        self._known = known
        self._hooks = any(each.hooks for each in known.values())
        self._queue: list[Name] = []
        self._seen: set[Name] = set()
        self._done: set[int] = set()
        self._found: dict[str, str] = {}

    def run(self, start: Name) -> dict[str, str]:
        self._found |= user_modules(*(m for m, each in self._known.items() if not each.followable))
        for module, parsed in self._known.items():
            for unit in parsed.units:
                if unit.acts or (self._hooks and unit.is_class):
                    self._use(module, parsed, unit)
        self._queue.append(start)
        while self._queue:
            place = self._queue.pop()
            if place not in self._seen:
                self._seen.add(place)
                module, name = place
                parsed = self._known[module]
                for unit in parsed.units:
                    if name in unit.names or name == _EVERYTHING:
                        self._use(module, parsed, unit)
        return self._found

    def _use(self, module: str, parsed: _Module, unit: _Unit) -> None:
        if id(unit) in self._done:
            return
        self._done.add(id(unit))
        key = f"{module}.{' '.join(sorted(unit.names))}"
        self._found[key] = self._found.get(key, "") + unit.digest
        for home, name in unit.values:
            self._resolve(home, (name,))
        for name, home in unit.modules:
            if name not in unit.names:  # imported inside a function
                self._resolve(home, ())
        for name, *attributes in unit.reads:
            for home in parsed.modules.get(name, ()):
                self._resolve(home, tuple(attributes))
            self._queue.append((module, name))

    def _resolve(self, module: str, attributes: tuple[str, ...]) -> None:
        """Use an attribute of a module, or all of the module if it is not known which."""
        if module not in self._known:
            return  # of a package
        first, rest = (attributes[0], attributes[1:]) if attributes else (_EVERYTHING, ())
        inner = f"{module}.{first}"
        defines = first in self._known[module].names
        if inner in self._known:
            self._resolve(inner, rest)
        if defines or inner not in self._known:
            self._queue.append((module, first if defines else _EVERYTHING))


def _module_of(name: str) -> _Module:
    source = source_of(name)
    return _Module(followable=False) if source is None else _parsed(name, source)


@cache
def _parsed(name: str, source: ModuleSource) -> _Module:
    if source.tree is None:
        return _Module(followable=False)
    imported = {
        alias.asname or alias.name.partition(".")[0]: alias.name if alias.asname else ""
        for node in source.tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    origin = {bound: path or bound for bound, path in imported.items()}
    for node in source.tree.body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                origin[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    nodes = list(ast.walk(source.tree))
    hooks = any(isinstance(each, _Defines) and each.name in _HOOKS for each in nodes)
    hooks |= any(isinstance(each, ast.ClassDef) and _is_metaclass(each) for each in nodes)
    statements = [one for each in source.tree.body if not _is_idle(each) for one in _split(each)]
    bound = {name for each in statements for name in _bound(each)}
    if not all(map(_is_plain, statements)) or any(map(_is_opaque, nodes)) or "__getattr__" in bound:
        return _Module(followable=False, hooks=hooks)
    return _Module([_unit(each, name, source, bound, origin) for each in statements], True, hooks)


def _split(node: ast.stmt) -> list[ast.stmt]:
    """A statement; an import of several names as one of each."""
    match node:
        case ast.Import():
            return [ast.Import([each]) for each in node.names]
        case ast.ImportFrom():
            return [ast.ImportFrom(node.module, [each], node.level) for each in node.names]
    return [node]


def _is_metaclass(node: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "type" for each in node.bases)


def _is_idle(node: ast.stmt) -> bool:
    """Whether a statement does nothing in an imported module: a docstring, or a script's part."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and ast.unparse(node.test) in ("__name__ == '__main__'", "'__main__' == __name__")
    )


def _is_plain(node: ast.stmt) -> bool:
    """Whether a statement only binds names, in branches too."""
    match node:
        case ast.Assign():
            return all(map(_is_name, node.targets))
        case ast.AnnAssign() | ast.AugAssign():
            return isinstance(node.target, ast.Name)
        case ast.If() | ast.Try():
            handled = [each for handler in getattr(node, "handlers", ()) for each in handler.body]
            inner = [*node.body, *node.orelse, *getattr(node, "finalbody", ()), *handled]
            return all(_is_plain(each) or _is_idle(each) for each in inner)
    return isinstance(node, _SIMPLE | _Defines)


def _is_name(target: ast.expr) -> bool:
    if isinstance(target, ast.Tuple | ast.List):
        return all(map(_is_name, target.elts))
    return isinstance(target.value if isinstance(target, ast.Starred) else target, ast.Name)


def _is_opaque(node: ast.AST) -> bool:
    """Whether code may reach what it does not name."""
    match node:
        case ast.Global():
            return True
        case ast.Name():
            return node.id in _OPAQUE_NAMES
        case ast.Attribute():
            return node.attr in _OPAQUE_ATTRIBUTES
        case ast.Import():
            return any(each.name.partition(".")[0] in _OPAQUE_MODULES for each in node.names)
        case ast.ImportFrom():
            top = (node.module or "").partition(".")[0]
            return any(each.name == "*" for each in node.names) or (
                not node.level and top in _OPAQUE_MODULES
            )
    return False


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement of a module binds, in branches too."""
    if isinstance(node, _Defines):
        yield node.name
        return
    if isinstance(node, _Code):
        return
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield from (each.asname or each.name.partition(".")[0] for each in node.names)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
        yield node.id
    if isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
    for each in ast.iter_child_nodes(node):
        yield from _bound(each)


def _unit(
    node: ast.stmt, module: str, source: ModuleSource, bound: set[str], origin: dict[str, str]
) -> _Unit:
    modules: list[tuple[str, str]] = []
    values: list[Name] = []
    for each in ast.walk(node):
        if isinstance(each, ast.Import):
            for alias in each.names:
                top = alias.name.partition(".")[0]
                modules.append((alias.asname or top, alias.name if alias.asname else top))
        elif isinstance(each, ast.ImportFrom):
            home = import_base(each, module, source.path)
            values += [(home, alias.name) for alias in each.names]
    text = ast.dump(node, annotate_fields=False)
    return _Unit(
        hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest(),
        set(_bound(node)),
        set(_reads(node)),
        modules,
        values,
        _acts(node, bound, origin),
        isinstance(node, ast.ClassDef),
    )


def _reads(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """The names that code reads, each with the attributes that follow it."""
    chain: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        chain.append(inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield (inner.id, *reversed(chain))
        return
    for each in ast.iter_child_nodes(inner):
        yield from _reads(each)


def _acts(node: ast.stmt, bound: set[str], origin: dict[str, str]) -> bool:
    """Whether running a statement calls what may have an effect, or changes an object."""

    def pure(called: ast.expr, inner: bool) -> bool:
        while isinstance(called, ast.Call):  # such as dataclass(frozen=True)
            called = called.func
        if isinstance(called, ast.Attribute) and inner and called.attr in _PROPERTY:
            return True
        name, *attributes = next(_reads(called), ("",))
        if name in origin:
            path = ".".join([origin[name], *attributes])
        else:
            path = "" if name in bound or attributes else f"builtins.{name}"
        return path in _PURE

    def acts_itself(each: ast.AST, inner: bool) -> bool:
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return not all(pure(one, inner) for one in each.decorator_list)
            case ast.ClassDef():
                return bool(each.keywords) or not all(pure(o, inner) for o in each.decorator_list)
            case ast.Call():
                return not pure(each.func, inner) or any(w.arg == "key" for w in each.keywords)
            case ast.Attribute() | ast.Subscript():
                return not isinstance(each.ctx, ast.Load)
        return isinstance(each, ast.With | ast.AsyncWith | ast.AugAssign)

    def acts(each: ast.AST, inner: bool) -> bool:
        if acts_itself(each, inner):
            return True
        # The body of a function does not run now.
        parts = _at_definition(each) if isinstance(each, _Code) else ast.iter_child_nodes(each)
        inner |= isinstance(each, ast.ClassDef)
        return any(acts(one, inner) for one in parts)

    return acts(node, False)


def _at_definition(node: _Code) -> Iterator[ast.expr]:
    """What runs when a function is defined: defaults, and decorators with their arguments."""
    yield from node.args.defaults
    yield from (each for each in node.args.kw_defaults if each is not None)
    yield from getattr(node, "decorator_list", ())
