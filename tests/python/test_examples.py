"""The scripts in examples/ run on two ranks, draw their pictures and print what they should."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from weft.launch import own_launcher

EXAMPLES = Path(__file__).parents[2] / "examples"


def printed_numbers(name, cells, folder):
    """The numbers of the line that rank 0 prints."""
    launcher = own_launcher()
    command = launcher.command(2, [sys.executable, str(EXAMPLES / f"{name}.py"), str(cells), str(folder)])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / f"{name}.png").stat().st_size > 10000
    return [float(number) for number in re.findall(r"-?\d+\.\d+(?:e[+-]\d+)?", done.stdout.split("picture")[0])]


def test_a_users_kernel_is_the_sum_over_all_pairs(tmp_path):
    # Sums of 20^3 terms whose magnitudes sum to the potential, below 2.
    (difference,) = printed_numbers("user_kernel", 20, tmp_path)
    assert difference < 20**3 * 2**-52 * 2


def test_the_tall_box_has_the_field_of_an_isothermal_sheet(tmp_path):
    # The spectrum of sech^2(z/H) falls as exp(-pi H k / 2): at k = pi/h, with H/h = 2.5, to 4e-6 of a field that has at
    # most pi H k / 2 = 12 times its share.
    (error,) = printed_numbers("tall_box", 40, tmp_path)
    assert error < 1e-4


def test_the_vortex_ring_moves_as_theory_says(tmp_path):
    # The next terms of the theory are (core/radius)^2 = 0.04 times the speed.
    speed, theory = printed_numbers("vortex_ring", 48, tmp_path)
    assert speed == pytest.approx(theory, rel=0.06)
