"""NCFile of weft.compat.mpi4py_fft: dimensions, variables, slices and steps, by netCDF4; and files that stay open."""

import sys

import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks
from weft.compat.mpi4py_fft import PFFT, DistArray, HDF5File, NCFile, newDistArray
from weft.compat.mpi4py_fft.io import FileBase

netCDF4 = pytest.importorskip("netCDF4")

WRITES = """\
import numpy as np
from mpi4py import MPI
from weft.compat.mpi4py_fft import DistArray, NCFile

whole = np.arange(7 * 5 * 6.0).reshape(7, 5, 6)
u = DistArray((7, 5, 6), alignment=1)
u[:] = whole[u.local_slice()]
file = NCFile("u.nc", domain=((0, 1.0), (2, 3.0), (0, 4.0)), mode="w")
every = slice(None)
for step in (10, 20):
    file.write(step, {"u": [u, (u, [every, 4, every]), (u, [6, every, 2])], "p": [(u, [1, 2, 3])]})
    u[:] += 1000
file.write(10, {"u": [u]})  # again: 2000 more than at first
v = DistArray((3, 7, 5, 6), rank=1, dtype=np.float32)
v[:] = np.arange(3).reshape(3, 1, 1, 1) + whole[v.local_slice()[1:]]
v.write(file, "v", 20)
v.write("u.nc", "w", 20.5, [every, 3, every], as_scalar=True)
other = DistArray((7, 5, 6), alignment=2)
other.read("u.nc", "u", 1)  # the second step
assert np.array_equal(other, (whole + 1000)[other.local_slice()])
file.read(other, "u", step=-3)
assert np.array_equal(other, (whole + 2000)[other.local_slice()])
tensor = DistArray((3, 7, 5, 6), rank=1, alignment=0)
NCFile("u.nc", mode="r").read(tensor, "v", step=1)
expected = np.arange(3).reshape(3, 1, 1, 1) + whole[tensor.local_slice()[1:]]
assert np.array_equal(tensor, expected)
few = DistArray((1, 5), dtype=int, alignment=1)  # fewer planes than ranks
few[:] = np.arange(5)
few.write("few.nc", "n", 0)
few[:] = 0
few.read("few.nc", "n")
assert np.array_equal(few, np.arange(5).reshape(1, 5)[few.local_slice()])
"""


@pytest.mark.parametrize("ranks", [1, 2])
def test_netcdf_files_hold_steps_arrays_and_slices(tmp_path, monkeypatch, ranks):
    monkeypatch.chdir(tmp_path)
    on_ranks(ranks, WRITES, tmp_path)
    whole = np.arange(7 * 5 * 6.0).reshape(7, 5, 6)
    with netCDF4.Dataset("u.nc") as file:
        file.set_auto_mask(False)
        assert {name: len(d) for name, d in file.dimensions.items()} == {"time": 3, "x": 7, "y": 5, "z": 6, "i": 3}
        assert file.dimensions["time"].isunlimited() and list(file["time"]) == [10, 20, 20.5]
        found = {name: (v.dimensions, v.dtype) for name, v in file.variables.items() if name not in file.dimensions}
        assert found == {
            "u": (("time", "x", "y", "z"), np.float64),
            "u_slice_4_slice": (("time", "x", "z"), np.float64),
            "u_6_slice_2": (("time", "y"), np.float64),
            "p_1_2_3": (("time",), np.float64),
            "v": (("time", "i", "x", "y", "z"), np.float32),
            "w0_slice_3_slice": (("time", "x", "z"), np.float32),
            "w1_slice_3_slice": (("time", "x", "z"), np.float32),
            "w2_slice_3_slice": (("time", "x", "z"), np.float32),
        }
        assert np.array_equal(file["u"][0], whole + 2000) and np.array_equal(file["u"][1], whole + 1000)
        assert np.array_equal(file["u_slice_4_slice"][:2], [whole[:, 4] + 1000 * k for k in (0, 1)])
        assert np.array_equal(file["u_6_slice_2"][:2], [whole[6, :, 2] + 1000 * k for k in (0, 1)])
        assert np.array_equal(file["p_1_2_3"][:2], whole[1, 2, 3] + np.array([0, 1000]))
        assert np.array_equal(file["v"][1], np.arange(3).reshape(3, 1, 1, 1) + whole)
        assert np.array_equal(file["w2_slice_3_slice"][2], 2 + whole[:, 3])
        for name, low, high in (("x", 0, 1), ("y", 2, 3), ("z", 0, 4)):
            n = len(file.dimensions[name])
            assert np.allclose(file[name], low + (high - low) * np.arange(n) / (n - 1), rtol=0, atol=1e-15)
        assert list(file["i"]) == [0, 1, 2]


