"""The classes of pfft-python, the Python module of PFFT, that pmesh needs, implemented with weft.Plan.

    python -m weft.compat.pfft PROGRAM ARGUMENTS...

runs a program that imports pfft, itself or in a library such as pmesh, unchanged. docs/migrate_pmesh.md lists the
differences.
"""

from weft.compat.pfft._buffers import LocalBuffer, Plan
from weft.compat.pfft._names import Direction, Flags, Type
from weft.compat.pfft._partition import Partition, ProcMesh, split_size_2d

__all__ = ["Direction", "Flags", "LocalBuffer", "Partition", "Plan", "ProcMesh", "Type", "split_size_2d"]
