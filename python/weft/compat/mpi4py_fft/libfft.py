"""FFT of mpi4py-fft's module libfft: forward and backward transforms of an array of one rank along some axes."""

from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arrays import zeros
from weft.compat.mpi4py_fft._request import Request, serial_request
from weft.compat.mpi4py_fft._transform import PlannedTransform, Plans
from weft.compat.mpi4py_fft.pencil import Pencil


class FFT:
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
    padding_factor, real_transform, backend, and the factor of the normalisation M. No call is collective.
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
        self._set(serial_request(given | {"transforms": transforms, "options": dict(options)}), backend)
        self.padding = padding

    @classmethod
    def of_request(cls, asked: Request) -> "FFT":
        """Makes the transform of this rank's part in a PFFT."""
        made = cls.__new__(cls)
        made._set(asked, "fftw")
        made.padding = made.padding_factor if made.padding_factor > 1 else False
        return made

    forward: Any
    backward: Any

    def _set(self, asked: Request, backend: str) -> None:
        """Initialises all attributes except for the argument padding."""
        (group,) = asked.groups
        self.shape, self.axes, self.dtype, self.backend = list(asked.points), list(group), asked.dtype, backend
        all_modes = asked.dtype.kind == "f" and backend == "scipy"
        self.real_transform = asked.dtype.kind == "f" and not all_modes
        self.M = asked.normalization
        axis = group[-1]
        self.padding_factor = asked.points[axis] / asked.modes[axis] if asked.modes[axis] else 1.0
        pencils = serial_pencils(asked)
        if all_modes:
            self.forward, self.backward = _of_real_data(asked, pencils)
            return
        plans = Plans(asked, pencils)
        self.forward = PlannedTransform(plans, pencils, forward=True)
        self.backward = PlannedTransform(plans, pencils[::-1], forward=False)


def serial_pencils(asked: Request) -> tuple[Pencil, Pencil]:
    """The shapes of points and modes, which are not distributed."""
    (group,) = asked.groups
    subcomm = [MPI.COMM_SELF] * len(asked.points)
    shape = [asked.stored(axis) if axis in group else n for axis, n in enumerate(asked.points)]
    return Pencil(subcomm, asked.points, group[-1]), Pencil(subcomm, shape, group[-1])


def _of_real_data(asked: Request, pencils: tuple[Pencil, Pencil]) -> tuple["_OfReal", "_OfReal"]:
    """Both directions of a complex transform of real data."""
    plans = Plans(asked.as_complex(), pencils)
    points = zeros(asked.points, asked.dtype)
    return (
        _OfReal(PlannedTransform(plans, pencils, forward=True), points),
        _OfReal(PlannedTransform(plans, pencils[::-1], forward=False), points),
    )


class _OfReal:
    """One direction of a complex transform whose points are real numbers."""

    def __init__(self, transform: PlannedTransform, points: np.ndarray) -> None:
        self._transform, self._points = transform, points
        self._forward = transform.is_forward

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
        if self._forward:
            return self._transform(self._points if input_array is None else input_array, output_array, **kw)
        out = self._points if output_array is None else output_array
        out[...] = self._transform(input_array, **kw).real
        return out
