"""What make coverage adds up: lines of C++ in several compilations, lines of Python, and the figure of both."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "covered_lines.py"


def cpp_line(number, count, **marks):
    return {"line_number": number, "count": count, **{f"gcovr/{mark}": True for mark in marks}}


@pytest.fixture
def build(tmp_path):
    """10 lines, of which 6 have run: 3 of 5 of C++, 3 of 5 of Python."""
    files = [
        {"file": "src/a.cpp", "lines": [cpp_line(1, 2), cpp_line(2, 0), cpp_line(3, 0), cpp_line(9, 0, excluded=True)]},
        # A template: line 2 has run in the second of its instances.
        {
            "file": "include/b.hpp",
            "lines": [cpp_line(1, 1), cpp_line(2, 0), cpp_line(2, 7), cpp_line(4, 0, noncode=True)],
        },
    ]
    (tmp_path / "cpp-lines.json").write_text(json.dumps({"files": files}))
    python = {"python/weft/c.py": {"executed_lines": [1, 5, 9], "missing_lines": [6, 7]}}
    (tmp_path / "python-lines.json").write_text(json.dumps({"files": python}))
    return tmp_path


def summed(build, least):
    return subprocess.run([sys.executable, SCRIPT, build, str(least)], capture_output=True, text=True, check=False)


def test_lines_are_counted_once_and_listed(build):
    done = summed(build, 60)
    assert done.returncode == 0, done.stderr
    assert "C++ 60.0 % of 5, Python 60.0 % of 5, together 60.0 % of 10 lines (at least 60 %)" in done.stdout
    assert (build / "uncovered.txt").read_text().splitlines() == [
        "python/weft/c.py: 2 of 5 lines: 6-7",
        "src/a.cpp: 2 of 3 lines: 2-3",
    ]


def test_too_few_lines_fail(build):
    done = summed(build, 60.5)
    assert done.returncode == 1
    assert "60.0 % is less than 60.5 %" in done.stderr
