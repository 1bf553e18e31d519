"""The kernel cache: reused by later processes, never stale; and kernels without numba's hooks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import streamgauge

PACKAGE = Path(streamgauge.__file__).parent


def run_python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, **env},
    )  # fmt: skip


def copy_support(package: Path) -> None:
    """Copy what kernels need into another package of our name."""
    (package / "_support").mkdir(parents=True, exist_ok=True)
    for folder in (package, package / "_support"):
        (folder / "__init__.py").write_text("")
    for name in ("jit", "numba_hooks", "cache_dir", "checked_cache", "compile_message", "progress",
                 "notebook", "printable", "locks", "inside", "errors", "paths",
                 "whole_file"):  # fmt: skip
        shutil.copy(PACKAGE / "_support" / f"{name}.py", package / "_support")


@pytest.mark.long
def test_second_process_starts_from_the_cache() -> None:
    code = "import streamgauge as sg\nsg.evaluate(sg.SEA(1000, seed=1), sg.NaiveBayes())"
    run_python(code)  # fills the cache, if it is empty
    assert run_python(code).stderr == ""  # compiling is announced; `make bench` measures the start


def test_importing_loads_and_compiles_nothing() -> None:
    code = (
        "import sys, streamgauge\n"
        "heavy = {'numba', 'numpy', 'pyarrow', 'river', 'pandas', 'polars', 'sklearn', 'rich'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert run_python(code).stdout.strip() == "[]"
    optional = "import sys, streamgauge as sg; sg.evaluate; sg.read; sg.score\n" + (
        "print(sorted({'river', 'pandas', 'polars', 'sklearn', 'capymoa'} & set(sys.modules)))"
    )
    assert run_python(optional).stdout.strip() == "[]"


def test_cache_of_an_edited_kernel_is_not_used(tmp_path: Path) -> None:
    """`outer` calls `inner` of another file; numba alone would keep using the old `inner`."""
    package = tmp_path / "streamgauge"
    copy_support(package)
    inner = (
        "from streamgauge._support.jit import kernel\n\n@kernel\ndef inner(x):\n    return x + {}\n"
    )
    (package / "inner.py").write_text(inner.format(1))
    (package / "outer.py").write_text(
        "from streamgauge._support.jit import kernel\nfrom streamgauge.inner import inner\n\n"
        "@kernel\ndef outer(x):\n    return 10 * inner(x)\n"
    )
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": str(tmp_path / "cache")}
    call = "from streamgauge.outer import outer; print(outer(1), outer.stats.cache_hits)"
    assert run_python(call, **env).stdout.split()[0] == "20"
    assert "Counter({" in run_python(call, **env).stdout  # from the cache this time
    (package / "inner.py").write_text(inner.format(2))
    assert run_python(call, **env).stdout.split()[0] == "30"


@pytest.mark.long
def test_inner_kernel_refuses_calls_from_python(tmp_path: Path) -> None:
    """It has no entry point for Python; a call would crash the process."""
    code = (
        "import streamgauge as sg\nfrom streamgauge._support.rng import next_uniform\n"
        "from streamgauge.learners.trees._nodes import width_at\n"
        "def refused():\n"
        "    for call in (lambda: next_uniform(1), lambda: width_at(1, 2, 3)):\n"
        "        try: call()\n"
        "        except TypeError as error: yield str(error)\n"
        "print(*refused(), sep='\\n')\n"
        "sg.evaluate(sg.SEA(300, seed=1), sg.HoeffdingAdaptiveTree())\n"
        "print(*refused(), sep='\\n')"
    )
    messages = run_python(code).stdout.splitlines()
    names = ("next_uniform", "width_at")
    expected = [f"{name} is an inner kernel: only kernels can call it" for name in names]
    assert messages == expected * 2  # before and after it was compiled


@pytest.mark.long
def test_kernel_is_inlined_only_if_declared_so(tmp_path: Path) -> None:
    """numba would also inline every kernel that an inlined one happens to call first; compiling
    would take minutes longer and the code would be twice as large."""
    code = (
        "import sys, streamgauge as sg\nfrom numba.core.dispatcher import Dispatcher\n"
        "sg.evaluate(sg.SEA(300, seed=1), sg.HoeffdingAdaptiveTree())\n"
        "kernels = {id(k): k for name, module in sorted(sys.modules.items())\n"
        "           if name.startswith('streamgauge') for k in vars(module).values()\n"
        "           if isinstance(k, Dispatcher)}.values()\n"
        "for kernel in kernels:\n"
        "    for made in kernel.overloads.values():\n"
        "        print(kernel.py_func.__name__, made.fndesc.inline, \n"
        "              kernel.targetoptions['forceinline'])"
    )
    lines = run_python(code, STREAMGAUGE_CACHE=str(tmp_path)).stdout.splitlines()
    made = {name: (inline, said) for name, inline, said in map(str.split, lines)}
    assert made["attempt_split"] == ("False", "False")
    assert made["vote"] == ("True", "True")
    assert all(inline == declared for inline, declared in made.values())


@pytest.mark.long
def test_process_that_compiles_a_kernel_runs_only_optimised_code(tmp_path: Path) -> None:
    """Unoptimised inner kernels in memory would be called by all that do not inline them: the
    first process would run at half the speed of the others."""
    code = (
        "import streamgauge as sg\n"
        "from streamgauge.learners.trees import _regression_events, _target_bins\n"
        "sg.evaluate(sg.from_arrays([[0.0], [1.0]] * 20, [0.5, 1.5] * 20, task='regression'),\n"
        "            sg.HoeffdingTreeRegressor())\n"
        "for kernel in (_target_bins.flush_buffer, _regression_events._play):\n"
        "    [made] = kernel.overloads.values()\n"
        "    modules = made.library._codegen._engine._ee._modules\n"
        "    print({f.linkage.name for module in modules for f in module.functions\n"
        "           if f.name == made.fndesc.llvm_func_name and not f.is_declaration})"
    )
    lines = run_python(code, STREAMGAUGE_CACHE=str(tmp_path)).stdout.splitlines()
    assert lines == ["{'internal'}", "{'external'}"]  # the copy in `_play`, and `_play`


def test_cache_depends_on_every_file_a_kernel_imports(tmp_path: Path) -> None:
    """A kernel may use a constant of a file without kernels, imported in any way and through any
    number of files; the constant becomes part of the compiled code. Other files do not matter."""
    package = tmp_path / "streamgauge"
    copy_support(package)
    (package / "deep").mkdir()
    (package / "deep" / "__init__.py").write_text("")
    (package / "deep" / "constants.py").write_text("NEVER = 1")
    (package / "between.py").write_text("from streamgauge.deep import (\n    constants,\n)\n")
    (package / "f.py").write_text("def late():\n    from streamgauge.between import constants\n")
    (package / "other.py").write_text("")
    ask = (
        "from pathlib import Path; import streamgauge._support.jit as c\n"
        "print(c.kernel_cache(Path(c.__file__).parents[1] / 'f.py').name)"
    )
    env = {"PYTHONPATH": str(tmp_path), "STREAMGAUGE_CACHE": str(tmp_path / "cache")}
    first = run_python(ask, **env).stdout
    (package / "other.py").write_text("changed = 1")
    assert run_python(ask, **env).stdout == first
    (package / "deep" / "constants.py").write_text("NEVER = 2")
    assert run_python(ask, **env).stdout != first


@pytest.mark.long
def test_imports_found_in_the_source_are_those_python_makes() -> None:
    """Parsing the text must find every file that importing it loads."""
    from streamgauge._support.jit import sources_of

    for module in ("learners.trees.hoeffding_tree", "prequential.agenda", "measures.forgetting"):
        code = (
            f"import sys, streamgauge; before = set(sys.modules); import streamgauge.{module}\n"
            "print(*(m.__file__ for n, m in sys.modules.items()\n"
            "        if n.startswith('streamgauge.') and n not in before))"
        )
        loaded = {Path(each) for each in run_python(code).stdout.split()}
        source = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
        empty = {each for each in loaded if each.name == "__init__.py"}
        assert source in loaded
        assert loaded - empty <= set(sources_of(source))


@pytest.mark.long
def test_kernels_as_plain_python_give_the_same_numbers(tmp_path: Path) -> None:
    code = (
        "import streamgauge as sg\n"
        "from streamgauge.testing import example_stream\n"
        "run = sg.evaluate(example_stream(150), sg.NaiveBayes(), labels=sg.FromStream(),\n"
        "    metrics='all', forget=[sg.Cumulative(), sg.Window(20), sg.Fading(0.9)])\n"
        "print(run.verdict, run.predictions.to_pydict())\n"
        "print([v.round(12).tolist() for v in run.curve.values])"
    )
    plain = run_python(code, NUMBA_DISABLE_JIT="1").stdout
    assert plain == run_python(code).stdout
    assert "Persistent" in plain


MISSING = "import numba.core.codegen as c; del c.JITCodeLibrary\n"
BROKEN = "import numba.core.codegen as c; c.JITCodeLibrary = type('Changed', (), {})\n"
REFUSED = (
    "import numba\nreal = numba.njit\ndef njit(*args, **options):\n"
    "    if '_nrt' in options: raise TypeError('unrecognised option')\n"
    "    return real(*args, **options)\nnumba.njit = njit\n"
)
SHOW = (
    "from streamgauge._support import numba_hooks\n"
    "import sys; print(numba_hooks.available(), file=sys.stderr)\n"
    "print([run.predictions.to_pydict() for run in runs])\n"
    "print([[v.tobytes().hex() for v in run.curve.values] for run in runs])\n"
)
NAIVE_BAYES = (
    "import streamgauge as sg\nfrom streamgauge.testing import example_stream\n"
    "runs = sg.evaluate(example_stream(), [sg.NaiveBayes()], forget=[sg.Fading(0.9)])\n"
)
TREES = (
    "runs += sg.evaluate(sg.SEA(3000, seed=1), [sg.HoeffdingTree(), sg.HoeffdingAdaptiveTree(),"
    " sg.AdaptiveRandomForest(3), sg.LeveragingBagging(3), sg.KNN()])\n"
    "runs += sg.evaluate(example_stream(2000, regression=True), [sg.HoeffdingTreeRegressor(),"
    " sg.AMRules(), sg.AdaptiveRandomForestRegressor(3)])\n"
)


def assert_same_without_hooks(prelude: str, code: str, cache: Path) -> None:
    plain = run_python(prelude + code + SHOW, STREAMGAUGE_CACHE=str(cache))
    assert plain.stderr.split()[-1] == "False"
    hooked = run_python(code + SHOW)
    assert hooked.stderr.split()[-1] == "True"
    assert plain.stdout == hooked.stdout


@pytest.mark.long
def test_detector_without_numbas_private_hooks(tmp_path: Path) -> None:
    code = (
        "import numpy as np, streamgauge as sg\nfrom streamgauge._support import numba_hooks\n"
        "errors = np.r_[np.zeros(500), np.ones(500)]\n"
        "print(sg.detect(errors, [sg.ADWIN()]).alarms, numba_hooks.available())"
    )
    *alarms, available = run_python(MISSING + code, STREAMGAUGE_CACHE=str(tmp_path)).stdout.split()
    assert available == "False"
    assert [*alarms, "True"] == run_python(code).stdout.split()
    assert re.search(r"\d", " ".join(alarms))


@pytest.mark.long
@pytest.mark.parametrize("prelude", [MISSING, BROKEN, REFUSED])
def test_every_compiled_learner_without_numbas_private_hooks(prelude: str, tmp_path: Path) -> None:
    """With a hook missing, one that breaks when used, and an option that numba refuses."""
    assert_same_without_hooks(prelude, NAIVE_BAYES + TREES, tmp_path)
