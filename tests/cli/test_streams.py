"""What commands write to: stdout that is closed, full or left by its reader, and terminals without the characters."""

import os
import subprocess
import sys

import pytest
from conftest import MACHINE, SMALL_CASE, environment

FULL = "weft: error: stdout cannot be written: No space left on device; send it where there is room\n"
CLOSED = "weft: error: stdout is closed; send it to a file, or to /dev/null\n"
COMMANDS = [
    ["--help"],
    ["info", "--json"],
    ["solve", "case.toml"],
    ["check", "--quick", "--shape", "5", "4", "--kinds", "c2c", "-n", "2"],
    ["tune", "--shape", "8", "8", "--effort", "estimate"],
]


def shell(weft, line, *arguments):
    """A line of bash in which "$@" is the command."""
    weft.write("case.toml", SMALL_CASE)
    command = ["bash", "-c", line, "bash", sys.executable, "-m", "weft", *arguments]
    options = {"cwd": weft.folder, "env": environment(COLUMNS="200"), "text": True, "timeout": 600}
    return subprocess.run(command, capture_output=True, check=False, **options)


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_full_stdout_is_one_line(weft, arguments):
    done = shell(weft, '"$@" >/dev/full', *arguments)
    assert (done.returncode, done.stderr) == (2, FULL)


@pytest.mark.parametrize("arguments", COMMANDS[2:4], ids=" ".join)
def test_closed_stdout_is_one_line(weft, arguments):
    done = shell(weft, '"$@" >&-', *arguments)
    assert (done.returncode, done.stderr) == (2, CLOSED)
    assert not (weft.folder / "out").exists()


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full", "<&-"])
def test_other_streams_may_be_closed_or_full(weft, streams):
    done = shell(weft, f'"$@" {streams}', "info")
    assert done.returncode == 0 and done.stdout.startswith("weft")
    done = shell(weft, f'"$@" {streams}', "solve", "missing.toml")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("ranks", ["1", "2"])
def test_a_reader_that_leaves_ends_the_command_quietly(weft, ranks):
    # More than a pipe holds, by lines: whatever the reader's size of reads, it is gone before the end.
    line = 'set -o pipefail; "$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"'
    shape = ["--shape", "5", "4", "--kinds", "c2c", "--strategy", "alltoallv"]
    done = shell(
        weft, line, "check", *shape, *(["--chunks", ",".join(map(str, range(1, 1000)))]), "-n", ranks, "--json"
    )
    assert done.stderr == "" and done.stdout.strip() in ("0", "141")
    program = "import sys, weft.cli as cli\ncli.prepare()\nwhile True: print('x' * 1000)\n"
    writer = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    writer.stdout.readline()
    writer.stdout.close()
    assert (writer.wait(600), writer.stderr.read()) == (141, "")


@pytest.mark.parametrize(
    ("variables", "ranks"),
    [
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, 1),
        ({"PYTHONIOENCODING": "ascii"}, 2),
        ({"PYTHONIOENCODING": "latin-1"}, 2),
    ],
    ids=["C", "ascii", "latin-1"],
)
def test_names_that_the_terminal_does_not_have(weft, variables, ranks):
    name = "größe \u221e.toml"
    (weft.folder / name).write_text(SMALL_CASE, encoding="utf-8")
    done = weft("solve", name, "-n", ranks, "--plot", env=variables)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    folder = weft.folder / "out" / "größe \u221e"
    assert {path.name for path in folder.iterdir()} == {"solution.h5", "solution.png", "solution.xdmf"}
    refused = weft("solve", name + "2", env=variables)
    assert refused.returncode == 2 and refused.stderr.startswith("weft: error: gr") and refused.stderr.count("\n") == 1


@pytest.mark.parametrize("ranks", [1, 2])
def test_names_that_are_no_utf8(weft, ranks):
    name, out = os.fsdecode(b"caf\xe9.toml"), os.fsdecode(b"o\xe9")
    (weft.folder / name).write_text(SMALL_CASE)
    found = weft("solve", name, "--plot", "--json", "-n", ranks)
    assert (found.returncode, found.stderr) == (0, "")
    assert os.listdir(os.fsencode(weft.folder / "out")) == [b"caf\xe9"]
    done = weft("solve", name, "--plot", "--out", out, "-n", ranks)
    assert (done.returncode, done.stderr) == (0, "")
    assert "caf\\xe9" in done.stdout and "o\\udce9" in done.stdout
    names = {b"solution.h5", b"solution.png", b"solution.xdmf"}
    assert set(os.listdir(os.fsencode(weft.folder / out))) == names
    drawn = weft("plot", f"{out}/solution.h5", "--out", os.fsdecode(b"p\xe9.png"))
    assert (drawn.returncode, drawn.stderr) == (0, "")
    assert (weft.folder / os.fsdecode(b"p\xe9.png")).exists()


def test_names_in_a_case_file_that_the_system_does_not_have(weft):
    weft.write(
        "case.toml", SMALL_CASE.replace('rhs = "sin', 'name = "sin').strip() + '\nrhs = { file = "\\u221e.npy" }\n'
    )
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    message = weft.refused("solve", "case.toml", "-n", 2, env=locale)
    assert "rhs.file" in message and "'\\u221e'" in message and "ascii" in message


@pytest.mark.parametrize("option", ["--save", "--machine"])
def test_names_that_are_refused_before_the_work(weft, option):
    name = os.fsdecode(b"caf\xe9.toml")
    command = ("tune", "--shape", 8, 8) if option == "--save" else ("predict", "--shape", 8, 8, "-n", 2)
    assert "caf" in weft.refused(*command, option, name)


def test_a_byte_order_mark_begins_a_text(weft):
    mark = b"\xef\xbb\xbf"
    (weft.folder / "case.toml").write_bytes(mark + SMALL_CASE.replace("\n", "\r\n").encode())
    assert weft("solve", "case.toml", "-n", 2).returncode == 0
    (weft.folder / "machine.toml").write_bytes(mark + MACHINE.replace("NAME", "here").encode())
    assert "of here" in weft("predict", "--shape", 8, 8, "-n", 2, "--machine", "machine.toml").stdout
    shown = weft("explain", "--shape", 8, 8, env={"WEFT_MACHINE": "machine.toml"})
    assert (shown.returncode, shown.stderr) == (0, "")
    weft("tune", "--shape", 16, 16, "--kinds", "c2c", "--budget", 0.1, "--save", "tuning.toml")
    tuned = weft.folder / "tuning.toml"
    tuned.write_bytes(mark + tuned.read_bytes())
    shown = weft("explain", "--shape", 16, 16, "--kinds", "c2c", env={"WEFT_TUNING": "tuning.toml"})
    assert (shown.returncode, shown.stderr) == (0, "") and "as tuning.toml says" in shown.stdout
