"""What holds for all commands: examples that are right, JSON, refusals, completion, what a terminal gets; weft plot."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys

import h5py
import numpy as np
import pytest
import typer
from conftest import environment
from typer.testing import CliRunner
from weft import cli
from weft.cli.examples import EXAMPLES
from weft.cli.multi_value_options import joined
from weft.cli.on_demand import commands_of


def commands(command=None, path=()):
    """(path, command) of all commands and groups below weft."""
    command = command or typer.main.get_command(cli.app)
    if path:
        yield " ".join(path), command
    for name, inner in commands_of(command).items():
        yield from commands(inner, (*path, name))


COMMANDS = dict(commands())


def parsed(words):
    """The command line as far as it can be parsed without running anything; raises where it is wrong."""
    command, context = typer.main.get_command(cli.app), None
    context = command.make_context("weft", list(words))
    while getattr(command, "commands", None):
        rest = [*getattr(context, "_protected_args", []), *context.args]
        if not rest or rest[0] not in command.commands:
            break
        context = command.commands[rest[0]].make_context(rest[0], joined(rest[1:]), parent=context)
        command = context.command
    return context


def test_every_command_has_examples():
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command):
    shown = CliRunner().invoke(cli.app, [*command.split(), "--help"], prog_name="weft")
    assert shown.exit_code == 0
    assert "Examples:" in shown.output and "Exit status:" in shown.output
    for arguments, says in EXAMPLES[command]:
        assert f"weft {command} {arguments}".rstrip() in shown.output and says in shown.output
    assert "\x1b" not in shown.output
    assert "\b" not in shown.output


@pytest.mark.parametrize("group", ["", "bench", "check"])
def test_the_help_of_a_group_has_a_whole_line_for_each_command(group):
    shown = CliRunner().invoke(cli.app, [*group.split(), "--help"], prog_name="weft").output
    listed = shown.partition("Commands:")[2].partition("Examples:")[0].strip().splitlines()
    names = {name.removeprefix(f"{group} ") for name in COMMANDS if name.rpartition(" ")[0] == group}
    assert {line.split()[0] for line in listed} == names and len(listed) == len(names)
    assert group == "check" or all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_only_the_module_of_a_command_is_imported():
    program = (
        "import sys, weft.cli as cli; before = set(sys.modules); cli._run(['bench', 'fft', '--help']);"
        "print(*sorted(name for name in set(sys.modules) - before if name.startswith('weft.cli')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "weft.cli.bench_fft" in loaded
    assert not {"weft.cli.bench_engine", "weft.cli.bench_page", "weft.cli.validate", "weft.cli.solve"} & set(loaded)


@pytest.mark.parametrize("line", [f"{command} {words}" for command in EXAMPLES for words, _ in EXAMPLES[command]])
def test_examples_are_understood(line):
    parsed(shlex.split(line))


def test_what_is_not_understood():
    with pytest.raises(Exception, match="--colour"):
        parsed(["check", "--colour"])


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_is_refused(command, capsys):
    words = command.split()
    assert cli._run([*words, *(["fft"] if words == ["bench"] else []), "--colour"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("weft: error: ") and error.count("\n") == 1
    assert "--colour" in error


def test_commands_with_figures_have_json():
    without = {name for name, command in COMMANDS.items() if not any("--json" in p.opts for p in command.params)}
    assert without == {"bench", "run-with"}  # the commands of bench have it; the program prints what it does


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (["explain", "--shape", 8, 8, "--json"], {"strategy", "text"}),
        (["tune", "--shape", 8, 8, "--effort", "estimate", "--json"], {"strategy", "trials"}),
        (
            ["check", "--shape", 4, 6, "--kinds", "r2c", "--strategy", "auto", "--quick", "--json"],
            {"failed", "strategies"},
        ),
        (["plot", "u.npy", "--json"], {"shape", "picture"}),
        (["validate", "--case", "chat2 cell PP PP PP 16 alltoallv", "--json", "-"], {"failed"}),
    ],
)
def test_json(weft, arguments, keys):
    np.save(weft.folder / "u.npy", np.arange(12.0).reshape(3, 4))
    done = weft(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert keys <= set(json.loads(done.stdout))


@pytest.mark.parametrize(("shell", "words"), [("bash", "complete "), ("zsh", "#compdef weft"), ("fish", "complete ")])
def test_completion_scripts(weft, shell, words):
    done = weft(env={"_WEFT_COMPLETE": f"source_{shell}"})
    assert done.returncode == 0 and words in done.stdout and "_WEFT_COMPLETE" in done.stdout
    assert "--install-completion" in weft("--help").stdout


def test_completion_of_a_command(weft):
    done = weft(env={"_WEFT_COMPLETE": "complete_bash", "COMP_WORDS": "weft ex", "COMP_CWORD": "1"})
    assert done.stdout.split() == ["explain"]


def on_a_terminal(weft, *arguments, **variables):
    """What a command writes to a terminal that is its stdout and stderr."""
    main, other = pty.openpty()
    env = environment(COLUMNS="150", TERM="xterm", **variables)
    command = [sys.executable, "-m", "weft", *map(str, arguments)]
    process = subprocess.Popen(command, cwd=weft.folder, env=env, stdin=other, stdout=other, stderr=other)
    os.close(other)
    said = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # its last end is closed
            break
        said += piece
        if not piece:
            break
    os.close(main)
    assert process.wait(60) == 0, said
    return said.decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|38;5;\d+)[0-9;]*m")


@pytest.mark.parametrize("ranks", [[], ["-n", 2]])
def test_a_bar_on_a_terminal(weft, ranks):
    check = ["check", "--shape", 4, 6, "--kinds", "r2c", "--quick", *ranks]
    said = on_a_terminal(weft, *check)
    assert re.search(r"ways .*\d+/\d+.*(/s|s each)", said) and COLOUR.search(said)
    plain = on_a_terminal(weft, *check, NO_COLOR="1")
    assert re.search(r"ways .*\d+/\d+", plain) and not COLOUR.search(plain)
    piped = weft(*check)
    assert "\x1b" not in piped.stdout + piped.stderr and "ways" in piped.stdout


def test_plot(weft):
    with h5py.File(weft.folder / "f.h5", "w") as file:
        file["u"] = np.random.default_rng(0).random((5, 6, 7))
        file["x"], file["y"], file["z"] = np.linspace(0, 1, 5), np.linspace(0, 2, 6), np.linspace(0, 3, 7)
        file["v"] = np.arange(40.0).reshape(2, 4, 5) * (3 + 2j)
    np.save(weft.folder / "line.npy", np.sin(np.arange(20)))
    found = weft.json("plot", "f.h5", "--dataset", "u")
    assert found["shape"] == [5, 6, 7] and 0 <= found["smallest"] < found["largest"] <= 1
    found = weft.json("plot", "f.h5", "--dataset", "v", "--index", "1", "--part", "imag", "--out", "v.png")
    assert (found["smallest"], found["largest"]) == (40, 78)  # 2 * 20 to 2 * 39
    assert (found["picture"], found["dtype"]) == ("v.png", "complex128")
    assert "drawn from -0.99" in weft("plot", "line.npy").stdout
    for name in ("f.png", "v.png", "line.png"):
        assert (weft.folder / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.npy"], ["missing.npy"]),
        (["text.npy"], ["text.npy"]),
        (["text.h5"], ["text.h5"]),
        (["text.txt"], ["text.txt", ".npy"]),
        (["two.h5"], ["--dataset", "u, v"]),
        (["two.h5", "--dataset", "w"], ["--dataset", "'w'", "u, v"]),
        (["u.npy", "--dataset", "u"], ["--dataset", "one array"]),
        (["u.npy", "--index", "x"], ["--index", "'x'"]),
        (["u.npy", "--index", "3"], ["--index", "within"]),
        (["u.npy", "--part", "angle"], ["--part", "angle", "imag"]),
        (["u.npy", "--out", "missing/u.png"], ["--out", "missing"]),
        (["deep.npy"], ["--index", "4 axes"]),
        (["nan.npy"], ["no finite number"]),
        (["words.npy"], ["<U1", "numbers"]),
    ],
)
def test_plot_refuses(weft, arguments, words):
    for name in ("text.npy", "text.h5", "text.txt"):
        weft.write(name, "words")
    with h5py.File(weft.folder / "two.h5", "w") as file:
        file["u"], file["v"] = np.ones((2, 2)), np.ones((2, 2))
    arrays = {"u": np.ones((3, 3)), "deep": np.ones((2,) * 4), "nan": np.full((2, 2), np.nan), "words": np.array(["a"])}
    for name, array in arrays.items():
        np.save(weft.folder / f"{name}.npy", array)
    message = weft.refused_here("plot", *arguments)
    assert all(word in message for word in words), message
