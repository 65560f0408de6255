# make demo    the two heat maps of a simulated cache in front of a spindle
# make test    every test but the heavy and the thorough ones
# make thorough    tests of minutes: each line of oralatencymap.sql broken, each cell of its pictures; long random tests
# make heavy   the tests that need Spark (800 MB, and Java 17 or later), a Prometheus or Chromium; what is not there is skipped
# make check   style, types, layers and packaging
# make pictures    the pictures of README.md and docs/ anew: SHOTS="viewer grid"
# make fonts       the fonts of PNG pictures anew, from the full ones in FONTS
# make site    the documentation as a site, in site/
# make lowest  some tests with the lowest releases that setup.cfg allows: LOWEST_PYTHON=python3.10
# make deb     the Debian package, in dist/, on Debian 13 or later
# make release    make check, then all that is released, built twice: sdist, wheel, Debian package, site, SHA256SUMS
# make fuzz    damaged texts of all sources, through the whole program: N=20000 SEED=1 JOBS=1
# make soak    a day of records at once, then the live view in real time: HOURS=0.5 HZ=50 SERIES=4 HISTORY_MB=8
# make kills endings passwords long-lines injection    what docs/reliability.md describes: RUNS=200
# make clean   remove what these made, .venv included
#
# Each makes .venv and installs what it needs. Before them only python3, python3-venv and make have to be there.
# VENV=folder puts the environment elsewhere, PYTHON=python3.12 takes another Python, TESTS=tests/text runs some tests.

PYTHON ?= python3
VENV ?= .venv
TESTS ?= tests
N ?= 20000
SEED ?= 1
JOBS ?= 1
HOURS ?= 0.5
HZ ?= 50
SERIES ?= 4
HISTORY_MB ?= 8
RUNS ?=
HEAVY_SECONDS ?= 900
SHOTS ?=
# A browser, a Prometheus, Spark: each part has HEAVY_SECONDS.
ifeq ($(TESTS),tests)
HEAVY_PARTS ?= tests/export tests/prometheus "tests --ignore=tests/export --ignore=tests/prometheus"
else
HEAVY_PARTS ?= $(TESTS)
endif
FONTS ?= /usr/share/fonts/truetype/dejavu
FONT_CHARACTERS = 20-7E,A0-24F,370-3FF,400-45F,490-491,2010-2027,2030-203A,2070-209F,20AC,2116,2122,2190-2199,$\
21D0-21D5,2200,2202,2205-2206,2208-220B,220F,2211-2212,2215,2217-221E,2248,2260-2265,2318,2325,23CE,2500-25FF,2713,2717,FFFD
OF_INJECTION = tests/trust/test_injection.py tests/trust/test_live_view.py tests/trust/test_one_way_out.py \
	tests/oracle/test_oracle_secrets.py tests/oracle_script/test_arguments.py
# Two processes for each core, because tests of programs and terminals wait, but no more than are worth their start;
# the tests of one module stay together.
PROCESSES ?= $$(( $$(getconf _NPROCESSORS_ONLN) * 2 ))
IN_PARALLEL = --numprocesses $(PROCESSES) --maxprocesses 6 --dist loadfile
IN_VENV = $(VENV)/bin/python -m
# The tests start hundreds of programs: each would compile its modules again where an environment keeps none compiled.
TESTED = env -u PYTHONDONTWRITEBYTECODE $(IN_VENV) pytest
# What needs no other program and nothing but Python: readers, engine, picture, files.
FAST_TESTS = tests/text tests/stream tests/window tests/tables tests/conditions tests/exposition \
	tests/export/test_data_formats.py tests/cli/test_configured_options.py
LOWEST_PYTHON ?= python3.10
.PHONY: demo test again thorough heavy check pictures fonts site fast-tests lowest deb release fuzz soak kills endings passwords long-lines injection clean moved

demo: $(VENV)/.installed
	$(VENV)/bin/pylatencymap demo

test: $(VENV)/.installed-dev
	$(TESTED) $(IN_PARALLEL) $(TESTS)

# The tests that failed last, one after the other: those of ``make test``, or with MARKS=thorough of ``make thorough``.
MARKS ?= not heavy and not thorough
again: $(VENV)/.installed-dev
	$(TESTED) --last-failed --last-failed-no-failures none -m '$(MARKS)' $(TESTS)

thorough: $(VENV)/.installed-dev
	$(TESTED) $(IN_PARALLEL) --dist load -m thorough $(TESTS)

