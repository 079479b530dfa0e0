"""What the classes of two and three axes have in common: fluidfft's interface over one weft.Plan."""

from types import ModuleType

import fluidfft
import numpy as np
import weft
from fluiddyn.calcul.easypyfft import BaseFFT
from fluiddyn.util import mpi

Shape = tuple[int, ...]


class WeftFFT(BaseFFT):
    """A real transform in fluidfft's conventions: X are points, K modes; fft divides by the number of points.

    Arrays of modes have the axes of the points in the same order; a subclass may turn them (_order). Each class works
    on its own part of both: the whole array where it is not _distributed.
    """

    # Whether the ranks of MPI share one transform. If not, every process has its own.
    _distributed = False
    # The axis of the points that each axis of the modes belongs to. None: the same order.
    _order: Shape | None = None

    def __init__(self, *shape: int) -> None:
        # A process that is one of many has one core for a transform of its own; an MPI launcher gave it no more.
        alone = self._distributed or mpi.nb_proc == 1
        comm = None if alone else mpi.MPI.COMM_SELF
        # With "first" it is the last ranks that have less or nothing. Operators take rank 0 for that with the mean.
        self.plan = weft.Plan(shape, "r2c", comm=comm, norm="forward", scheme="first", threads=None if alone else 1)
        self.comm = self.plan.comm
        self.nb_proc, self.rank = self.comm.size, self.comm.rank
        self._axes = self._order or tuple(range(len(shape)))
        # Names of fluiddyn's base class: this process's parts.
        self.shapeX = self.plan.physical_shape
        self.shapeK = self.shapeK_loc = self._turned(self.plan.spectral_shape)
        self.shapeK_seq = self._turned(self.plan.global_spectral_shape)
        self._weights = np.transpose(self.plan.weights(), self._axes)
        self._to_root: dict[int, weft.Redistribution] = {}

    def _turned(self, of_axes: tuple) -> tuple:
        """What belongs to the axes of the points, in the order of the modes."""
        return tuple(of_axes[axis] for axis in self._axes)

    @property
    def _numpy_api(self) -> ModuleType:
        """The module that makes arrays as these are."""
        return np

    def fft(self, fieldX: np.ndarray) -> np.ndarray:
        """The modes of fieldX, in a new array. Collective where ranks share the transform; so are all below."""
        return self.plan.forward(fieldX)

    def ifft(self, fieldK: np.ndarray) -> np.ndarray:
        """The points of fieldK, in a new array. fieldK is preserved."""
        return self.plan.backward(fieldK)

    def fft_as_arg(self, fieldX: np.ndarray, fieldK: np.ndarray) -> None:
        """Writes the modes of fieldX to fieldK."""
        self.plan.forward(fieldX, fieldK)

    def ifft_as_arg(self, fieldK: np.ndarray, fieldX: np.ndarray) -> None:
        """Writes the points of fieldK to fieldX. fieldK is preserved."""
        self.plan.backward(fieldK, fieldX)

    def ifft_as_arg_destroy(self, fieldK: np.ndarray, fieldX: np.ndarray) -> None:
        """As ifft_as_arg, to which preserving fieldK costs nothing."""
        self.ifft_as_arg(fieldK, fieldX)

    def project_fft_on_realX(self, fieldK: np.ndarray) -> np.ndarray:
        """The modes of the real field that fieldK stands for."""
        return self.fft(self.ifft(fieldK))

    def get_shapeX_seq(self) -> Shape:
        """The shape of all points."""
        return self.plan.shape

    def get_shapeK_seq(self) -> Shape:
        """The shape of all modes, in the order of the modes."""
        return self.shapeK_seq

    def get_shapeX_loc(self) -> Shape:
        """The shape of this process's points."""
        return self.shapeX

    def get_shapeK_loc(self) -> Shape:
        """The shape of this process's modes."""
        return self.shapeK

    def get_local_size_X(self) -> int:
        """How many points this process has."""
        return int(np.prod(self.shapeX))

    def get_seq_indices_first_X(self) -> Shape:
        """Where this process's points begin in the array of all."""
        return tuple(part.start for part in self.plan.physical_slices)

    def get_seq_indices_first_K(self) -> Shape:
        """Where this process's modes begin in the array of all."""
        return self._turned(tuple(part.start for part in self.plan.spectral_slices))

    def get_k_adim_loc(self) -> tuple[np.ndarray, ...]:
        """The whole wavenumbers of this process's modes, per axis of the modes. That of n/2 is positive here."""
        waves = [np.rint(k).astype(int).ravel() for k in self.plan.wavenumbers()]
        return self._turned(tuple(np.where(2 * k == -n, -k, k) for k, n in zip(waves, self.plan.shape, strict=True)))

    def get_is_transposed(self) -> bool:
        """Whether modes have the axes in another order than points."""
        return self._axes != tuple(sorted(self._axes))

    def create_arrayX(self, value: float | None = None, shape: Shape | None = None) -> np.ndarray:
        """An array of points, filled with a value if there is one. shape: of this process unless given."""
        return _filled(self.shapeX if shape is None else shape, np.float64, value)

    def create_arrayK(self, value: complex | None = None, shape: Shape | None = None) -> np.ndarray:
        """An array of modes, filled with a value if there is one. shape: of this process unless given."""
        return _filled(self.shapeK if shape is None else shape, np.complex128, value)

    def sum_wavenumbers(self, fieldK: np.ndarray) -> float:
        """The sum over all wavenumbers: modes whose conjugates are not stored count twice."""
        return self._over_ranks((fieldK * self._weights).sum())

    def compute_energy_from_X(self, fieldX: np.ndarray) -> float:
        """Half the mean of the squares."""
        return self._over_ranks(np.square(fieldX).sum()) / (2 * np.prod(self.plan.shape))

    def compute_energy_from_K(self, fieldK: np.ndarray) -> float:
        """The same of modes."""
        return self.sum_wavenumbers(abs(fieldK) ** 2) / 2

    compute_energy_from_spatial = compute_energy_from_X
    compute_energy_from_Fourier = compute_energy_from_K

    def _over_ranks(self, local: float) -> float:
        return local if self.nb_proc == 1 else self.comm.allreduce(local)

    def gather_Xspace(self, ff_loc: np.ndarray, root: int | None = None) -> np.ndarray | None:
        """All points on the rank `root`, None on the others; on every rank if root is None."""
        if self.nb_proc == 1:
            return ff_loc
        target = self._checked(root)
        whole = self._moves(target).forward(np.asarray(ff_loc, np.float64))
        if root is None:
            whole = whole if self.rank == target else np.empty(self.plan.shape)
            self.comm.Bcast(whole, root=target)
        return whole if root is None or self.rank == target else None

    def scatter_Xspace(self, ff_seq: np.ndarray | None, root: int | None = None) -> np.ndarray | None:
        """This process's part of the points that the rank `root` has in ff_seq; None is rank 0."""
        if self.nb_proc == 1:
            return ff_seq
        target = self._checked(root)
        nothing = np.empty((0,) * len(self.shapeX))
        return self._moves(target).backward(np.asarray(ff_seq if self.rank == target else nothing, np.float64))

    def _checked(self, root: int | None) -> int:
        if root is not None and not (isinstance(root, int) and 0 <= root < self.nb_proc):
            raise weft.Error(f"root: {root!r} is no rank; give 0 to {self.nb_proc - 1}, or None")
        return root or 0

    def _moves(self, root: int) -> weft.Redistribution:
        """Between the parts of all ranks and one whole array on the rank `root`."""
        if root not in self._to_root:
            whole = [slice(0, n if self.rank == root else 0) for n in self.plan.shape]
            self._to_root[root] = weft.Redistribution(self.plan.physical_slices, whole, comm=self.comm)
        return self._to_root[root]


def _filled(shape: Shape, dtype: type, value: complex | None) -> np.ndarray:
    array = fluidfft.empty_aligned(shape, dtype)
    if value is not None:
        array.fill(value)
    return array
