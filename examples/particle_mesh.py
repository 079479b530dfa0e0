"""Gravity of particles by a mesh in free space, on any number of ranks: the unit cube, G = 1. Used by plummer.py.

Each particle is shared by its 8 nearest cells (cloud in cell, Hockney and Eastwood 1981) and feels gravity with the
same weights, so the net force is zero. It may be on any rank: it visits those whose cells its cloud touches.
"""

import numpy as np
import weft


class Mesh:
    """Density and gravity on cells, from and to particles on any rank; places are in cells from the first centre."""

    def __init__(self, cells: int) -> None:
        box = [cells] * 3, [1.0] * 3, ["unbounded"] * 3
        self.potential, self.solver = (make(*box, kernel="truncated") for make in (weft.Poisson, weft.VectorPoisson))
        self.comm, self.cells = self.solver.comm, cells
        slices = self.comm.allgather(self.solver.local_slices)
        self.boxes = [np.array([(s.start, s.stop) for s in each]).T for each in slices]

    def guests(self, places: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Per rank which of these particles have clouds that touch its cells, and which it sends. Collective."""
        corner = np.floor(places)
        sent = [np.flatnonzero(np.all((corner + 1 >= lo) & (corner < hi), axis=1)) for lo, hi in self.boxes]
        return sent, self.comm.alltoall([places[which] for which in sent])

    def shares(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(8, particles) cells of this rank, with a layer around, and the weights in them."""
        (lo, hi), corner = self.boxes[self.comm.rank], np.floor(places).astype(int)
        upper, offsets = places - corner, np.array(list(np.ndindex(2, 2, 2)))[:, None]
        weights = np.prod(np.where(offsets, upper, 1 - upper), axis=2)
        return np.ravel_multi_index(tuple(np.moveaxis(corner - lo + 1 + offsets, 2, 0)), tuple(hi - lo + 2)), weights

    def density(self, guests: list[np.ndarray], mass: float) -> np.ndarray:
        """The mass of these particles per volume, in the cells of this rank."""
        shape = np.add(self.solver.local_shape, 2)
        cells, weights = self.shares(np.concatenate(guests))
        sums = np.bincount(cells.ravel(), weights=weights.ravel(), minlength=np.prod(shape))
        return sums.reshape(shape)[1:-1, 1:-1, 1:-1] * (mass * self.cells**3)

    def gravity(self, positions: np.ndarray, mass: float) -> np.ndarray:
        """The acceleration of particles; those that have left the mesh feel a mass of 1 in the centre. Collective."""
        places, away = positions * self.cells - 0.5, positions - 0.5
        inside = np.flatnonzero(np.all((places >= 0) & (places <= self.cells - 1), axis=1))
        sent, guests = self.guests(places[inside])
        field = -4 * np.pi * self.solver.solve_gradient(self.density(guests, mass))
        field = np.pad(field, ((0, 0), (1, 1), (1, 1), (1, 1))).reshape(3, -1)
        parts = [np.sum(field[:, cells] * weights, axis=1).T for cells, weights in map(self.shares, guests)]
        result = -away / np.sum(away**2, axis=1, keepdims=True) ** 1.5
        result[inside] = 0
        for which, part in zip(sent, self.comm.alltoall(parts), strict=True):
            result[inside[which]] += part
        return result
