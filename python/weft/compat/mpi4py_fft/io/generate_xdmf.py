"""generate_xdmf of mpi4py-fft: XDMF files, which ParaView and VisIt read, for the fields of an HDF5File.

They describe scalars of real numbers in two and three dimensions, and plane slices of three. Whole arrays are in
h5filename with the ending .xdmf, and each kind of slice has a file of its own, NAME_slice_slice_4.xdmf.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from weft.errors import Error, FileError


class _Dataset(NamedTuple):
    """An array of one step: the field that it belongs to, the entry of its slice per axis, where it is."""

    field: str
    entries: tuple[int | None, ...]  # None: the whole axis
    step: int
    path: str


def generate_xdmf(h5filename: str, periodic: bool | Sequence[bool] = True, order: str = "paraview") -> None:
    """Writes XDMF files next to an HDF5 file. One rank calls it.

    periodic  for all axes or per axis, whether the domain's length extends to the next period; else its last point is
              the end. Positions in the file (a mesh) are used unchanged.
    order     "paraview" or "visit"; the files are the same for both here.
    """
    if order.lower() not in ("paraview", "visit"):
        raise Error(f"order: {order!r} is unknown; give paraview or visit")
    import h5py

    try:
        with h5py.File(h5filename, "r") as file:
            texts = {
                kind: _document(file, Path(h5filename).name, datasets, periodic)
                for kind, datasets in _found(file).items()
            }
        stem = Path(h5filename).with_suffix("")
        for kind, text in texts.items():
            stem.with_name(stem.name + ("" if kind == "whole" else f"_{kind}") + ".xdmf").write_text(text)
    except OSError as error:
        raise FileError(f"{h5filename}: its XDMF file cannot be made: {error.strerror or error}") from error


def _found(file: Any) -> dict[str, list[_Dataset]]:
    """The datasets to describe, by kind of slice."""
    import h5py

    found: dict[str, list[_Dataset]] = defaultdict(list)

    def visit(path: str, entry: Any) -> None:
        field, *folders = path.split("/")
        if not isinstance(entry, h5py.Dataset) or folders[0] not in ("2D", "3D") or file[field].attrs["rank"] > 0:
            return
        slices = folders[1:-1]
        if entry.dtype.kind != "f":
            raise Error(f"{path}: complex numbers cannot be shown; write real arrays")
        kind = slices[0] if slices else "whole"
        words = kind.split("_") if slices else ["slice"] * len(file[field].attrs["shape"])
        entries = tuple(None if word == "slice" else int(word) for word in words)
        if len(entries) <= 3:
            found[kind].append(_Dataset(field, entries, int(path.rpartition("/")[2]), path))

    file.visititems(visit)
    return found


def _document(file: Any, name: str, datasets: list[_Dataset], periodic: bool | Sequence[bool]) -> str:
    """The text of an XDMF file: one grid for each step, with all fields of the step."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', '<Xdmf Version="3.0">', "<Domain>"]
    lines.append('<Grid Name="steps" GridType="Collection" CollectionType="Temporal">')
    for step in sorted({dataset.step for dataset in datasets}):
        now = [dataset for dataset in datasets if dataset.step == step]
        lines += [f'<Grid Name="step {step}" GridType="Uniform">', f'<Time Value="{step}"/>']
        lines += _places(file, now[0], periodic)
        size = _points(file, now[0])
        points = " ".join(map(str, size))
        for dataset in now:
            if _points(file, dataset) != size:
                raise Error(f"{dataset.path} and {now[0].path}: their shapes differ; write each into its own file")
            lines.append(f'<Attribute Name={quoteattr(dataset.field)} Center="Node">')
            precision = file[dataset.path].dtype.itemsize
            lines.append(_item(points, f"{name}:/{dataset.path}", f'Format="HDF" Precision="{precision}"'))
            lines.append("</Attribute>")
        lines.append("</Grid>")
    return "\n".join([*lines, "</Grid>", "</Domain>", "</Xdmf>", ""])


def _item(dimensions: str, content: str, how: str = 'Format="XML" Precision="8"') -> str:
    return f'<DataItem {how} NumberType="Float" Dimensions="{dimensions}">{content}</DataItem>'


def _numbers(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def _points(file: Any, dataset: _Dataset) -> list[int]:
    """Points along z, y and x: of a plane one along its normal."""
    sizes = iter(file[dataset.path].shape)
    points = [next(sizes) if entry is None else 1 for entry in dataset.entries]
    return [1] * (3 - len(points)) + points


def _places(file: Any, dataset: _Dataset, periodic: bool | Sequence[bool]) -> list[str]:
    """Topology and geometry of a grid."""
    group, points = file[dataset.field], _points(file, dataset)
    shape = group.attrs["shape"]
    missing = 3 - len(shape)
    uniform = "domain" in group
    lines = [f'<Topology TopologyType="3D{"Co" * uniform}RectMesh" Dimensions="{" ".join(map(str, points))}"/>']
    if not uniform:
        mesh = [np.zeros(1)] * missing + [np.asarray(group[f"mesh/x{axis}"]) for axis in range(len(shape))]
        entries = (None,) * missing + dataset.entries
        chosen = [x if entry is None else x[entry : entry + 1] for x, entry in zip(mesh, entries, strict=True)]
        items = [_item(str(x.size), _numbers(x)) for x in reversed(chosen)]
        return [*lines, '<Geometry GeometryType="VXVYVZ">', *items, "</Geometry>"]
    goes_on = [periodic] * len(shape) if isinstance(periodic, bool) else list(periodic)
    if len(goes_on) != len(shape):
        raise Error(f"periodic: {len(goes_on)} entries are given for {len(shape)} axes; give one each, or one for all")
    origins, spacings = [0.0] * missing, [1.0] * missing
    for axis, (n, entry) in enumerate(zip(shape, dataset.entries, strict=True)):
        first, length = map(float, group[f"domain/x{axis}"])
        spacings.append(length / (n if goes_on[axis] else max(n - 1, 1)))
        origins.append(first + spacings[-1] * (entry or 0))
    items = [_item("3", _numbers(values)) for values in (origins, spacings)]
    return [*lines, '<Geometry GeometryType="ORIGIN_DXDYDZ">', *items, "</Geometry>"]
