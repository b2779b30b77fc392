# Two commands matter: `make demo` shows it, `make test` proves it. Both set everything up.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# The suite starts some 2,000 processes; each would compile the package again.
unexport PYTHONDONTWRITEBYTECODE
# Tests wait for the disk thousands of times, 5 ms each; one in memory of 4 GB or more does not keep them.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 4000000 {print "/dev/shm"}')
PYTEST := $(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/python tools/apart.py $(BIN)/pytest -n auto --dist worksteal -q

.DEFAULT_GOAL := help
.PHONY: help demo test quick lint tests long soak smoke journeys attacks sbom fix docs plugins requirements bench chaos clean

help:            ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

demo: $(READY)   ## write, recall, explain and undo notes in a throw-away home
	@$(BIN)/python tools/demo.py

test: lint tests smoke  ## everything: gates, tests, and the package without dev dependencies

quick: $(READY)  ## for between two edits: style, types, layers, and the tests that touch nothing outside
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(PYTEST) tests/core tests/language tests/shell tests/safety tests/test_house_rules.py

lint: $(READY)   ## style, types, layers, dependencies, generated docs
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry src
	@$(BIN)/python -m tools.docs --check

tests: $(READY)  ## the test suite, in parallel
	@$(PYTEST)

long: $(READY)   ## benchmarks' own tests, and crowds of processes: what proves a promise once more, at length
	@$(PYTEST) -m long

soak: $(READY)   ## the tests at full size, with new random examples, in another order each time; hours
	@HYPOTHESIS_PROFILE=soak $(PYTEST) -m 'not journey' --shuffle $$(date +%s)

smoke: $(READY)  ## install the built package alone in a fresh environment and use it
	@$(BIN)/python tools/smoke.py

attacks: $(READY)  ## try to poison, steal and forge; the table goes into SECURITY.md
	@$(PYTEST) tests/attacks --attack-table SECURITY.md

sbom: $(READY)   ## list what an installation brings, with licences and hashes, in docs/sbom.cdx.json
	@$(BIN)/python tools/sbom.py

journeys: $(READY)  ## real clients, installed from npm, against a scripted model on loopback
	@$(BIN)/python tools/apart.py $(BIN)/pytest -q -m journey tests/journeys

fix: $(READY)    ## let the tools repair what they can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: $(READY)   ## regenerate the reference pages
	@$(BIN)/python -m tools.docs

plugins: $(READY)  ## write what we put into runtimes anew from its one source
	@$(BIN)/python tools/plugins.py

requirements: $(READY)  ## which promises have a test, and which are still gaps
	@$(BIN)/python -m tests.requirements

bench: $(READY)  ## list the benchmarks and how to run them
	@grep -h '^    python -m bench' bench/*.py bench/*/__main__.py | sed 's|^    python|  $(BIN)/python|'

chaos: $(READY)  ## random trouble for real processes: crowds, kills, full disks, damage, nonsense; minutes
	@$(if $(MEMORY),TMPDIR=$(MEMORY) )$(BIN)/python -m bench.chaos

clean:           ## remove what the targets made
	rm -rf $(VENV) .clients .smoke .mypy_cache .pytest_cache .ruff_cache .hypothesis

# uv when it is there, else venv and pip; the stamp is renewed when the dependencies change
$(READY): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python -e . --group dev; \
	else \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1' && \
	  $(BIN)/python -m pip install --quiet -e . --group dev; \
	fi
	@touch $(READY)
