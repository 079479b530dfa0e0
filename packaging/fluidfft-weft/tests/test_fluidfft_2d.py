"""fluidfft's own tests of classes of two axes, on any number of ranks."""

from unittest import TestCase

from fluidfft.fft2d.testing import complete_test_class_2d


class TestsOfFluidfft(TestCase):
    """Filled below."""


complete_test_class_2d("fft2d.with_weft", TestsOfFluidfft)
complete_test_class_2d("fft2d.mpi_with_weft", TestsOfFluidfft)
