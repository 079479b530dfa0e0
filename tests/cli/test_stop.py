"""Ctrl-C: every command ends at once with status 130, without a traceback, and nothing is left behind."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from conftest import environment
from weft import Error
from weft.launch import captured, check_count

# Seconds in which a command has to be gone; here it takes less than one, on a loaded machine more.
AT_ONCE = 20

SOLVE = """\
cells = [128, 128, 128]
length = [1.0, 1.0, 1.0]
boundary = ["unbounded", "unbounded", "unbounded"]
rhs = "exp(-100*((x - 0.5)**2 + (y - 0.5)**2 + (z - 0.5)**2))"
"""
# Each would take seconds, most a minute and more.
COMMANDS = [
    (["tune", "--shape", "256", "256", "256", "--save", "t.toml"], "1"),
    (["tune", "--shape", "256", "256", "256", "--save", "t.toml"], "2"),
    (["check"], "2"),
    (["validate", "--json", "v.json"], "1"),
    (["calibrate", "--turns", "1000", "--out", "m.toml"], "2"),
    (["bench", "fft", "--shape", "64", "64", "64", "--repeat", "100000"], "2"),
    (["bench", "exchange", "--shape", "128", "128", "128", "--repeat", "100000"], "1"),
]


def of_session(session):
    """The processes of a session that have not ended."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    state, _, _, its_session = file.read().rpartition(b")")[2].split()[:4]
            except OSError:
                continue
            if int(its_session) == session and state != b"Z":
                found.append(int(entry))
    return found


def is_loaded(process):
    """Whether a command has begun: it handles the signals of its own ending, or of the ranks that it watches."""
    with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
        caught = next(int(line.split()[1], 16) for line in file if line.startswith("SigCgt:"))
    return any(caught >> (number - 1) & 1 for number in (signal.SIGALRM, signal.SIGTERM))


def usual_interrupts():
    """Tests may run where they are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(weft, arguments, seconds):
    """Status and output of a command that got a SIGINT so many seconds after it had begun, and how long it took.

    A command that is done by then, on a fast machine, is tried again with half the time.
    """
    while seconds > 0.01:
        result = interrupted_once(weft, arguments, seconds)
        if result is not None:
            return result
        for path in weft.folder.iterdir():
            if path.name != "case.toml":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        seconds /= 2
    return interrupted_once(weft, arguments, 0)


def interrupted_once(weft, arguments, seconds):
    """The same, once; None where the command was done before."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    command = [sys.executable, "-m", "weft", *arguments]
    with subprocess.Popen(command, cwd=weft.folder, env=environment(), preexec_fn=usual_interrupts, **pipes) as process:
        while process.poll() is None and not is_loaded(process.pid):
            time.sleep(0.02)
        time.sleep(seconds)
        if process.poll() is not None:
            assert process.returncode == 0, process.stderr.read()
            return None
        start = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=600)
        took = time.monotonic() - start
    assert of_session(process.pid) == []
    # One that is still being loaded, or has done its work, dies by the signal, of which a shell makes 130, too.
    return 130 if process.returncode == -signal.SIGINT else process.returncode, out, err, took


@pytest.mark.parametrize(("arguments", "ranks"), COMMANDS)
def test_every_command_ends_at_once(weft, arguments, ranks):
    status, _, err, took = interrupted(weft, [*arguments, "-n", ranks], 1)
    lines = [line for line in err.splitlines() if not line.startswith(("measuring", "weft: ")) and " of " not in line]
    assert (status, lines) == (130, []) and took < AT_ONCE
    assert list(weft.folder.iterdir()) == []


@pytest.mark.parametrize(("ranks", "seconds"), [("1", 0.0), ("1", 0.6), ("2", 2.0)])
def test_a_solve_leaves_whole_files_only(weft, ranks, seconds):
    weft.write("case.toml", SOLVE)
    status, _, err, took = interrupted(weft, ["solve", "case.toml", "--plot", "-n", ranks], seconds)
    assert (status, err) == (130, "") and took < AT_ONCE
    files = {path.name for path in weft.folder.rglob("*") if path.is_file()}
    assert files <= {"case.toml", "solution.h5", "solution.xdmf", "solution.png"}


