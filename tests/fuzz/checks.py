"""What the programs of cases are written with: numbers, layouts of arrays, and checks that note what is wrong."""

import math
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import weft
from mpi4py import MPI


def numbers(seed: int, shape: Sequence[int], dtype: Any = "float64") -> np.ndarray:
    """Random elements of any type, the same on every rank: in [-1, 1) of numbers, any bits of others."""
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind == "f":
        return rng.uniform(-1, 1, shape).astype(dtype)
    if dtype.kind == "c":
        return (rng.uniform(-1, 1, shape) + 1j * rng.uniform(-1, 1, shape)).astype(dtype)
    if dtype.kind == "U":
        letters = rng.integers(32, 127, (*shape, dtype.itemsize // 4)).astype("u4")
        return np.ascontiguousarray(letters).view(dtype).reshape(shape)
    raw = rng.integers(0, 2 if dtype.kind == "b" else 256, (*shape, dtype.itemsize), np.uint8)
    return np.ascontiguousarray(raw).view(dtype).reshape(shape)


def cut(array: np.ndarray, region: Sequence[slice]) -> np.ndarray:
    """A contiguous copy of a part of an array, all of axes of one element, which are broadcast."""
    part = tuple(s if n > 1 else slice(None) for s, n in zip(region, array.shape, strict=True))
    return np.array(array[part], order="C", copy=True)


def block(array: np.ndarray, region: Sequence[slice]) -> np.ndarray:
    """A contiguous copy of a part of an array."""
    return np.array(array[tuple(region)], order="C", copy=True)


def laid_out(array: np.ndarray, layout: str) -> np.ndarray:
    """The same elements with other strides: "C", "F", "gaps", "reversed" or "turned"."""
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "gaps":
        wide = np.zeros([2 * n + 1 for n in array.shape], array.dtype)
        inner = wide[tuple(slice(0, 2 * n, 2) for n in array.shape)]
        inner[...] = array
        return inner
    if layout == "reversed":
        return array[::-1].copy()[::-1]
    if layout == "turned":
        axes = np.roll(np.arange(array.ndim), 1)
        return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes))
    return np.ascontiguousarray(array)


def norm(values: np.ndarray) -> float:
    """The 2-norm. numpy's takes BLAS, whose threads would disturb the ranks."""
    values = np.asarray(values)
    return float(np.sqrt(np.sum(np.square(values.real, dtype=float)) + np.sum(np.square(values.imag, dtype=float))))


LAYOUTS = ("C", "F", "gaps", "reversed", "turned")
_workspaces: dict[tuple[int, int, int], weft.Workspace] = {}


def workspace(comm: MPI.Intracomm, number: int) -> weft.Workspace:
    """One of a few workspaces that plans on the same ranks share."""
    key = (comm.size, MPI.COMM_WORLD.rank - comm.rank, number)
    return _workspaces.setdefault(key, weft.Workspace())