def test_positions_and_what_a_file_has_already(tmp_path):
    """A mesh is taken as it is; "a" adds to a file, where the first positions stay; "w" makes a new one."""
    name, mesh = str(tmp_path / "m.nc"), [np.array([0.0, 1.0, 4.0]), np.array([[2.0], [3.0]])]
    u = DistArray((3, 2), val=1)
    NCFile(name, mesh, mode="a", format="NETCDF4").write(0, {"u": [u]})
    u.write(tmp_path / "m.nc", "p", 1)
    with netCDF4.Dataset(name) as file:
        assert list(file["x"]) == [0, 1, 4] and list(file["y"]) == [2, 3]
        assert list(file["time"]) == [0, 1] and set(file.variables) == {"time", "x", "y", "u", "p"}
    NCFile(name, mode="w").write(0, {"q": [u]})
    with netCDF4.Dataset(name) as file:
        assert set(file.variables) == {"time", "x", "y", "q"} and list(file["y"]) == [0, 2 * np.pi]


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file with one step of a field u on 4 x 3 points."""
    monkeypatch.chdir(tmp_path)
    made = NCFile("u.nc", mode="w")
    made.write(0, {"u": [DistArray((4, 3), val=2)]})
    return made


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda file: NCFile("u.nc", mode="x"), ["mode", "'x'", "r, w or a"]),
        (lambda file: NCFile("u.nc", mode="w", clobber=False), ["u.nc", "cannot be used"]),
        (lambda file: NCFile("u.nc", clobber="no"), ["clobber", "True or False"]),
        (lambda file: NCFile("no/u.nc", mode="w"), ["no/u.nc", "cannot be used"]),
        (lambda file: NCFile("missing.nc", mode="r"), ["missing.nc", "No such file"]),
        (lambda file: NCFile("n.nc", mode="w", format="NETCDF7"), ["n.nc", "cannot be used"]),
        (lambda file: file.write("soon", {"u": [DistArray((4, 3))]}), ["step", "soon"]),
        (lambda file: file.write(np.inf, {"u": [DistArray((4, 3))]}), ["step", "finite"]),
        (lambda file: file.write(0, [DistArray((4, 3))]), ["fields", "dict"]),
        (lambda file: file.write(0, {"u": DistArray((4, 3))}), ["fields", "lists"]),
        (lambda file: file.write(0, {"u": [np.zeros((4, 3))]}), ["fields: u", "ndarray", "DistArrays"]),
        (lambda file: file.write(0, {"u": [(DistArray((4, 3)),)]}), ["fields: u", "tuple", "pairs"]),
        (lambda file: file.write(0, {"u": [DistArray((4, 3), dtype=complex)]}), ["u:", "complex", "u.real"]),
        (lambda file: file.write(0, {"y": [DistArray((4, 3))]}), ["y:", "name of an axis"]),
        (lambda file: file.write(0, {"u": [DistArray((4, 5))]}), ["axis y", "3 points there, not 5"]),
        (lambda file: file.write(0, {"u": [DistArray((2, 4, 3), rank=1)]}), ["u:", "('time', 'x', 'y')", "'i'"]),
        (lambda file: file.write(0, {"t": [DistArray((2, 2, 2, 2, 4, 3), rank=4)]}), ["rank 4", "components"]),
        (lambda file: NCFile("n.nc", domain=((0, 1),)).write(0, {"u": [DistArray((4, 3))]}), ["domain", "1 entries"]),
        (
            lambda file: NCFile("n.nc", domain=(np.arange(3.0), np.arange(3.0))).write(0, {"u": [DistArray((4, 3))]}),
            ["domain", "axis x", "3 positions for 4 points"],
        ),
        (lambda file: file.read(DistArray((4, 3)), "p"), ["p:", "no such variable"]),
        (lambda file: file.read(DistArray((4, 5)), "u"), ["u:", "(1, 4, 3)", "(4, 5)"]),
        (lambda file: file.read(DistArray((4, 3)), "u", step=1), ["u:", "step 1"]),
        (lambda file: file.read(DistArray((4, 3)), "u", step=0.5), ["step", "0.5"]),
        (lambda file: DistArray((4, 3)).read("missing.nc"), ["missing.nc"]),
        (lambda file: DistArray((4, 3)).write(3), ["filename: 3", ".nc"]),
        (lambda file: file.open("w"), ["mode", "'w'", "r, r+ or a"]),
    ],
)
def test_bad_calls_say_what_is_wrong(file, call, words):
    with pytest.raises(weft.Error) as caught:
        call(file)
    assert all(word in str(caught.value) for word in words), caught.value
    again = DistArray((4, 3))
    file.read(again, "u")
    assert np.all(again == 2)


def test_what_to_install_is_said_where_netcdf4_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "netCDF4", None)
    with pytest.raises(weft.Error, match="netCDF4 is not installed.*pip install netCDF4"):
        NCFile(str(tmp_path / "u.nc"))


@pytest.mark.parametrize(("kind", "end", "path"), [(NCFile, "nc", "u"), (HDF5File, "h5", "u/2D/0")])
def test_files_may_be_opened_by_hand(tmp_path, kind, end, path):
    """f is the file of the library between open and close; one rank may change it, and write closes it first."""
    fft = PFFT(MPI.COMM_WORLD, (4, 6))
    u = newDistArray(fft, False, val=3)
    file = kind(str(tmp_path / f"u.{end}"), mode="w")
    assert file.f is None
    file.close()
    file.write(0, {"u": [u]})
    file.open()
    shown = file.f[path]
    assert np.all(shown[...] == 3)
    shown[...] = 5
    file.write(1, {"u": [u]})
    assert file.f is None
    file.read(u, "u", step=0)
    assert np.all(u == 5)
    (tmp_path / f"u.{end}").unlink()
    with pytest.raises(weft.FileError, match=f"u.{end}: it cannot be opened: .*No such file"):
        file.open("r")


def test_several_ranks_open_a_file_to_read_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    on_ranks(
        2,
        """\
        import numpy as np
        from weft.compat.mpi4py_fft import DistArray, HDF5File, NCFile

        u = DistArray((4, 6), val=3)
        for file, path in ((NCFile("u.nc", mode="w"), "u"), (HDF5File("u.h5", mode="w"), "u/2D/0")):
            file.write(0, {"u": [u]})
            file.open()
            assert np.all(file.f[path][...] == 3)
            file.write(1, {"u": [u]})
            assert file.f is None
        """,
        tmp_path,
    )


def test_old_files_may_be_removed_on_every_rank_before(tmp_path, monkeypatch):
    """A rank that comes late removes the old file, not the one that rank 0 would have made by then."""
    monkeypatch.chdir(tmp_path)
    on_ranks(
        2,
        """\
        import time
        from pathlib import Path
        from mpi4py import MPI
        from weft.compat.mpi4py_fft import DistArray, HDF5File, NCFile

        u = DistArray((4, 6), val=3)
        for kind in (NCFile, HDF5File):
            time.sleep(0.2 * MPI.COMM_WORLD.rank)
            Path("old").unlink(missing_ok=True)
            file = kind("old", mode="w")
            assert Path("old").exists()
            file.write(0, {"u": [u]})
        """,
        tmp_path,
    )


@pytest.mark.parametrize(("kind", "end"), [(NCFile, "nc"), (HDF5File, "h5")])
def test_a_file_that_has_gone_is_not_made_anew(tmp_path, kind, end):
    path = tmp_path / f"u.{end}"
    file = kind(str(path), mode="w")
    path.unlink()
    with pytest.raises(weft.FileError, match=f"u.{end}: this file cannot be used: .*No such file"):
        file.write(0, {"u": [DistArray((2, 3), val=1)]})
    assert not path.exists()


def test_the_base_of_files_is_abstract():
    with pytest.raises(TypeError, match="abstract"):
        FileBase("u.txt")
    assert issubclass(HDF5File, FileBase)
    assert issubclass(NCFile, FileBase)