def test_a_command_that_is_being_loaded_ends_without_a_traceback(weft):
    program = (
        "import signal, sys; sys.orig_argv = ['python', '-m', 'weft']; import weft; signal.raise_signal(signal.SIGINT)"
    )
    done = weft(program=(sys.executable, "-c", program))
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")  # of which a shell makes 130
    done = weft(program=(sys.executable, "-c", "import signal, weft; signal.raise_signal(signal.SIGINT)"))
    assert "KeyboardInterrupt" in done.stderr  # a program of the user's is its own


@pytest.mark.parametrize("place", ["__set_name__", "__del__"])
def test_python_may_replace_or_drop_what_ends_a_command(weft, place):
    program = f"""
import signal, time, weft.cli
class Late:
    def {place}(self, *_):
        signal.raise_signal(signal.SIGINT)
def command(arguments):
    class Owner:
        field = Late()
    del Owner.field
    time.sleep(60)
weft.cli._run = command
weft.cli.main([])
"""
    done = weft(program=(sys.executable, "-c", program))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_callback_may_stop_a_search(weft):
    program = """
import signal, weft
def stop(trial, number, count):
    assert number == 1, "it went on"
    signal.raise_signal(signal.SIGINT)
try:
    weft.tune((64, 64, 64), "c2c", progress=stop)
except KeyboardInterrupt:
    print("stopped")
"""
    done = weft(program=(sys.executable, "-c", program))
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")


def test_errors_in_a_callback_are_told_and_forgotten(weft):
    program = """
import weft
def fail(trial, number, count):
    raise ZeroDivisionError("in between")
found = weft.tune((16, 16), "c2c", progress=fail, budget=0.05)
print(found.seconds > 0)
"""
    done = weft(program=(sys.executable, "-c", program))
    assert (done.returncode, done.stdout) == (0, "True\n") and "in between" in done.stderr


def test_a_program_that_is_stopped_takes_its_programs_along():
    program = """
import sys
from weft.launch import captured
captured([sys.executable, "-c", "import time; print(1, flush=True); time.sleep(1000)"])
"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        command = [sys.executable, "-c", program]
        process = subprocess.Popen(command, start_new_session=True, preexec_fn=usual_interrupts)
        until = time.monotonic() + 60
        while len(of_session(process.pid)) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)
        process.send_signal(number)
        assert process.wait(60) == 128 + number
        assert of_session(process.pid) == []
    assert captured(["sh", "-c", "echo out; echo err >&2; exit 3"]).stdout == "out\n"


@pytest.mark.parametrize("arguments", [["solve", "case.toml"], ["check"], ["tune", "--shape", "8", "8"], ["demo"]])
def test_numbers_of_ranks_that_cannot_be_meant(weft, arguments):
    message = weft.refused(*arguments, "-n", 1_000_000)
    assert "-n: 1000000 ranks" in message and "give at most" in message


def test_more_than_four_ranks_a_core_are_asked_for(weft, monkeypatch):
    cores = len(os.sched_getaffinity(0))
    message = weft.refused("check", "--quick", "-n", 4 * cores + 1)
    assert f"give at most {4 * cores}" in message and "--many-ranks" in message
    check_count(4 * cores)
    with monkeypatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0})
        with pytest.raises(Error, match="give at most 4, or weft --many-ranks"):
            check_count(5)
        patch.setenv("WEFT_MANY_RANKS", "1")
        check_count(5)
        with pytest.raises(Error, match="give at most 256 "):
            check_count(257)
    only = {os.sched_getaffinity(0).pop()}
    one_core = {"preexec_fn": lambda: os.sched_setaffinity(0, only)}
    small = ("check", "--shape", 5, 4, "--kinds", "c2c", "--strategy", "alltoallv", "--chunks", 1, "-n", 5)
    assert "--many-ranks" in weft.refused(*small, **one_core)
    assert weft("--many-ranks", *small, **one_core).returncode == 0