class Checks:
    """Notes what is wrong on this rank. Nothing is raised, so that all ranks go on alike."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self.comm = comm
        self.wrong: list[tuple[str, str]] = []  # what sort of fault, and in words
        self.scratch = ""

    def note(self, sort: str, text: str) -> None:
        self.wrong.append((sort, text))

    def that(self, fine: Any, text: str) -> None:
        """fine has to be true."""
        if not fine:
            self.note("false", text)

    def _alike(self, got: Any, want: Any, what: str) -> bool:
        if got.shape != want.shape or got.dtype != want.dtype:
            self.note("shape", f"{what}: {got.shape} {got.dtype} instead of {want.shape} {want.dtype}")
            return False
        return True

    def bits(self, got: Any, want: Any, what: str) -> None:
        """Both have to have the same type, shape and bits; any NaN is alike."""
        got, want = np.ascontiguousarray(got), np.ascontiguousarray(want)
        if not self._alike(got, want, what) or got.tobytes() == want.tobytes():
            return
        if got.dtype.kind not in "fc" or got.dtype.itemsize // (2 if got.dtype.kind == "c" else 1) > 8:
            # Structures and long doubles have padding, which is nobody's.
            if not np.array_equal(got, want):
                self.note("bits", f"{what}: other elements")
            return
        same = (got == want) & (np.signbit(got.real) == np.signbit(want.real))
        same &= np.signbit(got.imag) == np.signbit(want.imag)
        same |= np.isnan(got) & np.isnan(want)
        if not same.all():
            where = np.argwhere(~same)
            sort = "signs of zeros" if np.array_equal(got, want, equal_nan=True) else "bits"
            self.note(sort, f"{what}: {len(where)} of {got.size} elements have other {sort}, first {where[0].tolist()}")

    def near(self, got: Any, want: Any, what: str, bound: float, of: Any = None) -> None:
        """The 2-norm of the difference has to be at most bound times that of another array, or of what is wanted."""
        if got.shape != want.shape:
            self.note("shape", f"{what}: shape {got.shape} instead of {want.shape}")
            return
        scale, error = norm(want if of is None else of), norm(np.asarray(got) - want)
        if not error <= bound * scale + np.finfo(float).tiny:
            self.note("far", f"{what}: an error of {error:.3g} where {bound * scale:.3g} are allowed")

    def same_outcome(self, one: Callable[[], Any], ranks: Callable[[], Any], what: str) -> tuple[Any, Any]:
        """What one rank and all ranks compute, or twice None where both refuse; where one alone does, that is wrong."""
        results, refusals = [], []
        for call in (one, ranks):
            try:
                results.append(call())
            except weft.Error as error:
                results.append(None)
                refusals.append(str(error))
        if len(refusals) == 1:
            who = "one rank" if results[0] is None else "all ranks"
            self.note("refusal", f"{what}: refused on {who} alone: {refusals[0]}")
        return (results[0], results[1]) if not refusals else (None, None)

    def exact_sums(self, field: weft.Field, whole: np.ndarray) -> None:
        """Sums and norms of a field have to be the exact ones of the terms in double precision, rounded."""
        big = whole.astype(np.complex128 if whole.dtype.kind == "c" else np.float64).ravel()
        parts = [big.real, big.imag] if big.dtype.kind == "c" else [big]
        total, norm, largest = np.complex128(field.sum()), field.norm(), field.norm(math.inf)
        for got, part in zip((total.real, total.imag), parts, strict=False):
            if np.isfinite(part).all():
                self.that(got == math.fsum(part), f"sum: {got!r} instead of {math.fsum(part)!r}")
            else:
                self.that(not np.isfinite(got), f"sum: {got!r} of elements that are not finite")
        if np.isfinite(big).all():
            squares = big.real * big.real + big.imag * big.imag if len(parts) == 2 else big * big
            self.that(norm == math.sqrt(math.fsum(squares)), f"norm: {norm!r}, not the root of {math.fsum(squares)!r}")
            most = np.hypot(big.real, big.imag).max() if len(parts) == 2 else np.abs(big).max()
            self.that(largest == most, f"norm(inf): {largest!r} instead of {most!r}")

    def path(self, suffix: str) -> str:
        """A file name that the ranks share, in the folder for scratch files, removed at the end of the case."""
        if not self.scratch:
            self.scratch = self.comm.bcast(tempfile.mkdtemp(prefix="weft-fuzz-") if self.comm.rank == 0 else None)
        return os.path.join(self.scratch, f"u.{suffix}")

    def clean(self) -> None:
        """Removes files, once all ranks are done with them. Collective where path() was called."""
        if self.scratch:
            self.comm.Barrier()
            if self.comm.rank == 0:
                shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch = ""

    def finish(self) -> None:
        """For programs that are run by themselves: prints what is wrong and ends with status 1."""
        self.clean()
        for _, text in self.wrong:
            print(f"rank {self.comm.rank}: {text}", flush=True)
        if self.comm.allreduce(len(self.wrong)):
            sys.exit(1)
        if self.comm.rank == 0:
            print("all is right")
