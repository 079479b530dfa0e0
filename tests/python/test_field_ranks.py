"""Field on several ranks: the bits of one rank, whatever the layout, and one Error on all ranks."""

import pytest
from on_ranks import on_ranks

SCRIPT = """\
    import math

    import numpy as np
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD
    rank, size = world.rank, world.size
    random = np.random.default_rng(1)  # the same on every rank


    def cut(n, part, parts):
        return slice(n * part // parts, n * (part + 1) // parts)


    def layouts(shape):
        # Slabs, slabs along the last axis in reverse, all on the last rank, and uneven parts with an empty one.
        n = shape[-1]
        rest = tuple(slice(0, m) for m in shape[:-1])
        bounds = [0, *sorted(random.integers(0, n + 1, size - 1).tolist()), n]
        return [
            (cut(shape[0], rank, size), *(slice(0, m) for m in shape[1:])),
            (*rest, cut(n, size - 1 - rank, size)),
            (*rest, slice(0, n) if rank == size - 1 else slice(0, 0)),
            (*rest, slice(bounds[rank], bounds[rank + 1])),
        ]


    def entry(n):
        # A whole number, or a slice that may reach beyond the ends, with a step of either sign.
        if random.random() < 0.3:
            return int(random.integers(-n, n))
        step = int(random.choice([-3, -2, -1, 1, 1, 1, 2, 4]))
        return slice(*(None if random.random() < 0.3 else int(random.integers(-n - 2, n + 3)) for _ in range(2)), step)


    shape = (5, 4, 9)
    a, b = (random.standard_normal(shape) * 10.0 ** random.integers(-9, 9, shape) for _ in range(2))
    c = a + 1j * b
    a[2, 1, 3] = a[4, 0, 0] = a.max()
    alone = [weft.Field(x, [slice(0, n) for n in shape], shape, MPI.COMM_SELF) for x in (a, b, c)]


    def numbers_of(u, v, w):
        return [u.sum(), u.norm(), u.dot(v), w.sum(), w.vdot(w), w.norm(1), w.norm(math.inf), w.mean_square(),
                u.max_location(), u.min_location(), (u < v).sum(), (u < v).all(), (u * 1e-9).astype("int64").sum()]


    expected = numbers_of(*alone)
    for part in layouts(shape)[:4 if size < 4 else 2]:
        u, v, w = (weft.Field(x[part].copy(), part, shape) for x in (a, b, c))
        assert numbers_of(u, v, w) == expected, (part, numbers_of(u, v, w), expected)
        assert u.max_location()[1] == (2, 1, 3)
        whole = w.gather(size - 1)
        assert np.array_equal(whole, c) if rank == size - 1 else whole is None
        assert np.array_equal(w.gather(None), c)
        other = layouts(shape)[random.integers(0, 4)]
        moved = w.redistribute_to(other)
        assert moved.slices == other and np.array_equal(moved.local, c[other])
        assert np.array_equal(moved.redistribute_to(w).local, c[part])
        w.local[...] = 0
        w.scatter(c if rank == size - 1 else None, root=size - 1)
        assert np.array_equal(w.local, c[part])
        spread = weft.Field.from_global(c if rank == 0 else None, part)
        assert np.array_equal(spread.local, c[part]) and spread.dtype == c.dtype

        for _ in range(6):
            index = tuple(entry(n) for n in shape)[: random.integers(0, 4)]
            found = w[index]
            assert np.shape(found) == c[index].shape and np.array_equal(found, c[index]), index
            mine, kept = w.copy(), c.copy()
            kept[index] = values = np.arange(c[index].size).reshape(c[index].shape) + 0.5
            mine[index] = values
            assert np.array_equal(mine.local, kept[part]), index
        w[...] = c.conj()
        assert np.array_equal(w.local, c.conj()[part])
        w[...] = np.arange(9.0)[part[2]]  # broadcasts to the block
        assert np.array_equal(w[1, 2], np.arange(9.0))

    # Signed zeros and NaN travel as they are.
    odd = weft.Field.from_global(np.array([-0.0, np.nan, 1.0]) if rank == 0 else None)
    assert np.signbit(odd[0]) and math.isnan(odd[1]) and odd.max_location()[1] == (1,)

    # Plans of which some ranks have nothing, too.
    for kinds, options in [("r2c", {{"ranks": 2}}), (("dct1", "c2c", "dst3"), {{"norm": "ortho"}}),
                           (("none", "c2c", "r2c"), {{"batch_axes": (0,), "modes": (0, 3, 6)}})]:
        u = np.random.default_rng(2).standard_normal(shape)
        found = []
        for comm in (MPI.COMM_SELF, world):
            chosen = options | ({{"ranks": 1}} if comm.size == 1 else {{}})
            plan = weft.Plan(shape, kinds, comm=comm, effort="estimate", **chosen)
            points = plan.physical_field()
            points[...] = u
            modes = plan.forward(points)
            waves = plan.wavenumbers()[len(options.get("batch_axes", ())):]
            assert all(np.array_equal(x, y) for x, y in zip(modes.wavenumbers(), waves, strict=True))
            k, energy = modes.spectrum(lengths=[1.0, 2.0, 3.0][len(shape) - len(modes.wavenumbers()):])
            found.append([energy.tobytes(), k.tobytes(), modes.mean_square(), modes.norm(), modes.norm(1), modes.sum(),
                          modes.vdot(modes), points.mean_square(), plan.backward(modes)[..., 3].tobytes()])
        assert found[0] == found[1], (kinds, found)

    solver = weft.Poisson((6, 8, 7), (1.0, 2.0, 1.5), ("odd", "periodic", "unbounded"))
    rhs = solver.field()
    x, y, z = rhs.coordinates()
    rhs[...] = np.sin(np.pi * x) * np.cos(np.pi * y) * np.exp(-20 * (z - 0.75) ** 2)
    solution = solver.solve(rhs)
    assert np.array_equal(solution.local, solver.solve(rhs.local))
    for name in ("u.npy", "u.h5"):
        solution.save({target!r} + "/" + name)
        back = weft.Field.load({target!r} + "/" + name)
        assert np.array_equal(back.gather(None), solution.gather(None))
        again = weft.Field.load({target!r} + "/" + name, like=solution)
        assert np.array_equal(again.local, solution.local)

    # What only rank 1 does wrong is an Error on all ranks, and the same one.
    plan = weft.Plan(shape, "r2c", effort="estimate")
    u, uh = plan.physical_field(), plan.spectral_field()
    slabs, columns = layouts(shape)[:2]
    v = weft.Field(np.zeros(shape)[columns], columns, shape)
    wrong = rank == 1
    def refused(code):
        # The same words on every rank.
        try:
            eval(code)
            text = "no error"
        except weft.Error as error:
            text = str(error).split(" (on rank ")[0]
        said = set(one.split(", here")[0].split("on this rank")[0] for one in world.allgather(text))
        assert len(said) == 1 and "no error" not in said, (code, said)
        return text


    for code in [
        "u[5 if wrong else 0]",
        "u[0 if wrong else 1]",
        "u.__setitem__(0 if wrong else 1, 2.0)",
        "u.__setitem__(0, np.zeros(7 if wrong else 9))",
        "u.gather(root=0 if wrong else 1)",
        "u.gather(root=size if wrong else 1)",
        "u.norm(1 if wrong else 2)",
        "uh.spectrum(width=2 if wrong else 1)",
        "uh.spectrum(u if wrong else uh)",
        "uh.spectrum(3 if wrong else uh)",
        "uh.spectrum(*[uh] * (2 if wrong else 1))",
        "u.dot(u.local if wrong else u)",
        "u.vdot(uh if wrong else u)",
        "np.vdot(u, None if wrong else u)",
        "u.scatter(np.zeros(3) if rank == 0 else None)",
        "u.redistribute_to(slabs if wrong else u)",
        "u.redistribute_to(slabs[:2] if wrong else slabs)",
        "weft.Field(np.zeros(3) if wrong else np.zeros(shape)[slabs], slabs, shape)",
        "weft.Field(np.zeros(shape), [slice(0, n) for n in shape], shape)",
        "plan.forward(u.local if wrong else u)",
        "plan.forward(u, out=uh.local if wrong else uh)",
        "plan.forward(uh if wrong else u)",
        "plan.apply(u.local if wrong else u, 2.0)",
        "plan.apply(u, u if wrong else uh)",
        "plan.physical_field(np.zeros(3) if wrong else None)",
        "solver.solve(rhs.local if wrong else rhs)",
        "plan.forward(v)",
        "u + v",
        "u.save('x.npy' if wrong else 'y.npy')",
        "weft.Field.load('missing.h5')",
    ]:
        refused(code)
    saved = {target!r} + "/u.h5"
    mixed = "the dtype of local must be the same on all ranks; rank 0 gives 'float64', another 'int64'"
    for code, words in [
        ("weft.Field(np.zeros(shape, int if wrong else float)[slabs], slabs, shape)", mixed),
        # Also where only one rank has elements.
        ("weft.Field(np.zeros((2 * wrong, 3), int if wrong else float), (slice(0, 2 * wrong), slice(0, 3)), (2, 3))",
         mixed),
        ("u.astype('float32' if wrong else 'float64').save({target!r} + '/mixed.h5')", "float32"),
        ("u.astype('float32' if wrong else 'float64').save({target!r} + '/mixed.npy')", "float32"),
        ("weft.Field.load(saved, like=u.local if wrong else None)", "like is ndarray, not a Field"),
        ("weft.Field.load(saved, like=solution if wrong else None)", "some ranks give a Field"),
        ("weft.Field.load(saved, dtype='f8,,' if wrong else None)", "dtype: 'f8,,' is not allowed"),
    ]:
        text = refused(code)
        assert words in text, (code, text)
    if rank == 0:
        print("done")
    """


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
def test_several_ranks(tmp_path, ranks):
    assert on_ranks(ranks, SCRIPT.format(target=str(tmp_path)), tmp_path) == "done"
