"""Runs a function from its arguments to its result: arrays on this rank alone, fields on all of their ranks."""

from collections.abc import Callable
from typing import Any

from weft._arguments import flag
from weft.errors import Error
from weft.field import Field
from weft.functions.arrays import of_array
from weft.functions.fields import of_field
from weft.functions.request import Call, Transform, call_along, call_of, real_call, threads_of

_FAMILIES = {"fft": "c2c", "rfft": "r2c", "dct": "dct", "dst": "dst"}
# By the names of the functions: fft, ifft, fft2, ifft2, fftn, ifftn, ...
TRANSFORMS = {
    f"{inverse}{stem}{ending}": Transform(family, not inverse)
    for stem, family in _FAMILIES.items()
    for inverse in ("", "i")
    for ending in ("", "2", "n")
    if not (ending == "2" and stem in ("dct", "dst"))
}


def along_axes(name: str, x: Any, s: Any, axes: Any, norm: Any, **others: Any) -> Any:
    """The Fourier transform of this name along several axes."""
    return _result(x, lambda: call_of(name, TRANSFORMS[name], s, axes, norm), **others)


def along_axis(name: str, x: Any, n: Any, axis: Any, norm: Any, **others: Any) -> Any:
    """The Fourier transform of this name along one axis."""
    return _result(x, lambda: call_along(name, TRANSFORMS[name], n, axis, norm), **others)


def real_along_axes(
    name: str, x: Any, type: Any, s: Any, axes: Any, norm: Any, orthogonalize: Any, **others: Any
) -> Any:
    """The cosine or sine transform of this name along several axes."""

    def call() -> Call:
        return real_call(call_of(name, TRANSFORMS[name], s, axes, norm), type, orthogonalize)

    return _result(x, call, **others)


def real_along_axis(
    name: str, x: Any, type: Any, n: Any, axis: Any, norm: Any, orthogonalize: Any, **others: Any
) -> Any:
    """The cosine or sine transform of this name along one axis."""

    def call() -> Call:
        return real_call(call_along(name, TRANSFORMS[name], n, axis, norm), type, orthogonalize)

    return _result(x, call, **others)


def _result(x: Any, call: Callable[[], Call], *, overwrite_x: Any, workers: Any, plan: Any = None) -> Any:
    """The result of a call. The call is made where all ranks can learn of its errors."""

    def asked(default: int | None) -> tuple[Call, int | None]:
        if plan is not None:
            raise Error("plan: plans are kept from call to call, and none is taken; omit plan=")
        return call(), threads_of(workers, default)

    if isinstance(x, Field):
        # A plan divides the cores of a node among its ranks.
        return of_field(x, lambda: asked(None))
    # One thread, as in scipy, since several ranks of a node may call this function.
    made, threads = asked(1)
    return of_array(x, made, threads, overwrite=flag(overwrite_x, "overwrite_x"))
