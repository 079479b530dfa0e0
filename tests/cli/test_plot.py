"""weft plot and the pictures of weft solve and weft predict: holes in the data, names, permissions, what is refused."""

import json
import math
import os

import h5py
import matplotlib.image
import numpy as np
import pytest
from conftest import MACHINE, SMALL_CASE, edited
from weft._picture import extremes
from weft.cli.report import json_text

FORMULA = "$x^$"  # what matplotlib would take for one, and cannot read


def masked(shape=(6, 8, 10)):
    """Numbers from -3 to 5 outside of a plane through the middle of the first axis, which has none."""
    values = np.linspace(-3, 5, int(np.prod(shape))).reshape(shape)
    values[shape[0] // 2] = np.nan
    return values


def strict(text):
    """JSON that has the words of JSON alone."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_plane_without_numbers_is_left_out(weft, axis):
    np.save(weft.folder / "u.npy", np.moveaxis(masked(), 0, axis))
    done = weft("plot", "u.npy", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = strict(done.stdout)
    planes = [np.take(masked(), n // 2, axis=normal) for normal, n in enumerate((6, 8, 10))]
    assert found["smallest"] == min(np.nanmin(plane) for plane in planes[1:])
    assert found["largest"] == max(np.nanmax(plane) for plane in planes[1:])
    # Numbers of both signs have their colours: the picture has red and blue pixels.
    red, _, blue = np.moveaxis(matplotlib.image.imread(weft.folder / "u.png")[..., :3], -1, 0)
    assert (red > blue + 0.3).any() and (blue > red + 0.3).any()


def test_infinities_are_holes_too(weft):
    np.save(weft.folder / "u.npy", np.array([[np.inf, 2.0], [-np.inf, -1.5]]))
    done = weft("plot", "u.npy")
    assert (done.returncode, done.stderr) == (0, "") and "drawn from -1.5 to 2" in done.stdout


def test_extremes_and_their_json():
    hole = np.full(3, np.nan)
    assert extremes([hole, np.array([np.nan, 2.0, -1.0]), hole]) == (-1, 2)
    assert extremes([hole, np.empty(0)]) is None
    value = {"a": math.nan, "b": [1.5, -math.inf, (np.float64("nan"), "nan")], "c": 3}
    assert strict(json_text(value)) == {"a": None, "b": [1.5, None, [None, "nan"]], "c": 3}


@pytest.mark.parametrize("name", ["u.npy", "u.jpg", "u", ".png"])
def test_pictures_are_png_and_say_so(weft, name):
    np.save(weft.folder / "u.npy", np.ones((3, 3)))
    before = (weft.folder / "u.npy").read_bytes()
    message = weft.refused_here("plot", "u.npy", "--out", name)
    assert message.startswith(f"weft: error: --out: {name} does not end in .png")
    assert (weft.folder / "u.npy").read_bytes() == before


def test_names_are_no_formulas(weft):
    with h5py.File(weft.folder / f"{FORMULA}.h5", "w") as file:
        file[f"{FORMULA} 2"], file["line"] = np.eye(4), np.arange(4.0)
    np.save(weft.folder / f"{FORMULA}.npy", np.arange(5.0))
    for arguments in (
        [f"{FORMULA}.h5", "--dataset", f"{FORMULA} 2", "--out", "plane.png"],
        [f"{FORMULA}.npy", "--out", "line.png"],
        [f"{FORMULA}.npy", "--title", f"the {FORMULA}", "--out", "titled.png"],
    ):
        done = weft("plot", *arguments)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    case = weft.write("case.toml", edited(SMALL_CASE, name=f'"{FORMULA}"'))
    assert weft.json("solve", case, "--plot")["case"] == FORMULA
    text = MACHINE.replace("NAME", FORMULA)
    arguments = ("--machine", weft.write("mine.toml", text), "--shape", 8, 8, "-n", 2, "--plot", "steps.png")
    done = weft("predict", *arguments)
    assert (done.returncode, done.stderr) == (0, "") and f"2 ranks of {FORMULA}" in done.stdout


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_files_have_the_permissions_of_new_files(weft, mask, mode):
    np.save(weft.folder / "u.npy", np.ones((3, 3)))
    done = weft("plot", "u.npy", preexec_fn=lambda: os.umask(mask))
    assert done.returncode == 0, done.stderr
    assert (weft.folder / "u.png").stat().st_mode & 0o777 == mode


def drawn(weft, *arguments):
    """What is said of a picture that can be drawn."""
    done = weft("plot", *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@pytest.mark.parametrize("shape", [(5,), (5, 6), (3, 4, 5), (1, 4)])
def test_numbers_at_the_ends_of_the_range(weft, shape):
    for name, largest in (("large", 1.7e308), ("small", 5e-324)):
        values = np.linspace(-1, 1, int(np.prod(shape))).reshape(shape) * largest
        np.save(weft.folder / f"{name}.npy", values)
        assert "drawn from" in drawn(weft, f"{name}.npy")
        assert (weft.folder / f"{name}.png").stat().st_size > 10_000


def positions_file(weft, x):
    with h5py.File(weft.folder / "u.h5", "w") as file:
        file["u"], file["y"] = np.ones((3, 4)), np.arange(4.0)
        file["x"] = x


@pytest.mark.parametrize(
    ("x", "named"),
    [
        ([0.0, np.nan, 2.0], "x: the position of index 1 is nan"),
        ([0.0, 1.0, -np.inf], "x: the position of index 2 is -inf"),
        ([1e308, 1.0, 2.0], "x: the position of index 0 is 1e+308"),
        ([1.0, 2.0, 1.0], "x: the first and the last position are both 1.0"),
    ],
)
def test_positions_between_which_nothing_can_be_drawn(weft, x, named):
    positions_file(weft, x)
    assert named in weft.refused_here("plot", "u.h5")


@pytest.mark.parametrize("x", [[0, 1e299, 2e299], [3, 2, 1], [1e-320, 2e-320, 3e-320], [1j, 2, 3], h5py.Empty("f8")])
def test_other_positions_do(weft, x):
    positions_file(weft, x)
    drawn(weft, "u.h5")


def test_arrays_without_elements(weft):
    with h5py.File(weft.folder / "u.h5", "w") as file:
        file["none"], file["zero"], file["one"] = h5py.Empty("f8"), np.zeros((3, 0, 4)), np.float64(2)
    for name, why in (("none", "it has no elements"), ("zero", "it has no elements"), ("one", "a single number")):
        message = weft.refused_here("plot", "u.h5", "--dataset", name)
        assert f"{name}: " in message and why in message
    np.save(weft.folder / "u.npy", np.zeros((0, 3)))
    assert "it has no elements" in weft.refused_here("plot", "u.npy")
    np.save(weft.folder / "u.npy", np.float64(2))
    assert "a single number" in weft.refused_here("plot", "u.npy")
