"""Fields in files: HDF5 with XDMF for ParaView, and .npy."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from weft import _core
from weft._arguments import agreed, communicator, converted, encodable, flag, naming, raise_together, shown, word
from weft._arrays import empty
from weft._build import VERSION
from weft._mesh import write_mesh
from weft._mpi import MPI
from weft.errors import Error, FileError
from weft.field.base import FieldBase
from weft.field.elements import file_type_problem, wanted_type
from weft.field.layout import Layout, even_slices

_HDF5, _NPY = (".h5", ".hdf5"), (".npy",)


def save(field: FieldBase, path: Any, name: Any, xdmf: Any) -> None:
    """See Field.save."""
    given = agreed(
        field.comm,
        lambda: {"path": file_path(path), "name": word(name, "name", "u"), "xdmf": flag(xdmf, "xdmf")},
    )
    problem = file_type_problem(field.dtype) or _xdmf_problem(field, given["path"], given["xdmf"])
    raise_together(field.comm, problem)
    address, box = MPI._addressof(field.comm), [(part.start, part.stop) for part in field.slices]

    def make() -> dict[str, Any]:
        with naming(given["name"]):
            return {"local": np.ascontiguousarray(field.local)}

    values = converted(field.comm, make)["local"]
    if suffix_of(given["path"]) in _NPY:
        _core.write_npy(address, given["path"], values, field.global_shape, box)
        return
    notes = {"weft": VERSION} | ({} if field.side is None else {"side": field.side})
    positions = _positions(field)
    _core.write_fields(address, given["path"], {given["name"]: values}, field.global_shape, box, positions, notes)
    if given["xdmf"]:
        points = positions or [np.arange(n, dtype=np.float64) for n in field.global_shape]
        spacing = [float(axis[1] - axis[0]) if len(axis) > 1 else 1.0 for axis in points]
        target = os.path.splitext(given["path"])[0] + ".xdmf"
        write_mesh(address, target, given["path"], points, spacing, [given["name"]])


def load(path: Any, name: Any, layout: Layout | None, comm: Any, dtype: Any) -> tuple[np.ndarray, Layout]:
    """This rank's block of an array in a file, and its layout: the one given, or slabs. Collective."""
    comm = communicator(comm)
    given = agreed(
        comm,
        lambda: {"path": file_path(path), "name": word(name, "name", "u"), "dtype": wanted_type(dtype)},
    )
    dataset = "" if suffix_of(given["path"]) in _NPY else given["name"]
    extents, is_complex = _core.file_array(MPI._addressof(comm), given["path"], dataset)
    shape = tuple(extents)
    if layout is None:
        layout = Layout(even_slices(shape, comm), shape, comm)
    shape, wanted = layout.local_shape, given["dtype"] or ("complex128" if is_complex else "float64")

    def make() -> dict[str, Any]:
        with naming(given["path"]):
            return {"values": empty(shape, wanted)}

    values = converted(comm, make)["values"]  # memory may be short on a single rank
    box = [(part.start, part.stop) for part in layout.slices]
    _core.read_block(MPI._addressof(comm), given["path"], dataset, layout.global_shape, box, values)
    return values, layout


def suffix_of(path: str) -> str:
    """The extension of a file name."""
    return Path(path).suffix


def file_path(path: Any) -> str:
    """A file name as text. Raises Error for other types, FileError for an unknown extension."""
    if not isinstance(path, str | os.PathLike) or not str(path):
        raise Error(f'path: {shown(path)} is not a file name; give a string or a path such as "u.h5"')
    text = encodable(str(path), "path")
    if suffix_of(text) not in _HDF5 + _NPY:
        raise FileError(f"path: {text} does not say what kind of file it is; end it in {', '.join(_HDF5 + _NPY)}")
    return text


def _xdmf_problem(field: FieldBase, path: str, wanted: bool) -> Error | None:
    if not wanted:
        return None
    if suffix_of(path) not in _HDF5:
        return Error(f"xdmf: {path} is not HDF5, which XDMF describes; end the path in .h5")
    if field.side == "spectral" or field.ndim > 3 or field.dtype.kind == "c":
        what = "modes" if field.side == "spectral" else f"{field.ndim} axes of {field.dtype}"
        return Error(f"xdmf: this field has {what}; XDMF describes real points of 1 to 3 axes, save without it")
    return None


def _positions(field: FieldBase) -> list[np.ndarray]:
    """Coordinates of whole axes, if all are known."""
    if field._space is None or field.side != "physical":
        return []
    found = [axis.positions for axis in field._space.axes]
    return [] if any(one is None for one in found) else [one for one in found if one is not None]
