"""dct, dst and their relatives, with the arguments of scipy.fft: arrays of one rank, or fields of several."""

from typing import Any

from weft.functions.calls import real_along_axes, real_along_axis


def dctn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """The cosine transform along several axes, as scipy.fft.dctn.

    x         a real or complex array, or whatever has the memory of one; or a weft.Field. Of complex numbers both parts
              are transformed.
    type      1 to 4: the kinds dct1 to dct4 of weft.Plan, whose sums docs/conventions.md has.
    s         points per transformed axis: x is cut or filled up with zeros at the ends. None, or -1: what x has.
              A Field keeps its shape.
    axes      that are transformed, counted from the end where negative. None: all, or the last len(s).
    norm      "backward" (None): not scaled, the inverse divides by N = 2 n per axis, 2 (n - 1) of type 1; "forward":
              divided by N; "ortho": divided by sqrt(N), both ways.
    overwrite_x  whether the memory of an array may be used for the result.
    workers   threads; negative ones count from all cores, -1, down. None: 1, of fields those of a plan.
    orthogonalize  whether single points and modes are scaled by sqrt(2) besides, so that with "ortho" the matrix is
              orthogonal: the first mode of type 2, the first point of type 3, both ends of both of type 1. None: only
              with norm="ortho".

    Results are as those of fftn: a new array, in single precision of single and half, or a Field. A Field that was
    scaled so is one without wavenumbers. Errors are those of fftn; type 1 needs 2 points.
    """
    return real_along_axes("dctn", x, type, s, axes, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def idctn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse of dctn with the same arguments, as scipy.fft.idctn."""
    return real_along_axes("idctn", x, type, s, axes, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def dstn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """The sine transform along several axes, as scipy.fft.dstn.

    type      1 to 4: the kinds dst1 to dst4 of weft.Plan, whose sums docs/conventions.md has.
    orthogonalize  as in dctn: the last mode of type 2, the last point of type 3.

    The other arguments, results and errors are those of dctn; N is 2 n per axis, 2 (n + 1) of type 1.
    """
    return real_along_axes("dstn", x, type, s, axes, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def idstn(
    x: Any,
    type: int = 2,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """The inverse of dstn with the same arguments, as scipy.fft.idstn."""
    return real_along_axes("idstn", x, type, s, axes, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def dct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """dctn along one axis, as scipy.fft.dct; n is the number of points, other arguments are those of dctn."""
    return real_along_axis("dct", x, type, n, axis, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def idct(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """idctn along one axis, as scipy.fft.idct; n is the number of points, other arguments are those of idctn."""
    return real_along_axis("idct", x, type, n, axis, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def dst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """dstn along one axis, as scipy.fft.dst; n is the number of points, other arguments are those of dstn."""
    return real_along_axis("dst", x, type, n, axis, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)


def idst(
    x: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: Any = None,
    overwrite_x: bool = False,
    workers: int | None = None,
    orthogonalize: bool | None = None,
) -> Any:
    """idstn along one axis, as scipy.fft.idst; n is the number of points, other arguments are those of idstn."""
    return real_along_axis("idst", x, type, n, axis, norm, orthogonalize, overwrite_x=overwrite_x, workers=workers)
