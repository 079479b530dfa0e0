"""PFFT and Transform of mpi4py-fft, implemented with weft.Plan."""

from functools import cached_property
from typing import Any, cast

import numpy as np
from mpi4py import MPI

from weft._arguments import agreed, communicator
from weft.compat.mpi4py_fft._request import Request, cut_of, part_request, request
from weft.compat.mpi4py_fft._transform import PlannedTransform, Plans
from weft.compat.mpi4py_fft._transform import Transform as Transform  # a public name of this module
from weft.compat.mpi4py_fft.libfft import FFT
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm, Transfer, whole_of
from weft.errors import Error


class PFFT:
    """A parallel transform of distributed arrays: PFFT(comm, shape).forward(u, u_hat).

    comm      an intra-communicator, or a Subcomm, whose grid is used.
    shape     the shape of the global array; along a padded axis, the number of modes.
    axes      the axes to transform, the last one first; None is all. Entries may be lists of axes.
    dtype     the type of the input: float64 or float32 for real data, where the last axis of `axes` has half of its
              modes; complex128 or complex64.
    grid      ranks per axis; 0 and -1 let MPI choose, missing entries are 1: (-1,) cuts the first axis only. None cuts
              all axes but those that are transformed first.
    padding   the ratio of points to modes per axis, or one number for all axes, such as 1.5.
    collapse  whether axes that are not cut at first count as one entry of axes (this affects `transforms` only).
    backend   has no effect; Weft computes the transforms.
    transforms  {axes: (forward, backward)} with planners of fftw, such as {(1, 2): (dctn, idctn)}; other axes have
              Fourier transforms.
    darray    a DistArray, whose shape, type and distribution are used.
    slab      one axis to cut (True: the axis after the first transformed one); grid does the same.
    threads   threads per rank; None is cores of the node / ranks on the node.
    planner_effort  "FFTW_PATIENT" and "FFTW_EXHAUSTIVE" measure for some seconds to find the fastest plan.

    Attributes: forward, backward (Transform), axes, subcomm, pencil (of input and output), xfftn, transfer. Collective.
    Every argument must be the same on all ranks, and an error raises the same Error on every rank.
    """

    def __init__(
        self,
        comm: MPI.Intracomm | Subcomm | None = None,
        shape: Any = None,
        axes: Any = None,
        dtype: Any = float,
        grid: Any = None,
        padding: Any = False,
        collapse: bool = False,
        backend: str = "fftw",
        transforms: dict[Any, Any] | None = None,
        darray: Any = None,
        **options: Any,
    ) -> None:
        given = {"shape": shape, "axes": axes, "dtype": dtype, "grid": grid, "padding": padding}
        given |= {"collapse": collapse, "backend": backend, "transforms": transforms, "options": dict(options)}
        subcomm = comm if isinstance(comm, Subcomm) else None
        if darray is not None:
            subcomm = darray.pencil.subcomm
            given |= _from_array(darray, axes, padding)
        whole = whole_of(subcomm) if subcomm is not None else communicator(cast("MPI.Intracomm | None", comm))
        cut = None if subcomm is None else cut_of(subcomm)
        asked: Request = agreed(whole, lambda: {"arguments": request(whole.size, cut, given)})["arguments"]
        self.subcomm = Subcomm(whole, asked.sizes) if subcomm is None else subcomm
        self.axes, self.collapse = asked.groups, bool(collapse)
        self._asked = asked
        self._stages = _stages(self.subcomm, asked)
        ends = self._stages[0][0], self._stages[-1][1]
        self.pencil = list(ends)
        self._padding = padding
        self._plans = Plans(asked, ends)
        self._plans.plan("forward")
        self.forward = PlannedTransform(self._plans, ends, forward=True)
        self.backward = PlannedTransform(self._plans, ends[::-1], forward=False)

    @cached_property
    def xfftn(self) -> list[FFT]:
        """Transforms of this rank's parts, one per group of axes, the last of `axes` first.

        With `transfer` between them they are equivalent to forward: xfftn[0].forward, transfer[0].forward,
        xfftn[1].forward, ... Their backward methods in reverse order are equivalent to backward. forward and backward
        themselves do not use them.
        """
        groups = self._asked.groups[::-1]
        halved = [group for group in groups if any(self._asked.kinds[axis] == "r2c" for axis in group)]
        is_real = [
            self._asked.dtype.kind == "f" and not any(h in groups[:i] for h in halved) for i in range(len(groups))
        ]
        return [
            FFT.of_request(part_request(self._asked, group, before.subshape, real), self._padding)
            for group, (before, _), real in zip(groups, self._stages, is_real, strict=True)
        ]

    @cached_property
    def transfer(self) -> list[Transfer]:
        """The transfers of data between successive entries of `xfftn`. Their calls are collective."""
        steps = zip(self._stages, self._stages[1:], self.xfftn, strict=False)
        return [before[1].transfer(after[0], fft.forward.output_array.dtype) for before, after, fft in steps]

    def destroy(self) -> None:
        """Frees memory and communicators, those of a Subcomm that was given as well. Collective.

        Arrays of the user do not change.
        """
        if isinstance(self.subcomm, Subcomm):
            self.subcomm.destroy()
        for name in ("_plans", "forward", "backward", "xfftn", "transfer"):
            self.__dict__.pop(name, None)

    def _pencil_of(self, forward_output: bool) -> Pencil:
        """The distribution of modes or of points: that of the transforms, which derived classes replace."""
        return (self.backward if forward_output else self.forward).input_pencil

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """The shape of this rank's part of the output (modes) or of the input (points)."""
        return self._pencil_of(forward_output).subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """The slices of this rank's part in the global array."""
        return self._pencil_of(forward_output).slices

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """The shape of the global array of modes, or of points."""
        return self._pencil_of(forward_output).shape

    @property
    def dimensions(self) -> int:
        """The number of axes of the arrays."""
        return len(self.forward.input_pencil.subshape)

    def dtype(self, forward_output: bool = False) -> np.dtype:
        """The type of the modes, or of the points."""
        if not isinstance(self.forward, PlannedTransform):  # of a derived class
            return (self.forward.output_array if forward_output else self.forward.input_array).dtype
        return self._plans.spectral_dtype if forward_output else self._plans.physical_dtype


def _from_array(darray: Any, axes: Any, padding: Any) -> dict[str, Any]:
    """The arguments that follow from a DistArray. The axis along which it is not cut is transformed first."""
    if padding is not False:
        raise Error("padding: it is not possible with darray; give shape instead of darray")
    found = {"shape": darray.pencil.shape, "dtype": darray.dtype, "grid": None}
    if axes is None:
        dims = len(darray.pencil.shape)
        found["axes"] = [int(axis) for axis in np.roll(np.arange(dims), dims - 1 - darray.alignment)]
    return found


def _stages(subcomm: Any, asked: Request) -> list[tuple[Pencil, Pencil]]:
    """The pencils before and after the transform of every group of axes. The pencil changes its axis from group to
    group, and transformed axes have the length of their modes."""
    pencil = Pencil(subcomm, asked.points, asked.groups[-1][-1])
    shape, stages = list(asked.points), []
    for group in reversed(asked.groups):
        if pencil.axis != group[-1]:
            pencil = pencil.pencil(group[-1])
        for axis in group:
            shape[axis] = asked.stored(axis)
        stages.append((pencil, Pencil(pencil.subcomm, shape, group[-1])))
        pencil = stages[-1][1]
    return stages
