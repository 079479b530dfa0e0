# The front door of Weft: make demo, make test. Everything needed is installed first; see make help.
MPI ?= mpich
PYTHON ?= /usr/bin/python3
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

ifeq ($(MPI),mpich)
  BUILD := build
  VENV := .venv
  PRESET := release
else ifeq ($(MPI),openmpi)
  BUILD := build-openmpi
  VENV := .venv-openmpi
  PRESET := openmpi
else
  $(error MPI=$(MPI) is unknown: give MPI=mpich (the default) or MPI=openmpi)
endif

SETUP := tools/setup --mpi $(MPI) --venv $(VENV) --python "$(PYTHON)"
SETUP_INPUTS := tools/setup pyproject.toml
quoted = $(foreach word,$(1),'$(word)')
PYTHON_SOURCES = $(shell find python/weft -not -path '*/__pycache__*')

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help setup configure build python demo validate test test-mpi test-arm test-fluidfft coverage fuzz fuzz-files faults leaks sanitize hosts clients bench simulate docs lint format release install clean

help: ## this list
	@echo "Weft: make TARGET [MPI=mpich|openmpi]"
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' Makefile | expand -t 14

setup: $(VENV)/.ready ## install what is missing (apt, as root or through sudo) and make the virtual environment
	@echo "setup: ready ($(MPI), $(VENV))"

$(VENV)/.ready: $(SETUP_INPUTS)
	@$(SETUP)
	@touch $@

$(VENV)/.ready-%: $(SETUP_INPUTS) $(VENV)/.ready
	@$(SETUP) --also $*
	@touch $@

$(BUILD)/.configured: $(VENV)/.ready CMakePresets.json
	@cmake --preset $(PRESET) -DWEFT_PYTHON=ON -DPython_EXECUTABLE="$(CURDIR)/$(VENV)/bin/python"
	@touch $@

# The C++ tests alone need no Python module, hence no virtual environment. A tree that has the module keeps it.
$(BUILD)/.configured-cxx: tools/setup CMakePresets.json
	@tools/setup --mpi $(MPI) --venv "" --python "$(PYTHON)"
	@cmake --preset $(PRESET)
	@touch $@

configure: $(BUILD)/.configured

build: configure ## compile everything: library, Python module, tests
	@cmake --build $(BUILD) --parallel $(JOBS)

# The wheel is made in the same build tree, so pip compiles nothing; it is made again only when something changed.
python: configure ## build and install the Python package and its command line into the virtual environment
	@cmake --build $(BUILD) --parallel $(JOBS) --target weft_python
	@$(MAKE) -s --no-print-directory MPI=$(MPI) $(VENV)/.installed

$(VENV)/.installed: $(wildcard $(BUILD)/python/bindings/_*) pyproject.toml README.md $(PYTHON_SOURCES)
	@echo "installing the Python package weft into $(VENV)"
	@$(VENV)/bin/pip install -q --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
	  --config-settings=build-dir=$(BUILD) .
	@touch $@

demo: python ## make a density file, solve it on 2 ranks, compare with the exact potential, plot
	@$(VENV)/bin/weft demo --out $(BUILD)/demo

validate: python ## every combination of boundaries, kernel and strategy against theory on 2 ranks; a page with plots in out/validate
	@$(VENV)/bin/weft validate -n 2 --out out/validate

# COUNT_LINES=FOLDER keeps which lines of Python run there.
test: build python $(if $(COUNT_LINES),$(VENV)/.ready-coverage) ## all tests: C++, MPI on 1 to 7 ranks, find_package, Python, command line
	@COUNT_LINES=$(COUNT_LINES) tools/test $(BUILD) $(VENV)

test-mpi: $(firstword $(wildcard $(BUILD)/.configured) $(BUILD)/.configured-cxx) ## the C++ and MPI tests only; FILTER= takes a regular expression of their names
	@cmake --build $(BUILD) --parallel $(JOBS)
	@FILTER='$(FILTER)' tools/test $(BUILD)

build-arm/.sysroot: tools/arm-sysroot tools/setup
	@tools/setup --mpi mpich --venv "" --python "$(PYTHON)"
	@tools/setup --also arm
	@rm -rf build-arm/sysroot
	@echo "fetching libraries for AArch64 into build-arm/sysroot"
	@tools/arm-sysroot build-arm/sysroot
	@touch $@

build-arm/.configured: build-arm/.sysroot CMakePresets.json cmake/aarch64.cmake
	@cmake --preset aarch64
	@touch $@

test-arm: build-arm/.configured ## the C++ unit tests for AArch64: Debian's cross compiler, and qemu-user to run them
	@cmake --build build-arm --parallel $(JOBS) --target weft_unit_tests
	@tools/test-arm build-arm $(if $(FILTER),--gtest_filter='$(FILTER)')

SECONDS ?= 60
RANKS ?= 2
fuzz: python ## random uses against numpy, scipy and one rank for SECONDS=60 on RANKS=2 ranks; SEED= repeats
	@[ $(MPI) != mpich ] || cmake --build $(BUILD) --target weft_yield >/dev/null
	@BUILD=$(BUILD) VENV=$(VENV) tests/fuzz/run --seconds $(SECONDS) --ranks $(RANKS) $(if $(SEED),--seed $(SEED))

faults: python ## memory that runs short, full disks, killed ranks: SECONDS=600 RANKS=2 SEED=...; a table, status 1 at any breach
	@cmake --build $(BUILD) --parallel $(JOBS) --target weft_inject
	@PYTHONPATH=tests $(VENV)/bin/python -m fuzz.faults.run $(BUILD)/tests/libweft_inject.so --seconds $(SECONDS) --ranks $(RANKS) \
	  $(if $(SEED),--seed $(SEED))

