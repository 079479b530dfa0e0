"""The axes of a plan: coordinates of points, wavenumbers and weights of modes."""

from typing import Any

import numpy as np

from weft._arguments import axis_shaped
from weft._lengths import default_length, length_scales


class PlanAxes:
    """Positions along the axes of a plan. Nothing is sent: every rank computes those of its own part."""

    shape: tuple[int, ...]
    kinds: tuple[str, ...]
    dtype: np.dtype
    _core: Any
    _options: dict[str, Any]

    def coordinates(self, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Positions of the local points, one array per axis, broadcastable against physical().

        lengths   of the box, one per axis that is not among batch_axes: the period of c2c, r2c and none, the interval
                  of cosines and sines. None: 2 pi and pi.

        In parts of these lengths: c2c, r2c, none: j / n; dct2, dst2, dct4, dst4: (j + 1/2) / n; dct1: j / (n - 1);
        dst1: (j + 1) / (n + 1); dct3: j / n; dst3: (j + 1) / n, for j = 0 .. n - 1 along the whole axis.
        """
        scales = self._length_scales(lengths)
        return self._broadcastable([self._core.coordinates(axis) / scale for axis, scale in enumerate(scales)])

    def wavenumbers(self, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Wavenumbers of the local modes, one array per axis, broadcastable against spectral(), in radians a length.

        lengths   as of coordinates(), to which they belong; None: 2 pi and pi.

        2 pi / L times signed integers for c2c (numpy.fft.fftfreq(n, L / n) times 2 pi) and 0 .. n/2 for r2c; pi / L
        times integers or half-integers for the real-to-real kinds: k = 0 .. n - 1 (dct1, dct2), k + 1 (dst1, dst2),
        k + 1/2 (dct3, dct4, dst3, dst4). With modes= they are those of the modes that are kept. A mode of an axis
        without transform ("none") has no wavenumber: the entries are 0.
        """
        return self._broadcastable(self._scaled_wavenumbers(self._length_scales(lengths)))

    def weights(self) -> np.ndarray:
        """The weight of each local mode in a sum over the whole spectrum, broadcastable against spectral().

        2 for the modes of the half spectrum whose conjugate is not stored, else 1.
        """
        axes = len(self.shape)
        if "r2c" not in self.kinds:
            return np.ones((1,) * axes, self.dtype)
        axis = self.kinds.index("r2c")
        return axis_shaped(self._core.weights(axis).astype(self.dtype, copy=False), axis, axes)

    def _length_scales(self, lengths: Any) -> list[float]:
        """The factors of wavenumbers, by which coordinates are divided; 1 along components."""
        components = self._options["batch_axes"]
        measured = [axis for axis in range(len(self.shape)) if axis not in components]
        of = "the plan without its batch_axes" if components else "the plan"
        found = length_scales(lengths, [default_length(self.kinds[axis]) for axis in measured], of)
        scales = dict(zip(measured, found, strict=True))
        return [scales.get(axis, 1.0) for axis in range(len(self.shape))]

    def _scaled_wavenumbers(self, scales: list[float]) -> list[np.ndarray]:
        """Wavenumbers of the local modes, per axis, always in double precision."""
        return [self._core.wavenumbers(axis) * scale for axis, scale in enumerate(scales)]

    def _kept(self, axis: int) -> int:
        """The number of points of a transform with the stored modes of an axis."""
        return (self._options["modes"] or self.shape)[axis] or self.shape[axis]

    def _largest_wavenumber(self, axis: int) -> float:
        """The largest wavenumber of the whole axis, for the lengths 2 pi and pi."""
        kept, kind = self._kept(axis), self.kinds[axis]
        ends = {"none": 0.0, "c2c": kept // 2, "r2c": kept // 2, "dct1": kept - 1, "dct2": kept - 1}
        return float(ends.get(kind, kept if kind in ("dst1", "dst2") else kept - 0.5))

    def _broadcastable(self, values: list[np.ndarray]) -> tuple[np.ndarray, ...]:
        axes = len(self.shape)
        return tuple(axis_shaped(v.astype(self.dtype, copy=False), axis, axes) for axis, v in enumerate(values))
