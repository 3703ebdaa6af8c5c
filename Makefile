# Every command of the project. The first call makes a virtual environment; later calls reuse it.
#
#   make demo    compress a sample, restore it, compare, print ratio and speed
#   make test    style, types, tests
#   make check   the same within two minutes, once kernels are compiled: without the slow tests
#   make plain   the tests that have time to run without a compiler
#   make bench   measure against other compressors   (ARGS="--level 3" and the like)
#   make speed   time glnzip and zpaq in turns
#   make experiment   score a change to the model against the accepted figures
#   make paper   repeat the GLN paper's experiments (an hour) and write docs/paper.md;
#                paper-quick: small versions of them
#   make plot    draw the last benchmark as docs/size_against_speed.png
#   make fetch   download and verify the test corpora and the images of the paper's experiments
#   make prior   rebuild the shipped prior from the packages that its manifest lists
#   make kernels write the assembly of kernels that the package has, after a change to any of them
#   make docs    write the tables of docs/MODEL.md, and all figures of memory, from those of the model
#   make share   write the manual page and the completions that are installed with the package
#   make golden  write golden files for a new format (never overwrites one)
#   make determinism   compare this machine's bytes with those on record   (ARGS="--short 1 6")
#   make boundscheck   the tests, every index of every kernel checked
#   make dist    build the archives of a release, check what they hold, install and try them
#   make clean   remove the environment and the caches

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
# Tests make models of a gigabyte for a few bytes: zeros in pages of 2 MB would take a third of the time.
PYTEST := NUMPY_MADVISE_HUGEPAGE=0 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder
# Containers often set this; then each of the processes that tests start compiles all sources again.
unexport PYTHONDONTWRITEBYTECODE
# Stamps: an environment is built again only when pyproject.toml changes.
READY := $(VENV)/ready
TEST_READY := $(VENV)/ready-test
PLOT_READY := $(VENV)/ready-plot
DIST_READY := $(VENV)/ready-dist

.DEFAULT_GOAL := help
.PHONY: help demo style test check plain bench speed experiment paper paper-quick plot fetch prior \
	kernels docs share golden determinism boundscheck dist clean

help:
	@sed -n 's/^#   //p' Makefile

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(READY): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(TEST_READY): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@ $(READY)

$(PLOT_READY): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot]'
	@touch $@ $(READY)

$(DIST_READY): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dist]'
	@touch $@ $(READY)

demo: $(READY)
	$(BIN)/python -m bench.demo

style: $(TEST_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: style
	$(PYTEST) $(ARGS)

check: style
	$(PYTEST) -m "not slow" $(ARGS)

plain: $(TEST_READY)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not slow" $(ARGS)

bench: $(READY)
	$(BIN)/python -m bench $(ARGS)

speed: $(READY)
	$(BIN)/python -m bench.speed $(ARGS)

experiment: $(READY)
	$(BIN)/python -m bench.experiment $(ARGS)

paper: $(PLOT_READY)
	$(BIN)/python -m bench.paper.report $(ARGS)

paper-quick: $(TEST_READY)
	$(BIN)/python -m pytest tests/paper $(ARGS)

plot: $(PLOT_READY)
	$(BIN)/python -m bench.plot $(ARGS)

fetch: $(READY)
	$(BIN)/python -m corpora.fetch $(ARGS)
	$(BIN)/python -m bench.paper.fetch

prior: $(READY)
	$(BIN)/python -m corpora.primer.check
	$(BIN)/python -m corpora.primer.build $(ARGS)

kernels: $(READY)
	$(BIN)/python -m release.kernels

docs: $(READY)
	$(BIN)/python -m docs.tables
	$(BIN)/python -m docs.memory

share: $(READY)
	$(BIN)/python -m docs.share.make

golden: $(READY)
	$(BIN)/python -m tests.make_golden
	$(BIN)/python -m tests.determinism --record
	$(BIN)/python -m tests.determinism --record --short

determinism: $(READY)
	$(BIN)/python -m tests.determinism $(ARGS)

# Compiled apart from the usual kernels: the cache folder is named by Numba's settings, too.
boundscheck: $(TEST_READY)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(ARGS)

dist: $(DIST_READY)
	$(BIN)/python -m release.dist $(ARGS)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
