# The Spack recipe of Weft, for Spack 1.0 and newer: copy it to packages/weft/package.py of a repository of yours
# (spack repo create).
# Versions and dependencies agree with CMakeLists.txt and pyproject.toml; tests/python/test_packaging.py compares them.

import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Weft(CMakePackage):
    """Distributed Fourier-type transforms and Poisson solvers with any mix of boundaries, over MPI: a C++20 library
    with a Python package and a command line."""

    # From a checkout (spack develop --path CHECKOUT weft@=0.1.0), or the sdist in the current folder (make release).
    url = f"file://{os.getcwd()}/weft_fft-0.1.0.tar.gz"
    manual_download = True

    license("BSD-3-Clause")

    version("0.1.0")

    variant("python", default=True, description="Build the Python package and the command line")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("shared", default=True, description="Build the library as a shared one")
    variant("blas", default="openblas", values=("openblas", "mkl"), description="The BLAS of tensor transforms")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("mpi@3:")
    depends_on("fftw-api@3")
    depends_on("fftw@3.3: precision=float,double ~mpi", when="^[virtuals=fftw-api] fftw")
    depends_on("hdf5@1.10: +mpi")
    depends_on("tomlplusplus", type="build")
    depends_on("boost", type="build")
    depends_on("openblas threads=openmp", when="blas=openblas", type=("build", "link", "run"))
    depends_on("intel-oneapi-mkl", when="blas=mkl", type=("build", "link", "run"))

    with when("+python"):
        extends("python")
        depends_on("python@3.10:", type=("build", "link", "run"))
        depends_on("py-pip", type="build")
        depends_on("py-scikit-build-core@0.10:", type="build")
        depends_on("py-nanobind@2.4:", type="build")
        depends_on("py-numpy@1.24:", type=("build", "run"))
        depends_on("py-mpi4py@4.0:", type=("build", "run"))
        depends_on("py-h5py@3.8:", type=("build", "run"))
        depends_on("py-typer@0.12:", type=("build", "run"))
        depends_on("py-rich@13:", type=("build", "run"))
        depends_on("py-tomli@2:", type=("build", "run"), when="^python@:3.10")
        depends_on("py-matplotlib@3.7:", type=("build", "run"))

    conflicts("%gcc@:11", msg="C++20 as Weft uses it needs GCC 12 or newer")

    generator("ninja")

    def cmake_args(self):
        """The library alone; the Python package is installed by pip afterwards."""
        return [
            self.define("WEFT_MPI", "any"),
            self.define("WEFT_TESTS", False),
            self.define("WEFT_PYTHON", False),
            self.define_from_variant("WEFT_FORTRAN", "fortran"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("WEFT_BLAS", "blas"),
        ]

    @run_after("install")
    @when("+python")
    def install_python(self):
        """pip, without isolation: everything that it needs is in the environment."""
        blas = self.spec.variants["blas"].value
        options = ["--no-deps", "--no-build-isolation", f"--prefix={self.prefix}"]
        with working_dir(self.stage.source_path):
            python("-m", "pip", "install", *options, f"--config-settings=cmake.define.WEFT_BLAS={blas}", ".")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """What it is made of, from the installed package."""
        if self.spec.satisfies("+python"):
            Executable(self.prefix.bin.weft)("info")
