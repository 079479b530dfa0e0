"""A Plummer sphere cut off at a radius: particles, their deposit on a grid, and the exact potential.

Density of the uncut sphere with total mass 1 and scale radius a: rho = 3 / (4 pi a^3) (1 + r^2/a^2)^(-5/2); the mass
within r is r^3 / (r^2 + a^2)^(3/2) (Plummer, 1911). The cut puts the whole mass into the box and changes the
potential inside by a constant only, so that the potential is still known exactly.
"""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Plummer:
    """A sphere of mass 1 and radius `cut` around the centre of the unit cube."""

    scale: float = 0.08
    cut: float = 0.45

    @property
    def uncut_mass(self) -> float:
        """The mass of the uncut sphere of which a mass of 1 is within the cut."""
        return (1 + (self.scale / self.cut) ** 2) ** 1.5

    def density(self, radius: float) -> float:
        """The density within the cut, at a distance from the centre."""
        return 3 * self.uncut_mass / (4 * math.pi * self.scale**3) * (1 + (radius / self.scale) ** 2) ** -2.5

    def particles(self, count: int) -> np.ndarray:
        """Positions (count x 3) of equal masses 1/count.

        Radii are the quantiles of the mass. Directions are a low-discrepancy sequence (multiples of the inverse powers
        of the plastic number). The noise is far below that of random particles, and every run gives the same positions.
        """
        quantile = (np.arange(count) + 0.5) / count / self.uncut_mass
        radius = self.scale / np.sqrt(quantile ** (-2 / 3) - 1)
        plastic = 1.32471795724474602596
        index = np.arange(count)
        cosine = 1 - 2 * np.mod(0.5 + index / plastic, 1.0)
        angle = 2 * np.pi * np.mod(0.5 + index / plastic**2, 1.0)
        sine = np.sqrt(1 - cosine**2)
        direction = np.stack([sine * np.cos(angle), sine * np.sin(angle), cosine], axis=1)
        return 0.5 + radius[:, None] * direction

    def reference(self) -> dict[str, str]:
        """The solution of laplacian(u) = density as definitions of a case file.

        Outside the cut it is the potential of a point mass. Inside it differs from the potential of the uncut sphere by
        the constant that makes it continuous.
        """
        strength = self.uncut_mass / (4 * math.pi)
        constant = strength / math.hypot(self.cut, self.scale) - 1 / (4 * math.pi * self.cut)
        return {
            "r": "sqrt((x - 0.5)**2 + (y - 0.5)**2 + (z - 0.5)**2)",
            "inside": f"{constant!r} - {strength!r} / sqrt(r**2 + {self.scale!r}**2)",
            "outside": "-1 / (4*pi*r)",
            "u": f"inside if r < {self.cut!r} else outside",
        }


def deposit(positions: np.ndarray, cells: int) -> np.ndarray:
    """The density of particles of total mass 1 on cells^3 cells of the unit cube; 8 cells share a particle.

    This is cloud in cell: weights are linear in the distance to the centres of the cells (Hockney and Eastwood, 1981).
    """
    place = positions * cells - 0.5
    corner = np.floor(place).astype(np.int64)
    upper = place - corner
    mass = np.zeros(cells**3)
    for offset in np.ndindex(2, 2, 2):
        weight = np.prod(np.where(offset, upper, 1 - upper), axis=1)
        cell = np.ravel_multi_index(tuple((corner + offset).T), (cells,) * 3)
        mass += np.bincount(cell, weights=weight, minlength=cells**3)
    return mass.reshape((cells,) * 3) * (cells**3 / len(positions))
