"""Products of fields without aliasing: on a grid so fine that modes beyond the plan's do not alias to its modes."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from weft._arguments import agreed, array_problem, naming, refuse, together, whole
from weft._arrays import empty
from weft._kinds import FOURIER, KINDS
from weft._related import RelatedPlans
from weft.errors import Error
from weft.field import Field
from weft.field.axes import spectral_scale
from weft.field.makers import unwrapped

# Products of two waves of these kinds are waves of the same kind.
_CLOSED = (*FOURIER, "none", "dct1", "dct2")


def dealiased(plan: RelatedPlans, function: Any, modes: Sequence[Any], degree: Any) -> Any:
    """See Plan.dealiased. Collective."""
    given = agreed(plan.comm, lambda: _arguments(plan, function, modes, degree))
    with together(plan.comm):
        spectra = [_spectrum(plan, one, f"modes[{i}]") for i, one in enumerate(modes)]
    finer = _finer(plan, given["degree"])
    # The ratio of the spectra of equal waves on the finer grid and on this one.
    ratio = _amplitude(finer) / _amplitude(plan)
    points = [finer.backward(_scaled(finer, one, ratio)) for one in spectra]
    with together(plan.comm):
        results, several = _values(function, points, finer)
    agreed(plan.comm, lambda: {"the number of results of function": len(results) if several else "an array"})
    found = [_scaled(plan, finer.forward(one), 1 / ratio) for one in results]
    wrapped = tuple(plan._as_given(modes[0], None, one, "spectral") for one in found)
    return wrapped if several else wrapped[0]


def _arguments(plan: RelatedPlans, function: Any, modes: Sequence[Any], degree: Any) -> dict[str, Any]:
    """The arguments that are equal on all ranks, checked. Raises Error."""
    if not callable(function):
        raise Error(f"function is {type(function).__name__}; give a function of arrays, such as lambda u, v: u * v")
    if not modes:
        raise Error("modes: there are none; give the spectra that the function takes, such as uh, vh")
    for i, one in enumerate(modes):
        plan._require_arrays(one, f"modes[{i}]")
    fields = sum(isinstance(one, Field) for one in modes)
    if fields not in (0, len(modes)):
        raise Error(f"modes: {fields} of {len(modes)} are Fields; give Fields or arrays alone")
    if whole(degree, "degree") < 1:
        raise Error(f"degree: {degree} is not allowed; give 1 or more: 2 for products of two fields")
    changing = next((axis for axis, kind in enumerate(plan.kinds) if kind not in _CLOSED), None)
    if degree % 2 == 0 and changing is not None:
        raise Error(
            f"degree: {degree} is not allowed with {plan.kinds[changing]} on axis {changing}: products of so many of "
            "its waves are of another kind; give an odd degree and a function of odd powers, or take c2c or r2c"
        )
    return {"degree": int(degree), "the number of spectra": len(modes), "the number of Fields": fields}


def _spectrum(plan: RelatedPlans, given: Any, name: str) -> np.ndarray:
    """This rank's modes. Raises Error if they are not modes of the plan."""
    here = plan._region("spectral")
    local, _, text = unwrapped(given, name, None, here, here, padded=True)
    refuse(
        text
        or array_problem(
            local, name, plan.spectral_shape, plan.spectral_dtype, f"{here.maker} makes a suitable one", True
        )
    )
    return local


def _finer(plan: RelatedPlans, degree: int) -> RelatedPlans:
    """A plan with the modes of this one on so many points that products of so many factors are not aliased."""
    axes = range(len(plan.shape))
    shape = [
        _points(plan.kinds[axis], plan.shape[axis], (degree + 1) * plan._largest_wavenumber(axis)) for axis in axes
    ]
    if tuple(shape) == plan.shape:
        return plan
    return plan._related(shape, plan.kinds, list(map(plan._kept, axes)), spectral_box=plan.spectral_slices)


def _points(kind: str, n: int, period: float) -> int:
    """A number of points with fast transforms: at least n, and more than the given number per period."""
    if kind == "none" or KINDS[kind].period(n) > period:
        return n
    of = KINDS[kind]
    parts = math.floor(period / of.period_factor) + 1
    while not _has_small_factors(parts):
        parts += 1
    return parts - of.period_shift


def _has_small_factors(n: int) -> bool:
    for prime in (2, 3, 5):
        while n % prime == 0:
            n //= prime
    return n == 1


def _amplitude(plan: RelatedPlans) -> float:
    """The modes of waves over their amplitudes, up to a factor that does not depend on the number of points."""
    return spectral_scale(plan._norm(), plan.kinds, plan.shape) / spectral_scale("forward", plan.kinds, plan.shape)


def _scaled(plan: RelatedPlans, modes: np.ndarray, factor: float) -> np.ndarray:
    """A contiguous copy of modes times a factor. Collective."""
    with together(plan.comm):
        result = empty(plan.spectral_shape, plan.spectral_dtype)
        np.multiply(modes, plan.dtype.type(factor), out=result)
    return result


def _values(
    function: Callable[..., Any], points: list[np.ndarray], finer: RelatedPlans
) -> tuple[list[np.ndarray], bool]:
    """The arrays that the function returns, and whether they are a tuple. Raises Error for anything else."""
    with naming("function"):
        found = function(*points)
    several = isinstance(found, tuple | list)
    results = []
    for i, one in enumerate(found if several else [found]):
        name = f"result {i} of function" if several else "the result of function"
        shape, dtype = finer.physical_shape, finer.physical_dtype
        if not isinstance(one, np.ndarray) or one.shape != shape or not np.can_cast(one.dtype, dtype, "same_kind"):
            what = f"an array of {one.shape}, {one.dtype}" if isinstance(one, np.ndarray) else type(one).__name__
            raise Error(f"{name} is {what}; it has to be an array like those that it is given, {shape}, {dtype}")
        results.append(np.require(one, dtype, ["C", "A"]))
    return results, several
