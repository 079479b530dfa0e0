"""Regions of a global array that an index names: whole numbers, slices with steps, Ellipsis, as in numpy."""

from dataclasses import dataclass
from typing import Any

from weft._arguments import whole
from weft.errors import Error
from weft.field.layout import Slices


@dataclass(frozen=True)
class Selection:
    """The global indices along each axis, and the axes that whole numbers have dropped."""

    ranges: tuple[range, ...]
    dropped: tuple[bool, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Elements per axis, including dropped axes."""
        return tuple(map(len, self.ranges))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that numpy gives the region."""
        return tuple(len(r) for r, gone in zip(self.ranges, self.dropped, strict=True) if not gone)

    def is_everything(self, shape: tuple[int, ...]) -> bool:
        """Whether the region is the whole array in its own order."""
        return not any(self.dropped) and all(r == range(n) for r, n in zip(self.ranges, shape, strict=True))

    def part_of(self, slices: Slices) -> tuple[Slices, Slices]:
        """The common part of a box and the region, as indices in the box and in the region (with all axes)."""
        both = [_part(r, cut.start, cut.stop) for r, cut in zip(self.ranges, slices, strict=True)]
        return tuple(local for local, _ in both), tuple(region for _, region in both)


def selection(index: Any, shape: tuple[int, ...]) -> Selection:
    """The region of u[index]. Raises Error for an index out of range or of a wrong type."""
    entries = _expanded(index if isinstance(index, tuple) else (index,), len(shape))
    ranges = tuple(_range(entry, axis, n) for axis, (entry, n) in enumerate(zip(entries, shape, strict=True)))
    return Selection(ranges, tuple(not isinstance(entry, slice) for entry in entries))


def _expanded(entries: tuple[Any, ...], axes: int) -> list[Any]:
    """One entry per axis."""
    given = list(entries)
    dots = [place for place, entry in enumerate(given) if entry is Ellipsis]
    if len(dots) > 1:
        raise Error("index: there is more than one ...; give one at most")
    if len(given) - len(dots) > axes:
        raise Error(f"index: {len(given) - len(dots)} entries were given for {axes} axes; give one per axis at most")
    place = dots[0] if dots else len(given)
    missing = [slice(None)] * (axes - len(given) + len(dots))
    return given[:place] + missing + given[place + len(dots) :]


def _range(entry: Any, axis: int, n: int) -> range:
    if isinstance(entry, slice):
        parts = (entry.start, entry.stop, entry.step)
        start, stop, step = (None if part is None else whole(part, f"index on axis {axis}") for part in parts)
        if step == 0:
            raise Error(f"index on axis {axis}: the step is 0; give another, or none")
        return range(*slice(start, stop, step).indices(n))
    if not hasattr(entry, "__index__") or getattr(entry, "ndim", 0) > 0:
        raise Error(
            f"index on axis {axis}: {entry!r} is not allowed; give whole numbers, slices and ..., or index u.local "
            "or u.gather() in other ways"
        )
    place = whole(entry, f"index on axis {axis}")
    if not -n <= place < n:
        raise Error(f"index on axis {axis}: {place} is out of range for {n} points; allowed are {-n} to {n - 1}")
    return range(place % n, place % n + 1)


def _part(r: range, lo: int, hi: int) -> tuple[slice, slice]:
    """The indices of r within lo..hi, as places in an array of lo..hi and in r."""
    if r.step > 0:
        first, last = -((r.start - lo) // r.step), -((r.start - hi) // r.step)
    else:
        first, last = (r.start - hi) // -r.step + 1, (r.start - lo) // -r.step + 1
    first = min(max(first, 0), len(r))
    last = min(max(last, first), len(r))
    if first == last:
        return slice(0, 0), slice(0, 0)
    begin, end = r[first] - lo, r[last - 1] - lo + r.step
    return slice(begin, end if end >= 0 else None, r.step), slice(first, last)
