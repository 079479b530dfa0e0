"""Operations on transforms: plans, workspaces, tensor transforms, redistributions, tuning."""

from functools import partial
from typing import Any

import numpy as np
import weft
from mpi4py import MPI

from fuzz.faults.operation import Operation, near, noise, slab

# Each local array takes tens of kilobytes, so that what grows with the data is larger than what does not.
SHAPE = (24, 20, 36)
_KINDS = {"r2c": "r2c", "c2c": "c2c", "real": ("dct2", "dst4", "dct1"), "large primes": "c2c"}
_SHAPES = {"large primes": (24, 131, 127)}


def _modes(plan: weft.Plan, whole: np.ndarray) -> np.ndarray:
    """This rank's modes by numpy, of a plan whose last axis is r2c or whose kinds are all c2c."""
    found = np.fft.rfftn(whole) if plan.kinds[-1] == "r2c" else np.fft.fftn(whole)
    return found[plan.spectral_slices]


def _comes_back(plan: Any, whole: np.ndarray) -> bool:
    """Whether forward and backward give the points again."""
    points = whole[plan.physical_slices].astype(plan.physical_dtype)
    if plan.in_place:
        memory = plan.in_place_field()
        memory.physical[...] = points
        plan.comm.Barrier()
        plan.forward(memory)
        return near(plan.backward(memory), points)
    return near(plan.backward(plan.forward(points)), points)


def _making(name: str, shape: tuple[int, ...], kinds: Any, **options: Any) -> Operation:
    # Of points with these modes nothing is truncated.
    whole = np.cos(2 * np.pi / shape[0] * np.indices(shape)[0]) if "modes" in options else noise(shape)
    return Operation(
        f"Plan, {name}",
        lambda: weft.Plan(shape, kinds, threads=1, **options),
        lambda plan: _comes_back(plan, whole),
    )


def plans(comm: MPI.Intracomm) -> list[Operation]:
    """Making plans: kinds, strategies, engines, boxes, in place, with a workspace, tuned."""
    found = [_making(name, _SHAPES.get(name, SHAPE), kinds) for name, kinds in _KINDS.items()]
    found += [_making(strategy, SHAPE, "r2c", strategy=strategy) for strategy in weft.strategies()]
    columns = (slice(0, SHAPE[0]), slab(SHAPE[1], comm), slice(0, SHAPE[2]))
    found += [
        _making("FFTW", SHAPE, "c2c", engine="fftw"),
        _making("measured", (34, 17, 38), "c2c", effort="measure"),
        _making("in place", SHAPE, "r2c", in_place=True),
        _making("user's boxes", SHAPE, "c2c", physical_box=columns),
        _making("natural output", SHAPE, "r2c", output="natural"),
        _making("truncated", SHAPE, "r2c", modes=(16, 14, 24)),
        _making("two threads", SHAPE, "r2c", chunks=2),
    ]
    shared = weft.Workspace()
    found.append(_making("workspace", SHAPE, "r2c", workspace=shared))
    return found


