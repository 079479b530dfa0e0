"""weft solve: errors against published figures, the same on every number of ranks and with every strategy."""

import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import h5py
import matplotlib.image
import numpy as np
import pytest
import weft as weft_package
from conftest import EXAMPLES, SMALL_CASE, edited
from weft import _build
from weft.cli.report import doubling_factor

# Largest errors (and L2 norms) of the paper's validation cases with chat2: symmetric and periodic, unbounded,
# semi-unbounded; (example, centring, N) -> (E_inf, E_2). The first case is exact: its entries are rounding.
TABLE = {
    ("mixed", "node", 32): (1.110223024625e-15, 2.426930664774e-16),
    ("mixed", "node", 64): (1.776356839400e-15, 3.169544094632e-16),
    ("mixed", "node", 128): (2.220446049250e-15, 2.939289206955e-16),
    ("mixed", "cell", 32): (2.553512956638e-15, 5.900047589713e-16),
    ("mixed", "cell", 64): (1.637578961322e-15, 3.030305129202e-16),
    ("mixed", "cell", 128): (2.442490654175e-15, 3.265714473742e-16),
    ("free_space", "node", 32): (7.536316625728e-03, 4.640037888038e-04),
    ("free_space", "node", 64): (1.937338281130e-03, 1.187796827220e-04),
    ("free_space", "node", 128): (4.876704957268e-04, 2.986904123724e-05),
    ("free_space", "cell", 32): (7.220358555518e-03, 4.640037890413e-04),
    ("free_space", "cell", 64): (1.916654665432e-03, 1.187796827220e-04),
    ("free_space", "cell", 128): (4.863628468172e-04, 2.986904123725e-05),
    ("semi_unbounded", "node", 32): (7.400124305821e-03, 4.642839535738e-04),
    ("semi_unbounded", "node", 64): (1.935123491700e-03, 1.188110101656e-04),
    ("semi_unbounded", "node", 128): (4.871122060495e-04, 2.987285380986e-05),
    ("semi_unbounded", "cell", 32): (7.421190076766e-03, 4.640037732890e-04),
    ("semi_unbounded", "cell", 64): (1.925456957518e-03, 1.187796805433e-04),
    ("semi_unbounded", "cell", 128): (4.871993830394e-04, 2.986904077931e-05),
}


def example(weft, name, **changes):
    """An example, with changes, in the folder of the test."""
    return weft.write(f"{name}.toml", edited((EXAMPLES / f"{name}.toml").read_text(), **changes))


def printed(output, label):
    """What a line of the output says after its label."""
    return next(line.split(maxsplit=1)[1] for line in output.splitlines() if line.startswith(label + " "))


