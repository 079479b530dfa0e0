"""weft.fftn and its relatives on fields: the results of scipy.fft on several ranks, layouts, and one Error on all."""

import pytest
from on_ranks import on_ranks

NUMBERS = """\
    import sys

    sys.path[:0] = {folders!r}
    import numpy as np
    import scipy.fft
    import weft
    from function_cases import ALONG_AXES, ALONG_AXIS, ALONG_TWO, REAL, axes_of, points_of, tolerance
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size
    random = np.random.default_rng(1)  # the same on every rank
    real = random.uniform(-1, 1, (6, 5, 4))
    both = real + 1j * random.uniform(-1, 1, real.shape)
    last = (slice(0, 6), slice(0, 5), slice(4 * rank // size, 4 * (rank + 1) // size))
    cuts = {{1: [None, last], 2: [None], 3: [last]}}[size]


    def check(name, x, slices, **arguments):
        u = weft.Field.from_global(x, slices)
        kept = u.local.copy()
        made = getattr(weft, name)(u, **arguments)
        whole, expected = made[...], getattr(scipy.fft, name)(x, **arguments)
        assert isinstance(made, weft.Field) and made.comm is u.comm
        assert whole.shape == expected.shape and whole.dtype == expected.dtype, (name, arguments)
        axes, sizes = axes_of(name, 3, arguments)
        known = {{key: arguments[key] for key in ("type", "norm") if key in arguments}}
        bound = tolerance(name, x, axes, points_of(name, x.shape, axes, sizes), **known)
        assert np.linalg.norm(np.ravel(whole - expected)) <= bound, (name, arguments)
        assert np.array_equal(u.local, kept)


    for cut in cuts:
        for name in ALONG_AXES:
            values = [real] if name.startswith("rfft") else [real, both]
            types = (None,) if not any(stem in name for stem in REAL) else (1, 2, 3, 4) if size < 3 else (2,)
            for norm, axes in ((None, -2), ("forward", None), ("ortho", (2, 0)))[size - 1 :]:
                for type in types:
                    more = {{}} if type is None else {{"type": type}}
                    for x in values if type in (None, 2) else [real]:
                        check(name, x, cut, norm=norm, axes=axes, **more)
            check(name, values[0].astype("float32"), cut)
            check(name, values[0], cut, s=(6, 5, 6 if name == "irfftn" else 4))
        check("irfftn", both, cut, s=(6, 5, 7))
        for name in ALONG_AXIS:
            check(name, real, cut, axis=1)
        for name in ALONG_TWO:
            check(name, real, cut)
    for orthogonalize in (True, False):
        check("dctn", real, None, type=1, norm="forward", orthogonalize=orthogonalize)
    if rank == 0:
        print("done")
"""

LAYOUTS = """\
    import numpy as np
    import scipy.fft
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    whole = np.random.default_rng(1).random((6, 8, 7))
    u = weft.Field.from_global(whole)
    uh = weft.rfftn(u)
    again = weft.irfftn(uh)  # 7 points, though 4 modes are those of 6, too
    assert again.layout == u.layout and np.abs(again - u).max() < 1e-14
    assert uh.side == "spectral" and again.side == "physical" and len(uh.wavenumbers()) == 3
    assert abs(uh.mean_square() - u.mean_square()) < 1e-14

    # The layouts of a plan of one's own, there and back.
    plan = weft.Plan((6, 8, 7), "r2c", output="natural")
    modes = plan.forward(plan.physical_field())
    assert weft.irfftn(modes).layout == plan.physical_field().layout
    assert weft.rfftn(plan.physical_field()).layout == modes.layout
    assert weft.fftn(again.astype(complex)).global_shape == (6, 8, 7)

    # Parts of a plane, some ranks with nothing.
    part = weft.Field.from_global(np.arange(3.0))
    assert np.allclose(weft.fft(part)[...], np.fft.fft(np.arange(3.0)), rtol=0, atol=1e-14)

    # Orthogonal modes have no wavenumbers that sums could go by.
    assert weft.dctn(u).side == "spectral" and weft.dctn(u, norm="ortho").side is None

    # The backend of scipy takes them, too.
    with scipy.fft.set_backend(weft.scipy_backend):
        assert np.array_equal(scipy.fft.rfftn(u).local, uh.local)


    def refused(call, *words):
        try:
            call()
        except weft.Error as error:
            texts = world.allgather(str(error).removesuffix(f" (on rank {world.size - 1})"))
            assert len({text.split(" (on rank")[0] for text in texts}) == 1, texts
            assert all(word in texts[0] for word in words), texts[0]
        else:
            raise AssertionError(words)


    other = world.rank == world.size - 1 and world.size > 1
    refused(lambda: weft.fftn(u, s=(4, 8, 7)), "s: (4, 8, 7)", "(6, 8, 7)", "omit s=")
    refused(lambda: weft.irfftn(uh, s=(6, 8, 9)), "s: (6, 8, 9)", "omit s=")
    refused(lambda: weft.fft(u, n=9), "n: (9,)", "omit n=")
    refused(lambda: weft.fftn(uh), "field of modes", "fftn takes points")
    refused(lambda: weft.ifftn(again), "field of points", "ifftn takes modes")
    refused(lambda: weft.rfftn(u.astype(complex)), "complex128", "real")
    refused(lambda: weft.fftn(u, axes=3), "axes: 3")
    refused(lambda: weft.fftn(u, norm=1), "norm: 1")
    refused(lambda: weft.dctn(u, type=0), "type: 0")
    refused(lambda: weft.fftn(u, workers=0), "workers must not be zero")
    refused(lambda: weft.rfftn(u, axes=()), "axes: ()")
    if world.size > 1:
        refused(lambda: weft.fftn(u, axes=(1,) if other else (0,)), "axes must be the same on all ranks")
        refused(lambda: weft.fftn(u, norm="ortho" if other else None), "norm must be the same on all ranks")
        refused(lambda: (weft.ifftn if other else weft.fftn)(part), "the function must be the same on all ranks")
        refused(lambda: weft.fftn(u, axes=5 if other else 0), "axes: 5 is out of range")
    if world.rank == 0:
        print("done")
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_numbers_are_scipys(ranks, tmp_path, request):
    here = request.path.parent
    assert on_ranks(ranks, NUMBERS.format(folders=[str(here), str(here.parent)]), tmp_path) == "done"


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_layouts_and_errors(ranks, tmp_path):
    assert on_ranks(ranks, LAYOUTS, tmp_path) == "done"
