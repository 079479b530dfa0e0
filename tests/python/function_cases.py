"""What tests of weft.fftn and its relatives share: the names, and how far from scipy rounding may lead."""

import math

import numpy as np
import scipy.fft
import weft
from reference import factor, forward_bound

FOURIER = ("fft", "rfft")
REAL = ("dct", "dst")
ALONG_AXES = tuple(f"{inverse}{stem}n" for stem in (*FOURIER, *REAL) for inverse in ("", "i"))
ALONG_AXIS = tuple(name.removesuffix("n") for name in ALONG_AXES)
ALONG_TWO = tuple(f"{inverse}{stem}2" for stem in FOURIER for inverse in ("", "i"))
INVERSE = {"dct2": "dct3", "dct3": "dct2", "dst2": "dst3", "dst3": "dst2"}


def tolerance(name, x, axes, points, type=2, norm=None):
    """How far the results of two libraries may be apart in the 2-norm, each of which rounds as its sums would."""
    is_inverse = name.startswith("i")
    kind = next(stem for stem in (*FOURIER, *REAL) if stem in name).replace("fft", "c2c").replace("rc2c", "c2c")
    kind += str(type) if kind in REAL else ""
    kinds = tuple(kind if axis in axes else "none" for axis in range(len(points)))
    done = tuple(INVERSE.get(each, each) if is_inverse else each for each in kinds)
    size = factor(kinds, points)
    divides = {None: is_inverse, "backward": is_inverse, "forward": not is_inverse, "ortho": 0.5}[norm]
    # Modes of a half spectrum stand for two. Points and modes that make a matrix orthogonal are scaled by sqrt(2), and
    # every such factor, the scale, and the conversion of the input round.
    norms = math.sqrt(2) ** (1 + 2 * len(axes)) * np.linalg.norm(np.ravel(x)) / size**divides
    eps = np.finfo(np.asarray(x).dtype if np.asarray(x).dtype.kind in "fc" else float).eps
    gain = math.prod(2 * math.sqrt(factor((each,), (n,))) for each, n in zip(kinds, points, strict=True))
    return 2 * (forward_bound(done, points, eps) + (4 + 2 * len(axes)) * eps * gain) * norms


def points_of(name, shape, axes, sizes):
    """The shape of the points of a transform: s and n as they are given, 2 (m - 1) of a half spectrum without them."""
    points = list(shape)
    for place, axis in enumerate(axes):
        size = -1 if sizes is None else sizes[place]
        halved = name.startswith("irfft") and axis == axes[-1] and sizes is None
        points[axis] = 2 * (shape[axis] - 1) if halved else shape[axis] if size == -1 else size
    return tuple(points)


def axes_of(name, ndim, arguments):
    """The axes of a call, and the sizes that it gives."""
    sizes = arguments.get("s", arguments.get("n"))
    sizes = None if sizes is None else list(np.atleast_1d(sizes))
    default = -1 if name in ALONG_AXIS else (-2, -1) if name in ALONG_TWO else None
    axes = arguments.get("axes", arguments.get("axis", default))
    if axes is None:
        axes = range(ndim - (ndim if sizes is None else len(sizes)), ndim)
    return [axis % ndim for axis in np.atleast_1d(axes)], sizes


def check(name, x, **arguments):
    """Weft's function gives what scipy's gives: shape, type, and numbers to rounding. x stays as it is."""
    kept = np.array(x, copy=True)
    made = getattr(weft, name)(x, **arguments)
    expected = getattr(scipy.fft, name)(x, **arguments)
    assert type(made) is np.ndarray
    assert made.shape == expected.shape and made.dtype == expected.dtype
    axes, sizes = axes_of(name, np.ndim(x), arguments)
    known = {key: arguments[key] for key in ("type", "norm") if key in arguments}
    bound = tolerance(name, x, axes, points_of(name, np.shape(x), axes, sizes), **known)
    assert np.linalg.norm(np.ravel(made - expected)) <= bound
    assert np.array_equal(x, kept)
    return made
