"""The canonical text of an object: equal for equal objects, in every process.

It has the parameters and the state of the object and of all objects in it, and the code of those
classes and functions that are the user's. `repr` would not do: it may leave parameters out, shorten
arrays or show an address.
"""

from __future__ import annotations

import copyreg
import inspect
import sys
import types
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import _lru_cache_wrapper, cached_property, partial
from typing import Any

import numpy as np

from streamgauge._support.errors import StreamgaugeError, UsageError
from streamgauge._support.parameters import Parametrized
from streamgauge._support.seeding import GENERATORS, generators_of_run, seedless_parts
from streamgauge._support.used_code import used_code
from streamgauge._support.user_code import (
    definition,
    globals_in,
    has_file,
    package_of,
    user_modules,
)
from streamgauge._support.value_text import (
    array_text,
    attribute,
    class_name,
    integer_text,
    sha256,
    short_text,
    tensor_text,
)

_PLAIN = (type(None), bool, int, float, complex, type(Ellipsis), type(NotImplemented), range)
_LISTS = (list, tuple)
_ABSENT = object()
_BUILTINS = (
    types.BuiltinFunctionType, types.MethodWrapperType, types.WrapperDescriptorType,
    types.MethodDescriptorType, types.ClassMethodDescriptorType,
)  # fmt: skip
_NUMBA_OPTIONS = ("fastmath", "error_model", "parallel")  # that change numbers


