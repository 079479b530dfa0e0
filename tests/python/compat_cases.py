"""What a script for mpi4py-fft does, written once for both libraries that have its classes. Runs on ranks.

usage: compat_cases.py LIBRARY check    the examples of its documentation, with their assertions
       compat_cases.py LIBRARY FILE     transforms of arrays that are the same everywhere, written to FILE (.npz)
"""

import functools
import importlib
import sys

import numpy as np
from mpi4py import MPI

COMM = MPI.COMM_WORLD


def numbers(shape, dtype, seed=1):
    """The same on every rank of every run."""
    random = np.random.default_rng(seed)
    u = random.uniform(-1, 1, shape)
    return (u + 1j * random.uniform(-1, 1, shape) if np.dtype(dtype).kind == "c" else u).astype(dtype)


def together(local, slices, shape):
    """The global array of the parts of all ranks."""
    result = np.zeros(shape, local.dtype)
    for part, block in COMM.allgather((slices, np.array(local))):
        result[part] = block
    return result


def pair(fftw, name, number):
    """A planner and that of its inverse."""
    return tuple(functools.partial(getattr(fftw, prefix + name), type=number) for prefix in ("", "i"))


# Name: shape, type, arguments (transforms by name and type), and the kinds that numpy and scipy have for it.
CASES = {
    "default": ((12, 14, 15), "d", {}, ("c2c", "c2c", "r2c")),
    "float": ((12, 14, 15), "f", {"collapse": True}, ("c2c", "c2c", "r2c")),
    "complex float": ((8, 9, 10), "F", {}, ("c2c",) * 3),
    "two axes": ((12, 13), "D", {}, ("c2c", "c2c")),
    "order": ((12, 14, 15), "d", {"axes": (2, 0, 1)}, ("c2c", "r2c", "c2c")),
    "grid": ((12, 14, 15), "d", {"axes": (2, 0, 1), "grid": (1, 1, -1)}, ("c2c", "r2c", "c2c")),
    "slab": ((12, 14, 15), "d", {"grid": (-1,)}, ("c2c", "c2c", "r2c")),
    "one axis": ((12, 14), "d", {"axes": (-1,)}, ("none", "r2c")),
    "first axis": ((12, 14), "d", {"axes": 0}, ("r2c", "none")),
    "groups": ((12, 14, 15), "D", {"axes": ((0,), (1, 2)), "grid": (-1,)}, ("c2c",) * 3),
    "mixed": (
        (12, 14, 15),
        "d",
        {"axes": ((0,), (1, 2)), "grid": (-1,), "transforms": {(1, 2): ("dctn", 3)}},
        ("r2c", "dct3", "dct3"),
    ),
    "five axes": (
        (5, 6, 7, 4, 5),
        "d",
        {
            "axes": ((0,), (1, 2), (3, 4)),
            "grid": (-1,),
            "transforms": {(1, 2): ("dctn", 3), (3, 4): ("dstn", 3)},
        },
        ("r2c", "dct3", "dct3", "dst3", "dst3"),
    ),
    "types 1": (
        (9, 10),
        "d",
        {"transforms": {(0,): ("dctn", 1), (1,): ("dstn", 1)}},
        ("dct1", "dst1"),
    ),
    "types 2, 4": (
        (9, 10),
        "d",
        {"transforms": {(0,): ("dctn", 2), (1,): ("dstn", 4)}},
        ("dct2", "dst4"),
    ),
    "padded": ((8, 10), "D", {"padding": [1.5, 1.5]}, ("c2c", "c2c")),
    "padded real": ((8, 10), "d", {"padding": [1.5, 1.5]}, ("c2c", "r2c")),
    "partly padded": ((7, 8, 10), "d", {"padding": [1.0, 1.5, 1.0]}, ("c2c", "c2c", "r2c")),
}


def plan_of(library, name):
    """The PFFT of a case."""
    shape, dtype, given, _ = CASES[name]
    options = dict(given)
    if "transforms" in options:
        chosen = options["transforms"]
        options["transforms"] = {axes: pair(library.fftw, *planner) for axes, planner in chosen.items()}
    if "padding" in options:
        options["padding"] = list(options["padding"])
    return library.PFFT(COMM, shape, dtype=np.dtype(dtype), **options)


