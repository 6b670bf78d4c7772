# Two commands on a fresh machine with python3 (3.11+), pip and make: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
MADE := $(VENV)/.made
USER_READY := $(VENV)/.ready-for-use
READY := $(VENV)/.ready
CLUSTER := .venv-cluster
CLUSTER_READY := $(CLUSTER)/.ready
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help setup demo test check format bench bench-quick bench-audit bench-coverage bench-ner bench-power bench-thresholds bench-tree bench-vrdu bench-scale bench-cold bench-cluster setup-cluster test-cluster mutants clean

help:
	@echo "make demo    install what a user needs, score the bundled sample, write docassay-demo/"
	@echo "make test    install the rest and run the tests"
	@echo "make test-cluster   the same runs on Dask, Spark and object storage, on this machine"
	@echo "make check   ruff and mypy --strict"
	@echo "make bench   measure speed against the floor; make bench-quick: in two minutes"
	@echo "make bench-ner, bench-tree, bench-vrdu   the same against other packages and a bare loop"
	@echo "make bench-coverage   whether 95 % intervals hold the truth, and the paired test (half an hour)"
	@echo "make bench-audit   whether an audit finds wrong values of gold (five minutes)"
	@echo "make bench-thresholds   whether chosen thresholds keep their promise (ten minutes)"
	@echo "make bench-power   whether forecasts of documents needed hold (half an hour)"
	@echo "make bench-cold   CPU seconds of --help, of the import, of a score of one document"
	@echo "make bench-scale   two workers against one, a million documents, kill and resume (an hour)"
	@echo "make bench-cluster   Dask and Spark against the pool on 100,000 documents (half an hour)"
	@echo "make mutants   whether the tests notice 400 changes of the source (twenty minutes)"
	@echo "make setup   create .venv with everything for development"

setup: $(READY)

# the environment itself; what goes into it is decided below
$(MADE):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "docassay needs Python 3.11 or newer")'
	@echo "creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# what a user needs, and matplotlib for the charts of the demo
$(USER_READY): pyproject.toml constraints.txt | $(MADE)
	@echo "installing docassay with charts into $(VENV)"
	@$(INSTALL) -e '.[charts]'
	@touch $@

$(READY): pyproject.toml constraints.txt | $(MADE)
	@echo "installing docassay with everything for development into $(VENV)"
	@$(INSTALL) -e '.[dev]'
	@touch $@ $(USER_READY)

demo: $(USER_READY)
	$(BIN)/docassay demo

test: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

# an environment of its own, because Spark is large and storage clients pin other versions
setup-cluster: $(CLUSTER_READY)

$(CLUSTER_READY): pyproject.toml constraints-cluster.txt
	@echo "installing docassay with Dask, Spark and a local object store into $(CLUSTER)"
	@$(PYTHON) -m venv $(CLUSTER)
	@$(CLUSTER)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-cluster.txt -e '.[cluster]'
	@touch $@

test-cluster: setup-cluster
	DOCASSAY_CLUSTER=1 $(CLUSTER)/bin/python -m pytest -q tests/cluster

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

bench-ner: setup
	$(BIN)/python benchmarks/ner.py

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

bench-scale: setup
	$(BIN)/python benchmarks/scale.py --write

bench-cluster: setup-cluster
	$(CLUSTER)/bin/python benchmarks/cluster.py --write

mutants: setup
	$(BIN)/python benchmarks/mutants.py --list-survivors

clean:
	rm -rf $(VENV) $(CLUSTER) docassay-demo .mypy_cache .ruff_cache .pytest_cache
