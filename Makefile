# Every target sets up what it needs in .venv; only Python >= 3.11 and make are required.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: help demo test test-all check stub bench parity readme clean
help:             ## show this list
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
	@echo "Installing streamgauge and its test dependencies into .venv ..."
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

demo: .venv/demo  ## evaluate two learners on Elec2 against repeating the last label
	@$(BIN)/streamgauge demo
test: .venv/test  ## run the tests that CI runs (under ten minutes)
	$(BIN)/python -m pytest
test-all: .venv/dev .venv/peers  ## run all tests, with the long tier: parity with peers, memory, kills, Ray
	$(BIN)/python -m pytest -m 'long or not long'
check: .venv/dev  ## run ruff, mypy (strict), the import contracts and the tests
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest
stub: .venv/dev   ## write src/streamgauge/__init__.pyi from the registry
	$(BIN)/python -m streamgauge._support.stub
	$(BIN)/ruff check -q --fix src/streamgauge/__init__.pyi && $(BIN)/ruff format -q src/streamgauge/__init__.pyi
bench: .venv/peers  ## measure speed as ratios to River and CapyMOA, write docs/performance.md; ONLY="trees knn" for parts
	$(BIN)/python -m bench $(ONLY)
parity: .venv/peers  ## compare our learners with CapyMOA's and River's, write bench/parity.md; resumes if stopped
	$(BIN)/python -m bench.parity
readme: .venv/test ## write the session and the picture of README.md
	$(BIN)/python examples/readme.py
clean:            ## remove the environment and caches
	rm -rf .venv build dist *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
