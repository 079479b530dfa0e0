"""FFT of mpi4py-fft's module libfft: forward and backward transforms of an array of one rank along some axes."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arrays import zeros
from weft._kinds import KINDS
from weft.compat.mpi4py_fft import fftw
from weft.compat.mpi4py_fft._request import Request, factor_along, serial_axes, serial_request
from weft.compat.mpi4py_fft._transform import PlannedTransform, Plans
from weft.compat.mpi4py_fft.fftw.kinds import real_type
from weft.compat.mpi4py_fft.pencil import Pencil


class FFTBase:
    """The description of serial transforms: shape, axes, dtype, padding, real_transform, padding_factor.

    shape    the shape of the array of points; a number is one axis.
    axes     the axes to transform together, also counted from the end; None is all, a number is one axis.
    dtype    the type of the input: float64, float32, complex128 or complex64.
    padding  see FFT.
    """

    def __init__(self, shape: Any, axes: Any = None, dtype: Any = float, padding: Any = False) -> None:
        self._describe(*serial_axes(shape, axes), dtype, padding)

    def _describe(self, shape: list[int], axes: list[int], dtype: Any, padding: Any) -> None:
        """Initialises the attributes."""
        self.shape, self.axes, self.dtype, self.padding = shape, axes, np.dtype(dtype), padding
        real_type(self.dtype)
        self.real_transform = self.dtype.kind == "f"
        self.padding_factor = 1.0


class FFT(FFTBase):
    """Transforms of an array of one rank: FFT(shape).forward(u, u_hat), backward(u_hat, u).

    shape     the shape of the array of points, padding included; a number is one axis.
    axes      the axes to transform together: None is all, a number is one axis. The last one has half of the modes for
              real data.
    dtype     the type of the input: float64, float32, complex128 or complex64.
    padding   the ratio of points to modes along the axis, which has to be the only one; or a list with a number per
              axis of the array.
    backend   has no effect except for "scipy", with which real data have all modes, as with scipy's fftn.
    transforms  {axes: (forward, backward)}, as for PFFT.
    threads, planner_effort  as for PFFT; the default is one thread.

    Attributes: forward, backward (callable, with input_array and output_array), shape, axes, dtype, padding,
    padding_factor, real_transform, backend, the factor of the normalisation M, and fwd and bck. No call is collective.
    """

    def __init__(
        self,
        shape: Any,
        axes: Any = None,
        dtype: Any = float,
        padding: Any = False,
        backend: str = "fftw",
        transforms: dict[Any, Any] | None = None,
        **options: Any,
    ) -> None:
        given = {"shape": shape, "axes": axes, "dtype": dtype, "padding": padding, "backend": backend}
        self._set(serial_request(given | {"transforms": transforms, "options": dict(options)}), padding, backend)

    @classmethod
    def of_request(cls, asked: Request, padding: Any = False) -> "FFT":
        """Makes the transform of this rank's part in a PFFT, whose padding is given."""
        made = cls.__new__(cls)
        made._set(asked, padding, "fftw")
        return made

    forward: Any
    backward: Any

    def _set(self, asked: Request, padding: Any, backend: str) -> None:
        """Initialises all attributes."""
        (group,) = asked.groups
        self._describe(list(asked.points), list(group), asked.dtype, padding)
        self._asked, self.backend = asked, backend
        self.padding_factor = factor_along(padding, group[-1])
        self.real_transform = self.real_transform and backend != "scipy"
        self.M = asked.normalization
        if asked.dtype.kind == "f" and backend == "scipy":
            self.forward, self.backward = _of_real_data(asked, zeros(asked.points, asked.dtype), scales=True)
            return
        pencils = serial_pencils(asked)
        plans = Plans(asked, pencils)
        self.forward = PlannedTransform(plans, pencils, forward=True)
        self.backward = PlannedTransform(plans, pencils[::-1], forward=False)

    @cached_property
    def fwd(self) -> Any:
        """The transform that `forward` is based on: of all modes, without padding, unscaled unless normalize=True.

        It shares the points of `forward`, and without padding also its modes. It is made at its first use.
        """
        return self._unscaled(forward=True)

    @cached_property
    def bck(self) -> Any:
        """The transform that `backward` is based on, from the modes of `fwd` to its points; see there."""
        return self._unscaled(forward=False)

    def _unscaled(self, forward: bool) -> Any:
        """The transform of `fwd` or `bck`."""
        kinds = [self._asked.kinds[axis] for axis in self.axes]
        if self.dtype.kind == "f" and not self.real_transform:
            return self._of_real[not forward]
        arrays = [self.forward.input_array, self._all_modes]
        source, target = arrays if forward else arrays[::-1]
        effort = fftw.FFTW_PATIENT if self._asked.effort == "measure" else fftw.FFTW_MEASURE
        threads = self._asked.threads or 1
        return fftw.get_planned_FFT(source, target, self.axes, _number(kinds, forward), threads, effort, self.M)

    @cached_property
    def _of_real(self) -> tuple["_OfReal", "_OfReal"]:
        """Both directions between real points and all modes, unscaled."""
        if not any(self._asked.modes):
            return self.forward.unscaled(), self.backward
        asked = replace(self._asked, modes=(0,) * len(self.shape))
        return _of_real_data(asked, self.forward.input_array, scales=False)

    @cached_property
    def _all_modes(self) -> np.ndarray:
        """The modes of `fwd` and `bck`."""
        if not any(self._asked.modes):
            return self.forward.output_array
        asked = replace(self._asked, modes=(0,) * len(self.shape))
        return zeros(serial_pencils(asked)[1].subshape, asked.spectral_dtype)


