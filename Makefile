# make demo | make test | make check: each works alone on a fresh checkout.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# One process more than the usual 2 cores: tests wait for disks and for processes of their own.
PYTEST := $(BIN)/python -m pytest -q -n 3 --dist worksteal

.PHONY: demo test fast check format soak bench clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "harness needs Python 3.11 or newer; say which one: make PYTHON=python3.12 ..." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --editable '.[sandbox]' --group dev
	@touch $@

demo: $(STAMP)  ## watch two agents take an issue to an approved pull request
	@$(BIN)/harness demo

test: $(STAMP)  ## all tests, the fast ones first
	@$(PYTEST) -m "not slow" && $(PYTEST) -m slow

fast: $(STAMP)  ## the tests that take seconds
	@$(PYTEST) -m "not slow"

check: $(STAMP)  ## the gates: format, lint, types, layers, schemas, wheel
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/harness schemas --check
	@sh .ci/wheel-smoke $(BIN)/python demo

format: $(STAMP)
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix --quiet .

soak: $(STAMP)  ## kill the whole story at every point (long)
	@$(PYTEST) tests/soak

bench: $(STAMP)  ## print the figures of docs/benchmarks.md (minutes)
	@cd benchmarks && for script in startup workbench_start turns settle demo_memory; do ../$(BIN)/python $$script.py; done

clean:
	rm -rf $(VENV) dist build
