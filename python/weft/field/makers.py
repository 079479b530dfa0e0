"""Fields made by plans and solvers, and fields as their arguments in place of arrays."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from weft._arguments import is_padded
from weft._mpi import MPI
from weft.field.axes import Axis, Space, assembled, mode_axis, point_axis, solver_axis, spectral_scale
from weft.field.core import Field, over
from weft.field.layout import Layout, Slices, same_ranks


class Region(NamedTuple):
    """The place of fields of one side of a plan, or of a solver."""

    comm: MPI.Intracomm
    slices: Slices
    global_shape: tuple[int, ...]
    side: str
    maker: str  # the call that makes such a field


class Home(NamedTuple):
    """The layout, axes and type of such fields."""

    layout: Layout
    space: Space
    dtype: np.dtype

    def field(self, local: np.ndarray | None, name: str = "local") -> Field:
        """A field of zeros, or over an array. Collective."""
        return over(local, name, self.layout, self.space, self.dtype)

    def wrap(self, local: np.ndarray) -> Field:
        """A field over an array that is known to fit."""
        return Field._of(local, self.layout, self.space)


def unwrapped(
    given: Any, name: str, out: Any, source: Region, target: Region, padded: bool = False
) -> tuple[Any, Any, str | None]:
    """The arrays of fields, and why they cannot be used; arrays as they are.

    Arguments, which are only read, are copied if the library needs other strides. padded: it accepts padded rows.
    """
    if not isinstance(given, Field) and not isinstance(out, Field):
        return given, out, None
    if not isinstance(given, Field):
        return given, None, f"out is a Field, but {name} is {type(given).__name__}; give two fields or two arrays"
    if out is not None and not isinstance(out, Field):
        return given.local, None, f"{name} is a Field, but out is {type(out).__name__}; give two fields or two arrays"
    text = misplaced(given, name, source) or (out is not None and misplaced(out, "out", target)) or None
    local = given.local
    if not (local.flags.c_contiguous or (padded and is_padded(local))) or not local.flags.aligned:
        local = np.require(local, requirements=["C", "A"])
    return local, None if out is None else out.local, text


def misplaced(field: Field, name: str, region: Region) -> str | None:
    """Why a field has the wrong place, or None; on this rank alone."""
    advice = f"{region.maker} makes a suitable one"
    if field.side not in (None, region.side):
        return f"{name} is {field.side}, but has to be {region.side} here; {advice}"
    if field.global_shape != region.global_shape:
        return f"{name} is a field of {field.global_shape}, but has to be one of {region.global_shape}; {advice}"
    if not same_ranks(field.comm, region.comm):
        return f"{name} is on {field.comm.size} ranks in another order or of another communicator; {advice}"
    if field.slices != region.slices:
        return (
            f"{name} has another layout: on this rank {field.slices}, but this object works on {region.slices}; "
            f"{advice}, to fill it or for redistribute_to() of this field"
        )
    return None


def plan_homes(
    regions: dict[str, Region],
    positions: dict[str, Sequence[np.ndarray]],
    dtypes: dict[str, np.dtype],
    real: np.dtype,
    transforms: Sequence[tuple[str, int, int, bool]],
    norm: str,
) -> dict[str, Home]:
    """The fields of both sides of a transform. Collective.

    positions   per side and axis, coordinates and wavenumbers of this rank's part.
    transforms  per axis kind, points, points of the transform that has the stored modes, and whether it has components.
    """
    whole = {
        side: assembled(positions[side], region.slices, region.global_shape, region.comm)
        for side, region in regions.items()
    }
    points, modes = [], []
    for (kind, n, kept, components), x, k in zip(transforms, whole["physical"], whole["spectral"], strict=True):
        points.append(point_axis(kind, x, components))
        modes.append(mode_axis(kind, n, kept, k, components))
    scale = spectral_scale(norm, [kind for kind, *_ in transforms], [n for _, n, *_ in transforms])
    key = (*transforms, norm)
    half = any(kind == "r2c" for kind, *_ in transforms)
    spaces = {
        "physical": _space("physical", points, 1.0, real, key, False),
        "spectral": _space("spectral", modes, 1 / scale**2, real, key, half),
    }
    layouts = {side: Layout(region.slices, region.global_shape, region.comm) for side, region in regions.items()}
    others = {"physical": layouts["spectral"], "spectral": layouts["physical"]}
    return {side: Home(layouts[side], replace(spaces[side], other=others[side]), dtypes[side]) for side in regions}


def point_home(region: Region, positions: Sequence[np.ndarray], weights: Sequence[np.ndarray], dtype: np.dtype) -> Home:
    """The fields of a solver; components, if any, come on axes before those that have positions. Collective.

    weights  solver_weights() of the axes that have positions.
    """
    components = len(region.global_shape) - len(positions)
    whole = assembled(positions, region.slices[components:], region.global_shape[components:], region.comm)
    vectors = [Axis(None, np.ones(n), np.ones(n)) for n in region.global_shape[:components]]
    axes = [(axis, 1.0) for axis in vectors] + list(map(solver_axis, whole, weights))
    space = replace(_space("physical", axes, 1.0, np.dtype(np.float64), (), False), means="squares")
    return Home(Layout(region.slices, region.global_shape, region.comm), space, dtype)


def _space(
    side: str, axes: Sequence[tuple[Axis, float]], factor: float, dtype: np.dtype, key: tuple[Any, ...], half: bool
) -> Space:
    for _, of_axis in axes:
        factor *= of_axis
    return Space(side, key, tuple(axis for axis, _ in axes), factor, dtype, half)
