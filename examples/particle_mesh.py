"""Gravity of particles by a mesh in free space, on any number of ranks: the unit cube, G = 1. Used by plummer.py.

Each particle is shared by its 8 nearest cells (cloud in cell, Hockney and Eastwood 1981) and feels gravity with the
same weights, so the net force is zero. It may be on any rank: it visits the one that has the cell nearest to it.
"""

import numpy as np
import weft


class Mesh:
    """Density and gravity on cells, from and to particles on any rank."""

    def __init__(self, cells: int) -> None:
        box = [cells] * 3, [1.0] * 3, ["unbounded"] * 3
        self.potential, self.solver = (make(*box, kernel="truncated") for make in (weft.Poisson, weft.VectorPoisson))
        self.comm, self.cells = self.solver.comm, cells
        points = self.solver.scalar_field()
        self.particles = weft.ParticleMesh(points, 1 / cells, origin=0.5 / cells, boundary="unbounded")

    def visit(self, positions: np.ndarray) -> tuple[np.ndarray, weft.Migration, np.ndarray]:
        """Which particles lie between the centres of cells, their way, and where those are that arrive. Collective."""
        places = (positions - 0.5 / self.cells) / (1 / self.cells)
        inside = np.flatnonzero(np.all((places >= 0) & (places <= self.cells - 1), axis=1))
        moves = self.particles.migration(positions[inside])
        return inside, moves, moves.forward(positions[inside])

    def density(self, visitors: np.ndarray, mass: float) -> np.ndarray:
        """The mass of these particles per volume, in the cells of this rank. Collective."""
        return self.particles.deposit(visitors, mass * self.cells**3)

    def gravity(self, positions: np.ndarray, mass: float) -> np.ndarray:
        """The acceleration of particles; those that have left the mesh feel a mass of 1 in the centre. Collective."""
        away = positions - 0.5
        inside, moves, visitors = self.visit(positions)
        field = -4 * np.pi * self.solver.solve_gradient(self.density(visitors, mass))
        result = -away / np.sum(away**2, axis=1, keepdims=True) ** 1.5
        result[inside] = moves.backward(self.particles.gather(field, visitors))
        return result