ROUNDS ?= 5000
leaks: python ## objects of all kinds made and dropped ROUNDS=5000 times on RANKS=2 ranks: memory, files, communicators stay level
	@PYTHONPATH=tests OMP_WAIT_POLICY=passive $(VENV)/bin/python -m leaks --ranks $(RANKS) --rounds $(ROUNDS)

hosts: python $(VENV)/.ready-hosts ## several hosts on this machine by namespaces (Linux, root), joined by slow cables: check, tests, solves, losses
	@cmake --build $(BUILD) --parallel $(JOBS) --target weft_mpi_tests
	@$(VENV)/bin/python tests/hosts/run.py --mpi $(MPI) --build $(BUILD) --venv $(VENV)

PART ?= all
sanitize: $(VENV)/.ready-sanitize ## the C++ tests under clang's address, undefined-behaviour and thread sanitisers; PART=quick for some
	@JOBS=$(JOBS) tools/sanitize $(PART)

fuzz-files: python $(VENV)/.ready-sanitize ## damaged files of every kind for SECONDS=60, by libFuzzer and a driver with limits; SEED= repeats
	@JOBS=$(JOBS) tests/fuzz/files/run --build $(BUILD) --venv $(VENV) --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

coverage: $(VENV)/.ready-coverage ## the lines of C++ and Python that the tests run, in build-coverage; at least 92 %
	@cmake --preset coverage -DPython_EXECUTABLE="$(CURDIR)/$(VENV)/bin/python" >/dev/null
	@cmake --build build-coverage --parallel $(JOBS)
	@tools/coverage run build-coverage $(VENV) 92

# The parts own and quick take own tests of some programs, with Weft alone and on MPICH.
CLIENTS = PYTHONPATH=tests $(VENV)/bin/python -m clients --mpich $(BUILD) --scratch build/clients --part $(PART) \
  $(if $(ONLY),--only $(call quoted,$(ONLY)))
clients: python ## programs of others with their own library and with Weft (ONLY="mpb petsc ...", PART=quick); the table of docs/clients.md
	@cmake --build $(BUILD) --parallel $(JOBS) --target weft_fftw3_mpi weft_flups weft_yield >/dev/null
ifneq ($(PART),all)
	@$(CLIENTS)
else
	@$(MAKE) -s --no-print-directory MPI=openmpi configure
	@cmake --build build-openmpi --parallel $(JOBS) --target weft_fftw3_mpi >/dev/null
	@$(CLIENTS) --openmpi build-openmpi $(if $(ONLY),,--out docs/clients.md)
endif

test-fluidfft: ## the tests of the plugin of packaging/fluidfft-weft, on 1, 2 and 4 ranks
	@$(MAKE) -s --no-print-directory clients PART=own ONLY=fluidfft

bench: python $(VENV)/.ready-bench ## all timings, beside others; writes the tables and pictures of README and docs
	@$(VENV)/bin/weft bench page

simulate: $(VENV)/.ready-simulate ## the exchanges with real data among 64, 256 and 1024 simulated ranks, beside the cost model; into docs
	@cmake --preset simulate >/dev/null
	@cmake --build build-simulate --parallel $(JOBS)
	@ctest --preset simulate
	@$(VENV)/bin/python tests/simulate/simulate.py --build build-simulate --jobs $(JOBS) --docs docs

docs: python $(VENV)/.ready-docs ## the documentation, in build/docs/html; warnings are errors
	@$(VENV)/bin/sphinx-build -q -W --keep-going -n -d build/docs/doctrees docs build/docs/html
	@echo "docs: build/docs/html/index.html"

lint: configure $(VENV)/.ready-lint ## formatting, ruff, spelling, function and file sizes, clang-tidy, one definition of every type
	@tools/lint $(BUILD) $(VENV)

format: $(VENV)/.ready-lint ## clang-format and ruff format, in place
	@tools/sources cpp | xargs -r clang-format -i
	@tools/sources py | xargs -r $(VENV)/bin/ruff format -q

# WHEELS=1 also takes the wheels of make wheels.
release: $(VENV)/.ready-release ## the sdist, checked, and the notes of a tagged version, in out/release; WHEELS=1 adds those of make wheels
	@$(VENV)/bin/python tools/release.py $(if $(DRY_RUN),--dry-run) $(if $(WHEELS),--wheels)

# The part quick is one wheel for this machine, and its trial.
wheels: $(VENV)/.ready-wheels $(if $(filter aarch64,$(ARCH)),build-arm/.sysroot) ## wheels of weft-fft for any MPI, in out/wheels; ARCH=aarch64 for that processor; PART=quick for one to try
	@$(VENV)/bin/python tools/wheels.py --jobs $(JOBS) --part $(PART) $(if $(ARCH),--arch $(ARCH)) $(PYTHONS)

test-wheels: $(VENV)/.ready-wheels ## the wheels in out/wheels with each MPI and none, on a bare Debian, under qemu: ONLY="bare aarch64", PART=quick
	@$(VENV)/bin/python tests/wheels/run.py --part $(PART) $(call quoted,$(ONLY))

install: configure ## the library for C++, C and Fortran into PREFIX (/usr/local), without building the tests
	@cmake --build $(BUILD) --parallel $(JOBS) --target src/all
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

clean: ## remove the build trees; the virtual environments stay
	@rm -rf build build-debug build-asan build-coverage build-tsan build-openmpi build-openmpi-debug build-simulate build-arm build-wheel .venv/.installed .venv-openmpi/.installed
