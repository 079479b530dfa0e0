"""Derivatives and products without aliasing on several ranks: closed forms, the bits of one rank, one Error for all."""

import pytest
from on_ranks import on_ranks

SCRIPT = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size

    def compared(shape, kinds, **options):
        # What one rank alone computes of random numbers, element by element.
        alone = weft.Plan(shape, kinds, comm=MPI.COMM_SELF, **{k: v for k, v in options.items() if k != "ranks"})
        plan = weft.Plan(shape, kinds, **options)
        whole = np.random.default_rng(1).standard_normal(alone.shape).astype(alone.physical_dtype)
        mine = np.ascontiguousarray(whole[plan.physical_slices])
        for axis in range(len(shape)):
            for order in (1, 2, 3):
                if plan.kinds[axis] != "none":
                    one, many = alone.derivative(whole, axis, order), plan.derivative(mine, axis, order)
                    assert np.array_equal(many, one[plan.physical_slices]), (kinds, axis, order)
        for one, many in zip(alone.gradient(whole), plan.gradient(mine), strict=True):
            assert np.array_equal(many, one[plan.physical_slices]), kinds
        one, many = alone.laplacian(whole), plan.laplacian(plan.physical_field(mine))
        assert np.array_equal(many.local, one[plan.physical_slices]), kinds
        degree = 2 if set(plan.kinds) <= {"c2c", "r2c", "dct1", "dct2", "none"} else 3
        one = alone.dealiased(lambda u: u**degree, alone.forward(whole), degree=degree)
        many = plan.dealiased(lambda u: u**degree, plan.forward(plan.physical_field(mine)), degree=degree)
        assert np.array_equal(many.local, one[plan.spectral_slices]), kinds

    for kind in ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"):
        compared((7, 6, 5), (kind, "dct2", kind))
    compared((6, 5, 8), "r2c")
    compared((4, 5), ("dst2", "c2c"), norm="ortho")
    compared((2, 9), ("dct1", "dst1"), scheme="first")
    compared((5, 8, 6), ("dct1", "c2c", "dst2"), modes=(3, 4, 5), ranks=min(size, 2))
    compared((2, 6, 8), ("none", "dct3", "r2c"), batch_axes=(0,), output="natural")

    # A closed form in a box, on every rank's part: sin(2 pi x / a) cos(3 pi y / b) cos(5/2 pi z / c).
    a, b, c = 2.0, 0.5, 3.0
    plan = weft.Plan((16, 9, 8), ("r2c", "dct1", "dct3"))
    x, y, z = plan.coordinates((a, b, c))
    p, q, s = 2 * np.pi / a, 3 * np.pi / b, 2.5 * np.pi / c
    u = np.sin(p * x) * np.cos(q * y) * np.cos(s * z)
    exact = (p * np.cos(p * x) * np.cos(q * y) * np.cos(s * z), -q * np.sin(p * x) * np.sin(q * y) * np.cos(s * z),
             -s * np.sin(p * x) * np.cos(q * y) * np.sin(s * z))
    # The largest factor is 8 pi / b; transforms, phases and factors err by some tens of eps.
    bound = 8 * np.pi / b * 100 * np.finfo(float).eps
    for found, expected in zip(plan.gradient(u, (a, b, c)), exact, strict=True):
        assert np.abs(found - expected).max(initial=0) <= bound
    assert np.abs(plan.laplacian(u, (a, b, c)) + (p**2 + q**2 + s**2) * u).max(initial=0) <= bound * 8 * np.pi / b

    # One Error on every rank, also for what is wrong on one rank alone.
    odd = rank == size - 1
    plan = weft.Plan((6, 8), "r2c")
    u, uh, field = plan.physical(), plan.spectral(), plan.physical_field()
    for code in ("plan.derivative(u, 1 if odd else 0)", "plan.derivative(u[1:] if odd else u, 0)",
                 "plan.laplacian(u, (1, 2 if odd else 1))", "plan.gradient(u, (1, -1) if odd else (1, 1))",
                 "plan.derivative(field if odd else u, 0)",
                 "plan.dealiased(np.square, uh[1:, :2] if odd else uh)",
                 "plan.dealiased(lambda u: 1 / 0 if odd else u, uh)", "plan.dealiased(np.square, uh, degree=2 + odd)",
                 "plan.dealiased(lambda u: (u, u) if odd else u, uh)"):
        try:
            eval(code)
            heard = "no error"
        except weft.Error as error:
            heard = str(error).split(" (on rank")[0]
        words = set(world.allgather(heard))
        assert len(words) == 1 and words != {"no error"}, (code, words)
    if rank == 0:
        print("ok")
"""


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_several_ranks_have_the_bits_of_one_and_the_same_errors(ranks, tmp_path):
    assert on_ranks(ranks, SCRIPT, tmp_path) == "ok"
