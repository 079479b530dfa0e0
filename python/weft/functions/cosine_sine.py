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

    x         a real or complex array, an object with the memory of one, or a weft.Field. Real and imaginary parts of
              complex numbers are both transformed.
    type      1 to 4: the kinds dct1 to dct4 of weft.Plan; docs/conventions.md defines their sums.
    s         points per transformed axis: x is cut or padded with zeros at the ends. None, or -1: as many as x has.
              A Field keeps its shape.
    axes      the transformed axes; negative ones count from the end. None: all, or the last len(s).
    norm      "backward" (None): not scaled, the inverse divides by N = 2 n per axis, 2 (n - 1) for type 1; "forward":
              divided by N; "ortho": divided by sqrt(N) in both directions.
    overwrite_x  whether the memory of an array may be used for the result.
    workers   threads; -1 is all cores, -2 one less, and so on. None: 1 for arrays, those of a plan for fields.
    orthogonalize  whether single points and modes are also scaled by sqrt(2), so that with "ortho" the matrix is
              orthogonal: the first mode of type 2, the first point of type 3, both ends of both of type 1. None: only
              with norm="ortho".

    Results are as those of fftn: a new array, in single precision for single and half, or a Field. A Field with this
    scaling has no wavenumbers. Errors are those of fftn; type 1 needs 2 points.
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

    type      1 to 4: the kinds dst1 to dst4 of weft.Plan; docs/conventions.md defines their sums.
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
