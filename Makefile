# Aliases of `python3 guanjun ...`, for fingers that type make.
PYTHON ?= python3

.PHONY: run test full check bench package
run test check bench package:
	$(PYTHON) guanjun $@
full:
	$(PYTHON) guanjun test --full
