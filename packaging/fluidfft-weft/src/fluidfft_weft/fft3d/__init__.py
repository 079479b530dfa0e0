"""Transforms of three axes: with_weft for one process, mpi_with_weft for all ranks."""
