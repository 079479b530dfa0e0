"""Recipes of Spack and conda agree with the build; CMake finds what is there and tells what is missing; make runs in
any folder; mpi4py takes the right MPI."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import tomllib
import weft
from weft import _build, _mpi

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CMAKE = (ROOT / "CMakeLists.txt").read_text()
SPACK = ROOT / "packaging" / "spack" / "package.py"
CONDA = ROOT / "packaging" / "conda"
# As conda-forge has them.
CONDA_NAMES = {"matplotlib": "matplotlib-base"}
# CMake's packages, and who brings them. OpenMP comes with compilers.
SYSTEM = {"fftw": "fftw", "hdf5": "hdf5", "tomlplusplus": "tomlplusplus", "boost": "libboost-headers"}


def requirement(text):
    """("numpy", "1.24") of "numpy>=1.24", which may name the Pythons that need it after a semicolon."""
    name, version = re.fullmatch(r"([\w-]+)\s*>=\s*([\d.]+)(?:;.*)?", text).groups()
    return name, version


def version():
    return re.search(r"project\(weft VERSION ([\d.]+)", CMAKE)[1]


def cmake_version():
    return re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", CMAKE)[1]


def spack_calls(name):
    """The first arguments and the keywords of all calls of a directive."""
    tree = ast.parse(SPACK.read_text())
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == name]
    return [(ast.literal_eval(c.args[0]), {k.arg: ast.literal_eval(k.value) for k in c.keywords}) for c in calls]


def recipe():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((CONDA / "recipe.yaml").read_text())


def test_the_distribution_has_the_name_that_is_free_and_the_command_its_own():
    assert PROJECT["project"]["name"] == recipe()["context"]["name"] == "weft-fft"
    assert PROJECT["project"]["scripts"] == {"weft": "weft.cli:main"}
    assert f"weft_fft-{version()}.tar.gz" in SPACK.read_text()


def test_the_plugin_of_fluidfft_has_this_version_and_names_modules_that_are_there():
    folder = ROOT / "packaging" / "fluidfft-weft"
    plugin = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert plugin["version"] == version() and f"weft-fft>={version()}" in plugin["dependencies"]
    modules = plugin["entry-points"]["fluidfft.plugins"]
    assert set(modules) == {f"fft{axes}d.{ranks}with_weft" for axes in (2, 3) for ranks in ("", "mpi_")}
    for name, module in modules.items():
        assert module == f"fluidfft_weft.{name}"
        assert "\nFFTclass = FFT" in (folder / "src" / f"{module.replace('.', '/')}.py").read_text()


def test_the_citation_has_the_version():
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (found["version"], found["license"], found["cff-version"]) == (version(), "BSD-3-Clause", "1.2.0")


def test_spack_has_the_version_and_the_dependencies():
    assert [name for name, _ in spack_calls("version")][-1] == version()
    specs = [spec for spec, _ in spack_calls("depends_on")]
    assert f"cmake@{cmake_version()}:" in specs
    assert f"python@{PROJECT['project']['requires-python'].removeprefix('>=')}:" in specs
    for text in PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]:
        name, at_least = requirement(text)
        assert f"py-{name}@{at_least}:" in specs, name
    for name in ("mpi", "openblas", *SYSTEM):
        assert any(re.match(rf"{name}\b", spec) for spec in specs), name
    python = {spec for spec in specs if spec.startswith("py-")}
    assert len(python) == len(PROJECT["project"]["dependencies"] + PROJECT["build-system"]["requires"]) + 1  # pip


def test_spack_sets_options_that_there_are():
    text = SPACK.read_text()
    named = set(re.findall(r'define(?:_from_variant)?\("(\w+)"', text)) | set(re.findall(r"define\.(\w+)=", text))
    sources = CMAKE + "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    assert len(named) >= 4
    # Tests need what the recipe does not depend on; a language that is not one of it may come from anywhere.
    assert 'define("WEFT_TESTS", False)' in text
    assert 'define_from_variant("WEFT_FORTRAN", "fortran")' in text
    assert {"c", "cxx", "fortran"} <= {spec for spec, _ in spack_calls("depends_on")}
    for name in named:
        assert re.search(rf"(option|set)\({name}\b", sources), name
    (_, blas), *_ = [call for call in spack_calls("variant") if call[0] == "blas"]
    assert set(blas["values"]) == set(re.search(r"WEFT_BLAS PROPERTY STRINGS ([\w ]+)\)", sources)[1].split())


def test_spack_recipe_compiles():
    compile(SPACK.read_text(), str(SPACK), "exec")


def test_conda_has_the_version_and_the_dependencies():
    found = recipe()
    assert found["context"]["version"] == version() and found["schema_version"] == 1
    build, host, run = (found["requirements"][name] for name in ("build", "host", "run"))
    assert f"cmake >={cmake_version()}" in build
    assert f"python {PROJECT['project']['requires-python']}" in run
    for text in PROJECT["project"]["dependencies"]:
        name, at_least = requirement(text)
        assert f"{CONDA_NAMES.get(name, name)} >={at_least}" in run
    for text in PROJECT["build-system"]["requires"]:
        name, at_least = requirement(text)
        assert f"{name} >={at_least}" in host
    for name in SYSTEM.values():
        assert any(line.split()[0] == name for line in host), name
    assert "${{ mpi }}" in host and "${{ mpi }}" in run and "hdf5 * mpi_${{ mpi }}_*" in host
    assert (ROOT / found["about"]["license_file"]).is_file() and (CONDA / found["build"]["script"]).is_file()
    known = {"schema_version", "context", "package", "source", "build", "requirements", "tests", "about", "extra"}
    assert set(found) <= known
    yaml = pytest.importorskip("yaml")
    variants = yaml.safe_load((CONDA / "conda_build_config.yaml").read_text())
    assert variants["mpi"] == ["mpich", "openmpi"]
    # The command of packaging/README.md takes no other variants, and stdlib() has no default.
    for language in re.findall(r'stdlib\("(\w+)"\)', " ".join(build)):
        assert {f"{language}_stdlib", f"{language}_stdlib_version"} <= set(variants)
    assert min(variants["python"], key=lambda v: int(v.split(".")[1])) == run[0].split(">=")[1]


def test_build_script_is_bash():
    done = subprocess.run(["bash", "-n", str(CONDA / "build.sh")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


NEEDS = ("MPI 3", "FFTW 3", "HDF5", "toml++", "Boost", "OpenBLAS", "Python 3", "nanobind")
HIDDEN = [f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("PROGRAM", "LIBRARY", "INCLUDE", "PACKAGE")]
HIDDEN += ["-DCMAKE_FIND_ROOT_PATH=/nowhere"]
needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")


def refusal(folder, *options, **environment):
    """The one message with which CMake refuses the Python package. environment: CC and CXX, as pip sets them."""
    command = ["cmake", "-S", str(ROOT), "-B", str(folder), "-DWEFT_TESTS=OFF", "-DWEFT_PYTHON=ON", *options]
    command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={shutil.which('ninja')}"]
    rest = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX")}
    done = subprocess.run(
        command, env={**rest, **environment}, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode != 0, done.stdout
    assert done.stderr.count("CMake Error") == 1, done.stderr
    return done.stderr


def debian_packages(text):
    """Those of the line apt-get install of a text."""
    return re.search(r"apt-get install (.+)", text)[1].split()


def page_packages():
    return debian_packages((ROOT / "docs" / "install.md").read_text())


@needs_cmake
def test_all_that_is_missing_is_told_at_once(tmp_path):
    compilers = [f"-DCMAKE_CXX_COMPILER={shutil.which('c++')}", f"-DCMAKE_C_COMPILER={shutil.which('cc')}"]
    text = refusal(tmp_path, *HIDDEN, *compilers)
    for name in NEEDS:
        assert f"* {name}" in text, name
    assert "a C++ compiler" not in text
    assert ["g++", *debian_packages(text)] == page_packages()
    assert "conda install -c conda-forge" in text and "tomlplusplus" in text


@needs_cmake
@pytest.mark.parametrize("named", [{}, {"CC": "no-such-gcc", "CXX": "no-such-g++ -pthread"}])
def test_a_missing_compiler_is_told_with_the_rest(tmp_path, named):
    text = refusal(tmp_path, *HIDDEN, **named)
    for name in ("a C++ compiler", "a C compiler", *NEEDS):
        assert f"* {name}" in text, name
    for variable, program in named.items():
        assert f"({variable} is {program.split()[0]}, which is not there" in text
    assert debian_packages(text) == page_packages()


@needs_cmake
def test_nothing_is_told_that_is_there(tmp_path):
    """Without a compiler to ask, the rest is still found: this machine has it, or weft would not be here."""
    text = refusal(tmp_path, f"-DPython_EXECUTABLE={sys.executable}", CXX="no-such-g++")
    assert debian_packages(text) == ["g++"]
    assert text.count("  * ") == 1


def found_hdf5(folder, *options):
    """What FindParallelHDF5 finds beside the MPI of this package: library, headers, version and kind."""
    lines = ["cmake_minimum_required(VERSION 3.25)", "project(hdf5 LANGUAGES C CXX)", "find_package(ParallelHDF5)"]
    lines.insert(2, f"list(APPEND CMAKE_MODULE_PATH [[{ROOT / 'cmake'}]])")
    names = [f"${{ParallelHDF5_{name}}}" for name in ("LIBRARY", "INCLUDE_DIR", "VERSION", "KIND")]
    lines += [f'message("found:{" ".join(names)}")']
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text("\n".join(lines))
    command = ["cmake", "-S", str(folder), "-B", str(folder / "build"), "-G", "Ninja", *options]
    command += [f"-DWEFT_MPI_NAME={_build.MPI}", f"-DMPI_CXX_COMPILER={_build.MPICXX}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return re.search(r"^found:(.*)$", done.stderr, re.M)[1].split()


@needs_cmake
def test_hdf5_is_the_same_without_pkg_config(tmp_path):
    """Debian keeps one HDF5 for each MPI, and h5pcc, which FindHDF5 asks, is that of one of them."""
    with_it = found_hdf5(tmp_path / "with")
    assert len(with_it) == 4 and with_it[3] in ("parallel", "serial")
    assert found_hdf5(tmp_path / "without", "-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON") == with_it


def test_the_library_by_hand_has_a_tree_and_a_prefix_of_its_own():
    """That of make has the prefix that pip gave it, a folder that is gone; -j alone starts all compilers at once."""
    page = (ROOT / "docs" / "install.md").read_text()
    tree = re.search(r"^    cmake -B (\S+)", page, re.M)[1]
    assert tree not in (ROOT / "Makefile").read_text().split()
    assert re.fullmatch("build.+", tree) and "/build*/" in (ROOT / ".gitignore").read_text().split()
    assert f"    cmake --build {tree} -j $(nproc)\n    cmake --install {tree} --prefix /usr/local\n" in page


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_works_in_a_folder_with_blanks(tmp_path):
    folder, prefix = tmp_path / "with blanks", tmp_path / "a prefix"
    (folder / "python" / "weft").mkdir(parents=True)
    (folder / "tools").mkdir()
    for name in ("Makefile", "CMakePresets.json", "pyproject.toml", "tools/setup"):
        shutil.copy(ROOT / name, folder / name)
    rest = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    command = ["make", "--dry-run", "install", "MPI=mpich", f"PREFIX={prefix}", f"PYTHON={prefix}/bin/python3"]
    done = subprocess.run(command, cwd=folder, env=rest, capture_output=True, text=True, check=True)
    words = shlex.split(done.stdout)
    assert f"-DPython_EXECUTABLE={folder}/.venv/bin/python" in words
    assert words[words.index("--python") + 1] == f"{prefix}/bin/python3"
    assert words[words.index("--prefix") + 1] == str(prefix)


def test_mpi4py_is_told_which_library_to_load(monkeypatch):
    monkeypatch.setattr(_build, "MPI_LIBRARY", "libmpi.so.12")
    monkeypatch.delitem(sys.modules, "mpi4py.MPI")
    monkeypatch.delenv("MPI4PY_LIBMPI", raising=False)
    monkeypatch.delenv("MPI4PY_MPIABI", raising=False)
    environment = _mpi.os.environ
    _mpi.choose_library()
    assert environment["MPI4PY_LIBMPI"] == str(Path(weft.__file__).parent / "libmpi.so.12")
    monkeypatch.setattr(_build, "MPI_LIBRARY", "/opt/mpi/lib/libmpi.so")
    _mpi.choose_library()  # a choice that is made stands
    assert environment["MPI4PY_LIBMPI"].endswith("libmpi.so.12")
    monkeypatch.delenv("MPI4PY_LIBMPI")
    _mpi.choose_library()
    assert environment["MPI4PY_LIBMPI"] == "/opt/mpi/lib/libmpi.so"
    monkeypatch.delenv("MPI4PY_LIBMPI")
    monkeypatch.setenv("MPI4PY_MPIABI", "openmpi")
    _mpi.choose_library()
    assert "MPI4PY_LIBMPI" not in environment


@pytest.mark.parametrize(
    ("wrapper", "compiler"),
    [
        ("/usr/bin/mpicxx.mpich", "/usr/bin/mpicc.mpich"),
        ("/opt/mpi/bin/mpicxx", "/opt/mpi/bin/mpicc"),
        ("/opt/mpi/bin/mpic++", "/opt/mpi/bin/mpicc"),
    ],
)
def test_the_message_names_the_compiler(monkeypatch, wrapper, compiler):
    monkeypatch.setattr(_build, "MPICXX", wrapper)
    assert f"MPICC={compiler} pip install" in _mpi.mismatch_message("MPICH Version: 4.0", "Open MPI v5.0")


def test_a_linker_script_stands_for_the_library_that_it_names(tmp_path):
    """PyPI's wheels of MPICH hold libmpi.so as such a script, which mpi4py cannot load."""
    script, library, absent = (tmp_path / name for name in ("libmpi.so", "libmpi.so.12", "libother.so"))
    script.write_text("INPUT(libmpi.so.12)\n")
    library.write_bytes(b"\x7fELF" + bytes(100))
    program = tmp_path / "loadable.cmake"
    lines = [f"include({ROOT / 'cmake/WeftLoadable.cmake'})"]
    for file in (script, library, absent):
        lines += [f"weft_loadable(found {file})", 'message("${found}")']
    program.write_text("\n".join(lines))
    said = subprocess.run(["cmake", "-P", program], capture_output=True, text=True, check=True).stderr
    assert said.split() == [str(library), str(library), str(absent)]


