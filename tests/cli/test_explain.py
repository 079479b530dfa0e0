"""weft explain: plans and solves on ranks that are not there, beside those that are; times of a run; bad input."""

import re
import sys
import time

import pytest
from unwrapped import unwrapped
from weft.launch import own_launcher, weft_command


def test_a_slab_on_twelve_ranks(weft):
    text = weft(
        *("explain", "--shape", 24, 24, 12, "-n", 12, "--strategy", "persistent", "--chunks", 2, "--node-ranks", 12)
    ).stdout
    assert max(map(len, text.splitlines())) <= 100
    text = unwrapped(text)
    # A block is two planes of two rows of 7 modes, 16 bytes each.
    assert "axis 0 cut by 12" in text and "12 ranks" in text
    assert "persistent, axis 1 <-> axis 0, 0.004928 MB sent to 11 peers, 0.000448 MB each, in 2 chunks" in text


def test_a_four_dimensional_plan_on_a_three_dimensional_grid(weft):
    found = weft.json("explain", "--shape", 12, 12, 12, 12, "--kinds", "c2c", "-n", 12, "--grid", 2, 3, 2)
    assert (found["grid"], found["ranks"], found["chunks"]) == ([2, 3, 2], 12, 1)
    peers = [int(count) for count in re.findall(r"sent to (\d+) peers?,", unwrapped(found["text"]))]
    assert peers == [1, 2, 1]
    # Half of what a rank has goes to one peer, two thirds go to two.
    local = 12**4 // 12 * 16
    assert found["bytes_sent"] == local // 2 + local * 2 // 3 + local // 2


@pytest.mark.parametrize("extra", [[], ["--in-place"]])
def test_a_run_shows_times(weft, extra):
    plain = weft("explain", "--shape", 16, 16, 16, *extra).stdout
    timed = weft("explain", "--shape", 16, 16, 16, "--run", *extra).stdout
    assert "last run" not in plain and "last run" in unwrapped(timed) and "% of a copy" in unwrapped(timed)


def common(text):
    """What a plan says with ranks and without them: all but engines, batches, workspace and times."""
    steps = []
    for line in unwrapped(text).splitlines():
        if " ranks, " in line and "threads each" in line:
            line = line.split(", ")[0]
        line = re.sub(r"; \d+ batches of \d+, ", "; ", re.sub(r", last run .*", "", line))
        if line.startswith("  pass"):
            line = re.sub(r"( lines), .*?(?= \+ axis|;)", r"\1", line)
        if line.startswith(("physical", "spectral", "  pass", "  exchange")) or line.endswith(" ranks"):
            steps.append(line)
    return steps


