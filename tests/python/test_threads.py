"""Python threads: others run while Weft works, and plans of several threads, or one plan of several, are right."""

import sys
import threading
import time

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from weft import _core

SERIAL = {"comm": MPI.COMM_SELF, "threads": 1}


class Watch:
    """Says of calls into the compiled part whether another Python thread ran meanwhile.

    Threads are not made to give way here, so that the other one runs only where this one lets it.
    """

    def __init__(self):
        self.count, self.names, self._over = 0, set(), False
        self._interval = sys.getswitchinterval()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self):
        sys.setswitchinterval(1000)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over = True
        self._thread.join()
        sys.setswitchinterval(self._interval)

    def _run(self):
        while not self._over:
            self.count += 1
            time.sleep(0)

    def call(self, name, function):
        """A function that is watched."""

        def watched(*args, **kwargs):
            before = self.count
            result = function(*args, **kwargs)
            if self.count > before:
                self.names.add(name)
            return result

        return watched


class Watched:
    """A compiled object whose methods are watched."""

    def __init__(self, watch, core):
        self._watch, self._of = watch, core

    def __getattr__(self, name):
        found = getattr(self._of, name)
        return self._watch.call(name, found) if callable(found) else found


def transforms(watch):
    """Calls of a plan."""
    plan = weft.Plan((64, 48, 40), "c2c", **SERIAL)
    plan._core = Watched(watch, plan._core)
    u = np.ones(plan.physical_shape, complex)
    uh, out = plan.spectral(), plan.physical()
    return {
        "forward_if_ready": lambda: plan.forward(u, out=uh),
        "backward_if_ready": lambda: plan.backward(uh, out=out),
        "apply": lambda: plan.apply(u, 2.0, out=out),
    }


def fields(watch):
    """Calls in place."""
    plan = weft.Plan((64, 48, 40), "r2c", in_place=True, **SERIAL)
    u = plan.in_place_field()
    plan._core = Watched(watch, plan._core)
    solver = weft.Poisson((24,) * 3, (1.0,) * 3, ("periodic",) * 3, in_place=True, **SERIAL)
    f = solver.in_place_field()
    solver._core = Watched(watch, solver._core)

    def there_and_back():
        plan.forward(u)
        plan.backward(u)

    return {"forward": there_and_back, "backward": there_and_back, "solve_in": lambda: solver.solve(f)}


def solvers(watch):
    """Calls of solvers."""
    solver = weft.Poisson((24,) * 3, (1.0,) * 3, ("unbounded",) * 3, **SERIAL)
    vector = weft.VectorPoisson((24,) * 3, (1.0,) * 3, ("periodic",) * 3, **SERIAL)
    for one in (solver, vector):
        one._core = Watched(watch, one._core)
    f, v = np.ones(solver.local_shape), np.ones((3, *vector.local_shape))
    return {"solve": lambda: solver.solve(f), "apply": lambda: vector.project(v)}


def others(watch):
    """Calls of redistributions and of DFTs by matrices."""
    box = [slice(0, 64)] * 3
    moves = weft.Redistribution(box, box, complex, **SERIAL)
    tensor = weft.TensorDft((32, 32, 32), "c2c", **SERIAL)
    for one in (moves, tensor):
        one._core = Watched(watch, one._core)
    u, v = np.ones((64,) * 3, complex), np.ones((32,) * 3, complex)

    def both():
        moves.forward(u)
        tensor.forward(v)
        moves.backward(u)
        tensor.backward(v)

    return {"forward": both, "backward": both}


def makers(watch, monkeypatch):
    """Constructors, and functions of the module."""
    for name in ("Plan", "Poisson", "TensorDft", "tune"):
        monkeypatch.setattr(_core, name, watch.call(name, getattr(_core, name)))
    length = (1.0,) * 3
    return {
        "Plan": lambda: weft.Plan((1009, 64), "c2c", **SERIAL),
        "Poisson": lambda: weft.Poisson((16,) * 3, length, ("unbounded",) * 3, kernel="igf", **SERIAL),
        "TensorDft": lambda: weft.TensorDft((16, 16, 16), "c2c", **SERIAL),
        "tune": lambda: weft.tune((16, 16, 16), "r2c", budget=0.01, **SERIAL),
    }


def files(watch, monkeypatch, folder):
    """Functions that use files."""
    for name in ("write_fields", "read_block", "write_npy", "save_checkpoint", "load_checkpoint", "verify_checkpoint"):
        monkeypatch.setattr(_core, name, watch.call(name, getattr(_core, name)))
    plan = weft.Plan((32, 32, 32), "r2c", **SERIAL)
    u = plan.physical_field(np.ones(plan.physical_shape))
    place = (np.asarray(u), plan.physical_slices, plan.shape)
    name = str(folder / "u.h5")

    def hdf5():
        u.save(name)
        weft.Field.load(name, comm=MPI.COMM_SELF)

    def checkpoint():
        path = str(folder / "checkpoint.h5")
        weft.save_checkpoint(path, {"u": place}, comm=MPI.COMM_SELF)
        weft.load_checkpoint(path, {"u": place}, comm=MPI.COMM_SELF)
        weft.verify_checkpoint(path, comm=MPI.COMM_SELF)

    return {
        "write_fields": hdf5,
        "read_block": hdf5,
        "write_npy": lambda: u.save(str(folder / "u.npy")),
        "save_checkpoint": checkpoint,
        "load_checkpoint": checkpoint,
        "verify_checkpoint": checkpoint,
    }


