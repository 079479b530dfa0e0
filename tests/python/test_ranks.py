"""Plan and Poisson on several ranks, in processes of their own: the bits that one rank computes, or the same error."""

import pytest
from on_ranks import on_ranks

SCRIPT = """\
    import numpy as np
    import weft
    from mpi4py import MPI

    world = MPI.COMM_WORLD


    def numbers(shape, dtype):
        # The same on every rank.
        random = np.random.default_rng(1)
        u = random.uniform(-1, 1, shape)
        return (u + 1j * random.uniform(-1, 1, shape) if np.dtype(dtype).kind == "c" else u).astype(dtype)


    def same_bits(a, b):
        return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


    def check_plan(shape, kinds, **options):
        alone = weft.Plan(shape, kinds, comm=MPI.COMM_SELF, effort="estimate", **options)
        u = numbers(shape, alone.physical_dtype)
        uh = alone.forward(u)
        back = alone.backward(uh)
        for strategy in ("alltoallv", "shared"):
            plan = weft.Plan(shape, kinds, effort="estimate", strategy=strategy, **options)
            assert plan.strategy == strategy
            assert plan.global_spectral_shape == alone.spectral_shape
            mine = np.ascontiguousarray(u[plan.physical_slices])
            modes = plan.forward(mine)
            assert same_bits(modes, np.ascontiguousarray(uh[plan.spectral_slices])), (shape, kinds, strategy)
            assert same_bits(plan.backward(modes), np.ascontiguousarray(back[plan.physical_slices]))
            for mine, all_of_them, part in [
                (plan.wavenumbers(), alone.wavenumbers(), plan.spectral_slices),
                (plan.coordinates(), alone.coordinates(), plan.physical_slices),
            ]:
                for axis, (local, whole) in enumerate(zip(mine, all_of_them)):
                    assert np.array_equal(local.ravel(), whole.ravel()[part[axis]])
            for sizes, total in [(plan.physical_shape, u.size), (plan.spectral_shape, uh.size)]:
                assert world.allreduce(int(np.prod(sizes))) == total


    def check_apply(shape, kinds, **options):
        alone = weft.Plan(shape, kinds, comm=MPI.COMM_SELF, effort="estimate", **options)
        u = numbers(shape, alone.physical_dtype)
        for symbol in (numbers(alone.spectral_shape, alone.spectral_dtype), alone.wavenumbers()[0]):
            expected = alone.apply(u, symbol)
            for strategy in ("alltoallv", "shared"):
                plan = weft.Plan(shape, kinds, effort="estimate", strategy=strategy, **options)
                part = [cut if n > 1 else slice(None) for cut, n in zip(plan.spectral_slices, symbol.shape)]
                mine = u[plan.physical_slices].copy()
                wanted = np.ascontiguousarray(expected[plan.physical_slices])
                assert same_bits(plan.apply(mine, symbol[tuple(part)]), wanted), (shape, kinds, strategy)
                plan.apply(mine, symbol[tuple(part)], out=mine)
                assert same_bits(mine, wanted), (shape, kinds, strategy)


    def check_in_place(shape, kinds, **options):
        alone = weft.Plan(shape, kinds, comm=MPI.COMM_SELF, effort="estimate", **options)
        u = numbers(shape, alone.physical_dtype)
        uh = alone.forward(u)
        back = alone.backward(uh)
        k = alone.wavenumbers()[-1]
        applied = alone.apply(u, k)
        for strategy in ("alltoallv", "shared"):
            plan = weft.Plan(shape, kinds, effort="estimate", strategy=strategy, in_place=True, **options)
            field = plan.in_place_field()
            field.physical[...] = u[plan.physical_slices]
            for _ in range(2):
                assert same_bits(plan.forward(field), uh[plan.spectral_slices]), (shape, kinds, strategy)
                assert same_bits(plan.backward(field), back[plan.physical_slices]), (shape, kinds, strategy)
                field.physical[...] = u[plan.physical_slices]
            assert same_bits(plan.apply(field, k[..., plan.spectral_slices[-1]]), applied[plan.physical_slices])
            field.physical[...] = u[plan.physical_slices]
            plan.forward(field)
            world.Barrier()  # new points over the modes of all ranks
            field.physical[...] = u[plan.physical_slices]
            plan.forward(field)
            assert same_bits(field.spectral, uh[plan.spectral_slices])
            # Ranks drop their memory at different times; nobody waits for the others.
            if world.rank % 2 == 0:
                del field
            kept.append(plan)


    def check_poisson(cells, boundary, centring, kernel="chat2"):
        lengths = (1.0, 1.5, 2.0)[: len(cells)]
        alone = weft.Poisson(cells, lengths, boundary, centring=centring, kernel=kernel, comm=MPI.COMM_SELF)
        rhs = numbers(alone.shape, alone.dtype)
        solution = alone.solve(rhs)
        for strategy in ("alltoallv", "shared"):
            solver = weft.Poisson(cells, lengths, boundary, centring=centring, kernel=kernel, strategy=strategy)
            assert solver.strategy == strategy
            mine = solver.solve(np.ascontiguousarray(rhs[solver.local_slices]))
            assert same_bits(mine, np.ascontiguousarray(solution[solver.local_slices])), (cells, boundary, strategy)
            for axis, (local, whole) in enumerate(zip(solver.points(), alone.points())):
                assert np.array_equal(local.ravel(), whole.ravel()[solver.local_slices[axis]])


    def check_wire():
        # Each of at most two exchanges rounds both parts of values that are sums of some of the 1680 numbers, and the
        # modes are sums of what is received.
        alone = weft.Plan((12, 10, 14), "r2c", comm=MPI.COMM_SELF, effort="estimate")
        plan = weft.Plan((12, 10, 14), "r2c", effort="estimate", strategy="alltoallv", wire="single")
        u = numbers((12, 10, 14), float)
        apart = plan.forward(u[plan.physical_slices].copy()) - alone.forward(u)[plan.spectral_slices]
        error = world.allreduce(float(np.abs(apart).max(initial=0)), op=MPI.MAX)
        assert 1e-9 < error < 2 * 1680 * 2**0.5 * 2**-24, error


    check_plan((12, 10, 14), "r2c")
    check_plan((7, 5, 9), ("c2c", "dct2", "c2c"), dtype="float32")
    check_plan((2, 3, 4), "c2c")  # fewer planes than ranks
    check_wire()
    check_apply((12, 10, 14), "r2c")
    check_apply((7, 5, 9), ("dct2", "c2c", "dct2"), dtype="float32")
    check_apply((2, 3, 4), "c2c")
    kept = []
    check_in_place((12, 10, 14), "r2c")
    check_in_place((7, 5, 9), ("c2c", "dct2", "c2c"), dtype="float32")
    check_in_place((12, 10, 14), ("none", "dct2", "r2c"))
    check_in_place((9, 10), "dst3")
    check_in_place((2, 3, 4), "c2c")
    check_poisson((8, 9, 10), ("periodic", ("odd", "even"), "unbounded"), "cell")
    check_poisson((6, 7, 8), ("unbounded", "unbounded", ("even", "unbounded")), "node")
    check_poisson((8, 9, 10), ("periodic", ("unbounded", "odd"), "unbounded"), "cell", "truncated")
    check_poisson((6, 7, 8), ("unbounded", "unbounded", ("even", "unbounded")), "node", "truncated")
    of_distance = weft.kernel_of_distance(lambda r, k: -k / (1 + r))
    check_poisson((8, 9, 10), ("unbounded", "odd", "unbounded"), "cell", of_distance)
    of_wavenumber = weft.kernel_of_wavenumber(lambda kx, ky: -1 / (1 + kx**2 + ky**2))
    check_poisson((6, 7), ("unbounded", "even"), "cell", of_wavenumber)

    # Halves of the ranks work on plans of their own.
    half = world.Split(world.rank % 2)
    plan = weft.Plan((6, 8), "r2c", comm=half)
    u = np.ascontiguousarray(numbers((6, 8), float)[plan.physical_slices])
    alone = weft.Plan((6, 8), "r2c", comm=MPI.COMM_SELF)
    modes = alone.forward(numbers((6, 8), float))
    assert same_bits(plan.forward(u), np.ascontiguousarray(modes[plan.spectral_slices]))
    agreeing = world.gather(world.rank)
    if world.rank == 0:
        print(f"ranks {agreeing} agree")
    """


