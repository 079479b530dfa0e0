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

    x         an array, an object with the memory of one, or a weft.Field.
    s         modes per transformed axis: x is cut or padded with zeros at the ends. None, or -1: as many as x has.
              A Field keeps its shape.
    axes      the transformed axes; negative ones count from the end. None: all, or the last len(s).
    norm      "backward" (None): not scaled, the inverse divides by n, the number of points of the transformed axes;
              "forward": divided by n; "ortho": divided by sqrt(n) in both directions.
    overwrite_x  whether the memory of an array may be used for the result.
    workers   threads; -1 is all cores, -2 one less, and so on. None: 1 for arrays, those of a plan for fields.
    plan      None; it exists for compatibility with scipy.

    For an array the result is a new numpy array with the same order of axes and of modes as numpy's: complex64 for
    single and half precision, else complex128. Nothing is collective.

    For a Field it is a Field with the layout of plan.forward; the inverse returns to the layout before that. The call
    is collective.

    Plans are kept, see weft.clear_plans. Raises weft.Error, a ValueError, for an axis that x does not have or that is
    given twice, for sizes that do not fit the axes or are below 1, and for long double.
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

    Arguments and errors are those of fftn. norm gives the function that divides: this one with "backward" (None), fftn
    with "forward", each by sqrt(n) with "ortho". For a Field of modes that Weft has made, the result has the layout of
    their points, else the layout that a plan chooses.
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
    """fftn of real numbers, with the modes 0 .. n/2 along the last of the axes, as scipy.fft.rfftn.

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
    """The inverse of rfftn: real numbers from a half spectrum, as scipy.fft.irfftn.

    Arguments and errors are those of fftn, scales those of ifftn. s counts points: m modes along the last of the
    axes give 2 (m - 1) points, unless s gives 2 m - 1, or x is a Field made from so many.
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

    n is the number of modes, to which x is cut or padded with zeros; None: as many as x has.
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

    n is the number of points, to which x is cut or padded with zeros; None: as many as x has.
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

    n is the number of points, which give n // 2 + 1 modes; None: as many as x has.
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

    n is the number of points; None: 2 (m - 1) for m modes, or the points from which a Field was made.
    The other arguments and errors are those of irfftn.
    """
    return along_axis("irfft", x, n, axis, norm, overwrite_x=overwrite_x, workers=workers, plan=plan)
