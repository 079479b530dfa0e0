"""fluidfft and fluidsim by the plugin of packaging/fluidfft-weft: its tests, and ns3d beside another plugin."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clients.contest import ClientError, Row, Setting, run
from clients.environment import environment, install, version_of

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev")
_PLUGIN = Path(__file__).resolve().parents[2] / "packaging" / "fluidfft-weft"
# Other plugins for ranks are compiled against mpi4py's headers, which its wheels for any MPI do not fit.
_OURS, _THEIRS = "fft3d.mpi_with_weft", "fft3d.with_pyfftw"
_POINTS = 64


def rows(setting: Setting) -> list[Row]:
    """The tests of the plugin, which start ranks themselves, and a step of fluidsim in two libraries."""
    python = environment(setting.scratch)
    install(python, "fluidfft>=0.4", "fluidsim>=26", "pyfftw>=0.15", "pytest>=8")
    install(python, str(_PLUGIN), options=("--no-deps", "--force-reinstall"))
    polite = setting.environment("mpich", weft=False) | {"LD_PRELOAD": str(setting.polite), "WEFT_MACHINE": ""}
    # fluidsim on ranks, and four ranks, take most of the time.
    quick = ["-k", "not steps_on_ranks and not (on_ranks and 4)"]
    chosen, ranks = (quick, "1 and 2") if setting.part == "quick" else ([], "1, 2 and 4")
    text = run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen, "tests"], _PLUGIN, polite)
    passed = re.search(r"(\d+) passed", text)
    if not passed:
        raise ClientError(f"the plugin's tests say nothing about what passed:\n{text[-2000:]}")
    what = f"fluidfft's test classes, comparisons with numpy, fluidsim's ns3d compared with pyFFTW, on {ranks} ranks"
    found = [Row("fluidfft, fluidfft-weft", version_of(python, "fluidfft"), what, f"all {passed[1]}")]
    return [*found, *_steps(setting, python)] if setting.part == "all" else found


def _steps(setting: Setting, python: Path) -> list[Row]:
    """fluidsim with both plugins in one program, a step each in turn, and with ours on ranks."""
    version = version_of(python, "fluidsim")
    alone, shared = _run(setting, python, 1, _OURS, _THEIRS), _run(setting, python, setting.ranks, _OURS)
    reference, what = alone[_THEIRS], f"a step of ns3d, {_POINTS}^3 points, RK4, on"
    return [
        Row(
            "fluidsim",
            version,
            f"{what} 1 rank: median of 10, compared with {_THEIRS}",
            original=reference.seconds,
            weft=alone[_OURS].seconds,
            agreement=f"velocities to {_apart(alone[_OURS], reference):.1e}",
        ),
        Row(
            "fluidsim",
            version,
            f"{what} {setting.ranks} ranks: median of 10",
            weft=shared[_OURS].seconds,
            agreement=f"velocities to {_apart(shared[_OURS], reference):.1e} of those of {_THEIRS}",
        ),
    ]


@dataclass(frozen=True)
class _Steps:
    """The seconds of a step, and the file with the velocities after the last one."""

    seconds: float
    velocities: Path


def _run(setting: Setting, python: Path, ranks: int, *methods: str) -> dict[str, _Steps]:
    """What each plugin takes. The program's status is not 0 if their velocities differ by more than rounding."""
    folder = setting.scratch / f"fluidsim-{ranks}"
    folder.mkdir(exist_ok=True)
    program = [str(python), "-m", "mpi4py", str(_PLUGIN / "tests" / "run_ns3d.py"), "--points", str(_POINTS)]
    command = setting.command("mpich", ranks, [*program, "--save", str(folder), "--methods", *methods])
    text = run(command, setting.scratch, setting.environment("mpich", weft=False))
    seconds = dict(re.findall(r", (fft3d\.\w+): ([0-9.]+) s a step", text))
    if set(seconds) != set(methods):
        raise ClientError(f"fluidsim does not say how long a step took:\n{text[-2000:]}")
    return {name: _Steps(float(seconds[name]), folder / f"{name}-{_POINTS}.npy") for name in methods}


def _apart(one: _Steps, other: _Steps) -> float:
    return float(np.abs(np.load(one.velocities) - np.load(other.velocities)).max())
