"""weft plot: draws an array of an HDF5 or .npy file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weft._mpi import MPI
from weft._picture import Axis, Panel, edges, extremes, line_figure, mid_planes, planes_figure
from weft.case import as_text
from weft.cli.options import chosen
from weft.cli.output import check_picture
from weft.cli.picture import save_figure
from weft.cli.report import print_json
from weft.errors import Error, FileError

# h5py is imported where it is used, since it loads an HDF5 of its own.

_PARTS = {"abs": np.abs, "real": np.real, "imag": np.imag}
_DATASET_HELP = "Which array of an HDF5 file.  [default: solution, or the only one]"
_INDEX_HELP = "Indices of the first axes, with commas: a component, a step."
_PART_HELP = "The part of complex numbers: abs, real or imag."


def plot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file .h5, .hdf5 or .npy.", show_default=False)],
    dataset: Annotated[str | None, typer.Option(metavar="NAME", help=_DATASET_HELP)] = None,
    index: Annotated[str | None, typer.Option(metavar="I[,J...]", help=_INDEX_HELP)] = None,
    part: Annotated[str, typer.Option(help=_PART_HELP)] = "abs",
    title: Annotated[str | None, typer.Option(help="The title.  [default: file and array]")] = None,
    out: Annotated[Path | None, typer.Option(metavar="PNG", help="The picture.  [default: FILE with .png]")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Draw an array of a file: a curve, a plane, or the planes through the middle of three axes."""
    if MPI.COMM_WORLD.rank != 0:
        return
    chosen(part, "--part", tuple(_PARTS), ())
    check_picture(out, "--out")
    array = _read(file, dataset, _indices(index))
    values = array.shown(_PARTS[part])
    picture = file.with_suffix(".png") if out is None else out
    name = as_text(title or f"{file.name} {array.name}".strip())
    try:
        _draw(name, array, values, picture)
    except OSError as error:
        raise FileError(f"--out: {picture} cannot be written: {error.strerror or error}; name another file") from None
    found = extremes(values.values())
    assert found is not None
    low, high = found
    facts = {"file": str(file), "dataset": array.name, "shape": list(array.shape), "dtype": str(array.dtype)}
    if json:
        print_json(facts | {"smallest": low, "largest": high, "picture": str(picture)})
    else:
        print(f"{name}: {' x '.join(map(str, array.shape))} {array.dtype}, drawn from {low:.6g} to {high:.6g}")
        print(f"written: {picture}")


def _indices(text: str | None) -> tuple[int, ...]:
    words = [] if text is None else text.split(",")
    for word in words:
        if not word.strip().removeprefix("-").isdecimal():
            raise Error(f"--index: {word!r} is not a whole number; write for example --index 0")
    return tuple(map(int, words))