def test_nothing_tells_to_install_the_package_of_another_project():
    # PyPI's weft is not this project, whose distribution is weft-fft. The command may have options; the name may have
    # capitals, a version and extras.
    bare = re.compile(r"pip3? install(\s+-[-\w=.:/]+)*\s+['\"]?weft(?![-\w/])", re.IGNORECASE)
    for wrong in (
        "pip install weft",
        "python -m pip install -U weft",
        'pip3 install "weft[bench]>=1"',
        "pip install Weft",
    ):
        assert bare.search(wrong), wrong
    for right in ("pip install .", "pip install /path/to/weft", "pip install weft-fft", "spack install weft"):
        assert not bare.search(right), right
    kinds = {".md", ".py", ".cpp", ".hpp", ".h", ".f90", ".toml", ".yaml", ".sh", ".txt", ".in", ".cmake", ""}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    files = [ROOT / name for name in listed.split("\0") if name] or sorted(ROOT.glob("[a-z]*/**/*"))
    texts = [file for file in files if file.suffix in kinds and file.is_file() and file != Path(__file__)]
    assert ROOT / "README.md" in texts and ROOT / "docs" / "install.md" in texts
    found = [str(file) for file in texts if bare.search(file.read_text(errors="replace"))]
    assert found == []
    for page in (ROOT / "README.md", ROOT / "docs" / "install.md"):
        assert page.read_text().count("`weft` on PyPI is another project") == 1
        assert "pip install ." in page.read_text() and "`weft-fft`" in page.read_text()
