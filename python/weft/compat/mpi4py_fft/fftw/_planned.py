"""FFT of mpi4py-fft's compiled modules: a planned transform of one array, by weft.Plan."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._arguments import whole_entries
from weft.compat.mpi4py_fft._calls import call
from weft.compat.mpi4py_fft.fftw._half_complex import HalfComplexPlan
from weft.compat.mpi4py_fft.fftw._precision import PRECISIONS
from weft.compat.mpi4py_fft.fftw.kinds import axis_kinds, real_type
from weft.compat.mpi4py_fft.fftw.utilities import (
    C2C_BACKWARD,
    C2R,
    FFTW_EXHAUSTIVE,
    FFTW_FORWARD,
    FFTW_MEASURE,
    FFTW_PATIENT,
    FFTW_R2HC,
)
from weft.compat.mpi4py_fft.pencil import axis_number
from weft.errors import Error
from weft.plan import Plan

_MEASURING = 2.0  # the most seconds of planning with effort "measure"


class FFT:
    """A planned transform of one array. Attributes input_array, output_array: its own arrays.

    kind  one of FFTW's numbers: C2C_FORWARD, C2C_BACKWARD, R2C (half along the last of `axes`), C2R, or one of the
          real-to-real ones per axis, FFTW_R2HC among them. (FFTW_HC2R and FFTW_DHT have the numbers of C2C_BACKWARD
          and C2R, as in mpi4py-fft, and mean these.)
    flags  with FFTW_PATIENT and FFTW_EXHAUSTIVE planning measures for up to two seconds, or for the time of
           set_timelimit if it is shorter. Other flags have no effect: inputs are preserved.
    normalization  the factor of normalize=True.
    """

    def __init__(
        self,
        input_array: np.ndarray,
        output_array: np.ndarray,
        axes: Any = (-1,),
        kind: int | Sequence[int] = FFTW_FORWARD,
        threads: int = 1,
        flags: Any = FFTW_MEASURE,
        normalization: float = 1.0,
    ) -> None:
        self._input, self._output = input_array, output_array
        self._factor = normalization
        numbers = [int(kind)] if isinstance(kind, int | np.integer) else list(kind)
        self._back = numbers[0] in (C2C_BACKWARD, C2R)
        points = (output_array if self._back else input_array).shape
        where = [axis_number(axis, len(points), "axes") for axis in whole_entries(axes, "axes", "(-1,)")]
        # With the norm "forward" backward is unscaled, and with "backward" forward is.
        norm = "forward" if self._back else "backward"
        precision = real_type(input_array.dtype, "input_array")
        effort = _effort(flags, PRECISIONS[precision].limit)
        options: dict[str, Any] = {"dtype": precision, "threads": threads, "norm": norm, "effort": effort}

        def make(kinds: list[str]) -> Plan:
            return Plan(points, kinds, comm=MPI.COMM_SELF, **options)

        many = numbers * len(where) if len(numbers) == 1 else numbers
        self._plan: Any  # a Plan, or a HalfComplexPlan
        if FFTW_R2HC in many and len(many) == len(where):
            self._plan = HalfComplexPlan(make, many, where, len(points))
        else:
            self._plan = make(axis_kinds(numbers, where, len(points)))

    @property
    def input_array(self) -> np.ndarray:
        """The plan's own input."""
        return self._input

    @property
    def output_array(self) -> np.ndarray:
        """The plan's own output."""
        return self._output

    def get_normalization(self) -> float:
        """The factor of normalize=True."""
        return self._factor

    def update_arrays(self, input_array: np.ndarray, output_array: np.ndarray) -> None:
        """Replaces the plan's own arrays by others of the same shapes and types."""
        for name, new in (("input_array", input_array), ("output_array", output_array)):
            old = getattr(self, name)
            if (new.shape, new.dtype) != (old.shape, old.dtype):
                raise Error(f"{name}: {new.shape} of {new.dtype} is not the {old.shape} of {old.dtype} of this plan")
        self._input, self._output = input_array, output_array

    def print_plan(self) -> None:
        """Prints the steps of the plan."""
        print(self._plan.explain(), end="")

    def destroy(self) -> None:
        """Has no effect. The memory is freed with the object."""

    def __call__(
        self,
        input_array: Any = None,
        output_array: np.ndarray | None = None,
        implicit: bool = True,
        normalize: bool = False,
        **_: Any,
    ) -> np.ndarray:
        """Transforms input_array to output_array. The plan's own arrays are used if none are given.

        implicit   whether given arrays are used directly (the input is preserved) or copied to and from the plan's own.
        normalize  whether the result is multiplied by get_normalization().
        """
        if not implicit:
            if input_array is not None:
                self.input_array[...] = input_array
            result = self(normalize=normalize)
            if output_array is None:
                return result
            output_array[...] = result
            return output_array
        result = call(
            self._plan.backward if self._back else self._plan.forward,
            MPI.COMM_SELF,
            (input_array, lambda: self.input_array, self.input_array),
            (output_array, lambda: self.output_array, self.output_array),
        )
        if normalize:
            result *= self._factor
        return result


def _effort(flags: Any, limit: float) -> str:
    """The effort of a plan with these flags. A negative limit of seconds is none."""
    patient = FFTW_PATIENT | FFTW_EXHAUSTIVE
    asked = any(int(one) & patient for one in ([flags] if isinstance(flags, int | np.integer) else flags))
    return "measure" if asked and not 0 <= limit < _MEASURING else "estimate"


def alignment_of(input_array: np.ndarray) -> int:
    """How many bytes after a multiple of 16 an array begins, as FFTW counts."""
    return input_array.ctypes.data % 16
