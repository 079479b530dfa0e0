"""The distribution weft of another project in the folder of this package: a warning, or a refusal where it has replaced
weft/__init__.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import weft
from on_ranks import on_ranks
from weft import _namesake

PACKAGE = Path(weft.__file__).parent


def shared_folder(site, metadata="weft-0.9.118.dist-info"):
    """A folder with this package, file by file, and what the other distribution adds to it."""
    folder = site / "weft"
    folder.mkdir(parents=True)
    for file in PACKAGE.iterdir():
        if file.name != "__pycache__":
            (folder / file.name).symlink_to(file)
    (folder / _namesake.THEIR_FILE).write_text("")
    (site / metadata).mkdir()
    (site / metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: weft\nVersion: 0.9.118\n")
    return folder


def imported(site, module):
    command = [sys.executable, "-c", f"import {module}"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_no_file_of_this_package_has_the_name_that_is_looked_for():
    assert not (PACKAGE / _namesake.THEIR_FILE).exists() and _namesake.their_version() is None


def test_a_file_alone_is_no_distribution(tmp_path):
    folder = shared_folder(tmp_path, "other-0.9.118.dist-info")
    assert _namesake.their_version(folder) is None


def test_the_import_warns_once(tmp_path):
    folder = shared_folder(tmp_path)
    assert _namesake.their_version(folder) == "0.9.118"
    done = imported(tmp_path, "weft")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("RuntimeWarning") == 1 and f"in the same folder as weft-fft, {folder}." in done.stderr
    assert "pip uninstall weft weft-fft" in done.stderr


def test_one_rank_warns(tmp_path, monkeypatch):
    shared_folder(tmp_path / "site")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    script = """
        import warnings
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            import weft
        from mpi4py import MPI
        counts = MPI.COMM_WORLD.gather(sum("weft 0.9.118" in str(warning.message) for warning in seen))
        if counts:
            print(counts)
    """
    assert on_ranks(2, script, tmp_path) == "[1, 0]"


@pytest.mark.parametrize("module", ["weft.plan", "weft.compat.mpi4py_fft", "weft.errors"])
def test_modules_refuse_the_package_of_the_other_project(tmp_path, module):
    folder = shared_folder(tmp_path)
    (folder / "__init__.py").unlink()
    (folder / "__init__.py").write_text('__version__ = "0.9.118"\n')
    done = imported(tmp_path, module)
    assert done.returncode == 1
    said = done.stderr.strip().split("\n")[-1]
    assert said.startswith("ImportError: weft 0.9.118, another project, has replaced or removed weft/__init__.py"), said
    assert str(folder) in said and "pip uninstall weft weft-fft" in said


def test_modules_without_the_package_refuse_too(monkeypatch):
    monkeypatch.delitem(sys.modules, "weft._loading")
    with pytest.raises(ImportError, match="Another distribution has replaced or removed weft/__init__.py"):
        _namesake.require_own_package()
