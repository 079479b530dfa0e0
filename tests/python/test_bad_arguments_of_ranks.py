"""Bad arguments on one rank of several or on all: the same message on every rank, and nobody waits for the others."""

import subprocess
import sys
import textwrap

from weft.launch import own_launcher

# Each piece of code is run on 3 ranks, which print the error that they get; `odd` is true on rank 1.
CASES = {
    "shape differs": "weft.Plan((8, 8 + odd), 'c2c')",
    "kind wrong on one rank": "weft.Plan((8, 8), 'fft' if odd else 'c2c')",
    "kind differs": "weft.Plan((8, 8), 'dct2' if odd else 'dct3')",
    "strategy differs": "weft.Plan((8, 8), 'c2c', strategy='shared' if odd else 'alltoallv')",
    "not whole on one rank": "weft.Plan((8, 8.5 if odd else 8), 'c2c')",
    "grid of other size": "weft.Plan((8, 8), 'c2c', grid=(2,))",
    "length differs": "weft.Poisson((8, 8), (1, 2 if odd else 1), ('odd', 'odd'))",
    "boundary differs": "weft.Poisson((8, 8), (1, 1), ('even' if odd else 'odd', 'odd'))",
    "array of one rank": "plan.forward(plan.physical() if not odd else np.zeros(3))",
    "type on one rank": "plan.forward(plan.physical().astype('float32' if odd else 'float64'))",
    "order on one rank": "plan.forward(np.asfortranarray(plan.physical()) if odd else plan.physical())",
    "output of one rank": "plan.backward(plan.spectral(), out=np.zeros(1) if odd else None)",
    "nan on one rank": "solver.solve(np.full(solver.local_shape, np.nan if odd else 1.0))",
    "engine differs": "weft.Plan((8, 8), 'c2c', engine='lanes' if odd else 'fftw')",
    "engine of solvers differs": "weft.Poisson((8, 8), (1, 1), ('odd', 'odd'), engine='lanes' if odd else 'fftw')",
    "place differs": "weft.Plan((8, 8), 'c2c', in_place=bool(odd))",
    "symbol of one rank": "plan.apply(plan.physical(), np.ones(3) if odd else 2.0)",
    "words on one rank": "plan.apply(plan.physical(), 'k' if odd else 2.0)",
    "array of one rank for apply": "plan.apply(np.zeros(3) if odd else plan.physical(), 2.0)",
    "field on one rank": "plan.forward(field if odd else plan.physical())",
    "array in place on one rank": "inside.backward(inside.spectral() if odd else field)",
    "symbol in place on one rank": "inside.apply(field, np.ones(3) if odd else 2.0)",
    "field of one precision": "inside.forward(single.in_place_field() if odd else (single.in_place_field(), field)[1])",
    "field of another strategy": "inside.forward(moved.in_place_field())",
    "screening differs": "weft.Poisson((8, 8), (1, 1), ('odd', 'odd'), screening=2 if odd else 1)",
    "kernel differs": "weft.Poisson((8, 8), (1, 1), ('odd', 'odd'), kernel=users if odd else 'chat2')",
    "function of one rank": "weft.Poisson((8, 8), (1, 1), ('odd', 'unbounded'), kernel=users)",
    "mean": "refusing.solve(np.full(refusing.local_shape, 1.0))",
    "array of one solver": "solver.solve(np.zeros(3) if odd else np.zeros(solver.local_shape))",
    "dtype broken on one rank": "weft.Plan((8, 8), 'c2c', dtype={'names': ['a']} if odd else 'float64')",
    "list broken on one rank": "weft.Plan(Broken((8, 8)) if odd else (8, 8), 'c2c')",
    "box broken on one rank": "weft.Plan((8, 8), 'c2c', physical_box=Broken() if odd else None)",
    "text broken on one rank": "weft.Plan((8, 8), 'a\\udc80' if odd else 'c2c')",
    "value broken on one rank": "weft.save_checkpoint('c.h5', {}, {'x': 'a\\udc80' if odd else 'a'})",
    "name broken on one rank": "weft.save_checkpoint('c.h5', {}, {'a\\udc80' if odd else 'a': 1})",
    "more than all memory": "weft.Field.zeros((all_memory // 4, 2))",
    "field broken on one rank": "weft.save_checkpoint('c.h5', {'u': Memoryless() if odd else plain}, comm=comm)",
}

