"""weft predict: the papers' numbers, a million ranks, strategies, machine files, bad input."""

import json

import pytest
from unwrapped import headings, unwrapped


def closed_forms(text):
    """The two sentences about Ayala and Wang's formulas."""
    return "".join(unwrapped(text).splitlines(keepends=True)[-2:])


@pytest.mark.parametrize(
    ("n", "ranks", "shares", "overlap"),
    [
        (1024, 256, ("24.69%", "34.01%", "41.29%"), "3,156"),
        (2048, 1024, ("26.51%", "33.19%", "40.29%"), "13,455"),
    ],
)
def test_table_2_of_ayala_and_wang(weft, n, ranks, shares, overlap):
    done = weft("predict", "--machine", "bluefire", "--shape", n, n, n, "-n", ranks)
    text = closed_forms(done.stdout)
    assert done.returncode == 0
    for number in (*shares, f"P_max,improve {overlap} ranks"):
        assert number in text


def test_most_ranks_of_ayala_and_wang(weft):
    done = weft("predict", "--machine", "bluefire", "--shape", 4096, 4096, 4096, "-n", 4096)
    assert "P_max 694,532 ranks" in closed_forms(done.stdout)


def test_their_software_takes_what_their_equations_say(weft):
    # Eq. (3) for both directions, 32 x 32 ranks; the model adds the modes N/2 (2/N) and takes (P-1)/P of the messages.
    n, side = 1024, 32
    found = weft.json(
        *("predict", "--machine", "bluefire", "--software", "ayala-wang", "--strategy", "cyclic"),
        *("--shape", n, n, n, "-n", side**2, "--grid", side, side),
    )
    t_c, t_a, t_w, t_s = 0.37e-9, 6.37e-9, 11.60e-9, 7e-6
    words = n**3 / side**2
    expected = 2 * (2.5 * words * 30 * t_c + 6 * words * t_a + 4 * words * t_w + 2 * (2 * side - 2) * t_s)
    assert expected * (1 - 1 / side) < found["predictions"][0]["seconds"] < expected * (1 + 2 * side / n)


def test_a_million_ranks(weft):
    found = weft.json(
        "predict", "--machine", "meluxina", "--shape", 8192, 8192, 8192, "-n", 1048576, "--strategy", "all"
    )
    by_name = {row["strategy"]: row for row in found["predictions"]}
    assert by_name["shared"]["seconds"] is None and not by_name["shared"]["possible"]
    for name in ("alltoallv", "cyclic", "multistage", "hierarchical"):
        row = by_name[name]
        assert row["node_ranks"] == 128 and row["grid"][0] * row["grid"][1] == 1048576
        assert row["seconds"] == pytest.approx(sum(step["seconds"] for step in row["steps"]))
        assert 0 < row["pass_seconds"] < row["seconds"]
    # Stages save messages, and pay for them with copies.
    messages = {name: sum(step["messages"] for step in by_name[name]["steps"]) for name in by_name}
    assert messages["multistage"] < messages["cyclic"]


def test_chunks_end_where_an_axis_does(weft):
    how = ("predict", "--shape", 64, 64, 64, "-n", 4, "--strategy", "cyclic", "--chunks")
    assert weft.json(*how, 2147483647)["predictions"] == weft.json(*how, 16)["predictions"]


