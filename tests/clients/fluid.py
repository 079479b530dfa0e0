"""fluidfft and fluidsim by the plugin of packaging/fluidfft-weft: its tests, and ns3d beside another plugin."""

import re
from pathlib import Path

from clients.contest import ClientError, Row, Setting, run
from clients.environment import environment, install, version_of

PACKAGES = ("mpich", "libmpich-dev", "libfftw3-dev")
_PLUGIN = Path(__file__).resolve().parents[2] / "packaging" / "fluidfft-weft"
# The plugins for ranks are compiled against mpi4py's headers, which its wheels for any MPI do not fit: one rank, then.
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
    what = f"fluidfft's test classes, comparisons with numpy, fluidsim's ns3d beside pyFFTW, on {ranks} ranks"
    found = [Row("fluidfft, fluidfft-weft", version_of(python, "fluidfft"), what, f"all {passed[1]}")]
    return [*found, _step(setting, python)] if setting.part == "all" else found


def _step(setting: Setting, python: Path) -> Row:
    """fluidsim with both plugins in one program, a step each in turn. Its status is not 0 if velocities differ."""
    version = version_of(python, "fluidsim")
    program = [str(python), str(_PLUGIN / "tests" / "run_ns3d.py"), "--points", str(_POINTS)]
    command = setting.command("mpich", 1, [*program, "--methods", _OURS, _THEIRS])
    text = run(command, setting.scratch, setting.environment("mpich", weft=False))
    seconds = dict(re.findall(r", (fft3d\.\w+): ([0-9.]+) s a step", text))
    apart = re.findall(r", ([0-9.e-]+) from ", text)
    if set(seconds) != {_OURS, _THEIRS}:
        raise ClientError(f"fluidsim does not say how long a step took:\n{text[-2000:]}")
    what = f"a step of ns3d, {_POINTS}^3 points, RK4, on 1 rank: median of 10, beside {_THEIRS}"
    times = float(seconds[_THEIRS]), float(seconds[_OURS])
    return Row("fluidsim", version, what, "", *times, f"velocities to {apart[-1]}")
