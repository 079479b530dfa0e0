"""Pictures of solutions: the planes that are drawn, gathered from all ranks."""

import pytest
from on_ranks import on_ranks

PANELS = """\
    import numpy as np
    import weft
    from mpi4py import MPI
    from weft.cli import plot

    rank = MPI.COMM_WORLD.rank
    for cells in ((6, 7, 8), (6, 7)):
        d = len(cells)
        solver = weft.Poisson(cells, (1.0, 1.5, 2.0)[:d], ("odd", "periodic", "unbounded")[:d])
        whole = np.random.default_rng(1).random(solver.shape)
        panels = plot._panels(whole[solver.local_slices].copy(), solver)
        assert (panels is None) == (rank > 0)
        assert rank > 0 or len(panels) == (3 if d == 3 else 1)
        for panel in panels or ():
            normal = panel.normal
            expected = whole if normal is None else np.take(whole, cells[normal] // 2, normal)
            assert np.array_equal(panel.values, expected), (cells, normal)
    if rank == 0:
        print("done")
    """


@pytest.mark.parametrize("ranks", [1, 3])
def test_planes_of_all_ranks(tmp_path, ranks):
    assert on_ranks(ranks, PANELS, tmp_path) == "done"