def test_a_solve_sends_what_the_solver_says(weft):
    found = weft.json("predict", "--machine", "juwels", "--shape", 64, 64, 64, "-n", 4, "--boundary", "unbounded")
    exchanges = [step for step in found["predictions"][0]["steps"] if step["step"] == "exchange"]
    # Shared inside a node: nothing is sent. With messages: 65 modes of 64^2 complex numbers, of which a quarter stays.
    assert sum(step["inside_bytes"] + step["between_bytes"] for step in exchanges) == 0
    sent = weft.json(
        *("predict", "--machine", "juwels", "--shape", 64, 64, 64, "-n", 4, "--boundary", "unbounded"),
        *("--strategy", "cyclic"),
    )["predictions"][0]["steps"]
    largest = -(-65 // 4) * 64 * 64 * 16
    assert sum(step.get("inside_bytes", 0) for step in sent) == 2 * largest * 3 / 4


def test_table_and_plot(weft):
    done = weft(
        *("predict", "--machine", "juwels", "--shape", 512, 512, 512, "-n", 96, "--strategy", "cyclic,hierarchical"),
        *("--chunks", 4, "--plot", "steps.png"),
    )
    assert done.returncode == 0, done.stderr
    text = unwrapped(done.stdout)
    for word in (
        "JUWELS",
        "48 ranks a node",
        "cyclic",
        "hierarchical",
        "fastest:",
    ):
        assert word in text
    assert {"network ms", "hidden ms", "worst link"} <= set(headings(done.stdout))
    assert (weft.folder / "steps.png").read_bytes().startswith(b"\x89PNG")


def test_machine_files_by_path_and_by_environment(weft):
    text = """\
name = "mine"
source = "here"
fitted = "nothing"
node_cores = 4
[arithmetic]
t_c = 1e-9
[memory]
t_a = 1e-12
[inside]
t_w = 0
t_s = 0
[between]
t_w = 0
t_s = 0
"""
    weft.write("mine.toml", text)
    arguments = ("predict", "--shape", 16, 16, 16, "--kinds", "c2c", "-n", 1, "--json")
    # Three times 16^2 lines of 5 n log2 n flops, forward and backward, and nothing else.
    expected = 2 * 3 * 16**2 * 5 * 16 * 4 * 1e-9
    for extra, env in ((("--machine", "mine.toml"), {}), ((), {"WEFT_MACHINE": "mine.toml"})):
        done = weft(*arguments, *extra, env=env)
        found = json.loads(done.stdout)
        assert found["machine"]["name"] == "mine"
        assert found["predictions"][0]["seconds"] == pytest.approx(expected)
    weft.write("mine.toml", text.replace("t_c", "t_d"))
    done = weft(*arguments, env={"WEFT_MACHINE": "mine.toml"})
    assert done.returncode == 2 and "mine.toml" in done.stderr and "t_d is not known" in done.stderr
    # Plans look into it, too.
    done = weft("explain", "--shape", 16, 16, 16, env={"WEFT_MACHINE": "mine.toml"})
    assert done.returncode == 2 and "damaged at line" in done.stderr
    weft.write("mine.toml", text)
    explained = weft("explain", "--shape", 16, 16, 16, "--kinds", "c2c", env={"WEFT_MACHINE": "mine.toml"}).stdout
    # Passes over 16^2 lines of one axis and of two, 1280 ns each line.
    assert "predicted" in explained


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--shape", "8", "8", "-n", "4", "--machine", "deep-thought"], ["deep-thought", "bluefire", "juwels"]),
        (["--shape", "8", "8", "-n", "4", "--machine", "no/file.toml"], ["no/file.toml", "weft calibrate"]),
        (["--shape", "8", "8", "-n", "4", "--machine", "juwels", "--threads", "49"], ["threads: 49", "48"]),
        (["--shape", "8", "8", "-n", "0"], ["--ranks", "0", "1"]),
        (["--shape", "8", "8", "-n", "2147483647"], ["-n", "2147483647", "1048576"]),
        (["--shape", "8", "eight", "-n", "4"], ["eight"]),
        (["--shape", "8", "8", "8", "-n", "4", "--grid", "3", "2"], ["grid", "3"]),
        (["--shape", "8", "8", "-n", "4", "--strategy", "pigeon"], ["pigeon", "alltoallv"]),
        (["--shape", "8", "8", "-n", "4", "--software", "magic"], ["--software", "magic", "ayala-wang"]),
        (["--shape", "8", "8", "-n", "4", "--boundary", "open"], ["boundary", "open", "unbounded"]),
        (["--shape", "8", "8", "8", "8", "-n", "4", "--boundary", "periodic"], ["--shape", "2 or 3"]),
        (["--shape", "8", "8", "-n", "4", "--precision", "half"], ["--precision", "half"]),
        (["--shape", "8", "8", "-n", "4", "--plot", "missing/steps.png"], ["--plot", "missing"]),
    ],
)
def test_refused(weft, arguments, words):
    message = weft.refused_here("predict", *arguments)
    assert all(word in message for word in words), message
