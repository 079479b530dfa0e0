"""generate_xdmf of weft.compat.mpi4py_fft: sizes, positions and places of the fields of an HDF5File."""

from xml.etree import ElementTree

import numpy as np
import pytest
import weft
from weft.compat.mpi4py_fft import DistArray, HDF5File, generate_xdmf


def shown(file):
    """Of an XDMF file the steps, and for the last one the size, the geometry and where each field is."""
    grids = ElementTree.parse(file).getroot().findall("Domain/Grid/Grid")
    geometry = [np.array(item.text.split(), float) for item in grids[-1].findall("Geometry/DataItem")]
    fields = {field.get("Name"): field.find("DataItem").text for field in grids[-1].findall("Attribute")}
    size = [int(n) for n in grids[-1].find("Topology").get("Dimensions").split()]
    return [grid.find("Time").get("Value") for grid in grids], size, geometry, fields


@pytest.mark.parametrize(
    ("periodic", "ends"), [(True, (0, 0, 0)), (False, (1, 1, 1)), ((True, False, True), (0, 1, 0))]
)
def test_xdmf_of_a_domain(tmp_path, periodic, ends):
    n, lengths = np.array([4, 6, 8]), np.array([1.0, 3.0, 2.0])
    u = DistArray(tuple(n), val=1.0)
    file = HDF5File(str(tmp_path / "u.h5"), domain=[(axis, length) for axis, length in enumerate(lengths)], mode="w")
    for step in (0, 10):
        file.write(step, {"u": [u, (u, [slice(None), 5, slice(None)]), (u, [1, 1, slice(None)])], "v": [u]})
    generate_xdmf(str(tmp_path / "u.h5"), periodic)
    spacing = lengths / (n - ends)
    steps, size, geometry, fields = shown(tmp_path / "u.xdmf")
    assert steps == ["0", "10"] and size == [4, 6, 8]
    np.testing.assert_allclose(geometry, [[0, 1, 2], spacing])
    assert fields == {"u": "u.h5:/u/3D/10", "v": "u.h5:/v/3D/10"}
    steps, size, geometry, fields = shown(tmp_path / "u_slice_5_slice.xdmf")
    assert steps == ["0", "10"] and size == [4, 1, 8] and fields == {"u": "u.h5:/u/2D/slice_5_slice/10"}
    np.testing.assert_allclose(geometry, [[0, 1 + 5 * spacing[1], 2], spacing])
    assert not list(tmp_path.glob("*_1_1_*")), "a line is no picture"


def test_xdmf_of_a_mesh(tmp_path):
    x, y = np.linspace(0, 1, 4) ** 2, np.arange(6.0)
    u = DistArray((4, 6), val=1.0, dtype=np.float32)
    HDF5File(str(tmp_path / "u.h5"), domain=(x, y), mode="w").write(3, {"u": [u]})
    generate_xdmf(str(tmp_path / "u.h5"), order="visit")
    steps, size, geometry, fields = shown(tmp_path / "u.xdmf")
    assert steps == ["3"] and size == [1, 4, 6] and fields == {"u": "u.h5:/u/2D/3"}
    for found, expected in zip(geometry, (y, x, [0]), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_xdmf_of_complex_numbers(tmp_path):
    u = DistArray((4, 6), val=1.0, dtype=complex)
    HDF5File(str(tmp_path / "u.h5"), mode="w").write(0, {"u": [u]})
    with pytest.raises(weft.Error, match="u/2D/0: complex numbers"):
        generate_xdmf(str(tmp_path / "u.h5"))


@pytest.mark.parametrize(
    ("other", "periodic", "text"),
    [
        ((4, 5), True, "v/2D/0 and u/2D/0: their shapes differ"),
        ((4, 6), [True], "periodic: 1 entries are given for 2 axes"),
    ],
)
def test_xdmf_is_refused_before_a_file_is_written(tmp_path, other, periodic, text):
    file = HDF5File(str(tmp_path / "u.h5"), mode="w")
    file.write(0, {"u": [DistArray((4, 6), val=1.0)], "v": [DistArray(other, val=1.0)]})
    with pytest.raises(weft.Error, match=text):
        generate_xdmf(str(tmp_path / "u.h5"), periodic)
    assert not list(tmp_path.glob("*.xdmf"))
