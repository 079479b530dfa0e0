"""Runs the command line as a user does: in processes of its own, in a folder of its own."""

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, suppress
from pathlib import Path
from unittest.mock import patch

import pytest
from weft import cli
from weft._mpi import MPI

EXAMPLES = Path(__file__).parents[2] / "examples"

SMALL_CASE = """\
cells = [8, 8, 8]
length = [1.0, 1.0, 1.0]
boundary = ["periodic", "odd", "unbounded"]
rhs = "sin(2*pi*x) * sin(pi*y) * exp(-100*(z - 0.5)**2)"
"""

# A machine file of a machine that is called NAME.
MACHINE = 'name = "NAME"\nsource = "here"\nfitted = "nothing"\nnode_cores = 4\n' + "".join(
    f"[{part}]\n{lines}\n"
    for part, lines in (
        ("arithmetic", "t_c = 1e-9"),
        ("memory", "t_a = 1e-12"),
        ("inside", "t_w = 0\nt_s = 0"),
        ("between", "t_w = 0\nt_s = 0"),
    )
)


def edited(text, **changes):
    """A case's text with the lines of some keys replaced, removed (None) or put in front."""
    for key, value in changes.items():
        lines = text.splitlines()
        kept = [line for line in lines if not line.startswith(f"{key} =")]
        place = next((i for i, line in enumerate(lines) if line.startswith(f"{key} =")), 0)
        text = "\n".join(kept if value is None else [*kept[:place], f"{key} = {value}", *kept[place:]]) + "\n"
    return text


# Seconds after which a command is taken for one that never ends; the longest takes some two minutes on two idle cores.
HANGS = 1800


def environment(**variables):
    """That of a command: colours that the tests' own terminal asks for are not those of a pipe, and estimates are those
    of the standard machine."""
    colours = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
    return {key: value for key, value in os.environ.items() if key not in colours} | {"WEFT_MACHINE": ""} | variables


def require_page(text):
    """Asserts that every line has at most 100 columns, but for paths, and for commands to copy, which stay whole."""
    wide = [line for line in text.splitlines() if len(line) > 100 and "/" not in line and "# " not in line]
    assert not wide, "\n".join(wide)


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
        # `drop` names variables that are to be unset.
        env = {**environment(COLUMNS="200"), **options.pop("env", {})}
        for name in options.pop("drop", ()):
            env.pop(name, None)
        command = [*program, *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True, **options}
        with subprocess.Popen(
            command, cwd=self.folder, env=env, text=True, errors="backslashreplace", **pipes
        ) as process:
            try:
                stdout, stderr = process.communicate(timeout=HANGS)
            except subprocess.TimeoutExpired:
                process.terminate()  # it ends its ranks, which have a process group of their own
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
                os.killpg(process.pid, signal.SIGKILL)
                raise
        if arguments and command[1:3] == ["-m", "weft"] and not {"--help", "--json"} & set(command):
            require_page(stdout or "")
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)

    def json(self, *arguments):
        """The JSON that a command prints, which must succeed and say nothing on stderr."""
        done = self(*arguments, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def refused(self, *arguments, **options):
        """The message of a command that must be refused: exit status 2, one line on stderr, no file or folder new."""
        before = sorted(self.folder.rglob("*"))
        done = self(*arguments, **options)
        return self._message(done.returncode, done.stderr, before)

    def refused_here(self, *arguments):
        """As refused(), without a process of its own: for long lists of cases on one rank."""
        before, started_in, said = sorted(self.folder.rglob("*")), Path.cwd(), io.StringIO()
        os.chdir(self.folder)
        try:
            with patch.dict(os.environ, environment(COLUMNS="200")), redirect_stderr(said):
                status = cli._run(list(map(str, arguments)))
        finally:
            os.chdir(started_in)
        assert not MPI.Is_finalized(), "give this case to refused()"
        return self._message(status, said.getvalue(), before)

    def _message(self, status, stderr, before):
        lines = stderr.splitlines()
        assert status == 2, stderr
        assert len(lines) == 1 and lines[0].startswith("weft: error: "), stderr
        assert sorted(self.folder.rglob("*")) == before
        return lines[0]


@pytest.fixture
def weft(tmp_path):
    """The command line, run in an empty folder."""
    return CommandLine(tmp_path)
