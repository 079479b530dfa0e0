"""Damaged arrays: .npy beside numpy, HDF5 datasets beside h5py, checkpoints bit for bit."""

import contextlib
import random
import struct
import warnings
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import weft

from fuzz.files.hdf5_bytes import signed_blocks, signed_mutant
from fuzz.files.mutations import mutate
from fuzz.files.subject import Subject, Wrong


def whole(array: np.ndarray) -> tuple[np.ndarray, tuple[slice, ...], tuple[int, ...]]:
    """An array as one rank's part of itself."""
    return array, tuple(slice(0, n) for n in array.shape), array.shape


def _same(got: np.ndarray, want: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        return got.shape == want.shape and np.array_equal(got, want.astype(got.dtype), equal_nan=True)


class Npy(Subject):
    """Headers as texts with a length that is right, and changes anywhere."""

    kind, suffix, near = "npy", ".npy", 128
    _ARRAYS = (
        ((4, 6, 5), "f8"),
        ((7,), "<f4"),
        ((3, 4), ">i8"),
        ((2, 3, 2, 2, 1, 2), "c16"),
        ((9, 2), ">c8"),
        ((5, 5), "i4"),
    )

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for shape, dtype in self._ARRAYS:
            path = folder / "base.npy"
            np.save(path, (np.arange(np.prod(shape)) + 0.5).reshape(shape).astype(dtype))
            self.bases.append(path.read_bytes())

    def mutant(self, rng: random.Random) -> bytes:
        base = rng.choice(self.bases)
        if rng.random() < 0.5:
            return super().mutant(rng)
        length = int.from_bytes(base[8:10], "little")
        head = mutate(rng, base[10 : 10 + length], text=True)
        version = rng.choice((1, 1, 1, 2, 3, 4))
        size = struct.pack("<H", len(head) % 65536) if version == 1 else struct.pack("<I", len(head))
        return base[:6] + bytes((version, 0)) + size + head + base[10 + length :]

    def read(self, path: Path, data: bytes) -> None:
        self._got: list[np.ndarray] = []
        for dtype in (None, "float32", "complex128"):
            try:
                self._got.append(weft.Field.load(path, dtype=dtype).local)
            except weft.Error as error:
                refusal = error
        if not self._got:
            raise refusal

    def compare(self, path: Path, data: bytes) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                want = np.load(path, allow_pickle=False)
            except Exception as error:
                raise Wrong(f"numpy does not read it: {error}") from None
        if not all(_same(got, want) for got in self._got):
            raise Wrong("other numbers than numpy's")


class _Hdf5(Subject):
    suffix, near = ".h5", 3000

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        rng = np.random.default_rng(1)
        self.fields = {"u": rng.standard_normal((6, 5, 4)), "v": (rng.standard_normal((3, 7)) + 1j).astype("complex64")}
        self.values: dict[str, Any] = {"time": 0.25, "case": "test", "n": 7}
        for compression in (0, 4):
            path = folder / "base.h5"
            parts = {name: whole(array) for name, array in self.fields.items()}
            weft.save_checkpoint(path, parts, self.values, compression=compression)
            self.bases.append(path.read_bytes())

    def mutant(self, rng: random.Random) -> bytes:
        base = rng.choice(self.bases)
        blocks = signed_blocks(base)
        if not blocks or rng.random() < 0.7:  # most of the signed ones get no further than HDF5
            return super().mutant(rng)
        return signed_mutant(rng, base, blocks)


class Checkpoint(_Hdf5):
    """Whatever happens to a checkpoint, its fields are read bit for bit or not at all."""

    kind = "checkpoint"

    def read(self, path: Path, data: bytes) -> None:
        refusals: list[weft.Error] = []
        for part in (slice(None), slice(1, 3)):
            want = {name: array[part] for name, array in self.fields.items()}
            boxes = {
                name: tuple(
                    slice(*(part if axis == 0 else slice(None)).indices(n)[:2]) for axis, n in enumerate(array.shape)
                )
                for name, array in self.fields.items()
            }
            try:
                found = weft.load_checkpoint(path, boxes)
            except weft.Error as error:
                refusals.append(error)
                continue
            for name, array in want.items():
                if found.fields[name].tobytes() != np.ascontiguousarray(array).tobytes():
                    raise Wrong(f"{name} has other bits and no error")
        try:
            weft.verify_checkpoint(path)
        except weft.Error as error:
            refusals.append(error)
        if refusals:
            raise refusals[0]


class FieldFile(_Hdf5):
    """Datasets of weft's own files and of h5py's: old and new format, chunks, filters, links, attributes."""

    kind = "field"
    _NAMES = ("u", "c", "g/u", "link", "ext", "v", "part")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        weft.Field.from_global(np.arange(60.0).reshape(3, 4, 5)).save(folder / "base.h5", "u", xdmf=True)
        self.bases.append((folder / "base.h5").read_bytes())
        for libver in ("earliest", "latest"):
            with h5py.File(folder / "base.h5", "w", libver=libver) as file:
                self._fill(file)
            self.bases.append((folder / "base.h5").read_bytes())

    @staticmethod
    def _fill(file: h5py.File) -> None:
        file["u"] = np.arange(24, dtype="i4").reshape(2, 3, 4)
        values = np.arange(1000.0).reshape(10, 100)
        file.create_dataset("c", data=values, chunks=(3, 17), compression="gzip", shuffle=True, fletcher32=True)
        part = file.create_dataset("part", (6, 5, 4), "f8", chunks=(2, 5, 4), fillvalue=2.5)
        part[2:4] = np.arange(40.0).reshape(2, 5, 4)
        file.create_group("g")["u"] = np.arange(3) * 1j
        file["link"] = h5py.SoftLink("/g/u")
        file["ext"] = h5py.ExternalLink("other.h5", "/u")
        file["s"] = "text"
        file["u"].attrs["a"] = np.arange(5)

    def read(self, path: Path, data: bytes) -> None:
        self._got: list[tuple[str, np.ndarray]] = []
        for name in self._NAMES:
            for dtype in (None, "complex64"):
                try:
                    self._got.append((name, weft.Field.load(path, name, dtype=dtype).local))
                except weft.Error as error:
                    refusal = error
        if not self._got:
            raise refusal

    def compare(self, path: Path, data: bytes) -> None:
        for name, got in self._got:
            with contextlib.ExitStack() as stack:
                try:
                    dataset = stack.enter_context(h5py.File(path, "r"))[name]
                except Exception:
                    continue  # h5py has an HDF5 of its own, which refuses more
                try:
                    want = dataset[()]
                except OSError as error:
                    raise Wrong(f"h5py opens {name} and does not read it: {error}") from None
                except Exception:
                    continue  # its types are not numpy's
            if not _same(got, want):
                raise Wrong(f"{name}: other numbers than h5py's")


SUBJECTS = (Npy, Checkpoint, FieldFile)
