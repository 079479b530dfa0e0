"""Planned transforms of one array, and the wisdom of FFTW that planning accumulates."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

from weft import _core
from weft._arguments import real, whole_entries
from weft._options import path_text
from weft.compat.mpi4py_fft._calls import call
from weft.compat.mpi4py_fft.fftw.kinds import axis_kinds, real_type
from weft.compat.mpi4py_fft.fftw.utilities import (
    C2C_BACKWARD,
    C2R,
    FFTW_EXHAUSTIVE,
    FFTW_FORWARD,
    FFTW_MEASURE,
    FFTW_PATIENT,
)
from weft.compat.mpi4py_fft.pencil import axis_number
from weft.errors import Error, FileError
from weft.plan import Plan

# The most seconds of planning with effort "measure", and the limit of set_timelimit (negative: no limit).
_MEASURING = 2.0
_limit = -1.0


class FFT:
    """A planned transform of one array. Attributes input_array, output_array: its own arrays.

    kind  one of FFTW's numbers: C2C_FORWARD, C2C_BACKWARD, R2C (half along the last of `axes`), C2R, or one of the
          real-to-real ones per axis.
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
        self.input_array, self.output_array = input_array, output_array
        self._factor = normalization
        numbers = [int(kind)] if isinstance(kind, int | np.integer) else list(kind)
        self._back = numbers[0] in (C2C_BACKWARD, C2R)
        points = (output_array if self._back else input_array).shape
        where = [axis_number(axis, len(points), "axes") for axis in whole_entries(axes, "axes", "(-1,)")]
        # With the norm "forward" backward is unscaled, and with "backward" forward is.
        norm = "forward" if self._back else "backward"
        kinds = axis_kinds(numbers, where, len(points))
        precision = real_type(input_array.dtype, "input_array")
        effort = _effort(flags)
        self._plan = Plan(points, kinds, comm=MPI.COMM_SELF, dtype=precision, threads=threads, norm=norm, effort=effort)

    def get_normalization(self) -> float:
        """The factor of normalize=True."""
        return self._factor

    def update_arrays(self, input_array: np.ndarray, output_array: np.ndarray) -> None:
        """Replaces the plan's own arrays by others of the same shapes and types."""
        for name, new in (("input_array", input_array), ("output_array", output_array)):
            old = getattr(self, name)
            if (new.shape, new.dtype) != (old.shape, old.dtype):
                raise Error(f"{name}: {new.shape} of {new.dtype} is not the {old.shape} of {old.dtype} of this plan")
        self.input_array, self.output_array = input_array, output_array

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


def _effort(flags: Any) -> str:
    """The time limit of a plan with these flags, in seconds."""
    patient = FFTW_PATIENT | FFTW_EXHAUSTIVE
    asked = any(int(one) & patient for one in ([flags] if isinstance(flags, int | np.integer) else flags))
    return "measure" if asked and not 0 <= _limit < _MEASURING else "estimate"


def get_planned_FFT(
    input_array: np.ndarray,
    output_array: np.ndarray,
    axes: Any = (-1,),
    kind: int | Sequence[int] = FFTW_FORWARD,
    threads: int = 1,
    flags: Any = (FFTW_MEASURE,),
    normalization: float = 1.0,
) -> FFT:
    """Makes a plan of any transforms; see FFT."""
    return FFT(input_array, output_array, axes, kind, threads, flags, normalization)


def get_fftw_lib(dtype: Any) -> Any:
    """This module for the precisions that it supports, else None (long double)."""
    return fftlib.get(np.dtype(dtype).char.upper())


fftlib = {char: sys.modules[__name__] for char in "FD"}
_PRECISION = {"F": "float32", "D": "float64"}


def _wisdom_file(filename: Any, char: str) -> Path:
    """The file of this rank and one precision, named as in mpi4py-fft, such as D0_wisdom.dat."""
    path = Path(path_text(filename, "filename"))
    if not path.name:
        raise Error(f"filename: {filename!r} names no file; give one such as wisdom.dat")
    return path.with_name(f"{char}{MPI.COMM_WORLD.rank}_{path.name}")


def export_wisdom(filename: Any) -> None:
    """Writes the wisdom that FFTW has accumulated in this process, in the format of FFTW.

    Each rank writes a file for each precision. Its name begins with D or F and the number of the rank: D0_wisdom.dat,
    F0_wisdom.dat, D1_wisdom.dat, ... Raises FileError if a file cannot be written.
    """
    for char in fftlib:
        path = _wisdom_file(filename, char)
        try:
            path.write_text(_core.fftw_wisdom(_PRECISION[char]))
        except OSError as error:
            raise FileError(f"{path}: wisdom cannot be written: {error.strerror or error}") from error


def import_wisdom(filename: Any) -> None:
    """Adds the wisdom that export_wisdom wrote on as many ranks. Plans that are measured later use it.

    Raises FileError if a file is missing or is not a wisdom file of FFTW.
    """
    for char in fftlib:
        path = _wisdom_file(filename, char)
        try:
            text = path.read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"{path}: wisdom cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not _core.add_fftw_wisdom(_PRECISION[char], text):
            raise FileError(f"{path}: FFTW does not understand this wisdom; write it with export_wisdom")


def forget_wisdom() -> None:
    """Deletes the wisdom of FFTW. Existing plans do not change."""
    _core.forget_fftw_wisdom()


def set_timelimit(limit: float) -> None:
    """Sets the time limit of the planners in seconds. A negative number, the default, is no limit.

    With a limit below two seconds, the time of a measurement, plans are estimated instead of measured.
    """
    global _limit
    _limit = real(limit, "limit")


def cleanup() -> None:
    """Deletes wisdom and the time limit. Memory is freed with the plans."""
    forget_wisdom()
    set_timelimit(-1.0)