@pytest.mark.parametrize("ranks", [2, 3, 4, 7])
def test_ranks_compute_the_bits_of_one(tmp_path, ranks):
    assert on_ranks(ranks, SCRIPT, tmp_path) == f"ranks {list(range(ranks))} agree"


WRONG_ENVIRONMENT = """\
    import os

    from mpi4py import MPI

    world = MPI.COMM_WORLD
    if world.rank == 1:
        os.environ["WEFT_SIMD"] = "sse9"  # before anything has looked at it

    import weft

    whole = (slice(0, 8), slice(0, 8)) if world.rank == 0 else (slice(0, 0), slice(0, 0))
    for make in (
        lambda: weft.Plan((8, 8, 8), "r2c", effort="estimate"),
        lambda: weft.Poisson((8, 8, 8), (1.0, 1.0, 1.0), ("periodic",) * 3),
        lambda: weft.TensorDft((8, 8, 8)),
        lambda: weft.Redistribution(whole, (slice(0, 8), slice(0, 8)), "float64"),
    ):
        try:
            make()
            text = "no error"
        except weft.Error as error:
            text = str(error)
        assert len(set(world.allgather(text))) == 1, text
        assert "WEFT_SIMD" in text and "sse9" in text, text
    if world.rank == 0:
        print("all told")
"""


def test_an_instruction_set_that_one_rank_alone_does_not_know_is_refused_on_all(tmp_path):
    assert on_ranks(2, WRONG_ENVIRONMENT, tmp_path) == "all told"


GIVES_UP = """\
    import weft
    from mpi4py import MPI

    plan = weft.Plan((8, 8, 8), "r2c", effort="estimate")
    if MPI.COMM_WORLD.rank == 1:
        raise ValueError("rank 1 gives up")
    plan.forward(plan.physical())
"""


def test_a_script_that_fails_on_one_rank_ends_on_all(tmp_path):
    with pytest.raises(AssertionError, match="rank 1 gives up"):
        on_ranks(2, GIVES_UP, tmp_path)


def test_what_another_library_raises_on_one_rank_is_an_error_on_all(tmp_path):
    """Weft solve --plot left rank 1 waiting where matplotlib raised on rank 0 (make faults, 2026-11-27)."""
    said = on_ranks(
        2,
        """
        from pathlib import Path
        import numpy as np
        from mpi4py import MPI
        import weft
        from weft.cli import plot

        def save(figure, path):
            raise RuntimeError("the drawing failed")

        plot.save_figure = save
        solver = weft.Poisson((8, 8, 8), (1.0, 1.0, 1.0), ["periodic"] * 3)
        texts = []
        try:
            plot.plot_solution("title", np.zeros(solver.local_shape), solver, Path("never.png"))
        except weft.Error as error:
            texts.append(str(error))
        texts = MPI.COMM_WORLD.gather(texts)
        if texts:
            print(texts)
        """,
        tmp_path,
    )
    assert said == "[['RuntimeError: the drawing failed'], ['RuntimeError: the drawing failed (on rank 0)']]"
