"""The common base of solvers for scalars: fields over the points of their arrays."""

import numpy as np

from weft._arguments import together
from weft._planned import PlannedGrid
from weft.field.makers import Home, Region, point_home


class PointGrid(PlannedGrid):
    """A solver whose fields have the points of its arrays, one value each."""

    dtype: np.dtype
    boundary: tuple[tuple[str, str], ...]
    _made_home: Home | None = None

    def _region(self) -> Region:
        return Region(self.comm, self.local_slices, self.shape, "physical", "solver.field()")

    def _home(self) -> Home:
        """The layout and the axes of fields, made by the first call, which is collective."""
        if self._made_home is None:
            with together(self.comm):
                positions = [x.ravel() for x in self.points()]
            self._made_home = point_home(self._region(), positions, self._point_weights(), self.dtype)
        return self._made_home