PROGRAM = """
import os

import numpy as np
from mpi4py import MPI
import weft

comm = MPI.COMM_WORLD
odd = comm.rank == 1
all_memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
plan = weft.Plan((8, 9, 10), "r2c", effort="estimate")
inside, moved, single = (
    weft.Plan((8, 9, 10), "r2c", effort="estimate", in_place=True, **options)
    for options in ({{}}, {{"strategy": "alltoallv"}}, {{"dtype": "float32"}})
)
field = inside.in_place_field()
solver = weft.Poisson((8, 9, 10), (1, 1, 1), ("odd", "even", "periodic"))
users = weft.kernel_of_distance(lambda r, k: 1 / 0 if odd else r)
refusing = weft.Poisson((8, 9, 10), (1, 1, 1), ("even", "even", "periodic"), mean="error")


class Broken(list):
    def __iter__(self):
        raise KeyError("gone")


class Memoryless:
    slices = global_shape = None
    comm = comm

    @property
    def local(self):
        raise MemoryError


plain = np.zeros(1), (slice(comm.rank, comm.rank + 1),), (3,)
heard = {{}}
for name, code in {cases!r}.items():
    try:
        eval(code)
        heard[name] = "no error"
    except weft.Error as error:
        heard[name] = str(error).replace(" (on rank 1)", "")
gathered = comm.gather(heard)
if comm.rank == 0:
    for name in heard:
        print(name, *dict.fromkeys(ranks[name] for ranks in gathered), sep=" | ")
"""


def test_every_rank_raises_the_same_error():
    program = textwrap.dedent(PROGRAM).format(cases=CASES)
    launcher = own_launcher()
    command = launcher.command(3, [sys.executable, "-c", program])
    # A rank that waits for another forever would be the fault that this looks for.
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    heard = dict(line.split(" | ", 1) for line in done.stdout.splitlines())
    assert list(heard) == list(CASES)
    for name, text in heard.items():
        assert " | " not in text and text != "no error", f"{name}: {text}"
    assert "shape" in heard["shape differs"] and "same on all ranks" in heard["shape differs"]
    assert "8.5" in heard["not whole on one rank"]
    assert "grid" in heard["grid of other size"] and "3" in heard["grid of other size"]
    assert "float32" in heard["type on one rank"]
    assert "C-contiguous" in heard["order on one rank"]
    assert "rhs" in heard["nan on one rank"]
    assert "in_place" in heard["place differs"] and "same on all ranks" in heard["place differs"]
    assert "symbol has shape (3,)" in heard["symbol of one rank"]
    assert "ZeroDivisionError: division by zero" in heard["function of one rank"]
    assert "its mean is 1" in heard["mean"]
    assert "field" in heard["field of another strategy"]
    assert heard["dtype broken on one rank"].startswith("dtype: {'names': ['a']} is not allowed")
    assert heard["list broken on one rank"].startswith("shape: this cannot be used (KeyError: 'gone')")
    assert heard["box broken on one rank"].startswith("physical_box: this cannot be used (KeyError: 'gone')")
    assert heard["text broken on one rank"].startswith("kinds: 'a\\udc80' is not a valid text, character 1")
    assert heard["value broken on one rank"].startswith("x: 'a\\udc80' is not a valid text, character 1")
    assert heard["name broken on one rank"].startswith("values: 'a\\udc80' is not a valid text, character 1")
    assert heard["more than all memory"].startswith("global_shape: (")
    assert "of memory left; use more nodes or a smaller array" in heard["more than all memory"]
    assert heard["field broken on one rank"].startswith("u: there is not enough memory for it")
