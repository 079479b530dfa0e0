"""The description of a mesh next to an HDF5 file, for ParaView: even axes by their spacing, others by all positions."""

from collections.abc import Sequence

import numpy as np

from weft import _core


def is_even(positions: np.ndarray) -> bool:
    """Whether points are evenly spaced, up to the rounding of their positions."""
    steps = np.diff(positions)
    return steps.size < 2 or bool(np.ptp(steps) <= 1e-9 * np.abs(steps).max())


def write_mesh(
    comm_address: int,
    path: str,
    hdf5: str,
    positions: Sequence[np.ndarray],
    spacing: Sequence[float],
    names: Sequence[str],
) -> None:
    """Writes the XDMF file of the fields of an HDF5 file on all points of some axes. Collective."""
    if all(map(is_even, positions)):
        shape, first = [axis.size for axis in positions], [float(axis[0]) for axis in positions]
        _core.write_xdmf(comm_address, path, hdf5, shape, first, list(spacing), list(names))
    else:
        _core.write_rectilinear_xdmf(comm_address, path, hdf5, [axis.tolist() for axis in positions], list(names))
