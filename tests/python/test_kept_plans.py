"""Plans that weft.fftn and its relatives keep: which, how many, for how long, and those of several threads."""

import threading

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from reference import numbers
from weft.functions import arrays, kept


@pytest.fixture
def made(monkeypatch):
    """The keys of the plans that are made for arrays during a test, which begins without any."""
    keys = []
    planned = arrays._planned
    monkeypatch.setattr(arrays, "_planned", lambda key: keys.append(key) or planned(key))
    weft.clear_plans()
    yield keys
    weft.clear_plans()


def test_a_plan_is_made_once(made):
    for _ in range(3):
        u = numbers((4, 5, 6), "float64")
        uh = weft.rfftn(u)
        assert np.allclose(weft.irfftn(uh), u, rtol=0, atol=1e-14)
    assert len(made) == 1 and len(kept.OWN_PLANS) == 1
    weft.clear_plans()
    assert len(kept.OWN_PLANS) == 0
    weft.rfftn(u)
    assert len(made) == 2


def test_plans_differ_in_what_they_do(made):
    u = numbers((4, 6), "float64")
    calls = [
        lambda: weft.fftn(u),
        lambda: weft.fftn(u[:3]),
        lambda: weft.fftn(u, axes=0),
        lambda: weft.fftn(u, norm="ortho"),
        lambda: weft.fftn(u.astype("float32")),
        lambda: weft.fftn(u, workers=2),
        lambda: weft.rfftn(u),
        lambda: weft.dctn(u),
        lambda: weft.dctn(u, type=3),
        lambda: weft.dstn(u),
    ]
    first = [call() for call in calls]
    assert len(made) == len(set(made)) == len(calls)
    assert all(np.array_equal(call(), expected) for call, expected in zip(calls, first, strict=True))
    assert len(made) == len(calls)


def test_axes_that_are_not_transformed_share_a_plan(made):
    weft.fft(numbers((2, 3, 8), "complex128"))
    weft.fft(numbers((6, 8), "complex128"))
    weft.ifft(numbers((3, 1, 2, 8), "complex128"))
    assert [(key.shape, key.kinds) for key in made] == [((6, 8), ("none", "c2c"))]


def test_the_plan_that_was_not_used_for_longest_goes(made):
    for n in range(2, 2 + kept.MOST_PLANS):
        weft.fft(np.ones(n))
    weft.fft(np.ones(2))  # the first, once more
    weft.fft(np.ones(100))
    assert len(kept.OWN_PLANS) == kept.MOST_PLANS
    count = len(made)
    weft.fft(np.ones(2))
    assert len(made) == count
    weft.fft(np.ones(3))
    assert len(made) == count + 1


def test_workspaces_have_a_limit_together(made, monkeypatch):
    monkeypatch.setattr(kept, "MOST_BYTES", 3 * weft.Plan(64, "c2c", comm=MPI.COMM_SELF, threads=1).workspace_bytes)
    for _ in range(2):
        for m in range(60, 65):
            weft.fft(np.ones(m))
        assert 1 <= len(kept.OWN_PLANS) < 5
    # One that is larger than all may be stays as long as it is used.
    monkeypatch.setattr(kept, "MOST_BYTES", 0)
    weft.fft(np.ones(61))
    assert len(kept.OWN_PLANS) == 1
    count = len(made)
    weft.fft(np.ones(61))
    assert len(made) == count


def test_threads_plan_once(made):
    barrier = threading.Barrier(4)

    def work():
        barrier.wait()
        for n in range(40, 48):
            weft.fft(np.ones(n))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(key.shape for key in made) == [(n,) for n in range(40, 48)]


def test_plans_are_cleared_while_threads_use_them(made):
    u = numbers((8, 9), "complex128")
    expected = weft.fftn(u)
    wrong, over = [], threading.Event()

    def work():
        while not over.is_set():
            wrong.extend([1] if not np.array_equal(weft.fftn(u), expected) else [])

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        weft.clear_plans()
    over.set()
    for thread in threads:
        thread.join()
    assert not wrong


SCRIPT = """\
    import gc
    import weakref

    import numpy as np
    import weft
    from mpi4py import MPI
    from weft.functions.kept import plans_of

    world = MPI.COMM_WORLD
    whole = np.random.default_rng(1).random((6, 7, 8))
    u = weft.Field.from_global(whole)
    expected = weft.fftn(u)
    assert len(plans_of(world)) == 1


    def on(comm):
        return weft.Field(u.local, u.slices, u.global_shape, comm)


    # A communicator has plans of its own, which go with it; handles are used again.
    handles = set()
    for _ in range(30):
        comm = world.Dup()
        handles.add(MPI._handleof(comm))
        assert len(plans_of(comm)) == 0
        weft.fftn(on(comm))
        plans = weakref.ref(plans_of(comm))
        assert len(plans()) == 1
        comm.Free()
        gc.collect()
        assert plans() is None
    assert len(handles) < 30

    # Another order of the ranks under a handle that was another communicator's.
    turned = world.Split(0, -world.rank)
    v = weft.Field(u.local, u.slices, u.global_shape, turned)
    assert np.array_equal(weft.fftn(v)[...], expected[...])
    turned.Free()

    # One rank alone has lost the plan: all make it anew.
    if world.rank == 0:
        weft.clear_plans()
    assert np.array_equal(weft.fftn(u).local, expected.local)
    assert len(plans_of(world)) == 1

    # Plans of arrays, which ranks use as they like, do not push out those of fields on some ranks alone.
    for n in range(2, 40 if world.rank == 0 else 3):
        weft.fft(np.ones(n))
    plan = plans_of(world)._plans
    kept = [id(each) for each, _ in plan.values()]
    weft.fftn(u)
    assert [id(each) for each, _ in plan.values()] == kept

    # A field of a communicator that is gone.
    comm = world.Dup()
    w = on(comm)
    comm.Free()
    try:
        weft.fftn(w)
    except weft.Error as error:
        assert "freed" in str(error)
    else:
        raise AssertionError
    if world.rank == 0:
        print("done")
"""


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_plans_belong_to_their_communicator(ranks, tmp_path):
    assert on_ranks(ranks, SCRIPT, tmp_path) == "done"
