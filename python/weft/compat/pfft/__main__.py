"""Runs a program whose `import pfft` this package answers; nothing in the program is edited.

    python -m weft.compat.pfft PROGRAM ARGUMENTS...
    python -m weft.compat.pfft -m MODULE ARGUMENTS...

An exception that ends the program on one rank leaves the others waiting, as with any program of mpi4py;
`python -m mpi4py -m weft.compat.pfft PROGRAM` ends all of them.
"""

from weft.compat import pfft
from weft.compat._program import main

if __name__ == "__main__":
    main(pfft, "pfft")