def transformed(library, name):
    """Points and modes, and both again without and with normalisation where they are not by default; global arrays."""
    plan = plan_of(library, name)
    u = library.newDistArray(plan, False)
    u[...] = numbers(plan.global_shape(False), u.dtype)[plan.local_slice(False)]
    modes = plan.forward(u, library.newDistArray(plan, True))
    back = plan.backward(modes, library.newDistArray(plan, False))
    raw = plan.forward(u, library.newDistArray(plan, True), normalize=False)
    scaled = plan.backward(raw, library.newDistArray(plan, False), normalize=True)
    sides = [(u, False), (modes, True), (back, False), (raw, True), (scaled, False)]
    arrays = [together(a, plan.local_slice(side), plan.global_shape(side)) for a, side in sides]
    assert all(plan.shape(side) == a.shape and plan.dtype(side) == a.dtype for a, side in sides)
    plan.destroy()
    return dict(zip(("points", "modes", "back", "raw", "scaled"), arrays, strict=True))


def layout(library, name):
    """This rank's slices of points and modes, as numbers."""
    plan = plan_of(library, name)
    found = [[(s.start, s.stop) for s in plan.local_slice(side)] for side in (False, True)]
    plan.destroy()
    return np.array(COMM.allgather(found))


def first_example(library):
    """The plan of the tutorial: transform, transform back, own arrays."""
    n = np.array([16, 18, 20], dtype=int)
    fft = library.PFFT(COMM, n, axes=(0, 1, 2), dtype=float, grid=(-1,))
    u = library.newDistArray(fft, False)
    u[:] = numbers(n, float)[fft.local_slice(False)]
    u_hat = fft.forward(u, normalize=True)
    uj = fft.backward(u_hat, np.zeros_like(u))
    assert np.allclose(uj, u)
    assert fft.global_shape(True) == (16, 18, 11) and fft.global_shape() == (16, 18, 20)
    assert u.shape[1:] == (18, 20) and fft.shape(True)[0] == 16
    fft.forward.input_array[...] = u
    fft.forward()
    fft.backward()
    assert np.allclose(fft.backward.output_array, u) and fft.dimensions == 3
    assert fft.forward.output_pencil.subshape == fft.forward.output_array.shape
    fft.backward.input_array[...] = u_hat
    fft.backward(normalize=True)
    fft.forward(normalize=False)
    assert np.allclose(fft.forward.output_array, u_hat)
    fft.destroy()


def part(whole, pencil):
    """What a rank has of a global array."""
    return whole[tuple(slice(a, a + n) for a, n in zip(pencil.substart, pencil.subshape, strict=True))].copy()


def subcommunicators(library):
    """A grid of the user's, and pencils by hand."""
    pencil = importlib.import_module(library.__name__ + ".pencil")
    fft = library.PFFT(pencil.Subcomm(COMM, [1, 0, 1]), (12, 13, 14), axes=(0, 1, 2))
    assert fft.forward.input_pencil.subshape[0] == 12 and fft.forward.input_pencil.subshape[2] == 14
    fft.destroy()
    whole = numbers((7, 8, 9, 10), float)
    p3 = pencil.Pencil(pencil.Subcomm(COMM, [0, 0, 0, 1]), whole.shape, axis=3)
    p0 = p3.pencil(0)  # axis 0 is cut, so data change hands
    transfer = p3.transfer(p0, float)
    a3, a0, again = part(whole, p3), np.zeros(p0.subshape), np.zeros(p3.subshape)
    transfer.forward(a3, a0)
    assert np.array_equal(a0, part(whole, p0))
    transfer.backward(a0, again)
    assert np.array_equal(again, a3)
    transfer.destroy()


