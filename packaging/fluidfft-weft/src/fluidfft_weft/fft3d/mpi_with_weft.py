"""fft3d.mpi_with_weft: transforms of [z, y, x] that the ranks share."""

from fluidfft_weft.fft3d.with_weft import FFT3DWithWeft


class FFT3DMPIWithWeft(FFT3DWithWeft):
    """Points [z, y, x], modes [kz, ky, kx], cut as the plan finds best.

    Slabs are cut along z, their modes along ky; pencils along z and y, their modes along ky and kx. The axes never
    change places, so no array is turned.
    """

    _distributed = True


FFTclass = FFT3DMPIWithWeft
