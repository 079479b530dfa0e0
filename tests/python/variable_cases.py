"""Media and problems of VariablePoisson that tests on one rank and on several share."""

import numpy as np
import weft


def medium(solver, contrast):
    """A smooth coefficient between 1 and the contrast, at the cells of this rank."""
    waves = [np.cos(2 * np.pi * (x / length + 0.1)) for x, length in zip(solver.points(), solver.length, strict=True)]
    return contrast ** ((1 + np.prod(np.broadcast_arrays(*waves), axis=0)) / 2)


def source(solver):
    """A right-hand side of few waves, which looks like no eigenvector."""
    points = [x / length for x, length in zip(solver.points(), solver.length, strict=True)]
    values = sum(np.sin(2 * np.pi * (x + 0.3 * i)) * np.cos(4 * np.pi * x) for i, x in enumerate(points))
    return solver.field(np.ascontiguousarray(np.broadcast_to(values, solver.local_shape), solver.dtype))


def solved(comm, form):
    """A solve that ranks of any number make; the whole solution on rank 0 and the iterations."""
    ends = ["periodic", "even", ("odd", "even")]
    solver = weft.VariablePoisson((12, 10, 9), (1.0, 2.0, 1.5), ends, form=form, comm=comm)
    solver.set_coefficients(medium(solver, 30.0), 2.0)
    return solver.solve(source(solver)).gather(), solver.iterations
