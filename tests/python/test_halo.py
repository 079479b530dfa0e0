"""Halo beside numpy.pad, on one rank and on several; a stencil beside the eigenvalue of its wave; what is refused."""

from pathlib import Path

import numpy as np
import pytest
import weft
from halo_cases import check, random_case
from hypothesis import given, settings
from hypothesis import strategies as st
from mpi4py import MPI
from on_ranks import on_ranks

SCRIPT = """\
    import sys

    sys.path[:0] = [{folder!r}, {folder!r} + "/.."]
    import numpy as np
    import weft
    from halo_cases import check, random_case
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    random = np.random.default_rng(world.size)  # the same on every rank
    for case in range(9):
        options = dict(node_ranks=case % 3, threads=1) | ({{"message_limit": 2}} if case % 4 == 1 else {{}})
        check(random_case(random, world.size), world, **options)

    # The 7-point Laplacian of a wave is the wave times its eigenvalue; the interior is computed during the exchange.
    n, k = 12, (1, 2, 3)
    plan = weft.Plan((n, n, n), "r2c")
    u = plan.physical_field()
    phase = sum(m * x for m, x in zip(k, u.coordinates()))
    halo = weft.Halo(u, 1)
    wide = halo.zeros()
    halo.interior(wide)[...] = np.cos(phase)


    def stencil(a):
        return (a[2:, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1] + a[1:-1, 2:, 1:-1] + a[1:-1, :-2, 1:-1]
                + a[1:-1, 1:-1, 2:] + a[1:-1, 1:-1, :-2] - 6 * a[1:-1, 1:-1, 1:-1])


    halo.start(wide)
    inner = stencil(halo.interior(wide))
    halo.finish()
    result = stencil(wide)
    assert np.array_equal(result[1:-1, 1:-1, 1:-1], inner)
    h = 2 * np.pi / n
    eigenvalue = sum(2 * np.cos(m * h) - 2 for m in k)
    # Angles of up to 12 pi are rounded three times, by up to 2^-53 of them, and the coefficients add up to 12.
    np.testing.assert_allclose(result, eigenvalue * np.cos(phase), rtol=0, atol=12 * 3 * 12 * np.pi * 2.0**-53)

    wrong = halo.zeros() if world.rank else np.zeros(3)
    for call, words in ((lambda: halo.exchange(wrong), "array has shape (3,)"), (halo.finish, "call start()"),
                        (lambda: weft.Halo(u, 1 + world.rank), "width must be the same")):
        try:
            call()
        except weft.Error as error:
            assert words in str(error), error
        else:
            assert words.startswith("width") and world.size == 1
    print("done" if world.rank == 0 else "", end="")
"""


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
def test_layers_on_ranks(ranks, tmp_path):
    assert on_ranks(ranks, SCRIPT.format(folder=str(Path(__file__).parent)), tmp_path) == "done"


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_layers_on_one_rank(seed):
    check(random_case(np.random.default_rng(seed), 1), MPI.COMM_SELF)


def self_field(*shape, dtype="float64"):
    return weft.Field.zeros(shape, dtype, comm=MPI.COMM_SELF)


def test_layers_wider_than_the_array():
    u = self_field(3, 2)
    u.local[...] = np.arange(6).reshape(3, 2)
    wide = weft.Halo(u, ((7, 4), 1), ("periodic", "even")).padded(u)
    assert np.array_equal(wide, np.pad(np.take(u.local, range(-7, 7), axis=0, mode="wrap"), ((0, 0), (1, 1)), "edge"))


def test_padded_and_facts():
    u = self_field(4, 3, dtype="complex64")
    u.local[...] = 1 + 2j
    halo = weft.Halo(u, (1, (0, 2)), "even")
    wide = halo.padded(u)
    assert wide.dtype == "complex64" and wide.shape == halo.shape == (6, 5) and (wide == 1 + 2j).all()
    assert np.shares_memory(halo.interior(wide), wide) and halo.interior(wide).shape == (4, 3)
    assert halo.padded_slices == (slice(-1, 5), slice(0, 5)) and halo.width == ((1, 1), (0, 2))
    assert (halo.strategy, halo.bytes_sent, halo.workspace_bytes) == ("none", 0, 0)
    assert "[-1:5, 0:5]" in repr(halo) and "last exchange" in halo.explain()
    with pytest.raises(weft.Error, match="another layout"):
        halo.padded(self_field(4, 4))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((1.5,), {}, "width: 1.5"),
        (((1, 1),), {}, "width has 2 entries"),
        (((1, 1, (1, 2, 3)),), {}, r"width\[2\]"),
        ((-1,), {}, "width of axis 0: -1 layers"),
        ((33,), {}, "give 0 to 32"),
        ((1, "soft"), {}, "soft"),
        ((1, ("even", "odd")), {}, "boundary has 2 entries"),
        ((1, [("periodic", "even")] * 3), {}, "axis 0"),
        ((1, "even"), {"component_boundary": ["odd"]}, "give one of them"),
        ((1,), {"component_boundary": ["odd"] * 3, "components": 2}, "boundary: 3 entries"),
        ((1,), {"components": 0}, "components: 0"),
        ((1,), {"centring": "corner"}, "corner"),
        ((1,), {"dtype": "int32"}, "dtype: int32"),
        ((1,), {"node_ranks": -1}, "node_ranks: -1"),
    ],
)
def test_wrong_arguments(arguments, options, message):
    with pytest.raises(weft.Error, match=message):
        weft.Halo(self_field(4, 4, 4), *arguments, **options)


def test_wrong_use():
    with pytest.raises(weft.Error, match="layout: int"):
        weft.Halo(3)
    halo = weft.Halo(self_field(4, 4))
    u = halo.zeros()
    frozen = halo.zeros()
    frozen.flags.writeable = False
    turned = np.asfortranarray(u)
    for array, message in ((u[1:], "shape"), (u.astype("f4"), "float32"), (frozen, "read-only"), (turned, "C-contig")):
        with pytest.raises(weft.Error, match=message):
            halo.exchange(array)
    with pytest.raises(weft.Error, match="start"):
        halo.finish()
    halo.start(u)
    with pytest.raises(weft.Error, match="under way"):
        halo.start(u)
    with pytest.raises(weft.Error, match="under way"):
        halo.accumulate(u)
    halo.finish()
    with pytest.raises(weft.Error, match="no layers"):
        halo.interior(np.zeros((4, 4)))