@pytest.mark.parametrize(("name", "centring", "n"), TABLE)
def test_published_errors(weft, name, centring, n):
    case = example(weft, name, cells=[n] * 3, centring=f'"{centring}"')
    ranks = 1 + (n // 32 + len(centring) + len(name)) % 3
    found = weft.json("solve", case, "-n", ranks)
    e_inf, e_2 = TABLE[name, centring, n]
    # The tables are reproducible to 1e-12: rounding of the transforms.
    assert found["e_inf"] == pytest.approx(e_inf, rel=0, abs=1e-12)
    assert found["e_2"] == pytest.approx(e_2, rel=0, abs=1e-12)
    assert found["doubling_factor"] == pytest.approx(1 if name == "mixed" else 14 / 3)
    rate = np.prod(found["shape"]) * 8 / ranks / found["solve_seconds"] / 1e6
    assert found["throughput_mb_per_s_per_rank"] == pytest.approx(rate)
    assert found["shape"] == [n + (centring == "node")] * 3
    assert found["ranks"] == ranks


def test_axes_double_in_the_order_of_their_transforms():
    both, mixed, none = ("unbounded",) * 2, ("even", "unbounded"), ("odd",) * 2
    assert doubling_factor(SimpleNamespace(boundary=[both, mixed, none])) == pytest.approx(7 / 3)
    assert doubling_factor(SimpleNamespace(boundary=[both, ("periodic",) * 2, none])) == pytest.approx(4 / 3)


def test_kernel_and_screening_of_a_case(weft):
    # A wave along x, a Gaussian along y: what truncated does not resolve is below rounding at 3.5 spacings a
    # width.
    text = edited(SMALL_CASE, cells="[64, 64]", length="[1.0, 1.0]", boundary='["periodic", "unbounded"]')
    text = edited(text, kernel='"truncated"', screening="3.0", reference='"sin(2*pi*x) * g(y)"')
    text = edited(text, rhs='"sin(2*pi*x) * g(y) * (((y - 0.5)/0.055)**2/0.055**2 - 1/0.055**2 - 4*pi**2 - 9)"')
    text += '[define]\n"g(s)" = "exp(-((s - 0.5)/0.055)**2/2)"\n'
    found = weft.json("solve", weft.write("screened.toml", text), "-n", 2)
    assert (found["kernel"], found["screening"]) == ("truncated", 3.0)
    assert found["e_inf"] < 1e-12
    with h5py.File(weft.folder / "out" / "screened" / "solution.h5") as file:
        assert file.attrs["equation"] == "laplacian(solution) - 3.0^2 solution = rhs"


def test_a_power_of_a_case(weft):
    text = edited(SMALL_CASE, cells="[16, 12]", length="[1.0, 1.0]", boundary='["periodic", "odd"]', kernel='"chat2"')
    text = edited(text, power="-0.5", screening="3.0", rhs='"sin(2*pi*x) * sin(3*pi*y)"')
    text = edited(text, reference='"-sin(2*pi*x) * sin(3*pi*y) * sqrt(13*pi**2 + 9)"')
    found = weft.json("solve", weft.write("power.toml", text), "-n", 2)
    assert found["power"] == -0.5
    # Rounding of transforms of 192 points, times the root of the square of the shortest wave, below (28 pi)^2.
    assert found["e_inf"] < 14 * np.finfo(float).eps * 15 * 28 * np.pi * np.sqrt(192)
    with h5py.File(weft.folder / "out" / "power" / "solution.h5") as file:
        assert file.attrs["equation"] == "-(3.0^2 - laplacian)^-0.5 solution = rhs"


def expect_bits_of_each(path, alone, batch, **ends):
    """Solutions in a file are those of a solver for one right-hand side, to the last bit."""
    with h5py.File(path) as file:
        for i in range(batch):
            given = {key: values[i] for key, values in ends.items()}
            np.testing.assert_array_equal(file[f"solution_{i}"], alone.solve(file[f"rhs_{i}"][...], **given))
        assert "solution" not in file


def test_a_list_of_right_hand_sides(weft):
    wave = np.random.default_rng(8).standard_normal((8, 8, 8))
    np.save(weft.folder / "wave.npy", wave)
    text = edited(SMALL_CASE, boundary='["periodic", "odd", "even"]')
    text = edited(
        text, rhs='["-6*pi**2 * s(x, y) * cos(pi*z)", { file = "wave.npy" }, "-14*pi**2 * s(x, y) * cos(3*pi*z)"]'
    )
    text = edited(text, reference='["s(x, y) * cos(pi*z)", "0", "s(x, y) * cos(3*pi*z)"]')
    case = weft.write("sides.toml", text + '[define]\n"s(x, y)" = "sin(2*pi*x) * sin(pi*y)"\n')
    done = weft("solve", case, "-n", 2)
    assert (done.returncode, done.stderr) == (0, "") and "3 x 8 x 8 x 8 points" in done.stdout
    e_inf = [float(printed(done.stdout, f"E_inf [{i}]").split()[-1]) for i in range(3)]
    # Rounding of transforms of 512 points, whose factors are at most 1 / (5 pi^2) of a right-hand side below 14 pi^2.
    bound = 14 * np.finfo(float).eps * 3 * 7 * 14 / 5 * np.sqrt(512)
    assert max(e_inf[0], e_inf[2]) < bound
    alone = weft_package.Poisson((8,) * 3, (1.0,) * 3, ["periodic", "odd", "even"])
    expect_bits_of_each(weft.folder / "out/sides/solution.h5", alone, 3)
    with h5py.File(weft.folder / "out/sides/solution.h5") as file:
        np.testing.assert_array_equal(file["rhs_1"], wave)
        assert e_inf[1] == pytest.approx(np.abs(file["solution_1"]).max(), rel=1e-11)
    assert 'Name="solution_2"' in (weft.folder / "out/sides/solution.xdmf").read_text()


def test_right_hand_sides_of_one_dataset(weft):
    # The first axis of the dataset counts them; values at an end are one formula for all or one for each.
    sides = np.random.default_rng(9).standard_normal((2, 12, 10))
    with h5py.File(weft.folder / "rho.h5", "w") as file:
        file["rho"] = sides
    text = edited(SMALL_CASE, cells="[12, 10]", length="[1.2, 1.0]", boundary='["periodic", "odd"]', kernel='"lgf2"')
    text = edited(text, rhs='{ file = "rho.h5", dataset = "rho" }', batch="2", reference='"0"')
    case = weft.write("sides.toml", text + '[ends]\ny-left = ["sin(x)", "2"]\ny-right = "x"\n')
    found = weft.json("solve", case, "-n", 2, "--plot")
    assert (found["batch"], found["shape"]) == (2, [2, 12, 10])
    alone = weft_package.Poisson((12, 10), (1.2, 1.0), ["periodic", "odd"], kernel="lgf2")
    x = alone.points()[0]
    ends = [{(1, "left"): left, (1, "right"): x} for left in (np.sin(x), 2.0)]
    expect_bits_of_each(weft.folder / "out/sides/solution.h5", alone, 2, ends=ends)
    with h5py.File(weft.folder / "out/sides/solution.h5") as file:
        assert found["e_inf"] == [np.abs(file[f"solution_{i}"]).max() for i in range(2)]
    names = sorted(path.name for path in (weft.folder / "out/sides").glob("*.png"))
    assert names == ["solution_0.png", "solution_1.png"]
    sides[1, 3, 4] = np.inf
    with h5py.File(weft.folder / "rho.h5", "a") as file:
        file["rho"][...] = sides
    assert "rho [1] is inf at index (3, 4), position (0.35, 0.45)" in weft.refused_here("solve", case)
    wrong = (weft.folder / case).read_text().replace('["sin(x)", "2"]', '"x"')
    wrong = weft.write("wrong.toml", edited(wrong, batch="3"))
    assert "2 x 12 x 10, expected is 3 x 12 x 10" in weft.refused_here("solve", wrong)


def test_every_number_of_ranks_prints_the_same_error(weft):
    seen = set()
    for ranks in (1, 2, 3, 4, 7):
        done = weft("solve", EXAMPLES / "free_space.toml", "-n", ranks, "--out", f"on{ranks}")
        assert (done.returncode, done.stderr) == (0, "")
        seen.add((printed(done.stdout, "E_inf"), printed(done.stdout, "E_2")))
    assert len(seen) == 1
    e_inf = seen.pop()[0]
    assert len(e_inf.split("e")[0].replace(".", "")) >= 12
    assert float(e_inf) == pytest.approx(1.916654665432e-03, rel=0, abs=1e-12)


def test_strategies_write_the_same_bits(weft):
    datasets = []
    for strategy in ("alltoallv", "shared"):
        found = weft.json("solve", EXAMPLES / "semi_unbounded.toml", "-n", 3, "--strategy", strategy, "--out", strategy)
        assert found["strategy"] == strategy
        with h5py.File(weft.folder / strategy / "solution.h5") as file:
            datasets.append((file["solution"][...].tobytes(), file["rhs"][...].tobytes()))
    assert datasets[0] == datasets[1]


def test_files_of_a_solve(weft):
    text = edited(SMALL_CASE, cells="[8, 6, 10]", length="[1.0, 1.5, 2.0]", centring='["cell", "node", "cell"]')
    case = weft.write("case.toml", text)
    done = weft("solve", case, "-n", 2, "--plot")
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("set-up", "solve", "MB/s per rank", "MB peak per rank", "written"):
        assert words in done.stdout
    folder = weft.folder / "out" / "case"
    assert sorted(path.name for path in folder.iterdir()) == ["solution.h5", "solution.png", "solution.xdmf"]
    x, y, z = (np.arange(8) + 0.5) / 8, np.arange(7) / 4, (np.arange(10) + 0.5) / 5
    with h5py.File(folder / "solution.h5") as file:
        expected = np.sin(2 * np.pi * x)[:, None, None] * np.sin(np.pi * y)[:, None] * np.exp(-100 * (z - 0.5) ** 2)
        # Different code computes the same formula: some units in the last place, of the exponent, too.
        np.testing.assert_allclose(file["rhs"], expected, rtol=1e-13, atol=1e-15)
        for name, positions in zip("xyz", (x, y, z), strict=True):
            np.testing.assert_allclose(file[name], positions, rtol=1e-15)
        assert file["solution"].shape == (8, 7, 10)
        assert file.attrs["boundary"] == "periodic - periodic; odd - odd; unbounded - unbounded"
        assert file.attrs["centring"] == "cell node cell"
    mesh = (folder / "solution.xdmf").read_text()
    assert "solution.h5" in mesh
    items = ElementTree.fromstring(mesh).findall("./Domain/Grid/Geometry/DataItem")  # z, y, x
    first, spacing = ([float(v) for v in item.text.split()] for item in items)
    assert first == pytest.approx([0.1, 0, 0.0625]) and spacing == pytest.approx([0.2, 0.25, 0.125])
    assert (folder / "solution.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    picture = matplotlib.image.imread(folder / "solution.png")
    assert picture.shape[0] > 300 and picture.shape[1] > 900 and np.ptp(picture[..., :3]) > 0.5


def test_two_dimensions(weft):
    # u = sin(pi x) cos(pi y), an eigenfunction: exact.
    text = edited(SMALL_CASE, cells="[12, 10]", length="[1.0, 1.0]", boundary='["odd", "even"]')
    text = edited(text, rhs='"-2*pi**2*sin(pi*x)*cos(pi*y)"', reference='"sin(pi*x)*cos(pi*y)"')
    found = weft.json("solve", weft.write("flat.toml", text), "-n", 2, "--plot")
    assert found["shape"] == [12, 10]
    # Rounding of transforms of a few dozen values of size 2 pi^2, divided by eigenvalues of at least pi^2.
    assert found["e_inf"] < 1e-14
    assert (weft.folder / "out" / "flat" / "solution.png").exists()


def test_mean_is_taken_out_where_it_is_free(weft):
    text = edited(SMALL_CASE, boundary='["periodic", "even", "periodic"]')
    text = edited(text, rhs='"-pi**2*cos(pi*y) + 5"', reference='"cos(pi*y) + 7"')
    case = weft.write("free.toml", text)
    found = weft.json("solve", case)
    assert found["removed_mean"] == pytest.approx(-7, abs=1e-13)
    assert found["e_inf"] < 1e-13
    assert "mean difference -7.0" in weft("solve", case).stdout


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("suffix", [".h5", ".npy"])
def test_right_hand_side_from_a_file(weft, suffix, ranks):
    rhs = np.random.default_rng(3).standard_normal((8, 8, 8))
    (weft.folder / "data").mkdir()
    if suffix == ".h5":
        with h5py.File(weft.folder / "data" / "rho.h5", "w") as file:
            file["fields/rho"] = rhs
        entry = '{ file = "rho.h5", dataset = "fields/rho" }'
    else:
        np.save(weft.folder / "data" / "rho.npy", rhs)
        entry = '{ file = "rho.npy" }'
    # The path starts at the case file, wherever the command is run.
    case = weft.write("data/case.toml", edited(SMALL_CASE, rhs=entry))
    weft.json("solve", case, "-n", ranks, "--out", "result")
    with h5py.File(weft.folder / "result" / "solution.h5") as file:
        np.testing.assert_array_equal(file["rhs"], rhs)


def test_results_are_replaced(weft):
    case = weft.write("case.toml", SMALL_CASE)
    weft.json("solve", case, "--out", "a/b/c")
    first = h5py.File(weft.folder / "a/b/c/solution.h5")["solution"][...]
    weft.write("case.toml", edited(SMALL_CASE, rhs='"2 * sin(2*pi*x) * sin(pi*y) * exp(-100*(z - 0.5)**2)"'))
    weft.json("solve", case, "--out", "a/b/c")
    second = h5py.File(weft.folder / "a/b/c/solution.h5")["solution"][...]
    # Doubling is exact in binary arithmetic, and the solver is linear.
    np.testing.assert_array_equal(second, 2 * first)


def test_under_a_launcher(weft):
    case = weft.write("case.toml", SMALL_CASE)
    launcher = [_build.MPIEXEC, *_build.MPIEXEC_FLAGS, "-n", "2"]
    program = [*launcher, sys.executable, "-m", "weft"]
    done = weft("solve", case, program=program, env=_build.MPIEXEC_ENV)
    assert done.returncode == 0, done.stderr
    assert "2 ranks" in printed(done.stdout, "case")


def test_cells_of_given_widths(weft):
    # u = cos(2 pi x) z (1 - 3 z / 4) has u = 0 at z = 0 and u + u_z / 2 = 0 at z = 1.
    edges = np.tanh(np.linspace(-1, 1, 33)) / np.tanh(1) / 2
    text = edited(SMALL_CASE, cells="[12, 32]", length="[1.0, 1.0]", boundary='["periodic", "odd"]')
    text = edited(text, rhs='"cos(2*pi*x)*(-1.5 - 4*pi**2*y*(1 - 0.75*y))"', reference='"cos(2*pi*x)*y*(1 - 0.75*y)"')
    case = weft.write("walls.toml", f"widths = [[], {np.diff(edges).tolist()}]\nrobin = [0, 0.5]\n{text}")
    found = weft.json("solve", case, "-n", 2, "--plot")
    # The error of second-order differences is of the order of h^2/12 times the fourth derivative of the wave.
    assert 1e-6 < found["e_2"] < found["e_inf"] < (1 / 32) ** 2
    # The same plus 3 - y, of which differences make no error, by what it has at both walls: 3, and 2 - 1 / 2.
    other = edited((weft.folder / case).read_text(), reference='"cos(2*pi*x)*y*(1 - 0.75*y) + 3 - y"')
    ends = weft.write("ends.toml", f'{other}[ends]\ny-left = "3"\ny-right = "1.5 + 0*x"\n')
    assert weft.json("solve", ends, "-n", 2)["e_inf"] == pytest.approx(found["e_inf"], rel=1e-9)
    assert 'TopologyType="3DRectMesh"' in (weft.folder / "out" / "walls" / "solution.xdmf").read_text()


def test_displaced_points(weft):
    # The reference is taken where the solution is: a wave of the length 1, a tenth farther along x.
    text = edited(SMALL_CASE, cells="[12, 10]", length="[1.0, 1.0]", boundary='["periodic", "even"]')
    text = edited(text, rhs='"-4*pi**2*cos(2*pi*x + 0.2) + 0*y"', reference='"cos(2*pi*x + 0.2) + 0*y"')
    case = weft.write("away.toml", f"shift = [0.1, 0]\n{text}")
    found = weft.json("solve", case, "-n", 2)
    assert found["shift"] == [0.1, 0.0] and found["e_inf"] < 1e-14
    with h5py.File(weft.folder / "out" / "away" / "solution.h5") as file:
        assert file.attrs["shift"] == "0.1 0.0"


def test_coefficients_that_vary(weft):
    found = weft.json("solve", example(weft, "medium", cells=[12] * 3), "-n", 2)
    assert (found["form"], found["ranks"]) == ("spectral", 2) and found["residual"] <= 1e-10
    # The waves are those of the grid: |f| is below 200 in the mean and c >= 1/2.
    assert 1 < found["iterations"] < 20 and found["e_inf"] <= 1e-10 * 200 * 12**1.5 / 0.5
    with h5py.File(weft.folder / "out" / "medium" / "solution.h5") as file:
        assert file.attrs["equation"] == "div((a) grad(solution)) - (c) solution = rhs"
    done = weft("solve", example(weft, "medium", cells=[12] * 3), "--out", "text")
    assert f"{found['iterations']} iterations, residual" in done.stdout
    text = (EXAMPLES / "medium.toml").read_text().replace('a = "a"', 'a = "x - 0.5"')
    assert "a: -0.484375 given at point [0, 0, 0]" in weft.refused_here("solve", weft.write("negative.toml", text))


def test_chebyshev_points(weft):
    # u = cos(2 pi x) exp(y) with u + du/dn / 2 at y = 0, where the normal points down, and its slope at y = 1.
    text = edited(SMALL_CASE, cells="[12, 16]", length="[1.0, 1.0]", boundary='["periodic", ["odd", "even"]]')
    text = edited(text, rhs='"cos(2*pi*x)*(1 - 4*pi**2)*exp(y)"', reference='"cos(2*pi*x)*exp(y)"')
    ends = '[ends]\ny-left = "cos(2*pi*x)/2"\ny-right = "cos(2*pi*x)*exp(1)"\n'
    case = weft.write("channel.toml", f'centring = ["cell", "chebyshev"]\nrobin = [0.5, 0]\n{text}{ends}')
    found = weft.json("solve", case, "-n", 2)
    assert found["shape"] == [12, 17]
    assert 0 < found["e_2"] < found["e_inf"] < 1e-14
    mesh = (weft.folder / "out" / "channel" / "solution.xdmf").read_text()
    assert f"{(1 - np.cos(np.pi / 16)) / 2:.10g}"[:10] in mesh
