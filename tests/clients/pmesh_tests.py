"""pmesh's own tests, unchanged, through weft.compat.pfft. PFFT, for which pmesh was made, is not on PyPI."""

from clients.contest import Row, Setting
from clients.environment import environment, install, sdist
from clients.suites import compare, outcome

PACKAGES = ("mpich", "libmpich-dev")
_REQUIREMENT = "pmesh==0.1.59"
# The others have no transforms: those of domains want 4 ranks, those of windows one.
_FILES = ("test_pm.py", "test_gradient.py", "test_whitenoise.py", "test_lic.py")


def rows(setting: Setting) -> list[Row]:
    """One row: tests of fields, transforms and particles that passed."""
    python = environment(setting.scratch)
    install(python, "cython", "setuptools", "wheel", "pytest", "pytest-mpi", "runtests")
    build = {**setting.environment("mpich", weft=False), "MPICC": "mpicc.mpich"}
    sources = ("--no-build-isolation", "--no-deps", "--no-binary", "mpsort,pmesh")
    install(python, "mpsort", _REQUIREMENT, options=sources, env=build)
    tests = sdist(python, _REQUIREMENT, setting.scratch) / "pmesh" / "tests"
    # pytest-mpi leaves out what pmesh marks as right on one rank only.
    ours = outcome(setting, python, tests, _FILES, weft="pfft", options=["--with-mpi"])
    passed, agreement = compare("pmesh", None, ours, frozenset())
    what = f"its tests on {setting.ranks} ranks, one run: " + ", ".join(file[5:-3] for file in _FILES)
    return [Row("pmesh", _REQUIREMENT.partition("==")[2], what, passed, None, ours.seconds, agreement)]
