"""What transforms and solves give by numpy and scipy on whole arrays, and how far from it rounding may lead."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.fft
from weft.cli.check_reference import factor, forward_bound, round_trip_bound, round_trip_factor

REAL_KINDS = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")
KINDS = ("none", "c2c", "r2c", *REAL_KINDS)


def modes_of(kind: str, n: int) -> int:
    """The modes of an axis of n points."""
    return n // 2 + 1 if kind == "r2c" else n


def _cut(a: np.ndarray, axis: int, kind: str, n: int, m: int) -> np.ndarray:
    """The modes of n points cut to those of m; the last of an even m stands for two of n, whose sum it becomes."""
    if m == n:
        return a
    a = np.moveaxis(a, axis, 0)
    if kind == "c2c":
        r = np.concatenate([a[: (m + 1) // 2], a[n - m // 2 :]])
        if m % 2 == 0:
            r[m // 2] = a[m // 2] + a[n - m // 2]
    elif kind == "r2c":
        r = a[: m // 2 + 1].copy()
        if m % 2 == 0:
            r[m // 2] = 2 * r[m // 2].real
    else:
        r = a[:m].copy()
        if kind in ("dct1", "dst2"):
            r[-1] *= 2
    return np.moveaxis(r, 0, axis)


def _padded(a: np.ndarray, axis: int, kind: str, n: int, m: int) -> np.ndarray:
    """The modes of m points among zeros, as those of n."""
    if m == n:
        return a
    a = np.moveaxis(a, axis, 0)
    r = np.zeros((modes_of(kind, n), *a.shape[1:]), a.dtype)
    if kind == "c2c":
        r[: (m + 1) // 2] = a[: (m + 1) // 2]
        if m // 2:
            r[n - m // 2 :] = a[m - m // 2 :]
        if m % 2 == 0:
            r[n - m // 2] = a[m // 2] / 2
            r[m // 2] = r[m // 2] + a[m // 2] / 2
    else:
        r[: a.shape[0]] = a
        if kind == "r2c" and m % 2 == 0:
            # Half of the real part: the mode stands for two that are conjugates.
            r[m // 2] = r[m // 2].real / 2
        if kind in ("dct1", "dst2"):
            r[m - 1] /= 2
    return np.moveaxis(r, 0, axis)


def _scale(norm: str, kinds: Sequence[str], shape: Sequence[int]) -> float:
    """What the unscaled forward transform is divided by."""
    total = float(factor(kinds, shape))
    return {"backward": 1.0, "forward": total, "ortho": math.sqrt(total)}[norm]


def forward(u: np.ndarray, kinds: Sequence[str], keep: Any = None, norm: str = "backward") -> np.ndarray:
    """The transform of the whole array in double precision: real kinds first, then r2c, then c2c.

    keep   points per axis whose modes are kept; None: all.
    """
    shape = u.shape
    keep = shape if keep is None else keep
    u = u.astype(complex if np.iscomplexobj(u) else float)
    for axis, (kind, n) in enumerate(zip(kinds, shape, strict=True)):
        if kind in REAL_KINDS:
            f = scipy.fft.dct if kind.startswith("dct") else scipy.fft.dst
            u = _cut(f(u, type=int(kind[-1]), axis=axis), axis, kind, n, keep[axis])
    for wanted, transform in (("r2c", np.fft.rfft), ("c2c", np.fft.fft)):
        for axis, (kind, n) in enumerate(zip(kinds, shape, strict=True)):
            if kind == wanted:
                u = _cut(transform(u, axis=axis), axis, kind, n, keep[axis])
    return u / _scale(norm, kinds, shape)


def backward(
    uh: np.ndarray, kinds: Sequence[str], shape: Sequence[int], keep: Any = None, norm: str = "backward"
) -> np.ndarray:
    """The inverse of forward, which gives an array of that shape."""
    keep = shape if keep is None else keep
    uh = uh.astype(complex if np.iscomplexobj(uh) else float)
    for axis, (kind, n) in enumerate(zip(kinds, shape, strict=True)):
        if kind == "c2c":
            uh = np.fft.ifft(_padded(uh, axis, kind, n, keep[axis]), axis=axis)
    for axis, (kind, n) in enumerate(zip(kinds, shape, strict=True)):
        if kind == "r2c":
            uh = np.fft.irfft(_padded(uh, axis, kind, n, keep[axis]), n, axis=axis)
    for axis, (kind, n) in enumerate(zip(kinds, shape, strict=True)):
        if kind in REAL_KINDS:
            f = scipy.fft.idct if kind.startswith("dct") else scipy.fft.idst
            uh = f(_padded(uh, axis, kind, n, keep[axis]), type=int(kind[-1]), axis=axis)
    return uh * _scale(norm, kinds, shape)


class Bounds:
    """How far a transform may be from its reference in the 2-norm, relative to the norm of what is transformed.

    The error is that of the defining sums (check_reference.forward_bound) of both precisions, the library's and the
    reference's. Axes that are cut fold two modes into one, and a wire in single precision rounds all numbers by 2^-24
    once per exchange, of which there are fewer than axes: both are amplified by the axes as a whole.
    """

    def __init__(self, kinds: Sequence[str], shape: Sequence[int], eps: float, norm: str, cut: bool, single: bool):
        rounding = forward_bound(kinds, shape, eps + np.finfo(float).eps)
        self.gain = math.prod(2 * math.sqrt(round_trip_factor(k, n)) for k, n in zip(kinds, shape, strict=True))
        self.total = float(factor(kinds, shape))
        wire = 2.0**-24 * len(shape) * self.gain if single else 0.0
        # 1 + len: where all kinds are "none" numbers are moved, yet scaled.
        self.unscaled = ((2.0 ** len(shape) if cut else 1.0) * rounding + wire) + 4 * eps * self.gain
        self.scale = _scale(norm, kinds, shape)

    def forward(self) -> float:
        return self.unscaled / self.scale

    def backward(self) -> float:
        return self.unscaled / self.total * self.scale

    def apply(self) -> float:
        """Both ways, for factors of modes of at most 1."""
        return 2 * self.unscaled * self.gain / self.total


def sums(u: np.ndarray, v: np.ndarray, kinds: Sequence[str], correlate: bool, origin: Any) -> np.ndarray:
    """The convolution or correlation of two fields along the transformed axes: cyclic, or from origin on."""
    axes = [axis for axis, kind in enumerate(kinds) if kind != "none"]
    if isinstance(origin, str):  # "same"
        origin = [n // 2 if correlate else (n - 1) // 2 for n in u.shape]
    longer = 1 if origin is None else 2
    uh, vh = (np.fft.fftn(f.astype(complex), [longer * u.shape[axis] for axis in axes], axes) for f in (u, v))
    w = np.fft.ifftn((uh.conj() if correlate else uh) * vh, axes=axes)
    if origin is not None:
        first = np.broadcast_to(origin, u.ndim)[axes]
        w = np.roll(w, first if correlate else -first, axes)[tuple(slice(0, n) for n in u.shape)]
    return w if np.iscomplexobj(u) else w.real


def sums_bound(u: np.ndarray, kinds: Sequence[str], eps: float) -> float:
    """The 2-norm of w is at most the sum of |u| times that of v: three transforms of twice the points, two products."""
    return 8 * round_trip_bound(kinds, [2 * n for n in u.shape], eps) * float(np.abs(u).sum(dtype=float))


def _amplitude(kinds: Sequence[str], shape: Sequence[int], norm: str) -> float:
    """A mode of a wave of amplitude 1."""
    return float(factor(kinds, shape)) / _scale(norm, kinds, shape)


def product_of_modes(
    uh: np.ndarray, vh: np.ndarray, shape: Sequence[int], kinds: Sequence[str], keep: Sequence[int], norm: str
) -> np.ndarray:
    """The modes of the product of two fields, multiplied on more than twice the points and cut to those kept."""
    one = _amplitude(kinds, shape, norm)
    finer = [n if kind == "none" else 2 * n + 1 for kind, n in zip(kinds, shape, strict=True)]
    points = [backward(modes / one, kinds, finer, keep, "forward") for modes in (uh, vh)]
    return one * forward(points[0] * points[1], kinds, keep, "forward")


def product_of_modes_bound(
    uh: np.ndarray, shape: Sequence[int], kinds: Sequence[str], keep: Sequence[int], norm: str, eps: float
) -> float:
    """As sums_bound(): the modes of a product are a sum over pairs. A mode of a real wave stands for two, in both."""
    finer = [2 * n + 1 for n in shape]
    sum_of_modes = float(np.abs(uh).sum(dtype=float)) / _amplitude(kinds, shape, norm)
    return 8 * round_trip_bound(kinds, finer, eps) * 4.0 ** len(shape) * sum_of_modes


# Of the real kinds: the first point and the first wavenumber, in units of the spacing and of pi / length, and by how
# many the spacings of a length exceed the points.
_AXES = {
    "dct1": (0, 0, -1), "dct2": (0.5, 0, 0), "dct3": (0, 0.5, 0), "dct4": (0.5, 0.5, 0),
    "dst1": (1, 1, 1), "dst2": (0.5, 1, 0), "dst3": (1, 0.5, 0), "dst4": (0.5, 0.5, 0),
}  # fmt: skip


class Waves:
    """The waves of an array that a plan keeps, and their derivatives on the points.

    lengths   of all axes; None: 2 pi where waves are periodic, else pi.
    """

    def __init__(self, u: np.ndarray, kinds: Sequence[str], keep: Sequence[int], lengths: Sequence[float] | None):
        self.kinds, self.shape, self.keep = tuple(kinds), u.shape, tuple(keep)
        whole = [2 * math.pi if kind in ("none", "c2c", "r2c") else math.pi for kind in kinds]
        self.lengths = whole if lengths is None else lengths
        self.modes = forward(u, kinds, keep)

    def wavenumbers(self, axis: int) -> np.ndarray:
        kind, m = self.kinds[axis], self.keep[axis]
        if kind == "none":
            return np.zeros(m)
        if kind in REAL_KINDS:
            return np.pi / self.lengths[axis] * (np.arange(m) + _AXES[kind][1])
        frequencies = np.fft.rfftfreq if kind == "r2c" else np.fft.fftfreq
        return 2 * np.pi / self.lengths[axis] * frequencies(m, 1 / m)

    def largest(self, axis: int) -> float:
        """The largest wavenumber."""
        return float(np.abs(self.wavenumbers(axis)).max())

    def derivative(self, axis: int, order: int) -> np.ndarray:
        """A wave that is its own mirror image has no odd derivative: n/2, and the last of dct1 and dst2."""
        kind, m, k = self.kinds[axis], self.keep[axis], self.wavenumbers(axis)
        along = (slice(None),) + (None,) * (len(self.shape) - 1 - axis)
        if kind in ("c2c", "r2c"):
            symbol = (1j * k) ** order
            if order % 2 == 1 and m % 2 == 0:
                symbol[m // 2] = 0
            return backward(self.modes * symbol[along], self.kinds, self.shape, self.keep)
        kinds, shape, keep = (list(each) for each in (self.kinds, self.shape, self.keep))
        kinds[axis], shape[axis], keep[axis] = "none", m, m
        points = backward(self.modes, kinds, shape, keep)
        return np.moveaxis(np.tensordot(self._matrix(axis, order), points, (1, axis)), 0, axis)

    def _matrix(self, axis: int, order: int) -> np.ndarray:
        """The derivatives of the waves on the points, [point, mode], each times what its mode 1 is in amplitude."""
        kind, n, m, k = self.kinds[axis], self.shape[axis], self.keep[axis], self.wavenumbers(axis)
        first, _, more = _AXES[kind]
        phase = k * (self.lengths[axis] / (n + more) * (np.arange(n) + first))[:, None]
        quarters = math.pi / 2 * (order - kind.startswith("dst"))
        waves, derivatives = np.cos(phase - math.pi / 2 * kind.startswith("dst")), k**order * np.cos(phase + quarters)
        values = backward(np.eye(m), (kind, "none"), (n, m), (m, m))
        place = np.abs(waves).argmax(0)
        derivatives *= (values / np.where(waves == 0, 1, waves))[place, np.arange(m)]
        if order % 2 == 1 and kind in ("dct1", "dst2"):
            derivatives[:, -1] = 0
        return derivatives


def _closed_axis(n: int, length: float, ends: Any, centring: str) -> tuple[str, slice, np.ndarray]:
    """Kind, points that are transformed and wavenumbers of an axis of n cells without open ends."""
    if ends == "periodic":
        return "c2c", slice(0, n), 2 * np.pi / length * np.fft.fftfreq(n, 1 / n)
    pair, j = "".join(ends), np.arange
    if centring == "cell":
        kind = {"eveneven": "dct2", "oddodd": "dst2", "evenodd": "dct4", "oddeven": "dst4"}[pair]
        return kind, slice(0, n), np.pi / length * {"dct2": j(n), "dst2": j(n) + 1}.get(kind, j(n) + 0.5)
    kind = {"eveneven": "dct1", "oddodd": "dst1", "evenodd": "dct3", "oddeven": "dst3"}[pair]
    points = {"dct1": slice(0, n + 1), "dst1": slice(1, n), "dct3": slice(0, n), "dst3": slice(1, n + 1)}[kind]
    return kind, points, np.pi / length * {"dct1": j(n + 1), "dst1": j(max(n - 1, 0)) + 1}.get(kind, j(n) + 0.5)


def closed_solution(
    f: np.ndarray,
    cells: Sequence[int],
    length: Sequence[float],
    boundary: Any,
    centring: Any,
    screening: float,
    power: float,
) -> tuple[tuple[slice, ...], np.ndarray]:
    """The points that are transformed, and the u of -(screening^2 - laplacian)^power u = f on them, by exact modes."""
    axes = [_closed_axis(*axis) for axis in zip(cells, length, boundary, centring, strict=True)]
    kinds, points, numbers = [a[0] for a in axes], tuple(a[1] for a in axes), [a[2] for a in axes]
    inner = f[points]
    if 0 in inner.shape:
        return points, inner.astype(float)
    fh = forward(inner.astype(complex) if "c2c" in kinds else inner, kinds)
    k2 = sum(k.reshape([-1 if i == a else 1 for i in range(len(numbers))]) ** 2 for a, k in enumerate(numbers))
    k2 = np.asarray(k2 + screening**2)
    # The constant mode, where it is free, is that of a mean of 0.
    factors = np.where(k2 > 1e-12, -(np.where(k2 > 1e-12, k2, 1.0) ** -power), 0)
    return points, np.real(backward(fh * factors, kinds, inner.shape))


def _profile(kappa: np.ndarray, z: np.ndarray, length: float, end: str, other: str) -> np.ndarray:
    """The wave with second derivative kappa^2 times itself that has 1 at z = 0 and 0 at z = length, for positive kappa.

    Exponentials of what is after an end decay, so nothing overflows.
    """
    far, sign = np.exp(-2 * kappa * (length - z)), -1 if other == "odd" else 1
    both = 1 + sign * np.exp(-2 * kappa * length) * (1 if end == "odd" else -1)
    return np.exp(-kappa * z) * (1 + sign * far) / both / (1 if end == "odd" else kappa)


def end_wave(
    key: tuple[int, str],
    values: np.ndarray,
    cells: Sequence[int],
    length: Sequence[float],
    boundary: Any,
    centring: Any,
    screening: float,
) -> tuple[tuple[slice, ...], np.ndarray]:
    """The points that are transformed, and on them the u with values at an end and no laplacian(u) - screening^2 u.

    Each mode of the values along the other axes is continued by its exact wave. No mode may be free of decay.
    """
    across, side = key
    axes = [_closed_axis(*axis) for axis in zip(cells, length, boundary, centring, strict=True)]
    kinds, points = [a[0] for a in axes], tuple(a[1] for a in axes)
    kinds[across] = "none"
    plane = values[tuple(slice(None) if axis == across else part for axis, part in enumerate(points))]

    def along(axis: int, numbers: np.ndarray) -> np.ndarray:
        return numbers.reshape([-1 if a == axis else 1 for a in range(len(cells))])

    k2 = sum(along(axis, a[2]) ** 2 for axis, a in enumerate(axes) if axis != across) + screening**2
    z = np.arange(cells[across] + 1) if centring[across] == "node" else np.arange(cells[across]) + 0.5
    z = z[points[across]] * length[across] / cells[across]
    left, right = boundary[across]
    near, far = (left, right) if side == "left" else (right, left)
    depth = along(across, z if side == "left" else length[across] - z)
    modes = forward(plane.astype(complex) if "c2c" in kinds else plane, kinds)
    waves = modes * _profile(np.sqrt(k2), depth, length[across], near, far)
    return points, np.real(backward(waves, kinds, waves.shape))


def ends_moved(
    f: np.ndarray, values: dict[tuple[int, str], np.ndarray], cells: Any, length: Any, boundary: Any, centring: Any
) -> np.ndarray:
    """f less what second differences take from values at ends: of u at odd and of du/dn, outwards, at even ones."""
    moved = f.astype(float)
    for (axis, side), given in values.items():
        h, nodes = length[axis] / cells[axis], centring[axis] == "node"
        odd = boundary[axis][0 if side == "left" else 1] == "odd"
        factor = (1 / h**2 if odd else 2 / h) if nodes else (2 / h**2 if odd else 1 / h)
        beside = 1 if nodes and odd else 0
        at = beside if side == "left" else f.shape[axis] - 1 - beside
        moved[(slice(None),) * axis + (slice(at, at + 1),)] -= factor * given
    return moved.astype(f.dtype)


def diffusion(
    u: np.ndarray, a: np.ndarray, c: Any, length: Sequence[float], boundary: Sequence[Any], faces: str
) -> np.ndarray:
    """The terms of div(a grad u) - c u by finite volumes, whose sum it is: the fluxes through all faces, and - c u."""
    u, a = u.astype(float), a.astype(float)
    terms = [-np.asarray(c, float) * u]
    for axis, ends in enumerate(boundary):
        n = u.shape[axis]
        h = length[axis] / n
        left, right = (0, 0) if ends == "periodic" else ((e == "odd") - (e == "even") for e in ends)
        for side, at, end in ((-1, 0, left), (1, n - 1, right)):
            beyond, other = np.roll(u, -side, axis), np.roll(a, -side, axis)
            edge = (slice(None),) * axis + (at,)
            if end != 0:  # the mirror image, of opposite sign at an odd end
                beyond[edge], other[edge] = -end * u[edge], a[edge]
            face = 2 * a * other / (a + other) if faces == "harmonic" else (a + other) / 2
            terms += [face * beyond / h**2, -face * u / h**2]
    return np.array(terms)


def free_space_sum(points: Sequence[np.ndarray], f: np.ndarray, volume: float) -> np.ndarray:
    """volume * sum of G(x - y) f(y) over all points but x itself, G being the singular kernel of 2 or 3 dimensions."""
    places = np.stack([x.ravel() for x in np.meshgrid(*[p.ravel() for p in points], indexing="ij")], 1)
    r = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(r, 1)
    g = -1 / (4 * np.pi * r) if len(points) == 3 else np.log(r) / (2 * np.pi)
    np.fill_diagonal(g, 0)
    return (volume * (g @ f.astype(float).ravel())).reshape(f.shape)


def solve_bound(shape: Sequence[int], eps: float) -> float:
    """How far a solve may be from its reference, relative to the norm of the solution.

    Both are a forward and a backward transform of at most 2n points per axis and a product between them, by the
    library and by the reference. A transform by a fast algorithm errs by a few eps log2 of its length; what is small
    of f in modes of long waves is amplified in u, by at most the ratio of the largest and the smallest wavenumber
    squared, (2n)^2, in the worst case, and by far less for the random f of these cases, whose modes are all alike:
    then the sum over modes is that of the modes that dominate u, and the ratio drops out.
    """
    return 200 * eps * (1 + math.log2(math.prod(2 * n for n in shape)))