def arrays(library):
    """DistArray: tensors, components, alignment, redistribution there and back, global slices."""
    whole = numbers((16, 14, 12), float)
    z0 = library.DistArray((16, 14, 12), dtype=float, alignment=0)
    z0[:] = whole[z0.local_slice()]
    z1 = z0.redistribute(2)
    z2 = z1.redistribute(1)
    for z in (z0, z1, z2):
        assert np.array_equal(z, whole[z.local_slice()]) and z.global_shape == (16, 14, 12)
    assert z2.alignment == 1 and z2.commsizes[1] == 1 and z2.redistribute(1) is z2
    if z2 is not z1:  # where ranks have both axes whole it is the same array
        z1[:] = 0
        z2.redistribute(out=z1)
        assert np.array_equal(z1, whole[z1.local_slice()])
    fft = library.PFFT(COMM, darray=z2, axes=(0, 2, 1))
    z3 = library.newDistArray(fft, forward_output=True)
    before = z2.copy()
    fft.forward(z2, z3)
    fft.backward(z3, z2)
    assert np.allclose(z2, before)
    v0 = library.newDistArray(fft, forward_output=False, rank=1)
    v1 = library.newDistArray(fft, forward_output=True, rank=1)
    v0[:] = numbers((3, *v0.shape[1:]), float)
    kept = v0.copy()
    for i in range(3):
        v1[i] = fft.forward(v0[i], v1[i])
    for i in range(3):
        v0[i] = fft.backward(v1[i], v0[i])
    assert np.allclose(v0, kept)
    assert (v0.rank, v0[0].rank, v0.dimensions) == (1, 0, 3) and isinstance(v0[0], library.DistArray)
    assert v0.global_shape == (3, 16, 14, 12) and v0.substart[0] == 0
    assert type(v0[0, 1]) is np.ndarray and type(z0[0]) is np.ndarray and type(v0.v) is np.ndarray
    seen = library.newDistArray(fft, rank=2, view=True)
    assert type(seen) is np.ndarray and seen.base.rank == 2
    fft.destroy()
    m = library.DistArray((3, 3, 6, 6, 6), dtype=float, val=1, alignment=2, rank=2)
    assert m[0, 1].rank == 0 and m[0].rank == 1
    components = numbers((3, 3, 6, 6, 6), float)
    m[:] = components[m.local_slice()]
    again = m.redistribute(1).redistribute(0)
    assert np.array_equal(again, components[again.local_slice()])
    line = library.DistArray((8,), val=2)
    assert line[0] == 2 and line.shape == (8,)


def navier_stokes(library):
    """The program of the examples folder: a Taylor-Green vortex, here on 16^3 points, without and with padding."""
    shape, length, viscosity, dt = [16, 16, 16], 2 * np.pi, 0.01, 0.02
    fft = library.PFFT(COMM, shape, collapse=False)
    padded = library.PFFT(COMM, shape, padding=[1.5, 1.5, 1.5])
    new = functools.partial(library.newDistArray, view=True)
    velocity, modes = new(fft, False, rank=1), new(fft, rank=1)
    work, curl = new(padded, False, rank=1), new(padded, False, rank=1)
    change, pressure = new(fft, rank=1), new(fft)
    x = [np.broadcast_to(x * length / 16, fft.shape(False)) for x in np.ogrid[fft.local_slice(False)]]
    ends = [np.fft.fftfreq(16, 1 / 16), np.fft.fftfreq(16, 1 / 16), np.fft.rfftfreq(16, 1 / 16)]
    parts = [k[s] for k, s in zip(ends, fft.local_slice(), strict=True)]
    k = np.array(np.broadcast_arrays(*np.meshgrid(*parts, indexing="ij", sparse=True)))
    square = np.sum(k * k, 0)
    over = k / np.where(square == 0, 1, square)
    velocity[0] = np.sin(x[0]) * np.cos(x[1]) * np.cos(x[2])
    velocity[1] = -np.cos(x[0]) * np.sin(x[1]) * np.cos(x[2])
    velocity[2] = 0
    for i in range(3):
        modes[i] = fft.forward(velocity[i], modes[i])
    start = energy(modes, fft)
    for _ in range(5):
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            curl[i] = padded.backward(1j * (k[a] * modes[b] - k[b] * modes[a]), curl[i])
            work[i] = padded.backward(modes[i], work[i])
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            change[i] = padded.forward(work[a] * curl[b] - work[b] * curl[a], change[i])
        pressure[:] = np.sum(change * over, 0)
        change -= pressure * k
        change -= viscosity * square * modes
        modes += dt * change
    # dE/dt = -2 nu Z with the enstrophy Z = 3 E of the first modes; Euler's steps err by dt^2 each, and little energy
    # has reached other modes by then.
    expected = start * np.exp(-6 * viscosity * 5 * dt)
    assert abs(energy(modes, fft) - expected) < 0.02 * (start - expected) + 5 * dt**2 * start
    assert abs(start - 0.125) < 1e-12
    fft.destroy()
    padded.destroy()


