# Needs Python 3.11 or newer and make. Everything else is installed into $(VENV).
PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
DIST   ?= dist
PYTEST_ARGS ?=
EXAMPLES ?= 2000
SECONDS ?= 120
STORES ?= sqlite
ADAPTERS ?=
KINDS ?= postgres18 postgres15 encrypted sealed
LAWS := $(addprefix tests/,laws access adapters/anthropic_memory cases copying core drawing engine/test_forgetting.py \
  extract guards store/test_equal_stores.py trial wire)

BIN := $(VENV)/bin
SHELL := /bin/sh
.DEFAULT_GOAL := help
# Tests start programs by the hundred, and each would compile the package anew where bytecode is not kept.
export PYTHONDONTWRITEBYTECODE :=
.PHONY: help demo test test-laws test-histories test-fleet test-stores test-engines test-adapters test-slow perf wheel
.PHONY: test-studio test-mcp test-fuzz test-typescript clean python run-env dev-env slow-env
.NOTPARALLEL:

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name text; do \
	  printf '  make %-15s %s\n' "$$name" "$$text"; done

demo: run-env ## Install into a virtual environment, show the memory at work, and leave demo.db to look at
	@"$(BIN)/tensemem" demo --keep demo.db
	@printf '\n%s\n' 'Look at it:'
	@printf '  %-49s %s\n' \
	  '$(BIN)/tensemem --db demo.db studio' 'in the browser' \
	  '$(BIN)/python examples/mcp_client.py' 'as an MCP client does' \
	  '$(BIN)/tensemem --db demo.db serve' 'over HTTP, with curl: README, "See it"'

test: dev-env ## Lint, check types and run the tests
	@echo "== ruff"
	@"$(BIN)/ruff" check .
	@echo "== mypy"
	@"$(BIN)/mypy"
	@echo "== pytest"
	@"$(BIN)/pytest" -n $(JOBS) --dist worksteal -m "not slow" $(PYTEST_ARGS)

test-laws: dev-env ## Try each law on 2,000 random histories, or on EXAMPLES=n
	@echo "== pytest, the laws"
	@TENSEMEM_EXAMPLES="$(EXAMPLES)" "$(BIN)/pytest" -n $(JOBS) --dist worksteal -m hypothesis $(LAWS) $(PYTEST_ARGS)

test-histories: dev-env ## Let processes work on one store under faults, for SECONDS=n on each of STORES="sqlite encrypted postgres"
	@echo "== pytest, histories"
	@TENSEMEM_HISTORY_SECONDS="$(SECONDS)" TENSEMEM_HISTORY_STORES="$(STORES)" \
	  "$(BIN)/pytest" -rP tests/histories/test_histories.py $(PYTEST_ARGS)

test-stores: dev-env ## Run the tests of the engine and the verbs on other stores, KINDS="postgres18 encrypted ..."
	@set -e; for kind in $(KINDS); do \
	  missing=$$(PYTHONPATH=src:. "$(BIN)/python" -m tests.store.missing "$$kind"); \
	  if [ -n "$$missing" ]; then echo "== left out: $$kind is not here; $$missing"; continue; fi; \
	  echo "== pytest on $$kind"; \
	  TENSEMEM_TEST_STORE="$$kind" "$(BIN)/pytest" -n $(JOBS) -m "not slow and not of_files" \
	    tests/engine tests/verbs tests/cases tests/guards $(PYTEST_ARGS); \
	done

test-fleet: dev-env ## Test many machines: rows spread over servers, a standby that takes over, networks that break
	@echo "== pytest, fleets"
	@"$(BIN)/pytest" -rP tests/fleet $(PYTEST_ARGS)

test-adapters: python ## Test the framework adapters, each in an environment of its own; ADAPTERS="names" for some
	@"$(PYTHON)" tools/adapters.py $(ADAPTERS)

test-studio: python ## Test the studio in Chromium, a part on PostgreSQL too, in an environment of its own; installs it where it may
	@"$(PYTHON)" tools/studio.py $(PYTEST_ARGS)

test-fuzz: python ## Try the server with what its OpenAPI document allows and what it does not, in an environment of its own
	@"$(PYTHON)" tools/fuzz.py $(PYTEST_ARGS)

test-mcp: dev-env ## Test the MCP server with clients of others: an older SDK, and with Node the TypeScript SDK and the inspector
	@"$(BIN)/python" tools/mcp_clients.py $(PYTEST_ARGS)

test-engines: python ## Test the stores on apsw without ciphers, in an environment of its own
	@"$(PYTHON)" tools/engines.py

test-slow: slow-env ## Run the tests that take long, those of `make test-fleet` left out
	@echo "== pytest, the slow ones"
	@"$(BIN)/pytest" -m slow --ignore=tests/fleet $(PYTEST_ARGS) || { code=$$?; test $$code -eq 5 && echo "No test is marked slow."; }

test-typescript: dev-env ## Generate a TypeScript client from the OpenAPI document, compile it and use it; needs Node 20
	@command -v npm >/dev/null || { echo "There is no npm here; the TypeScript client is not tried." >&2; exit 1; }
	@npm ci --prefix tests/typescript --silent
	@"$(BIN)/pytest" tests/typescript $(PYTEST_ARGS)

perf: run-env ## Measure writes, reads and corrections on this machine
	@"$(BIN)/python" tools/perf.py

wheel: dev-env ## Build the sdist and the wheel
	@"$(BIN)/python" -m build --outdir "$(DIST)"

clean: ## Remove what was built and cached; the virtual environment stays
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

python:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "There is no '$(PYTHON)' here. tensemem needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "tensemem needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" -V 2>&1). Try make PYTHON=python3.12" >&2; exit 1; }

run-env: python
	@"$(PYTHON)" tools/venv.py "$(VENV)" -e '.[server,mcp]'

dev-env: python
	@"$(PYTHON)" tools/venv.py "$(VENV)" -e '.[dev]'

slow-env: python
	@"$(PYTHON)" tools/venv.py "$(VENV)" -e '.[dev,litellm]'
