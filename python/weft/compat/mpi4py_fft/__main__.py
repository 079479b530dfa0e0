"""Runs a program whose `import mpi4py_fft` this package answers; nothing in the program is edited.

    python -m weft.compat.mpi4py_fft PROGRAM ARGUMENTS...
    python -m weft.compat.mpi4py_fft -m MODULE ARGUMENTS...

An exception that ends the program on one rank leaves the others waiting, as with any program of mpi4py;
`python -m mpi4py -m weft.compat.mpi4py_fft PROGRAM` ends all of them.
"""

from weft.compat import mpi4py_fft
from weft.compat._program import main

if __name__ == "__main__":
    main(mpi4py_fft, "mpi4py_fft")
