"""Runs the command line as a user does: in processes of its own, in a folder of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

SMALL_CASE = """\
cells = [8, 8, 8]
length = [1.0, 1.0, 1.0]
boundary = ["periodic", "odd", "unbounded"]
rhs = "sin(2*pi*x) * sin(pi*y) * exp(-100*(z - 0.5)**2)"
"""


def edited(text, **changes):
    """A case's text with the lines of some keys replaced, removed (None) or put in front."""
    for key, value in changes.items():
        lines = text.splitlines()
        kept = [line for line in lines if not line.startswith(f"{key} =")]
        place = next((i for i, line in enumerate(lines) if line.startswith(f"{key} =")), 0)
        text = "\n".join(kept if value is None else [*kept[:place], f"{key} = {value}", *kept[place:]]) + "\n"
    return text


class CommandLine:
    """weft in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def write(self, name, text):
        """A file in the folder; returns its name."""
        (self.folder / name).write_text(text)
        return name

    def __call__(self, *arguments, program=(sys.executable, "-m", "weft"), **options):
        """Runs the command; returns the finished process with its output as text."""
        # Colours or width that the tests' own terminal asks for are not those of a pipe; estimates are those of the
        # standard machine unless a test says otherwise. `drop` names variables that are to be unset.
        env = {**os.environ, "COLUMNS": "200", "WEFT_MACHINE": "", **options.pop("env", {})}
        for name in options.pop("drop", ()):
            env.pop(name, None)
        command = [*program, *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, timeout=300, **options)

    def json(self, *arguments):
        """The JSON that a command prints, which must succeed and say nothing on stderr."""
        done = self(*arguments, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def refused(self, *arguments, **options):
        """The message of a command that must be refused: exit status 2, one line on stderr, no file or folder new."""
        before = sorted(self.folder.rglob("*"))
        done = self(*arguments, **options)
        lines = done.stderr.splitlines()
        assert done.returncode == 2, done.stdout + done.stderr
        assert len(lines) == 1 and lines[0].startswith("weft: error: "), done.stderr
        assert sorted(self.folder.rglob("*")) == before
        return lines[0]


@pytest.fixture
def weft(tmp_path):
    """The command line, run in an empty folder."""
    return CommandLine(tmp_path)
