# Everything runs in .venv, which the first call sets up from the package index.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
# The matrices are small: on busy cores, threads of the linear algebra wait for each other.
export OPENBLAS_NUM_THREADS ?= 1
# Tests start many processes: with bytecode on disk, each takes half the time to begin.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-fast test-long ready fuzz fuzz-contacts fuzz-still lint kernels bench report docs docs-serve studio-hour clean

demo: $(READY)
	@mkdir -p out
	$(BIN)/flexura solve examples/cantilever.toml --plot out/cantilever.png --save out/cantilever.npz

test: ready
	$(BIN)/python -m pytest -n auto -m "not long"

# Statistics, many draws, many steps, processes that compile: what tells the same from day to day.
test-long: $(READY)
	$(BIN)/python -m pytest -n auto -m long

test-fast: ready
	$(BIN)/python -m pytest -n auto -m "not slow and not long"

# Both at once. Processes that run tests at the same time would compile the same kernels.
ready: $(READY)
	$(MAKE) -j 2 lint kernels

kernels: $(READY)
	$(BIN)/flexura warm-up

# Random robots, new ones every time: make fuzz MINUTES=60
MINUTES ?= 10
fuzz: $(READY)
	$(BIN)/python tests/properties/fuzz.py $(MINUTES)

# Random scenes with contacts, 100 steps each: make fuzz-contacts SCENES=1000
SCENES ?= 100
fuzz-contacts: $(READY)
	$(BIN)/python tests/solve/contact/scenes.py $(SCENES)

# Random scenes at rest with contacts, in increments: make fuzz-still SCENES=1000
fuzz-still: $(READY)
	$(BIN)/python tests/solve/contact/still.py $(SCENES)

# Sliders of the studio moved at random: make studio-hour MINUTES=60
studio-hour: $(READY)
	$(BIN)/python -m benchmarks.speed.studio_hour $(MINUTES)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

# The validation report, from what benchmarks print: make report QUICK=--quick for fewer cases
RECORDS ?= benchmarks/records
report: $(READY)
	$(BIN)/python -m benchmarks published $(QUICK) --figures docs/benchmarks --save $(RECORDS)
	$(BIN)/python -m benchmarks.report $(RECORDS) docs/report.md

# The site, with all tutorials run: out/site/index.html
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: $(READY)
	NO_MKDOCS_2_WARNING=1 FLEXURA_DOCS_RUN=false $(BIN)/mkdocs serve

clean:
	rm -rf .venv out .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# constraints.txt records versions known to work together.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "flexura needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": call make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[view,inverse,mesh,studio,docs,dev]'
	@touch $(READY)
