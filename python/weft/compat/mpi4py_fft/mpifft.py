"""PFFT and Transform of mpi4py-fft over weft.Plan."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

import numpy as np
from mpi4py import MPI

from weft._arguments import agreed, communicator, flag
from weft._arrays import zeros
from weft.compat.mpi4py_fft._calls import call
from weft.compat.mpi4py_fft._request import Request, cut_of, request
from weft.compat.mpi4py_fft.pencil import Pencil, Subcomm, whole_of
from weft.errors import Error
from weft.plan import Plan


class Transform:
    """One direction of a PFFT: transform(input_array, output_array, normalize=...). Made by PFFT.

    input_array, output_array  the plan's own arrays, which are used where a call gives none. They exist from their
    first use on; those of the other direction are the same, the other way round.
    input_pencil, output_pencil  how both are cut.
    """

    def __init__(self, plans: "_Plans", pencils: tuple[Pencil, Pencil], forward: bool) -> None:
        self._plans, self._pencils, self._forward = plans, pencils, forward

    @property
    def input_array(self) -> np.ndarray:
        """The plan's own input."""
        return self._plans.physical if self._forward else self._plans.spectral

    @property
    def output_array(self) -> np.ndarray:
        """The plan's own output."""
        return self._plans.spectral if self._forward else self._plans.physical

    @property
    def input_pencil(self) -> Pencil:
        """How the input is cut."""
        return self._pencils[0]

    @property
    def output_pencil(self) -> Pencil:
        """How the output is cut."""
        return self._pencils[1]

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """The transform of input_array (anything that can be assigned to it) in output_array, which is returned.

        normalize  whether to divide by the number of points (of the extended data, for real-to-real transforms); by
                   default forward does, backward does not.
        Given arrays are used as they are where their types allow it, and inputs are preserved. Collective.
        """
        normalize = flag(kw.pop("normalize", self._forward), "normalize")
        kw.pop("implicit", None)
        if kw:
            raise Error(f"{next(iter(kw))}: there is no such option; allowed is normalize")
        run, source, target = self._plans.ways(self._forward, normalize)
        given = (input_array, lambda: self.input_array, source)
        return call(run, self._plans.comm, given, (output_array, lambda: self.output_array, target))


class _Plans:
    """The plans of a PFFT, and arrays of its own for those who want them. It scales forward; another one backward."""

    def __init__(self, asked: Request, pencils: tuple[Pencil, Pencil]) -> None:
        self.comm = pencils[0].comm
        self._asked, self._pencils = asked, pencils
        self._of: dict[str, Plan] = {}
        plan = self.plan("forward")
        self.physical_dtype, self.spectral_dtype = plan.physical_dtype, plan.spectral_dtype

    def plan(self, norm: str) -> Plan:
        """The plan that divides in one direction. Collective the first time."""
        if norm not in self._of:
            asked = self._asked
            self._of[norm] = Plan(
                asked.points,
                asked.kinds,
                comm=self.comm,
                physical_box=self._pencils[0].slices,
                spectral_box=self._pencils[1].slices,
                grid=[size for size in asked.sizes if size > 1] or None,
                scheme="first",
                dtype=asked.precision,
                threads=asked.threads,
                effort=asked.effort,
                modes=asked.modes,
                norm=norm,
            )
        return self._of[norm]

    @cached_property
    def physical(self) -> np.ndarray:
        """The plan's own points."""
        return zeros(self._pencils[0].subshape, self.physical_dtype)

    @cached_property
    def spectral(self) -> np.ndarray:
        """The plan's own modes."""
        return zeros(self._pencils[1].subshape, self.spectral_dtype)

    def ways(self, forward: bool, normalize: bool) -> tuple[Callable[..., object], np.ndarray, np.ndarray]:
        """What transforms, and arrays of no memory like its input and its output."""
        plan = self.plan("forward" if forward == normalize else "backward")
        physical, spectral = (
            np.broadcast_to(np.zeros((), dtype), pencil.subshape)
            for dtype, pencil in zip((self.physical_dtype, self.spectral_dtype), self._pencils, strict=True)
        )
        return (plan.forward, physical, spectral) if forward else (plan.backward, spectral, physical)


