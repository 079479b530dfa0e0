"""docs/tutorial.ipynb is what tools/notebook.py makes of docs/tutorial.md, and runs in a kernel."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from weft.launch import own_launcher

ROOT = Path(__file__).parents[2]


def test_the_notebook_is_that_of_the_page():
    done = subprocess.run([sys.executable, ROOT / "tools" / "notebook.py", "--check"], check=False)
    assert done.returncode == 0, "run tools/notebook.py"


def test_the_notebook_runs(tmp_path, monkeypatch):
    # The Python of this test, and the launcher of its MPI.
    launcher = own_launcher()
    for name, value in launcher.environ().items():
        monkeypatch.setenv(name, value)
    start = shlex.join(launcher.command(3, ["python"]))
    folders = [tmp_path / "bin", Path(sys.executable).parent, os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mpiexec").write_text(f'#!/bin/sh\nshift 3\nexec {start} "$@"\n')
    (tmp_path / "bin" / "mpiexec").chmod(0o755)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    nbformat.validate(notebook)
    # A command that fails is an error of its cell, which stops the run.
    for cell in notebook.cells:
        if cell.cell_type == "code" and cell.source.startswith("!"):
            lines = [line[1:] for line in cell.source.split("\n")]
            cell.source = "import subprocess\n" + "\n".join(
                f"subprocess.run({line!r}, shell=True, check=True)" for line in lines
            )
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    assert (tmp_path / "result" / "solution.h5").is_file() and (tmp_path / "tuning.toml").is_file()
