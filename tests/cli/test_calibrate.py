"""weft calibrate: the file that it writes, who uses it, files of other machines and damaged ones."""

import pytest
import tomllib
from weft.launch import own_launcher


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    """A machine file of two ranks, made with few turns, and the folder's command line."""
    from conftest import CommandLine

    weft = CommandLine(tmp_path_factory.mktemp("calibrated"))
    return weft, weft.json("calibrate", "-n", 2, "--turns", 1, "--quick", "--out", "machine.toml")


def test_the_file(calibrated):
    weft, facts = calibrated
    found = tomllib.loads((weft.folder / "machine.toml").read_text())
    assert (found["node_cores"], facts["node_cores"], facts["file"]) == (2, 2, "machine.toml")
    assert facts["measured_here"]
    for table, key in (("arithmetic", "t_c"), ("memory", "t_a"), ("inside", "t_s")):
        assert found[table][key] > 0
    assert found["memory"]["t_a_together"] >= found["memory"]["t_a"]
    lengths = found["arithmetic"]["lengths"]
    assert lengths == sorted(lengths)
    assert len(lengths) == len(found["arithmetic"]["complex_t_c"]) == len(found["arithmetic"]["real_t_c"])
    assert all(t > 0 for t in found["arithmetic"]["complex_t_c"])
    assert 0 <= found["memory"]["hidden"] <= 1
    assert "not measured" in found["fitted"]  # between nodes


def test_predictions_and_plans_use_it(calibrated):
    weft, facts = calibrated
    found = weft.json("predict", "--shape", 64, 64, 64, "-n", 2, "--machine", "machine.toml")
    assert found["machine"]["name"] == facts["name"]
    with_file = weft("explain", "--shape", 64, 64, 64, env={"WEFT_MACHINE": "machine.toml"}).stdout
    without = weft("explain", "--shape", 64, 64, 64, env={"WEFT_MACHINE": ""}).stdout
    assert "predicted" in with_file and with_file != without


def test_the_standard_place(calibrated):
    weft, _ = calibrated
    home = weft.folder / "home"
    (home / ".config" / "weft").mkdir(parents=True)
    file = home / ".config" / "weft" / "machine.toml"
    text = (weft.folder / "machine.toml").read_text()
    file.write_text(text)
    unset = {"HOME": str(home)}
    explain = ("explain", "--shape", 16, 16, 16)
    found = weft(*explain, env=unset, drop=["WEFT_MACHINE"])
    assert (found.returncode, found.stderr) == (0, "")
    # A file of another machine is ignored, with one warning.
    file.write_text(
        text.replace("cores = 2\ninstructions", "cores = 4096\ninstructions").replace("\ncores = ", "\ncores = 1")
    )
    found = weft(*explain, env=unset, drop=["WEFT_MACHINE"])
    assert found.returncode == 0 and found.stderr.count("warning") == 1 and "is ignored" in found.stderr
    # A damaged one is an error, which weft calibrate mends.
    file.write_text("name = 1")
    found = weft(*explain, env=unset, drop=["WEFT_MACHINE"])
    assert found.returncode == 2 and "damaged at line" in found.stderr
    found = weft("calibrate", "-n", 1, "--turns", 1, "--quick", env=unset, drop=["WEFT_MACHINE"])
    assert found.returncode == 0, found.stderr
    assert str(file) in found.stdout and tomllib.loads(file.read_text())["node_cores"] == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "missing/machine.toml"], ["--out", "missing"]),
        (["--turns", "0"], ["--turns", "1"]),
        (["--hosts", "h1,,h2"], ["--hosts", "'h1,,h2'", "h1:2,h2:2"]),
        (["--hosts", "h1:x"], ["--hosts", "'h1:x'", "list of hosts"]),
        (["-n", "3", "--hosts", "h1,h2"], ["-n", "3 ranks", "2 hosts", "multiple"]),
    ],
)
def test_refused(weft, arguments, words):
    message = weft.refused("calibrate", "-n", "1", *arguments)
    assert all(word in message for word in words), message


def test_ranks_go_to_hosts_in_order():
    command = own_launcher().on_hosts(["h1:2", "h2:1"]).command(3, ["program"])
    assert command[-4:] == ["h1:2,h2:1", "-n", "3", "program"]
    assert command[-5] in ("-hosts", "--host")
