"""Random uses of the library against numpy, scipy and one rank, bit for bit. See `tests/fuzz/run --help`.

A case is data that a seed draws (cases.Case). It writes itself as a short program, and what runs is that program: what
is printed of a case that fails can be pasted into a file and run.
"""