heavy: $(VENV)/.installed-heavy
	failed=0; for part in $(HEAVY_PARTS); do \
	    timeout $(HEAVY_SECONDS) $(IN_VENV) pytest -m heavy -rs $$part || failed=1; done; exit $$failed

check: $(VENV)/.installed-dev
	$(IN_VENV) ruff check
	$(IN_VENV) ruff format --check
	$(IN_VENV) mypy
	$(IN_VENV) pytest tests/test_layers.py tests/packaging

pictures: $(VENV)/.installed-dev
	$(VENV)/bin/python docs/pictures/make.py $(SHOTS)

fonts: $(VENV)/.installed-dev
	$(IN_VENV) pip install --quiet fonttools
	for weight in "" -Bold; do $(IN_VENV) fontTools.subset $(FONTS)/DejaVuSansMono$$weight.ttf --unicodes=$(FONT_CHARACTERS) \
	    --layout-features= --drop-tables+=FFTM,GDEF,GPOS,GSUB --name-IDs='*' --no-glyph-names --notdef-outline \
	    --no-recalc-timestamp --output-file=pylatencymap/export/fonts/DejaVuSansMono$$weight.ttf || exit 1; done

# The same commit gives the same bytes. Material's notice about its successor is no warning about our pages.
site: $(VENV)/.installed-docs
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || echo 0)} NO_MKDOCS_2_WARNING=1 \
		$(IN_VENV) mkdocs build --strict --quiet

fast-tests:
	@echo $(FAST_TESTS)

# An environment of its own, without tools: only what the tests need.
lowest:
	$(LOWEST_PYTHON) -m venv $(VENV)-lowest
	$(VENV)-lowest/bin/python -m pip install --quiet --editable '.[all]' --constraint packaging/lowest.txt \
	    hypothesis hdrhistogram pexpect pyte pytest pytest-timeout pytest-xdist
	$(VENV)-lowest/bin/python -m pytest $(IN_PARALLEL) $(FAST_TESTS)

deb: $(VENV)/.installed-dev
	$(IN_VENV) build --sdist --outdir dist .
	packaging/build_deb.sh dist

release: check $(VENV)/.installed-docs
	packaging/release.sh $(VENV)/bin/python

fuzz: $(VENV)/.installed-dev
	$(IN_VENV) tests.trust.fuzz --inputs $(N) --seed $(SEED) --jobs $(JOBS)

soak: $(VENV)/.installed-dev
	$(IN_VENV) tests.trust.soak --hours $(HOURS) --hz $(HZ) --series $(SERIES) --history-mb $(HISTORY_MB)

kills endings passwords: $(VENV)/.installed-dev
	$(IN_VENV) tests.trust.$@ $(if $(RUNS),--runs $(RUNS)) --seed $(SEED)

long-lines: $(VENV)/.installed-dev
	$(IN_VENV) tests.trust.long_lines

injection: $(VENV)/.installed-dev
	$(IN_VENV) pytest $(OF_INJECTION)

clean:
	rm -rf $(VENV) $(VENV)-docs $(VENV)-lowest build dist site fuzz-found *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp tells an environment that is complete from one whose installation broke off, and says what it was made for:
# the scripts of an environment name their folder, so that it is installed again after it or the checkout has moved.
PLACE = $(CURDIR) $(abspath $(VENV))
moved_since = $(if $(wildcard $1),$(shell [ "$$(cat $1)" = "$(PLACE)" ] || echo moved))

$(VENV)/.installed: setup.cfg pyproject.toml $(call moved_since,$(VENV)/.installed) | $(VENV)/bin/pip
	$(IN_VENV) pip install --quiet --editable .
	echo "$(PLACE)" > $@

$(VENV)/.installed-dev: setup.cfg pyproject.toml $(call moved_since,$(VENV)/.installed-dev) | $(VENV)/bin/pip
	$(IN_VENV) pip install --quiet --editable '.[dev]'
	echo "$(PLACE)" > $@
	cp $@ $(VENV)/.installed

$(VENV)/.installed-heavy: $(VENV)/.installed-dev
	$(IN_VENV) pip install --quiet --editable '.[spark]' duckdb
	echo "$(PLACE)" > $@

$(VENV)/.installed-docs: setup.cfg pyproject.toml $(call moved_since,$(VENV)/.installed-docs) | $(VENV)/bin/pip
	$(IN_VENV) pip install --quiet --editable '.[docs]'
	echo "$(PLACE)" > $@

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)