@dataclass
class _Array:
    """The data to draw of an array in a file: its planes, or the whole array if it has one or two axes."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    planes: dict[int, np.ndarray]  # by the axis to which they are normal; -1: the whole array
    axes: list[Axis]

    def shown(self, part: Any) -> dict[int, np.ndarray]:
        """Real numbers. Infinities become NaN, which is not drawn."""
        with np.errstate(all="ignore"):  # numbers too large for a double are not drawn either
            planes = {normal: part(v) if self.dtype.kind == "c" else v for normal, v in self.planes.items()}
            planes = {normal: v.astype(float) for normal, v in planes.items()}
        planes = {normal: np.where(np.isfinite(v), v, np.nan) for normal, v in planes.items()}
        if all(np.isnan(v).all() for v in planes.values()):
            raise Error(f"{self.name or 'the array'}: it has no finite number to draw; choose another array")
        return planes


def _draw(title: str, array: _Array, planes: dict[int, np.ndarray], path: Path) -> None:
    """Writes the picture."""
    label = array.name.rsplit("/", 1)[-1] or "value"
    if len(array.axes) == 1:
        figure = line_figure(title, label, array.axes[0], planes[-1])
    elif len(array.axes) == 2:
        figure = planes_figure(title, label, array.axes, [Panel(0, 1, planes[-1])])
    else:
        panels = mid_planes(planes, tuple(len(a.positions) for a in array.axes))
        figure = planes_figure(title, label, array.axes, panels)
    save_figure(figure, path)


def _read(file: Path, dataset: str | None, index: tuple[int, ...]) -> _Array:
    """The data to draw of a file. Raises FileError or Error if it cannot be drawn."""
    try:
        if file.suffix == ".npy":
            if dataset is not None:
                raise Error(f"--dataset: {file.name} holds one array; omit --dataset")
            return _array("", np.load(file, mmap_mode="r", allow_pickle=False), index, {})
        if file.suffix not in (".h5", ".hdf5"):
            raise Error(f"{file}: files of this kind are not read; give one that ends in .h5, .hdf5 or .npy")
        return _read_hdf5(file, dataset, index)
    except (OSError, ValueError, EOFError) as error:
        if isinstance(error, Error):
            raise
        raise FileError(f"{file}: it cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _read_hdf5(file: Path, dataset: str | None, index: tuple[int, ...]) -> _Array:
    import h5py

    with h5py.File(file, "r") as data:
        arrays: dict[str, Any] = {}

        def collect(name: str, item: Any) -> None:
            # Lists are positions. Views are the same arrays for ParaView.
            if isinstance(item, h5py.Dataset) and item.dtype.kind in "iufc" and not name.startswith("view/"):
                arrays[name] = item

        data.visititems(collect)
        name = dataset if dataset is not None else _only(file, [n for n, a in arrays.items() if a.ndim > 1])
        if name not in arrays:
            raise Error(f"--dataset: {file} has no array {name!r}; it has {', '.join(arrays) or 'none'}")
        folder = name.rsplit("/", 1)[0] + "/" if "/" in name else ""
        positions = {letter: arrays[folder + letter][...] for letter in "xyz" if folder + letter in arrays}
        return _array(name, arrays[name], index, positions)


def _only(file: Path, names: list[str]) -> str:
    """The array to draw if none is named."""
    if "solution" in names:
        return "solution"
    if len(names) != 1:
        raise Error(f"--dataset: {file} has {len(names)} arrays ({', '.join(names) or 'none'}); name one")
    return names[0]


def _array(name: str, data: Any, index: tuple[int, ...], positions: dict[str, np.ndarray]) -> _Array:
    """The planes of an array. Only these are read."""
    if data.dtype.kind not in "iufc":
        raise Error(f"{name or 'the array'}: elements of type {data.dtype} cannot be drawn; numbers can")
    if not data.shape or 0 in data.shape:
        what = "there is a single number in it" if data.shape == () else "it has no elements"
        raise Error(f"{name or 'the array'}: {what}, and nothing to draw; choose another array")
    shape = tuple(data.shape[len(index) :])
    inside = len(index) <= len(data.shape) and all(-n <= i < n for i, n in zip(index, data.shape, strict=False))
    if not inside or not 1 <= len(shape) <= 3:
        text = f"--index: an array of shape {tuple(data.shape)} and {len(index)} indices leave {len(shape)} axes"
        raise Error(f"{text}; give indices within the array that leave 1 to 3")
    index = tuple(i % n for i, n in zip(index, data.shape, strict=False))
    if len(shape) < 3:
        planes = {-1: np.asarray(data[index])}
    else:
        planes = {normal: np.asarray(data[(*index, *_middle(shape, normal))]) for normal in (2, 1, 0)}
    return _Array(name, tuple(data.shape), data.dtype, planes, _axes(shape, positions))


def _middle(shape: tuple[int, ...], normal: int) -> tuple[int | slice, ...]:
    """The plane through the middle, normal to an axis."""
    return tuple(n // 2 if axis == normal else slice(None) for axis, n in enumerate(shape))


def _axes(shape: tuple[int, ...], positions: dict[str, np.ndarray]) -> list[Axis]:
    """The axis with the positions in the file if it has them, else with indices."""
    result = []
    for letter, n in zip("xyz", shape, strict=False):
        found: Any = positions.get(letter)
        fits = isinstance(found, np.ndarray) and found.shape == (n,) and found.dtype.kind in "iuf"
        at = _checked(letter, found.astype(float)) if fits else np.arange(n)
        result.append(Axis(letter if fits else f"index of {letter}", at, edges(at)))
    return result


def _checked(letter: str, positions: np.ndarray) -> np.ndarray:
    """The positions of an axis, checked. Raises Error if an axis cannot be drawn between them."""
    advice = "correct them, or copy the array to a file without them"
    odd = np.flatnonzero(~(np.abs(positions) < 1e300))  # pixels end beyond the last ones
    if odd.size:
        raise Error(f"{letter}: the position of index {odd[0]} is {positions[odd[0]]}; {advice}")
    if len(positions) > 1 and positions[0] == positions[-1]:
        raise Error(f"{letter}: the first and the last position are both {positions[0]}; {advice}")
    return positions
