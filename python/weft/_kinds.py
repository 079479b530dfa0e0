"""The transform kinds and their properties, from the table of the C++ library."""

from dataclasses import dataclass

from weft import _core


@dataclass(frozen=True)
class Kind:
    """The properties of one kind.

    inverse        the kind of the unscaled inverse.
    period_factor, period_shift   the data (real data with their mirror images) are periodic with
                   period_factor * (n + period_shift) points.
    mirror_points, mirror_modes   indices of the ends that are their own mirror images: 0, -1, both or none.
    fftw           FFTW's number of a real-to-real kind, else -1.
    """

    inverse: str
    period_factor: int
    period_shift: int
    mirror_points: tuple[int, ...]
    mirror_modes: tuple[int, ...]
    fftw: int

    def period(self, n: int) -> int:
        """The period of n points, in points. The inverse of an unscaled transform divides by it."""
        return self.period_factor * (n + self.period_shift)


KINDS = {name: Kind(**row) for name, row in _core.kinds().items()}
FOURIER = ("c2c", "r2c")