class Canonical:
    """The canonical text of one object, and whether it has anything but streamgauge's objects."""

    def __init__(self, thing: Any, clones: bool = True) -> None:
        self._clones = clones  # compare the clones of a model, to find random numbers in it
        self._parts: list[str] = []
        self._seen: dict[int, tuple[int, Any]] = {}  # the object is kept, so that its id stays
        self._homes: dict[tuple[str, str], str] = {}  # the code that a name uses, once found
        self._where = [class_name(type(thing))]
        self._of_run = {id(each) for each in generators_of_run(thing)}
        self.foreign = False
        try:
            self._add(thing)
        except RecursionError:
            raise UsageError(
                f"{self._where[0]}: its parameters are nested too deeply to tell it from others; "
                "give it a __getstate__ that returns only what its numbers depend on"
            ) from None
        self.text = "".join(self._parts)

    def _write(self, text: str) -> None:
        self._parts.append(text)

    @contextmanager
    def _within(self, part: str) -> Iterator[None]:
        """For error messages: the part of the object that is being written."""
        self._where.append(part)
        yield
        self._where.pop()

    @contextmanager
    def _hashed(self, name: str) -> Iterator[None]:
        """Write a hash of what is written inside."""
        start = len(self._parts)
        yield
        text = "".join(self._parts[start:])
        self._parts[start:] = [f"{name} <sha256 {sha256(text.encode())}>"]

    def _add(self, thing: Any) -> None:
        kind = type(thing)
        if kind in _PLAIN:
            self._write(integer_text(thing) if kind is int else repr(thing))
        elif kind is str:
            self._write(short_text(repr(thing)))
        elif kind in (bytes, bytearray):
            self._write(short_text(f"{kind.__name__}({bytes(thing)!r})"))
        elif id(thing) in self._seen:
            self._write(f"#{self._seen[id(thing)][0]}")
        else:
            self._seen[id(thing)] = len(self._seen), thing
            self._add_new(thing, kind)

    def _add_new(self, thing: Any, kind: type) -> None:
        if kind in _LISTS:
            self._add_items(kind.__name__, thing)
        elif kind is deque:
            self._add_items("deque" if thing.maxlen is None else f"deque {thing.maxlen}", thing)
        elif kind in (set, frozenset):
            texts = sorted(Canonical(each).text for each in thing)
            self._write(f"{kind.__name__}({', '.join(texts)})")
        elif kind in (dict, OrderedDict, types.MappingProxyType):
            self._add_state(dict(thing))
        elif isinstance(thing, np.ndarray | np.generic):
            self._add_array(thing)
        elif isinstance(thing, type):
            self._add_class(thing)
        elif isinstance(thing, types.FunctionType):
            self._add_function(thing)
        elif isinstance(attribute(thing, "py_func"), types.FunctionType):  # numba's
            options = attribute(thing, "targetoptions") or {}
            self._add_call("compiled", thing.py_func)
            self._add_state({name: options[name] for name in _NUMBA_OPTIONS if name in options})
        elif isinstance(thing, _lru_cache_wrapper):
            self._add_call(class_name(kind), thing.__wrapped__)
        elif isinstance(thing, np.ufunc):
            self._add_ufunc(thing)
        elif isinstance(thing, partial):
            self._add_call("partial", thing.func, thing.args, thing.keywords)
        elif isinstance(thing, types.MethodType):
            self._add_call("method", thing.__func__, thing.__self__)
        elif isinstance(thing, _BUILTINS):
            self._add_builtin(thing)
        elif isinstance(thing, types.ModuleType):
            self._add_module(thing)
        elif isinstance(thing, property):
            self._add_call("property", thing.fget, thing.fset)
        elif isinstance(thing, classmethod | staticmethod):
            self._add_call(kind.__name__, thing.__func__)
        elif isinstance(thing, cached_property):
            self._add_call("cached_property", thing.func)
        elif isinstance(thing, types.CodeType):
            self._add_code(thing)
        elif isinstance(thing, types.GenericAlias) or kind.__module__ == "typing":
            self._write(repr(thing))
        elif isinstance(thing, Enum):
            self._add_call("", kind, thing.name)
        elif isinstance(thing, GENERATORS) and id(thing) in self._of_run:
            self._write(f"{class_name(kind)}(seed of the run)")
        elif isinstance(thing, np.random.Generator):
            self._add_call("Generator", thing.bit_generator.state)
        elif isinstance(thing, np.random.RandomState):
            self._add_call("RandomState", thing.get_state(legacy=False))
        elif isinstance(thing, np.random.BitGenerator):
            self._add_call("BitGenerator", thing.state)
        elif callable(attribute(thing, "data_ptr")):
            self._add_tensor(thing)
        elif kind.__module__.partition(".")[0] == "streamgauge":
            self._add_own(thing)
        else:
            self._add_object(thing)

    def _add_items(self, name: str, items: Any) -> None:
        self._write(f"{name}(" if name not in ("list",) else "[")
        for number, each in enumerate(items):
            self._write(", " if number else "")
            with self._within(f"[{number}]"):
                self._add(each)
        self._write("]" if name == "list" else ")")

    def _add_call(self, name: str, *parts: Any) -> None:
        self._add_items(name, parts)

    def _add_state(self, state: dict[Any, Any]) -> None:
        """A dict in its order, which may matter: the steps of a pipeline."""
        self._write("{")
        for number, (key, value) in enumerate(state.items()):
            self._write(", " if number else "")
            self._add(key)
            self._write(": ")
            with self._within(f".{key}" if isinstance(key, str) else f"[{key!r}]"):
                self._add(value)
        self._write("}")

    def _add_array(self, thing: Any) -> None:
        array = np.asarray(thing)
        if array.dtype.hasobject:
            self._add_call(f"array{array.shape}", *array.ravel().tolist())
        else:
            self._write(array_text(array))
        if isinstance(thing, np.ma.MaskedArray):
            self._add_call("masked", np.ma.getmaskarray(thing), thing.fill_value)
        elif type(thing) is not np.ndarray and isinstance(thing, np.ndarray):
            self._add_call("as", type(thing), getattr(thing, "__dict__", {}))

    def _add_tensor(self, tensor: Any) -> None:
        self.foreign = True
        try:
            self._write(tensor_text(tensor))
        except Exception as error:  # such as a sparse one, or one without values
            raise self._unknown(type(tensor), error) from None

    def _add_ufunc(self, ufunc: np.ufunc) -> None:
        """One that a library names; one made of a Python function cannot be looked into."""
        libraries = (np, sys.modules.get("scipy.special"))
        if not any(getattr(each, ufunc.__name__, None) is ufunc for each in libraries):
            error = ValueError("it may be made of any function")
            raise self._unknown(type(ufunc), error)
        self._add_builtin(ufunc)

    def _add_builtin(self, thing: Any) -> None:
        name = getattr(thing, "__qualname__", thing.__name__)
        owner = getattr(thing, "__self__", None)
        home = getattr(thing, "__module__", None) or ""
        self._write(f"builtin {home}.{name}")
        if owner is not None and not isinstance(owner, types.ModuleType):
            self._add_call("", owner)  # such as [].append

    def _add_module(self, module: types.ModuleType) -> None:
        package = package_of(module.__name__)
        self._write(f"module {module.__name__}")
        if package is None:
            self.foreign = True
            self._write(f" {user_modules(module.__name__)}")
        else:
            self._write(f" ({package})")

    def _add_own(self, thing: Any) -> None:
        """One of streamgauge's objects: its parameters; those at their default are left out."""
        if hasattr(thing, "fingerprint") and hasattr(thing, "blocks"):  # a stream
            self.foreign = True
            self._write(f"stream {thing.fingerprint()}")
            return
        kind = type(thing)
        if isinstance(thing, Parametrized):
            defaults = thing._defaults()
            given = {
                name: value
                for name, value in thing.get_params().items()
                if not _is_default(value, defaults[name])
            }
            # Public attributes that the user may have changed, such as `context`.
            given |= {
                name: value
                for name, value in vars(thing).items()
                if name not in defaults and name[0] != "_"
            }
        elif hasattr(thing, "get_params"):  # an adapter: its name in tables changes no number
            given = {name: each for name, each in thing.get_params().items() if name != "name"}
        else:
            self._add_reduced(thing, kind.__name__)
            return
        made_with = getattr(thing, "made_with", "")
        self._write(f"{kind.__name__}{f' ({made_with}) ' if made_with else ''}(")
        for number, (name, value) in enumerate(given.items()):
            self._write(f"{', ' if number else ''}{name}=")
            with self._within(f".{name}"):
                self._add(value)
        self._write(")")

    def _add_object(self, thing: Any) -> None:
        """Another library's or the user's object: its class and its state."""
        self._add(type(thing))
        if not _is_clonable(thing):
            self._add_reduced(thing, "")
            return
        draws = self._clones and _draws_when_made(thing)
        self._add_state(_parameters_of(thing))
        if not draws:
            before, self._clones = self._clones, False
            with self._hashed(""):
                self._add_reduced(thing, "")
            self._clones = before

    def _add_reduced(self, thing: Any, name: str) -> None:
        """The state of an object, as `pickle` would take it."""
        try:
            registered = copyreg.dispatch_table.get(type(thing))
            reduced = registered(thing) if registered else thing.__reduce_ex__(4)
        except (RecursionError, StreamgaugeError):
            raise
        except Exception as error:  # an object may raise anything
            raise self._unknown(type(thing), error) from None
        if isinstance(reduced, str):  # a global object
            self._write(f"{name} {reduced}")
            return
        parts: list[Any] = [*reduced, None, None, None]
        make, arguments, state, items, pairs = parts[:5]
        if getattr(make, "__name__", "") in ("__newobj__", "__newobj_ex__", "_reconstructor"):
            arguments = arguments[1:]  # the class, which has been written
        else:
            self._add(make)
        self._write(name)
        if arguments:
            self._add(tuple(arguments))
        if state is not None:
            self._add(dict(state) if isinstance(state, dict) else state)
        if items is not None:
            self._add_items("items", items)
        if pairs is not None:
            self._add_state(dict(pairs))

    def _unknown(self, kind: type, error: Exception) -> UsageError:
        where = "".join(self._where)
        return UsageError(
            f"{where}: cannot tell this {class_name(kind)} from others ({error}), so two different "
            "learners could count as one; expected parameters that can be pickled. Give "
            f"{self._where[0]} a __getstate__ that returns what its numbers depend on"
        )

    def _add_class(self, kind: type) -> None:
        package = package_of(kind.__module__)
        if package is not None and "<locals>" not in kind.__qualname__:
            self._write(class_name(kind) + (f" ({package})" if _is_versioned(package) else ""))
            self.foreign |= _is_versioned(package)
            return
        self.foreign = True
        with self._hashed(class_name(kind)), self._within(f" (class {kind.__name__})"):
            self._add_home(kind.__module__, kind.__qualname__)
            self._add(kind.__bases__)
            self._add_state(dict(definition(kind)))

    def _add_function(self, function: types.FunctionType) -> None:
        home, name = function.__module__ or "", function.__qualname__
        package = package_of(home)
        self.foreign |= package is None or _is_versioned(package)
        if package is not None and name.isidentifier():
            self._write(f"function {home}.{name} ({package})")
            return
        with self._hashed(f"function {home}.{name}"), self._within(f" (function {name})"):
            self._add_home(home, name)
            self._add_code(function.__code__)
            self._add(function.__defaults__)
            self._add(function.__kwdefaults__)
            for variable, cell in zip(
                function.__code__.co_freevars, function.__closure__ or (), strict=True
            ):
                with self._within(f".{variable}"):
                    self._add_cell(cell)
            self._add_state({k: v for k, v in vars(function).items() if k != "__wrapped__"})
            if package is None:
                self._add_globals(function, only_plain=has_file(home))

    def _add_cell(self, cell: types.CellType) -> None:
        try:
            content = cell.cell_contents
        except ValueError:  # not assigned yet
            self._write(" unassigned")
            return
        self._add(content)

    def _add_home(self, module: str, name: str) -> None:
        """The code of the user's modules that a class or function uses."""
        if package_of(module) is None and has_file(module):
            place = module, name.partition(".")[0]
            if place not in self._homes:  # each method of a class asks
                self._homes[place] = f"{used_code(*place)}"
            self._write(self._homes[place])

    def _add_globals(self, function: types.FunctionType, only_plain: bool) -> None:
        """The globals that a function of a script or notebook uses.

        Those of a module are in its file, but for plain values, which may be set from outside.
        """
        for name in dict.fromkeys(globals_in(function.__code__)):
            value = function.__globals__.get(name, _ABSENT)
            if value is not _ABSENT and (not only_plain or type(value) in (*_PLAIN, str)):
                before = len(self._parts)
                self._write(f" {name}=")
                try:
                    self._add(value)
                except UsageError:  # such as an open file: a handle, not a parameter
                    self._parts[before:] = [f" {name}={class_name(type(value))}"]

    def _add_code(self, code: types.CodeType) -> None:
        """Compiled code. A source line would not do: it may hold two functions."""
        rest = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
        count = code.co_argcount + code.co_kwonlyargcount
        arguments = code.co_varnames[: count + rest.bit_count()]
        names = f"{arguments} {code.co_kwonlyargcount} {rest} {code.co_names}"
        self._write(f"{code.co_code.hex()} {names} {code.co_exceptiontable.hex()} ")
        for constant in code.co_consts:
            self._add_code(constant) if inspect.iscode(constant) else self._add(constant)
            self._write(" ")


def _is_versioned(package: str) -> bool:
    """Whether it is another library, neither streamgauge nor part of Python."""
    return " " in package


def _is_default(value: Any, default: Any) -> bool:
    if default is inspect.Parameter.empty or type(value) is not type(default):
        return False
    return value is default or Canonical(value).text == Canonical(default).text


def _draws_when_made(thing: Any) -> bool:
    """Whether a model of River keeps random numbers drawn when it was made."""
    if not seedless_parts(thing):
        return False
    try:
        one, other = (Canonical(thing.clone(), clones=False).text for _ in range(2))
    except Exception:  # a foreign model may raise anything
        return False
    return one != other


def _is_clonable(thing: Any) -> bool:
    """Whether it is an object of River, which says its parameters."""
    return hasattr(type(thing), "clone") and hasattr(type(thing), "_get_params")


def _parameters_of(thing: Any) -> dict[str, Any]:
    try:
        return dict(thing._get_params())
    except Exception:  # parts of a trained model may lack some
        return {}