@pytest.mark.parametrize(
    ("ranks", "how"),
    [
        (4, ["--shape", 20, 18, 16]),
        (12, ["--shape", 20, 18, 16, "--node-ranks", 2, "--rank", 3]),
        (4, ["--shape", 9, 10, 14, "--kinds", "dct2,r2c,c2c", "--strategy", "cyclic", "--chunks", 3, "--rank", 1]),
        (12, ["--shape", 5, 30, 7, "--strategy", "multistage", "--precision", "float", "--rank", 2]),
        (4, ["--shape", 20, 18, 16, "--strategy", "hierarchical", "--node-ranks", 2, "--chunks", 4]),
        (4, ["--shape", 20, 18, 16, "--in-place"]),
        (4, ["--shape", 16, 16, 16, "--strategy", "alltoallw", "--chunks", 2147483647]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)
def test_ranks_that_are_not_there_say_what_those_say_that_are(weft, ranks, how):
    how = [*how, *([] if "--node-ranks" in how else ["--node-ranks", ranks]), "--threads", 1]
    computed = weft.json("explain", *how, "-n", ranks)
    real = weft.json("--many-ranks", "explain", *how, "-n", ranks, "--run")
    assert common(computed["text"]) == common(real["text"])
    assert set(real) - set(computed) == {"workspace_bytes"} and set(computed) - set(real) == {"node_ranks"}
    for key in ("shape", "kinds", "ranks", "strategy", "grid", "chunks", "threads", "bytes_sent"):
        assert computed[key] == real[key], key


@pytest.mark.parametrize("how", [["--boundary", "unbounded"], ["--boundary", "odd", "periodic", "even-unbounded"]])
def test_a_solve(weft, how):
    how = ["--shape", 24, 20, 16, *how, "--centring", "cell", "node", "cell", "--strategy", "alltoallv"]
    how += ["-n", 4, "--threads", 1]
    computed, real = weft.json("explain", *how, "--node-ranks", 4), weft.json("--many-ranks", "explain", *how, "--run")
    predicted = weft.json("predict", *how)["predictions"][0]
    assert common(computed["text"]) == common(real["text"])
    assert predicted["physical"] in computed["text"] and predicted["spectral"] in computed["text"]
    assert computed["bytes_sent"] == real["bytes_sent"] and "last run" in real["text"]
    assert "symbol    Green's function" in computed["text"] and "symbol    Green's function" in real["text"]


@pytest.mark.parametrize(
    ("how", "peers"),
    [
        (["--shape", 8192, 8192, 8192, "-n", 1000000], 2),
        (["--shape", 2048, 2048, 2048, "-n", 50000, "--chunks", 2147483647], 2),
        (["--shape", 8192, 8192, "-n", 1048576, "--strategy", "multistage", "--rank", 1048575], 1),
        (["--shape", 4096, 4096, 4096, "-n", 1000000, "--boundary", "unbounded"], 2),
    ],
)
def test_many_ranks_are_explained_at_once(weft, how, peers):
    begin = time.monotonic()
    done = weft("explain", *how)
    assert time.monotonic() - begin < 10
    assert (done.returncode, done.stderr) == (0, "")
    found = re.findall(r"MB sent to (\d+) peers", unwrapped(done.stdout))
    assert len(found) == peers and f"{how[how.index('-n') + 1]} ranks" in done.stdout


def test_no_process_is_started(weft):
    """The command has no child, by the kernel's count, and takes little memory."""
    program = (
        "import resource, weft.cli as cli\n"
        "assert cli._run(['explain', '--shape', '64', '64', '64', '-n', '1000000']) == 0\n"
        "assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss == 0\n"
        # The most that this program had; the usage of a process counts what the one had that started it, too.
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM:'))\n"
        "assert int(peak.split()[1]) < 400000\n"
    )
    done = weft("-c", program, program=(sys.executable,))
    assert (done.returncode, done.stderr) == (0, "") and "1000000 ranks" in done.stdout


def test_under_a_launcher(weft):
    launcher = own_launcher()

    def ranks_of_text(*arguments):
        command = launcher.command(4, weft_command(["explain", "--shape", "16", "16", "16", *arguments]))
        done = weft(program=command, env=launcher.environ() | {"WEFT_MACHINE": ""})
        assert done.returncode == 0, done.stderr
        return re.findall(r"^(\d+) ranks", done.stdout, re.MULTILINE)

    assert ranks_of_text() == ["4"]
    assert ranks_of_text("-n", "96") == ["96"]
    assert ranks_of_text("--run", "--rank", "3") == ["4"]


def test_machines_and_nodes(weft):
    text = weft("explain", "--shape", 512, 512, 512, "-n", 96, "--machine", "juwels").stdout
    text = unwrapped(text)
    assert "96 ranks, 1 threads each, 48 ranks a node" in text and "between nodes" in text
    text = weft("explain", "--shape", 512, 512, 512, "-n", 2, "--machine", "juwels", "--node-ranks", 1).stdout
    assert "2 ranks, 48 threads each, 1 ranks a node" in text


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--shape", "8", "x"], ["--shape", "'x'", "64 64 64"]),
        (["--shape", "8", "8", "--kinds", "dct9"], ["kinds", "dct9", "dct1"]),
        (["--shape", "8", "8", "--precision", "half"], ["--precision", "half", "double"]),
        (["--shape", "8", "8", "8", "--strategy", "pigeon"], ["strategy", "pigeon", "alltoallv"]),
        (["--shape", "8", "8", "-n", "0"], ["-n", "0", "1048576"]),
        (["--shape", "8", "8", "-n", "1048577"], ["-n", "1048577", "1048576"]),
        (["--shape", "8", "8", "-n", "2147483647"], ["-n", "2147483647", "1048576"]),
        (["--shape", "8", "8", "-n", "1000000", "--run"], ["-n", "1000000", "weft explain without --run"]),
        (["--shape", "8", "8", "-n", "4", "--rank", "4"], ["rank", "4", "0 to 3"]),
        (["--shape", "8", "8", "--rank", "1", "--run"], ["--rank", "1", "0 to 0"]),
        (["--shape", "8", "8", "-n", "4", "--effort", "patient"], ["effort", "patient", "estimate"]),
        (["--shape", "8", "8", "-n", "4", "--node-ranks", "2", "--strategy", "shared"], ["shared", "node", "auto"]),
        (["--shape", "8", "8", "-n", "4", "--grid", "3"], ["grid", "3", "4"]),
        (["--shape", "8", "8", "--threads", "100000"], ["threads", "100000"]),
        (["--shape", "8", "8", "--boundary", "open"], ["boundary", "open", "unbounded"]),
        (["--shape", "8", "8", "8", "8", "--boundary", "odd"], ["--shape", "2 or 3"]),
        (["--shape", "8", "8", "--boundary", "unbounded", "--in-place"], ["in_place", "unbounded"]),
        (["--shape", "8", "8", "--boundary", "odd", "--grid", "1", "--run"], ["--grid", "solvers"]),
        (["--shape", "8", "8", "--machine", "juwels", "--run"], ["--machine", "WEFT_MACHINE"]),
        (["--shape", "8", "8", "--machine", "deep-thought"], ["deep-thought", "juwels"]),
    ],
)
def test_refused(weft, arguments, words):
    message = weft.refused_here("explain", *arguments)
    assert all(word in message for word in words), message
