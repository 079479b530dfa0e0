"""fft3d.with_weft: transforms of [z, y, x] in one process."""

from typing import Any

import numpy as np
import weft

from fluidfft_weft.base import WeftFFT


class FFT3DWithWeft(WeftFFT):
    """Points [z, y, x], modes [kz, ky, kx]. n0, n1, n2: points along z, y and x."""

    def __init__(self, n0: int, n1: int, n2: int) -> None:
        super().__init__(n0, n1, n2)
        self.fft3d, self.ifft3d = self.fft, self.ifft

    def get_dimX_K(self) -> tuple[int, ...]:
        """The axis of the points that each axis of the modes belongs to."""
        return self._axes

    def get_dim_first_fft(self) -> int:
        """The axis of which half the modes are stored."""
        return 2

    def gather_Xspace(self, ff_loc: np.ndarray, root: int | None = 0) -> np.ndarray | None:
        """All points on the rank `root`, None on the others; on every rank if root is None."""
        return super().gather_Xspace(ff_loc, root)

    def scatter_Xspace(self, ff_seq: np.ndarray | None, root: int | None = 0) -> np.ndarray | None:
        """This process's part of the points that the rank `root` has in ff_seq."""
        return super().scatter_Xspace(ff_seq, root)

    def build_invariant_arrayX_from_2d_indices12X(self, o2d: Any, arr2d: np.ndarray) -> np.ndarray:
        """This process's points of the field that is arr2d, all points [y, x], at every z."""
        del o2d  # its arrays are as the argument is: whole
        _whole(arr2d, self.plan.shape[1:], "points")
        result = self.create_arrayX()
        result[:] = arr2d[self.plan.physical_slices[1:]]
        return result

    def build_invariant_arrayK_from_2d_indices12X(self, o2d: Any, arr2d: np.ndarray) -> np.ndarray:
        """This process's modes of the field whose modes at kz = 0 are arr2d, all modes [ky, kx]."""
        del o2d
        _whole(arr2d, self.plan.global_spectral_shape[1:], "modes")
        result = self.create_arrayK(0.0)
        kz, *others = self.plan.spectral_slices
        if kz.start == 0 < kz.stop:
            result[0] = arr2d[tuple(others)]
        return result


def _whole(arr2d: np.ndarray, shape: tuple[int, ...], what: str) -> None:
    if arr2d.shape != shape:
        raise weft.Error(
            f"arr2d has shape {arr2d.shape}, but all {what} of two axes have {shape}; give the array of a transform "
            "that is not distributed"
        )


FFTclass = FFT3DWithWeft
