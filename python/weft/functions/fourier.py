"""fft and its relatives, with the arguments of scipy.fft: arrays of one rank, or fields of several."""

from typing import Any

from weft.functions.calls import along_axes, along_axis


def fftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """The Fourier transform along several axes, X[k] = sum of x[j] exp(-2 pi i (j k / n)), as scipy.fft.fftn.

    x         an array, or whatever has the memory of one; or a weft.Field.
    s         modes per transformed axis: x is cut or filled up with zeros at the ends. None, or -1: what x has.
              A Field keeps its shape.
    axes      that are transformed, counted from the end where negative. None: all, or the last len(s).
    norm      "backward" (None): not scaled, the inverse divides by n, the number of points of the transformed axes;
              "forward": divided by n; "ortho": divided by sqrt(n), both ways.
    overwrite_x  whether the memory of an array may be used for the result.
    workers   threads; negative ones count from all cores, -1, down. None: 1, of fields those of a plan.
    plan      None; there to have scipy's arguments.

    Of an array the result is a new numpy array with the same order of axes and of modes as numpy's: complex64 for
    single and half precision, else complex128. Nothing is collective.

    Of a Field it is a Field, of which each rank has another part: that of plan.forward, and the inverse returns to the
    layout of before. Every rank calls; the call is collective.

    Plans are kept, see weft.clear_plans. What is wrong raises weft.Error, a ValueError: an axis that x does not have or
    that is named twice, sizes that do not fit the axes or are below 1, long double.
    """
    return along_axes("fftn", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def ifftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """The inverse of fftn, x[j] = sum of X[k] exp(2 pi i (j k / n)) / n, as scipy.fft.ifftn.

    Arguments and errors are those of fftn. norm says who divides: this function with "backward" (None), fftn with
    "forward", each by sqrt(n) with "ortho". Of a Field of modes the result has the layout of the points that the modes
    were made of, if Weft has made them, else the one that a plan chooses.
    """
    return along_axes("ifftn", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def rfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """fftn of real numbers, of which the last of the axes keeps the modes 0 .. n/2, as scipy.fft.rfftn.

    Arguments and errors are those of fftn; s counts points, so that n of them give n // 2 + 1 modes along the last of
    the axes. x must be real. The result is complex.
    """
    return along_axes("rfftn", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def irfftn(
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """The inverse of rfftn: real numbers of a half spectrum, as scipy.fft.irfftn.

    Arguments and errors are those of fftn, scales those of ifftn. s counts points: of m modes along the last of the
    axes come 2 (m - 1) points, unless s says 2 m - 1, or x is a Field that was made of so many.
    """
    return along_axes("irfftn", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def fft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """fftn along the last two axes, as scipy.fft.fft2; arguments and errors are those of fftn."""
    return along_axes("fft2", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def ifft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """ifftn along the last two axes, as scipy.fft.ifft2; arguments and errors are those of ifftn."""
    return along_axes("ifft2", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def rfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """rfftn along the last two axes, as scipy.fft.rfft2; arguments and errors are those of rfftn."""
    return along_axes("rfft2", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def irfft2(
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """irfftn along the last two axes, as scipy.fft.irfft2; arguments and errors are those of irfftn."""
    return along_axes("irfft2", x, s, axes, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def fft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """fftn along one axis, as scipy.fft.fft.

    n is the number of modes, to which x is cut or filled up with zeros; None: what x has.
    The other arguments and errors are those of fftn.
    """
    return along_axis("fft", x, n, axis, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def ifft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """The inverse of fft, as scipy.fft.ifft.

    n is the number of points, to which x is cut or filled up with zeros; None: what x has.
    The other arguments and errors are those of ifftn.
    """
    return along_axis("ifft", x, n, axis, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def rfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """rfftn along one axis, as scipy.fft.rfft.

    n is the number of points, of which n // 2 + 1 modes come; None: what x has.
    The other arguments and errors are those of rfftn.
    """
    return along_axis("rfft", x, n, axis, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)


def irfft(
    x: Any,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    *,
    plan: None = None,
) -> Any:
    """The inverse of rfft, as scipy.fft.irfft.

    n is the number of points; None: 2 (m - 1) of m modes, or what a Field was made of.
    The other arguments and errors are those of irfftn.
    """
    return along_axis("irfft", x, n, axis, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)