def energy(modes, fft):
    """The mean of u^2 / 2, by Parseval's sum over half of the modes."""
    axis = np.arange(9)[fft.local_slice()[2]]
    weight = np.where((axis == 0) | (axis == 8), 1, 2)
    return COMM.allreduce(float(np.sum(weight * np.abs(modes) ** 2))) / 2


def serial(library):
    """The planners of the module fftw, called."""
    fftw = library.fftw
    a = fftw.aligned(4, dtype="d")
    plan = fftw.rfftn(a, flags=(fftw.FFTW_ESTIMATE,))
    a[:] = 1, 2, 3, 4
    assert np.allclose(plan(), [10, -2 + 2j, -2])
    assert plan.input_array is a and plan.output_array.shape == (3,)
    assert np.allclose(plan(np.array([1.0, 2, 3, 4]), normalize=True), [2.5, -0.5 + 0.5j, -0.5])
    c = fftw.aligned(4, dtype="D")
    for planner, points, values in [
        (fftw.irfftn, {}, [15, -4, 0, -1, 0, -4]),
        (fftw.irfftn, {"s": (7,)}, [19, -5.04891734, -0.30797853, -0.64310413, -0.64310413, -0.30797853, -5.04891734]),
        (fftw.fftn, {}, [10, -2 + 2j, -2, -2 - 2j]),
        (fftw.ifftn, {}, [10, -2 - 2j, -2, -2 + 2j]),
    ]:
        plan = planner(c, flags=(fftw.FFTW_ESTIMATE,), **points)
        c[:] = 1, 2, 3, 4
        assert np.allclose(plan(), values), planner
    for planner, values in [
        (fftw.dctn, [20, -6.30864406, 0, -0.44834153]),
        (fftw.idctn, [11.99962628, -9.10294322, 2.61766184, -1.5143449]),
        (fftw.dstn, [13.06562965, -5.65685425, 5.411961, -4]),
        (fftw.idstn, [13.13707118, -1.6199144, 0.72323135, -0.51978306]),
    ]:
        plan = planner(a, flags=(fftw.FFTW_ESTIMATE,))
        a[:] = 1, 2, 3, 4
        assert np.allclose(plan(), values), planner
        assert plan.get_normalization() == 1 / 8
    u = numbers((6, 7), float)
    plan = fftw.rfftn(u.copy(), axes=(0, 1), flags=(fftw.FFTW_ESTIMATE,))
    back = fftw.irfftn(plan.output_array.copy(), s=(6, 7), axes=(0, 1), flags=(fftw.FFTW_ESTIMATE,))
    modes = plan(u.copy(), normalize=True)
    assert np.allclose(modes, np.fft.rfftn(u) / u.size) and np.allclose(back(modes.copy()), u)


def check(library):
    """All of it."""
    for example in (first_example, subcommunicators, arrays, navier_stokes, serial):
        example(library)
    if COMM.rank == 0:
        print("all examples")


def main(name, target):
    """The command line of this script."""
    library = importlib.import_module(name)
    if target == "check":
        check(library)
        return
    found = {f"{case}: {key}": array for case in CASES for key, array in transformed(library, case).items()}
    found |= {f"{case}: layout": layout(library, case) for case in CASES}
    if COMM.rank == 0:
        np.savez(target, **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
