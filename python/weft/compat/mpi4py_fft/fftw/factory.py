"""Makes planned transforms, and keeps the wisdom of FFTW that planning accumulates."""

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from mpi4py import MPI

from weft._options import path_text
from weft.compat.mpi4py_fft.fftw import fftw_xfftn, fftwf_xfftn
from weft.compat.mpi4py_fft.fftw._planned import FFT
from weft.compat.mpi4py_fft.fftw._precision import PRECISIONS
from weft.compat.mpi4py_fft.fftw.utilities import FFTW_FORWARD, FFTW_MEASURE
from weft.errors import Error, FileError

comm = MPI.COMM_WORLD  # a public name of this module


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


def get_fftw_lib(dtype: Any) -> ModuleType | None:
    """The module of a precision, fftwf_xfftn or fftw_xfftn; None for long double."""
    return fftlib.get(np.dtype(dtype).char.upper())


fftlib = {"F": fftwf_xfftn, "D": fftw_xfftn}
_PRECISION = {"F": PRECISIONS["float32"], "D": PRECISIONS["float64"]}


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
            _PRECISION[char].write(path)
        except OSError as error:
            raise FileError(f"{path}: wisdom cannot be written: {error.strerror or error}") from error


def import_wisdom(filename: Any) -> None:
    """Adds the wisdom that export_wisdom wrote on as many ranks. Plans that are measured later use it.

    Raises FileError if a file is missing or is not a wisdom file of FFTW.
    """
    for char in fftlib:
        path = _wisdom_file(filename, char)
        try:
            understood = _PRECISION[char].add(path)
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"{path}: wisdom cannot be read: {getattr(error, 'strerror', None) or error}") from error
        if not understood:
            raise FileError(f"{path}: FFTW does not understand this wisdom; write it with export_wisdom")


def forget_wisdom() -> None:
    """Deletes the wisdom of FFTW in all precisions. Existing plans do not change."""
    for precision in _PRECISION.values():
        precision.forget_wisdom()


def set_timelimit(limit: float) -> None:
    """Sets the time limit of the planners in seconds. A negative number, the default, is no limit.

    With a limit below two seconds, the time of a measurement, plans are estimated instead of measured.
    """
    for precision in _PRECISION.values():
        precision.set_timelimit(limit)


def cleanup() -> None:
    """Deletes wisdom and the time limit. Memory is freed with the plans."""
    for precision in _PRECISION.values():
        precision.cleanup()
