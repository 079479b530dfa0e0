"""spectralDNS's own tests of flows in periodic boxes, unchanged, with mpi4py-fft and through weft.compat.mpi4py_fft."""

from clients import shenfun_tests
from clients.contest import Row, Setting, repository
from clients.environment import environment, install
from clients.suites import compare, outcome

PACKAGES = (*shenfun_tests.PACKAGES, "git")
_SOURCE = ("https://github.com/spectralDNS/spectralDNS", "835b01b")  # the last one; no package has it
# Without its modules in Cython, for which numpy takes their place. The channels need one of them.
_FILES = ("test_MHD.py", "test_NS2D.py", "test_NSVV.py::test_solvers")


def rows(setting: Setting) -> list[Row]:
    """One row: tests that passed with both libraries, and the seconds with Weft."""
    source = repository("spectralDNS", *_SOURCE, setting.scratch)
    python = environment(setting.scratch)
    shenfun_tests.install_shenfun(setting, python)
    install(python, "nodepy")
    theirs = outcome(setting, python, source / "tests", _FILES)
    ours = outcome(setting, python, source / "tests", _FILES, weft="mpi4py_fft")
    passed, agreement = compare("spectralDNS", theirs, ours, frozenset())
    what = f"its tests on {setting.ranks} ranks, one run: MHD, NS2D, solvers of NSVV"
    original = theirs.seconds if theirs.passed else None
    return [Row("spectralDNS", "1.4.0", what, passed, original, ours.seconds, agreement)]
