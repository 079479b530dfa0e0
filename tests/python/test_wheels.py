"""make wheels and make test-wheels: which processor is built for, and which wheel an environment takes."""

import platform
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "tests" / "wheels")]
import trial  # noqa: E402
import wheel_target  # noqa: E402


def test_this_machine_is_the_default():
    target = wheel_target.target_for("")
    assert target == wheel_target.target_for(platform.machine()) and not target.is_foreign
    assert target.machine == platform.machine()
    assert target.definitions == target.pip_download == target.auditwheel == [] and target.environment == {}


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


def test_an_environment_takes_the_wheel_of_its_python_and_processor(monkeypatch, tmp_path):
    monkeypatch.setattr(trial, "WHEELS", tmp_path)
    tags = (
        "cp311-cp311-manylinux_2_35_x86_64",
        "cp312-abi3-manylinux_2_35_x86_64",
        "cp312-abi3-manylinux_2_34_aarch64",
    )
    for tag in tags:
        (tmp_path / f"weft_fft-0.1.0-{tag}.whl").touch()

    def taken(python, machine):
        wheel = trial.Environment("any", python, machine=machine).wheel
        return wheel and wheel.name.removeprefix("weft_fft-0.1.0-").removesuffix(".whl")

    assert taken((3, 11), "x86_64") == tags[0]
    assert taken((3, 12), "x86_64") == taken((3, 13), "x86_64") == tags[1]
    assert taken((3, 13), "aarch64") == tags[2]
    assert taken((3, 11), "aarch64") is None and taken((3, 10), "x86_64") is None
