# Every target sets up .venv itself; only Python >= 3.11 and make are needed.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: help demo test test-all check bench parity clean
help:             ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "streamgauge needs Python 3.11 or newer: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@
.venv/demo: .venv/made pyproject.toml
	@echo "Installing streamgauge and River into .venv ..."
	@$(PIP) -e '.[river]'
	@touch $@
.venv/test: .venv/made pyproject.toml
	@echo "Installing streamgauge and its test requirements into .venv ..."
	@$(PIP) -e '.[test]'
	@touch $@ .venv/demo
.venv/dev: .venv/made pyproject.toml
	@$(PIP) -e '.[dev]'
	@touch $@ .venv/test .venv/demo
# CapyMOA needs torch; this release has a CPU build, while a plain `torch` may pull in gigabytes of CUDA.
.venv/peers: .venv/test
	@echo "Installing the peers (River, CapyMOA with its own Java) and Ray into .venv ..."
	@$(PIP) 'torch==2.13.0' && $(PIP) -e '.[test,capymoa,ray]'
	@touch $@

demo: .venv/demo  ## Elec2: are naive Bayes and a Hoeffding tree better than repeating the last label?
	@$(BIN)/streamgauge demo
test: .venv/test  ## the tests that CI runs (under ten minutes)
	$(BIN)/python -m pytest
test-all: .venv/dev .venv/peers  ## the tests and the long tier: parity with peers, memory, kills, Ray
	$(BIN)/python -m pytest -m 'long or not long'
check: .venv/dev  ## ruff, mypy strict, import order, tests
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest
bench: .venv/peers  ## speeds as ratios to River and CapyMOA, one run, one core
	$(BIN)/python -m bench
parity: .venv/peers  ## our learners beside CapyMOA's and River's: writes bench/parity.md, resumes where it stopped
	$(BIN)/python -m bench.parity
clean:            ## remove the environment and caches
	rm -rf .venv build dist *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
