"""Functions with the arguments of scipy.fft, whose plans are kept from call to call."""

from weft.functions.cosine_sine import dct, dctn, dst, dstn, idct, idctn, idst, idstn
from weft.functions.fourier import fft, fft2, fftn, ifft, ifft2, ifftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn
from weft.functions.kept import clear_plans

__all__ = [
    "clear_plans",
    "dct",
    "dctn",
    "dst",
    "dstn",
    "fft",
    "fft2",
    "fftn",
    "idct",
    "idctn",
    "idst",
    "idstn",
    "ifft",
    "ifft2",
    "ifftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftn",
]
