"""fluidfft's own tests of classes of three axes, on any number of ranks."""

from unittest import TestCase

from fluidfft.fft3d.testing import complete_test_class_3d


class TestsOfFluidfft(TestCase):
    """Filled below."""


# A class that cannot be imported is an error here, not a test that is left out.
complete_test_class_3d("fft3d.with_weft", TestsOfFluidfft)
complete_test_class_3d("fft3d.mpi_with_weft", TestsOfFluidfft)
