"""Time series from Python, read as ParaView's reader does: the XDMF file by its XML, the data by h5py."""

import xml.etree.ElementTree as xml

import h5py
import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks

SHAPE = (4, 3, 5)
WHOLE = tuple(slice(0, n) for n in SHAPE)


def steps_of(path):
    """Time, origin, spacing and fields (in the axes of ParaView, X last) of every step."""
    root = xml.parse(path).getroot()
    (collection,) = root.findall("./Domain/Grid")
    assert collection.attrib == {"Name": "weft", "GridType": "Collection", "CollectionType": "Temporal"}
    for grid in collection:
        points = [int(n) for n in grid.find("Topology").get("Dimensions").split()]
        first, spacing = ([float(x) for x in item.text.split()] for item in grid.findall("Geometry/DataItem"))
        fields = {}
        for attribute in grid.findall("Attribute"):
            item = attribute.find("DataItem")
            assert [int(n) for n in item.get("Dimensions").split()] == points
            name, dataset = item.text.split(":")
            with h5py.File(path.parent / name) as file:
                fields[attribute.get("Name")] = file[dataset][...]
        yield float(grid.find("Time").get("Value")), first, spacing, fields


@pytest.mark.parametrize("compression", [0, 3])
def test_paraview_sees_every_step(tmp_path, compression):
    u = np.random.default_rng(1).random(SHAPE)
    series = weft.TimeSeries(
        tmp_path / "run.xdmf", SHAPE, (0.1, 0.2, 0.3), (1, 2, 3), comm=MPI.COMM_SELF, compression=compression
    )
    for step in range(3):
        series.append(0.25 * step, {"u": (u + step, WHOLE, SHAPE), "v": (-u, WHOLE, SHAPE)})
    assert series.times == [0, 0.25, 0.5] and "steps=3" in repr(series)
    for step, (time, first, spacing, fields) in enumerate(steps_of(tmp_path / "run.xdmf")):
        assert time == 0.25 * step and first == [3, 2, 1] and spacing == [0.3, 0.2, 0.1]
        assert np.array_equal(fields["u"], (u + step).astype("f4").transpose())
        assert np.array_equal(fields["v"], (-u).astype("f4").transpose())
    with h5py.File(tmp_path / "run-000002.h5") as file:
        assert np.array_equal(file["u"], u + 2) and file.attrs["time"] == 0.5
        assert np.allclose(file["y"], 2 + 0.2 * np.arange(3), rtol=2**-52)
    again = weft.TimeSeries(tmp_path / "run.xdmf", SHAPE, (0.1, 0.2, 0.3), (1, 2, 3), comm=MPI.COMM_SELF, resume=0.5)
    assert again.times == [0, 0.25]


def test_wrong_arguments(tmp_path):
    path, u = tmp_path / "run.xdmf", np.zeros(SHAPE)
    for arguments, options, message in [
        ((tmp_path / "run.h5", SHAPE, (1, 1, 1)), {}, "ends in .xdmf"),
        ((None, SHAPE, (1, 1, 1)), {}, "path: None"),
        ((path, SHAPE, (1, 1)), {}, "spacing has 2 entries, shape has 3"),
        ((path, SHAPE, (1, 1, 0)), {}, "axis 2"),
        ((path, SHAPE, (1, 1, "1")), {}, r"spacing\[2\]"),
        ((path, SHAPE, (1, 1, 1), (0, 0)), {}, "origin has 2"),
        ((path, (2,) * 4, (1,) * 4), {}, "4 axes"),
        ((path, (2,) * 7, (1,) * 7), {}, "7 axes"),
        ((path, SHAPE, (1, 1, 1)), {"resume": "yes"}, "resume"),
        ((path, SHAPE, (1, 1, 1)), {"compression": 10}, "compression: 10"),
        (("\udc80.xdmf", SHAPE, (1, 1, 1)), {}, "path: .* is not a valid text, character 0"),
    ]:
        with pytest.raises(weft.Error, match=message):
            weft.TimeSeries(*arguments, **options)
    with pytest.raises(weft.FileError, match="cannot be read: File name too long"):
        weft.TimeSeries(tmp_path / ("x" * 300 + ".xdmf"), SHAPE, (1, 1, 1), resume=0.5)
    series = weft.TimeSeries(path, SHAPE, (1, 1, 1))
    for time, fields, message in [
        (0, {}, "no field is given"),
        ("now", {"u": (u, WHOLE, SHAPE)}, "time: 'now'"),
        (0, {"u": (u.astype("c16"), WHOLE, SHAPE)}, "dtype complex128"),
        (0, {"u": (u[1:], (slice(0, 3), *WHOLE[1:]), (3, 3, 5))}, "not that of the series"),
        (0, {"u": (u, WHOLE, SHAPE), "v": (u.astype("f4"), WHOLE, SHAPE)}, "v: slices and dtype"),
        (float("nan"), {"u": (u, WHOLE, SHAPE)}, "not finite"),
    ]:
        with pytest.raises(weft.Error, match=message):
            series.append(time, fields)
    assert list(tmp_path.iterdir()) == []


SCRIPT = """\
    from pathlib import Path

    import numpy as np
    import weft
    from mpi4py import MPI

    comm, shape = MPI.COMM_WORLD, (9, 4)
    rows = (slice(9 * comm.rank // comm.size, 9 * (comm.rank + 1) // comm.size), slice(0, 4))
    series = weft.TimeSeries(Path(__file__).parent / "run.xdmf", shape, (1, 1))
    u = np.arange(36.0).reshape(shape)
    series.append(1, {"u": (u[rows], rows, shape)})
    for time, array in ((2 + comm.rank, u[rows]), (3, u[rows].astype("f4" if comm.rank else "f8"))):
        try:
            series.append(time, {"u": (array, rows, shape)})
        except weft.Error as error:
            assert "rank" in str(error), error
        else:
            raise AssertionError("not refused")
    if comm.rank == 0:
        print(series.times)
    """


def test_several_ranks(tmp_path):
    assert on_ranks(3, SCRIPT, tmp_path) == "[1.0]"
    ((time, first, spacing, fields),) = steps_of(tmp_path / "run.xdmf")
    assert (time, first, spacing) == (1, [0, 0, 0], [1, 1, 1])
    assert np.array_equal(fields["u"][0], np.arange(36.0, dtype="f4").reshape(9, 4).T)