def _number(kinds: list[str], forward: bool) -> int | list[int]:
    """FFTW's number, or its numbers for real-to-real kinds."""
    if "r2c" in kinds:
        return fftw.R2C if forward else fftw.C2R
    if "c2c" in kinds:
        return fftw.C2C_FORWARD if forward else fftw.C2C_BACKWARD
    return [KINDS[kind if forward else KINDS[kind].inverse].fftw for kind in kinds]


def serial_pencils(asked: Request) -> tuple[Pencil, Pencil]:
    """The shapes of points and modes, which are not distributed."""
    (group,) = asked.groups
    subcomm = [MPI.COMM_SELF] * len(asked.points)
    shape = [asked.stored(axis) if axis in group else n for axis, n in enumerate(asked.points)]
    return Pencil(subcomm, asked.points, group[-1]), Pencil(subcomm, shape, group[-1])


def _of_real_data(asked: Request, points: np.ndarray, scales: bool) -> tuple["_OfReal", "_OfReal"]:
    """Both directions of a complex transform of real data, which are in `points`.

    scales  whether forward divides by default.
    """
    pencils = serial_pencils(asked)
    plans = Plans(asked.as_complex(), pencils)
    return (
        _OfReal(PlannedTransform(plans, pencils, forward=True), points, scales),
        _OfReal(PlannedTransform(plans, pencils[::-1], forward=False), points, scales=False),
    )


class _OfReal:
    """One direction of a complex transform whose points are real numbers."""

    def __init__(self, transform: PlannedTransform, points: np.ndarray, scales: bool) -> None:
        self._transform, self._points, self._scales = transform, points, scales
        self._forward = transform.is_forward

    def unscaled(self) -> "_OfReal":
        """The same transform, which divides only where normalize=True is given."""
        return _OfReal(self._transform, self._points, scales=False)

    @property
    def xfftn(self) -> "_OfReal":
        """The transform; called without arrays it transforms its own."""
        return self

    @property
    def input_array(self) -> np.ndarray:
        """The plan's own input."""
        return self._points if self._forward else self._transform.input_array

    @property
    def output_array(self) -> np.ndarray:
        """The plan's own output."""
        return self._transform.output_array if self._forward else self._points

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Calls the transform with the arguments of Transform."""
        kw.setdefault("normalize", self._scales)
        if self._forward:
            return self._transform(self._points if input_array is None else input_array, output_array, **kw)
        out = self._points if output_array is None else output_array
        out[...] = self._transform(input_array, **kw).real
        return out
