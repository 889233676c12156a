# The commands of the project. `make chat` and `make test` set up all they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements.lock
DEV_LOCK := requirements-dev.lock
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check

.PHONY: chat run demo test format lock clean

chat: $(VENV)/.ready
	@$(BIN)/memora chat

run: $(VENV)/.ready
	@$(BIN)/memora run

demo: $(VENV)/.ready
	@$(BIN)/memora demo

test: $(VENV)/.ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

format: $(VENV)/.ready-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Newest versions that pyproject.toml allows, with hashes, for every supported Python.
lock: $(VENV)/.ready-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade \
		pyproject.toml --group build --output-file $(LOCK)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --upgrade \
		pyproject.toml --group build --group dev --constraint $(LOCK) --output-file $(DEV_LOCK)

clean:
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Memora needs Python 3.11 or newer; name one with PYTHON=")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(LOCK) pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV); this takes a minute the first time." >&2
	@$(PIP) install --require-hashes --requirement $(LOCK)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.ready-dev: $(DEV_LOCK) pyproject.toml | $(BIN)/python
	@echo "Setting up $(VENV) with the tools for tests." >&2
	@$(PIP) install --require-hashes --requirement $(DEV_LOCK)
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.ready
