"""The names that programs of cases use, for those that are run by themselves on COMM_WORLD."""

import numpy as np
import weft
from mpi4py import MPI

from fuzz import meshes, references
from fuzz.checks import Checks, block, cut, laid_out, norm, numbers, workspace

comm = MPI.COMM_WORLD
check = Checks(comm)

__all__ = [
    "MPI",
    "block",
    "check",
    "comm",
    "cut",
    "laid_out",
    "meshes",
    "norm",
    "np",
    "numbers",
    "references",
    "weft",
    "workspace",
]
