"""fft2d.mpi_with_weft: transforms of [y, x] that the ranks share."""

import numpy as np
from fluiddyn.util import mpi

from fluidfft_weft.fft2d.with_weft import FFT2DWithWeft


class FFT2DMPIWithWeft(FFT2DWithWeft):
    """Points [y, x], cut along y; modes [kx, ky], cut along kx: what fluidfft's operators of two axes ask of ranks.

    A plan leaves modes as [ky, kx], cut along kx. They are turned on their way to and from the caller.
    """

    _distributed = True
    _order = (1, 0)

    def __init__(self, n0: int, n1: int) -> None:
        super().__init__(n0, n1)
        self._modes = self.plan.spectral()

    def fft(self, fieldX: np.ndarray) -> np.ndarray:
        """The modes of fieldX, in a new array. Collective, as the others are."""
        return self.plan.forward(fieldX, self._modes).T.copy()

    def ifft(self, fieldK: np.ndarray) -> np.ndarray:
        """The points of fieldK, in a new array. fieldK is preserved."""
        return self.plan.backward(self._as_planned(fieldK))

    def fft_as_arg(self, fieldX: np.ndarray, fieldK: np.ndarray) -> None:
        """Writes the modes of fieldX to fieldK."""
        fits = self._fits(fieldK)
        self.plan.forward(fieldX, self._modes if fits else np.transpose(fieldK))
        np.copyto(fieldK, self._modes.T)

    def ifft_as_arg(self, fieldK: np.ndarray, fieldX: np.ndarray) -> None:
        """Writes the points of fieldK to fieldX. fieldK is preserved."""
        self.plan.backward(self._as_planned(fieldK), fieldX)

    def _as_planned(self, fieldK: np.ndarray) -> np.ndarray:
        """The modes in the order of the plan."""
        if not self._fits(fieldK):
            return np.transpose(fieldK)
        np.copyto(self._modes, fieldK.T)
        return self._modes

    def _fits(self, fieldK: np.ndarray) -> bool:
        """Whether fieldK can be copied. If it cannot on one rank, the plan gets it and refuses it on all of them."""
        return np.shape(fieldK) == self.shapeK and fieldK.dtype == self._modes.dtype


# One rank has whole arrays, and then fluidsim's operators take them for [ky, kx].
FFTclass = FFT2DMPIWithWeft if mpi.nb_proc > 1 else FFT2DWithWeft
