# Every target sets up what it needs in .venv; only Python >= 3.11 and make are required.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

# Tests run in as many processes as there are cores; they compile the kernels once, beforehand.
PYTEST := $(BIN)/python -m pytest -n logical --dist worksteal

.PHONY: help demo test test-all browser check lint stub bench parity hostile calibration accuracy readme worth dist clean
help:             ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "streamgauge needs Python 3.11 or newer: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@
.venv/demo: .venv/made pyproject.toml
	@echo "Installing streamgauge into .venv ..."
	@$(PIP) -e .
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
	@echo "Installing the peers (River, CapyMOA with its own Java), Ray and Playwright into .venv ..."
	@$(PIP) 'torch==2.13.0' && $(PIP) -e '.[test,capymoa,ray,browser]'
	@touch $@

demo: .venv/demo  ## evaluate three learners on Elec2 against repeating the last label
	@$(BIN)/streamgauge demo
test: .venv/test  ## run the tests (about six minutes on two cores)
	$(PYTEST)
test-all: .venv/dev .venv/peers browser  ## run all tests, with the long tier: parity with peers, memory, kills, Ray, oldest packages
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -m 'long or not long'
browser:          ## say whether the pages can be tested in a browser, and how to install one
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
	{ echo "No Chromium, so the tests of pages in a browser are skipped. To install it on Debian or Ubuntu:"; \
	echo "  sudo apt-get install --no-install-recommends chromium"; }
lint: .venv/dev   ## run ruff, mypy (strict) and the import contracts
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
check: lint test  ## run everything that CI runs: lint and tests
stub: .venv/dev   ## write src/streamgauge/__init__.pyi and docs/names.md from the registry
	$(BIN)/python -m streamgauge._support.stub
	$(BIN)/ruff check -q --fix src/streamgauge/__init__.pyi && $(BIN)/ruff format -q src/streamgauge/__init__.pyi
bench: .venv/peers  ## measure speed as ratios to River and CapyMOA, write docs/performance.md; ONLY="trees knn" for parts
	$(BIN)/python -m bench $(ONLY)
parity: .venv/peers  ## compare our learners with CapyMOA's and River's, write bench/parity.md; resumes if stopped
	$(BIN)/python -m bench.parity
hostile: .venv/peers  ## run the hostile tests of the long tier, write bench/hostile.md; ONLY="pairs links" for parts
	$(BIN)/python -m bench.hostile $(ONLY)
calibration: .venv/test ## simulate how often our sentences are false, write docs/calibration.md; ONLY="verdict" for parts
	$(BIN)/python -m bench.calibration $(ONLY)
accuracy: .venv/test ## measure the accuracy of our learners on whole streams, write bench/accuracy.md
	$(BIN)/python -m bench.accuracy
readme: .venv/test ## write the session and counts of README.md, and the pictures of docs/figures.md
	env -u STREAMGAUGE_DATA $(BIN)/python examples/readme.py  # on the data that a new user gets
	$(BIN)/python examples/gallery.py
worth: .venv/test  ## run 5 learners on 11 full streams, draw what each is worth: README.md, docs/worth.md; resumes if stopped
	$(BIN)/python examples/worth.py
dist: .venv/dev   ## build wheel and sdist, install the wheel into an empty environment and run the demo from it
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	wheel=$$(ls "$$PWD"/dist/*.whl); \
	$(PYTHON) -m venv "$$folder/venv"; \
	"$$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$$wheel"; \
	cd "$$folder"; venv/bin/streamgauge demo; \
	echo "dist/ has a wheel and an sdist; the demo ran from the wheel."
clean:            ## remove the environment and caches
	rm -rf .venv build dist *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