def transforms(comm: MPI.Intracomm) -> list[Operation]:
    """Runs of plans that are there."""
    found = []
    whole = noise(SHAPE)
    for strategy in weft.strategies():
        plan = weft.Plan(SHAPE, "r2c", threads=1, strategy=strategy)
        points, modes = whole[plan.physical_slices].copy(), _modes(plan, whole)
        found += [
            Operation(f"forward, {strategy}", partial(plan.forward, points), partial(near, expected=modes)),
            Operation(f"backward, {strategy}", partial(plan.backward, modes), partial(near, expected=points)),
        ]
    plan = weft.Plan(SHAPE, "r2c", threads=1)
    points, u = whole[plan.physical_slices].copy(), plan.physical_field()
    u.local[...] = points
    factors = np.full(plan.spectral_shape, 2.0)
    columns = (slice(0, SHAPE[0]), slab(SHAPE[1], comm), slice(0, SHAPE[2]))
    boxes = weft.Plan(SHAPE, "c2c", threads=1, physical_box=columns, spectral_box=columns)
    complex_points, twice = whole[columns].astype(complex), np.full(boxes.spectral_shape, 2.0)
    inside = weft.Plan(SHAPE, "r2c", threads=1, in_place=True)
    return [
        *found,
        Operation("apply", lambda: plan.apply(points, factors), lambda v: near(v, 2 * points)),
        Operation("forward of a Field", lambda: plan.forward(u), lambda v: near(v.local, _modes(plan, whole))),
        Operation(
            "forward, user's boxes",
            lambda: boxes.forward(complex_points),
            lambda v: near(v, np.fft.fftn(whole)[columns]),
        ),
        Operation(
            "apply, user's boxes",
            lambda: boxes.apply(complex_points, twice),
            lambda v: near(v, 2 * complex_points),
        ),
        Operation("in_place_field", inside.in_place_field, lambda v: not v.physical.any() and v.nbytes > 0),
        Operation("explain", plan.explain, lambda text: "r2c" in text, local=True),
    ]


def _gives(points: np.ndarray, modes: np.ndarray, transform: weft.TensorDft) -> bool:
    """Whether the transform of the points are the modes."""
    return near(transform.forward(points), modes)


def tensors(comm: MPI.Intracomm) -> list[Operation]:
    """Transforms by dense matrices."""
    found = []
    whole = noise(SHAPE).astype(complex)
    for choice in ({"matrix": "circulate"}, {"matrix": "own"}, {"folding": "on"}, {"algorithm": "transpose"}):
        options: dict[str, Any] = {"folding": "off"} | choice
        name = ", ".join(f"{key} {value}" for key, value in choice.items())
        tensor = weft.TensorDft(SHAPE, "c2c", threads=1, **options)
        points = whole[tensor.physical_slices].copy()
        modes = np.fft.fftn(whole)[tensor.spectral_slices]

        found += [
            Operation(
                f"TensorDft, {name}",
                partial(weft.TensorDft, SHAPE, "c2c", threads=1, **options),
                partial(_gives, points, modes),
            ),
            Operation(f"tensor forward, {name}", partial(tensor.forward, points), partial(near, expected=modes)),
            Operation(f"tensor backward, {name}", partial(tensor.backward, modes), partial(near, expected=points)),
        ]
    return [*found, Operation("tensor traffic", tensor.traffic, lambda v: len(v) == 4)]


def redistributions(comm: MPI.Intracomm) -> list[Operation]:
    """From slabs to columns of a square."""
    n = 200
    whole = noise((n, n))
    rows, columns = (slab(n, comm), slice(0, n)), (slice(0, n), slab(n, comm))
    found = []
    for strategy in ("auto", *(name for name in weft.strategies() if name != "shared")):
        made = weft.Redistribution(rows, columns, threads=1, strategy=strategy)
        found += [
            Operation(
                f"Redistribution, {strategy}",
                partial(weft.Redistribution, rows, columns, threads=1, strategy=strategy),
                lambda moves: np.array_equal(moves.forward(whole[rows]), whole[columns]),
            ),
            Operation(
                f"redistribution forward, {strategy}",
                partial(made.forward, whole[rows]),
                lambda v: np.array_equal(v, whole[columns]),
            ),
        ]

    def from_source() -> np.ndarray:
        moves = weft.Redistribution(rows, columns, threads=1)
        moves.source()[...] = whole[rows]
        return moves.forward_source()

    return [*found, Operation("redistribution source", from_source, lambda v: np.array_equal(v, whole[columns]))]


def tuning(comm: MPI.Intracomm) -> list[Operation]:
    """A search, and its outcome."""
    return [
        Operation(
            "tune",
            lambda: weft.tune((12, 10, 8), "r2c", budget=0.01, threads=1, include=("alltoallv", "pairwise")),
            lambda found: found.options["strategy"] in weft.strategies(),
        )
    ]