class PFFT:
    """A parallel transform of arrays that are cut along some axes: PFFT(comm, shape).forward(u, u_hat).

    comm      an intra-communicator, or a Subcomm, whose grid is taken.
    shape     of the global array (of the modes of one axis, where there is padding).
    axes      what is transformed, the last first; None is all. Entries may be lists of axes.
    dtype     of the input: float64 or float32 for real data, the last axis of `axes` keeps half of its modes;
              complex128 or complex64.
    grid      ranks per axis; 0 and -1 let MPI choose, missing ones are 1: (-1,) cuts the first axis only. None cuts all
              but the axes that are transformed first.
    padding   factor per axis, or one for all, by which there are more points than modes, such as 1.5.
    collapse  whether axes that are whole at first count as one entry of axes (it matters to `transforms` alone).
    backend   has no effect: Weft does the work.
    transforms  {axes: (forward, backward)} with planners of fftw, such as {(1, 2): (dctn, idctn)}; other axes have
              Fourier transforms.
    darray    a DistArray, whose shape, type and cut are taken.
    slab      one axis to cut (True: the one after the first transformed); grid does the same.
    threads   per rank; None is cores of the node / ranks on the node.
    planner_effort  "FFTW_PATIENT" and "FFTW_EXHAUSTIVE" measure for some seconds which way is fastest.

    Attributes: forward, backward (Transform), axes, subcomm, pencil (of input and output). Collective; every argument
    must be the same on all ranks, and whatever is wrong raises the same Error on every rank.
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
        self._is_owner = subcomm is None
        self.axes, self.collapse = asked.groups, bool(collapse)
        self._asked = asked
        self.pencil = _pencils(self.subcomm, asked)
        self._plans = _Plans(asked, self.pencil)
        self.forward = Transform(self._plans, self.pencil, forward=True)
        self.backward = Transform(self._plans, self.pencil[::-1], forward=False)

    def __getattr__(self, name: str) -> Any:
        """Says what there is not."""
        if name in ("xfftn", "transfer"):
            raise AttributeError(f"{name}: a plan of Weft is not made of serial transforms; forward and backward do it")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def destroy(self) -> None:
        """Gives back memory and communicators. Arrays stay as they are. Collective."""
        if self._is_owner:
            self.subcomm.destroy()
        self.__dict__.pop("_plans", None)
        self.__dict__.pop("forward", None)
        self.__dict__.pop("backward", None)

    def shape(self, forward_output: bool = True) -> tuple[int, ...]:
        """This rank's part of the output (modes) or of the input (points)."""
        return self.pencil[bool(forward_output)].subshape

    def local_slice(self, forward_output: bool = True) -> tuple[slice, ...]:
        """Where that part lies in the global array."""
        return self.pencil[bool(forward_output)].slices

    def global_shape(self, forward_output: bool = False) -> tuple[int, ...]:
        """The shape of the global array of modes, or of points."""
        return self.pencil[bool(forward_output)].shape

    @property
    def dimensions(self) -> int:
        """Axes of the arrays."""
        return len(self._asked.points)

    def dtype(self, forward_output: bool = False) -> np.dtype:
        """The type of the modes, or of the points."""
        return self._plans.spectral_dtype if forward_output else self._plans.physical_dtype


def _from_array(darray: Any, axes: Any, padding: Any) -> dict[str, Any]:
    """Arguments that a DistArray stands for: the axis that it is whole along is transformed first."""
    if padding is not False:
        raise Error("padding: it is not possible with darray; give shape, and darray no more")
    found = {"shape": darray.pencil.shape, "dtype": darray.dtype, "grid": None}
    if axes is None:
        dims = len(darray.pencil.shape)
        found["axes"] = [int(axis) for axis in np.roll(np.arange(dims), dims - 1 - darray.alignment)]
    return found


def _pencils(subcomm: Any, asked: Request) -> tuple[Pencil, Pencil]:
    """How points and modes are cut: a pencil that turns from group to group, along axes that get as long as modes."""
    first = pencil = Pencil(subcomm, asked.points, asked.groups[-1][-1])
    shape = list(asked.points)
    for group in reversed(asked.groups):
        if pencil.axis != group[-1]:
            pencil = pencil.pencil(group[-1])
        for axis in group:
            shape[axis] = asked.stored(axis)
        pencil = Pencil(pencil.subcomm, shape, group[-1])
    return first, pencil