@pytest.mark.parametrize("kind", ["transforms", "fields", "solvers", "others", "makers", "files"])
def test_other_threads_run_while_the_library_works(kind, monkeypatch, tmp_path):
    with Watch() as watch:
        more = {"makers": (monkeypatch,), "files": (monkeypatch, tmp_path)}.get(kind, ())
        works = globals()[kind](watch, *more)
        for name, work in works.items():
            # A short call may be over before the other thread has woken up, above all where cores are busy.
            end = time.monotonic() + 60
            while name not in watch.names and time.monotonic() < end:
                work()
    assert watch.names >= set(works)


def in_threads(count, work):
    """work(i) in threads at the same time; what they raised."""
    errors = []

    def run(i):
        try:
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def check_transforms(plan, seed, turns=10):
    """Transforms are those of numpy: 1e-13 is ten times what fifteen rounded additions of such sums leave."""
    random = np.random.default_rng(seed)
    for _ in range(turns):
        u = random.random(plan.physical_shape)
        modes = plan.forward(u)
        expected = np.fft.rfftn(u)
        assert np.allclose(modes, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
        assert np.allclose(plan.backward(modes), u, rtol=0, atol=1e-13)


def test_every_thread_has_plans_of_its_own():
    def work(i):
        for n in range(4):
            plan = weft.Plan((12 + i, 9 + n, 10), "r2c", comm=MPI.COMM_SELF, threads=1 + n % 2, engine="auto")
            check_transforms(plan, 10 * i + n, turns=3)

    assert in_threads(4, work) == []


def test_one_plan_serves_several_threads():
    plan = weft.Plan((24, 20, 18), "r2c", **SERIAL)
    assert in_threads(4, lambda i: check_transforms(plan, i)) == []


def test_one_workspace_serves_plans_of_several_threads():
    workspace = weft.Workspace()
    plans = [weft.Plan((20 + i, 18, 16), "r2c", workspace=workspace, **SERIAL) for i in range(4)]
    assert in_threads(4, lambda i: check_transforms(plans[i], i)) == []


def test_kernels_in_python_are_called_while_others_transform():
    plan = weft.Plan((24, 20, 18), "r2c", **SERIAL)
    inner = weft.Poisson((4, 4, 4), (1.0,) * 3, ("unbounded",) * 3, **SERIAL)

    def screened(r, k):
        inner.solve(np.ones(inner.local_shape))  # a kernel may use Weft itself
        return -np.exp(-r) / (4 * np.pi * np.maximum(r, 0.1))

    def work(i):
        if i % 2:
            return check_transforms(plan, i)
        solver = weft.Poisson(
            (6, 5, 4), (1.0,) * 3, ("unbounded",) * 3, kernel=weft.kernel_of_distance(screened), **SERIAL
        )
        f = np.zeros(solver.local_shape)
        f[0, 0, 0] = 1
        places = zip(np.ogrid[0:6, 0:5, 0:4], solver.spacing, strict=True)
        r = np.sqrt(sum((index * step) ** 2 for index, step in places))
        cell = float(np.prod(solver.spacing))
        expected = -cell * np.exp(-r) / (4 * np.pi * np.maximum(r, 0.1))
        assert np.allclose(solver.solve(f), expected, rtol=0, atol=1e-14)

    assert in_threads(4, work) == []


def test_what_a_kernel_raises_in_a_thread_is_its_error():
    def broken(r, k):
        raise KeyError("seventeen")

    def work(i):
        with pytest.raises(weft.Error, match="KeyError.*seventeen"):
            weft.Poisson((4, 4), (1.0, 1.0), ("unbounded",) * 2, kernel=weft.kernel_of_distance(broken), **SERIAL)

    assert in_threads(3, work) == []


# What programs of ranks end with that have defined work(i), which appends i to `right`.
IN_THREE_THREADS = """
        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(right) == [0, 1, 2]
"""


def test_threads_of_several_ranks_have_communicators_of_their_own(tmp_path):
    on_ranks(
        2,
        """\
        import threading
        import numpy as np
        import weft
        from mpi4py import MPI

        assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
        comms = [MPI.COMM_WORLD.Dup() for _ in range(3)]
        right = []

        def work(i):
            plan = weft.Plan((9 + i, 8, 7), "r2c", comm=comms[i], threads=1)
            for turn in range(3):
                u = np.random.default_rng(turn).random(plan.shape)
                modes = plan.forward(np.ascontiguousarray(u[plan.physical_slices]))
                assert np.allclose(modes, np.fft.rfftn(u)[plan.spectral_slices], rtol=0, atol=1e-11)
            right.append(i)

        """
        + IN_THREE_THREADS,
        tmp_path,
    )


def test_where_mpi_takes_one_thread_at_a_time_so_do_we(tmp_path):
    on_ranks(
        1,
        """\
        import threading
        import mpi4py
        mpi4py.rc.thread_level = "serialized"
        from mpi4py import MPI
        import numpy as np
        import weft

        assert MPI.Query_thread() == MPI.THREAD_SERIALIZED
        right = []

        def work(i):
            plan = weft.Plan((9 + i, 8, 7), "r2c", threads=1)
            for turn in range(3):
                u = np.random.default_rng(turn).random(plan.shape)
                assert np.allclose(plan.forward(u), np.fft.rfftn(u), rtol=0, atol=1e-11)
            right.append(i)

        """
        + IN_THREE_THREADS,
        tmp_path,
    )
