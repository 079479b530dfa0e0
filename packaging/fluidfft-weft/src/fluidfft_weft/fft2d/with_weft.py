"""fft2d.with_weft: transforms of [y, x] in one process."""

import numpy as np

from fluidfft_weft.base import WeftFFT


class FFT2DWithWeft(WeftFFT):
    """Points [y, x], modes [ky, kx]. n0, n1: points along y and x."""

    def __init__(self, n0: int, n1: int) -> None:
        super().__init__(n0, n1)
        self.fft2d, self.ifft2d = self.fft, self.ifft

    def get_x_adim_loc(self) -> tuple[np.ndarray, ...]:
        """The indices of this process's points, per axis."""
        return tuple(np.arange(part.start, part.stop) for part in self.plan.physical_slices)


FFTclass = FFT2DWithWeft
