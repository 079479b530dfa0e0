"""TensorDft: the 3-D DFT of distributed numpy arrays by products with dense DFT matrices and messages to neighbours.

The method is that of Malapally, Bolnykh, Suarez, Carloni, Lippert and Mandelli, "3D DFT by block tensor-matrix
multiplication via a modified Cannon's algorithm" (2024): equations (4) to (7), Algorithms 3 to 7.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from weft import _core
from weft._arguments import (
    agreed,
    axis_shaped,
    communicator,
    real_dtype,
    thread_count,
    whole_entries,
)
from weft._arrays import zeros
from weft._lengths import length_scales
from weft._mpi import MPI
from weft._options import conversions
from weft._planned import Counted
from weft._text import Told, call_text
from weft.field import Field
from weft.field.of_transforms import AxisTransform, TransformFields

_COMPLEX: dict[str, np.dtype] = {"float64": np.dtype(np.complex128), "float32": np.dtype(np.complex64)}


@dataclass(frozen=True, repr=False)
class TensorTraffic(Told):
    """Messages of one product of the last transform, summed over all ranks, and times of the slowest rank."""

    axis: int  # of the array that the product transforms; -1: the final moves of blocks to their ranks
    alignments: int  # messages that move blocks to the start of the product
    shifts: int  # messages of the following events
    events: int  # communication events: the alignment and the shifts
    bytes: int
    aligning: float  # seconds of the alignment
    computing: float  # seconds of the updates, which run during the shifts
    waiting: float  # seconds after the updates until the concurrent shift was complete


class TensorDft(TransformFields, Counted):
    """A planned 3-D DFT of arrays that are distributed over a mesh of ranks, by three products with DFT matrices.

    It needs O(N^4) operations where an FFT needs O(N^3 log N). All of them are in matrix products, and all messages are
    between two ranks. docs/tensor.md says when this is faster than an FFT (weft.Plan).

    shape     points per axis, three axes, in the index order of the arrays; any sizes.
    kind      "c2c", or "r2c": real points and modes 0..n/2 of the last axis, at half the cost.
    comm      an mpi4py communicator; None is COMM_WORLD, which is one rank without a launcher.
    dtype     the real precision, "float64" or "float32".
    mesh      ranks per axis, such as [2, 2, 2]; further ranks hold no data. None is the most cubic mesh.
    algorithm "cannon": blocks travel along the mesh axis that cuts the axis of the product (Algorithms 3, 4, 5);
              "transpose": along the last mesh axis only; the array is transposed over the mesh (Algorithms 3, 6, 7).
    matrix    "circulate": blocks of the DFT matrix travel from rank to rank; "own": every rank computes the blocks that
              it needs, which halves the number of messages and takes more memory.
    folding   "on": cosines multiply x(n) + x(N-n) and sines x(n) - x(N-n), a quarter of the operations; "off";
              "auto" measures both and uses the faster one, per axis.
    threads   threads per rank; None is cores of the node / ranks of the communicator on it.
    communication_thread  whether one of the threads (at least two) handles messages only.
    norm      "backward": forward is unscaled (conventions of FFTW and numpy), backward divides; "forward", "ortho".

    Every argument must be the same on all ranks; an error raises the same Error on every rank. The constructor,
    forward, backward and traffic are collective. The rounding error of a transform is that of its defining sums: at
    most about N times the rounding unit, typically sqrt(N) times.
    """

    def __init__(
        self,
        shape: Any,
        kind: str = "c2c",
        *,
        comm: MPI.Intracomm | None = None,
        dtype: Any = "float64",
        mesh: Any = None,
        algorithm: str = "cannon",
        matrix: str = "circulate",
        folding: str = "auto",
        threads: int | None = None,
        communication_thread: bool = False,
        norm: str = "backward",
    ) -> None:
        self.comm = communicator(comm)
        given = {name: value for name, value in locals().items() if name in _CONVERSIONS}
        # In the order of the arguments, so that an error names the first wrong one.
        arguments = agreed(self.comm, lambda: {name: _CONVERSIONS[name](given[name], name) for name in given})
        plain = {name: arguments.pop(name) for name in ("shape", "kind", "dtype")}
        self._core = core = _core.TensorDft(MPI._addressof(self.comm), **plain, options=arguments)
        self.shape: tuple[int, ...] = tuple(plain["shape"])
        self.kind: str = plain["kind"]
        self._norm_name: str = arguments["norm"]
        self.dtype = np.dtype(plain["dtype"])
        self.physical_slices = tuple(slice(lo, hi) for lo, hi in core.physical_box)
        self.spectral_slices = tuple(slice(lo, hi) for lo, hi in core.spectral_box)
        self.physical_shape = tuple(s.stop - s.start for s in self.physical_slices)
        self.spectral_shape = tuple(s.stop - s.start for s in self.spectral_slices)
        self.global_spectral_shape = tuple(core.spectral_shape_global)
        self.spectral_dtype = _COMPLEX[self.dtype.name]
        self.physical_dtype = self.spectral_dtype if core.physical_complex else self.dtype

    def __repr__(self) -> str:
        parts = [str(self.shape), repr(self.kind), f"dtype={self.dtype.name!r}", f"mesh={self.mesh}"]
        parts += [f"algorithm={self.algorithm!r}", f"matrix={self.matrix!r}", f"folded={self.folded}"]
        return call_text("TensorDft", [*parts, f"ranks={self.comm.size}"])

    @property
    def mesh(self) -> tuple[int, int, int]:
        """Ranks per axis."""
        return tuple(self._core.mesh)

    @property
    def algorithm(self) -> str:
        """ "cannon" or "transpose"."""
        return self._core.algorithm

    @property
    def matrix(self) -> str:
        """ "circulate" or "own"."""
        return self._core.matrix

    @property
    def folded(self) -> tuple[bool, bool, bool]:
        """Which axes are folded."""
        return tuple(self._core.folded)

    @property
    def messages_sent(self) -> int:
        """The number of messages that this rank has sent in the last transform."""
        return self._core.messages_sent

    @property
    def flops(self) -> float:
        """The number of real additions and multiplications in the products of one transform on this rank."""
        return self._core.flops

    def traffic(self) -> list[TensorTraffic]:
        """Messages and times of the products of the last transform, in the order in which they ran. Collective."""
        return [TensorTraffic(**facts) for facts in self._core.traffic()]

    def explain(self) -> str:
        """A text: the mesh, and for every product of the last transform its kernel, operations, messages and times."""
        return self._core.explain()

    def physical(self) -> np.ndarray:
        """A new local array of zeros for the input of forward, of physical_shape and physical_dtype."""
        return zeros(self.physical_shape, self.physical_dtype)

    def spectral(self) -> np.ndarray:
        """A new local array of zeros for the output of forward, of spectral_shape and spectral_dtype."""
        return zeros(self.spectral_shape, self.spectral_dtype)

    def wavenumbers(self, lengths: Any = None) -> tuple[np.ndarray, ...]:
        """Wavenumbers of the local modes, one array per axis, broadcastable against spectral(), in radians a length.

        lengths   periods of the box, three; None: 2 pi.

        2 pi / L times signed integers in the order of numpy.fft.fftfreq; times 0..n/2 along the last axis of r2c.
        """
        scales = length_scales(lengths, [2 * math.pi] * 3, "the transform")
        waves = zip(self._axis_positions("spectral"), scales, strict=True)
        return tuple(axis_shaped((k * scale).astype(self.dtype), axis, 3) for axis, (k, scale) in enumerate(waves))

    @overload
    def forward(self, u: Field, out: Field | None = None) -> Field: ...
    @overload
    def forward(self, u: np.ndarray, out: np.ndarray | None = None) -> np.ndarray: ...
    def forward(self, u: Any, out: Any = None) -> Any:
        """The transform of u (unscaled for norm="backward"), in a new array or in out. Collective.

        u         a C-contiguous array of physical_shape and physical_dtype, or a Field as from physical_field(), for
                  which the result is a Field. It is preserved unless out is u (c2c).
        """
        return self._transformed(u, "u", out, True, "transform")

    @overload
    def backward(self, uh: Field, out: Field | None = None) -> Field: ...
    @overload
    def backward(self, uh: np.ndarray, out: np.ndarray | None = None) -> np.ndarray: ...
    def backward(self, uh: Any, out: Any = None) -> Any:
        """The inverse of forward, in a new array or in out. uh is preserved unless out is uh (c2c). Collective."""
        return self._transformed(uh, "uh", out, False, "transform")

    def _axis_transforms(self) -> Sequence[AxisTransform]:
        kinds = ["c2c", "c2c", self.kind]
        return [(kind, n, n, False) for kind, n in zip(kinds, self.shape, strict=True)]

    def _axis_positions(self, side: str) -> Sequence[np.ndarray]:
        slices = self.spectral_slices if side == "spectral" else self.physical_slices
        indices = [np.arange(part.start, part.stop) for part in slices]
        if side == "physical":
            return [2 * np.pi * index / n for index, n in zip(indices, self.shape, strict=True)]
        signed = [np.where(k < (n + 1) // 2, k, k - n) for k, n in zip(indices, self.shape, strict=True)]
        if self.kind == "r2c":
            signed[2] = indices[2]
        return [k.astype(np.float64) for k in signed]

    def _norm(self) -> str:
        return self._norm_name


_CONVERSIONS = conversions(
    TensorDft,
    {
        "shape": lambda value, name: whole_entries(value, name, "(64, 64, 64)"),
        "dtype": lambda value, name: real_dtype(value),
        "mesh": lambda value, name: [] if value is None else whole_entries(value, name, "(2, 2, 2)", bits=32),
        "threads": lambda value, name: thread_count(value),
    },
)
