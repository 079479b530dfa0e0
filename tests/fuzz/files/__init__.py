"""Fuzzers of files: mutants of good files, each of which is read with right values or refused by one clear error."""
