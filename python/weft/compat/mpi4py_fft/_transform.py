"""The parts that PFFT and libfft.FFT share: one direction of a planned transform, and the plans behind it."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from weft._arguments import flag
from weft._arrays import zeros
from weft.compat.mpi4py_fft._calls import call
from weft.compat.mpi4py_fft._request import Request
from weft.compat.mpi4py_fft.pencil import Pencil
from weft.errors import Error
from weft.plan import Plan


class Transform:
    """Serial transforms with transfers between them: transform(input_array, output_array, ...).

    xfftn     transforms of this rank's part, such as FFT.forward, called one after the other.
    transfer  calls that move the output of each to the input of the next one, one fewer.
    pencil    the distributions of the input and of the output.

    Libraries derive from it. Those of PFFT and FFT run a plan instead.
    """

    def __init__(self, xfftn: Sequence[Any], transfer: Sequence[Any], pencil: Sequence[Pencil]) -> None:
        if len(xfftn) != len(transfer) + 1 or len(pencil) != 2:
            raise Error(
                f"Transform: {len(xfftn)} transforms, {len(transfer)} transfers and {len(pencil)} pencils were given; "
                "give one transfer fewer than transforms, and two pencils"
            )
        self._xfftn, self._transfer, self._pencil = tuple(xfftn), tuple(transfer), tuple(pencil)

    @property
    def input_array(self) -> np.ndarray:
        """The input that a call uses if it is given none."""
        return self._xfftn[0].input_array

    @property
    def output_array(self) -> np.ndarray:
        """The output that a call uses if it is given none."""
        return self._xfftn[-1].output_array

    @property
    def input_pencil(self) -> Pencil:
        """The distribution of the input."""
        return self._pencil[0]

    @property
    def output_pencil(self) -> Pencil:
        """The distribution of the output."""
        return self._pencil[1]

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Transforms input_array to output_array, which is returned. Serial transforms get the options. Collective."""
        if input_array is not None:
            self.input_array[...] = input_array
        self._xfftn[0](**kw)
        for before, transfer, after in zip(self._xfftn, self._transfer, self._xfftn[1:], strict=False):
            transfer(before.output_array, after.input_array)
            after(**kw)
        if output_array is None:
            return self.output_array
        output_array[...] = self.output_array
        return output_array


class PlannedTransform(Transform):
    """One direction of a PFFT or FFT, which make it: transform(input_array, output_array, normalize=...).

    input_array, output_array  the plan's own arrays, which a call uses if it is given none. Their first use makes them;
    the other direction has the same arrays with their roles exchanged.
    input_pencil, output_pencil  the distributions of both.
    """

    def __init__(self, plans: "Plans", pencils: tuple[Pencil, Pencil], forward: bool) -> None:
        self._plans, self._pencil, self._forward = plans, pencils, forward

    @property
    def is_forward(self) -> bool:
        """Whether the direction is forward, from points to modes."""
        return self._forward

    @property
    def input_array(self) -> np.ndarray:
        """The plan's own input."""
        return self._plans.physical if self._forward else self._plans.spectral

    @property
    def output_array(self) -> np.ndarray:
        """The plan's own output."""
        return self._plans.spectral if self._forward else self._plans.physical

    @property
    def xfftn(self) -> "PlannedTransform":
        """The transform; called without arrays it transforms its own, as mpi4py-fft's serial transforms have it."""
        return self

    def __call__(self, input_array: Any = None, output_array: Any = None, **kw: Any) -> Any:
        """Transforms input_array (anything that can be assigned to it) to output_array, which is returned.

        normalize  whether to divide by the number of points (of the extended data for real-to-real transforms). By
                   default forward divides and backward does not.
        Given arrays are used directly if their types allow it, and inputs are preserved. Collective.
        """
        normalize = flag(kw.pop("normalize", self._forward), "normalize")
        kw.pop("implicit", None)
        if kw:
            raise Error(f"{next(iter(kw))}: there is no such option; allowed is normalize")
        run, source, target = self._plans.ways(self._forward, normalize)
        given = (input_array, lambda: self.input_array, source)
        return call(run, self._plans.comm, given, (output_array, lambda: self.output_array, target))


class Plans:
    """The plans and the own arrays for one request. Both are made when they are first used.

    One plan scales in forward, the other one in backward.
    """

    def __init__(self, asked: Request, pencils: tuple[Pencil, Pencil]) -> None:
        self.comm = pencils[0].comm
        self.physical_dtype, self.spectral_dtype = asked.dtype, asked.spectral_dtype
        self._asked, self._pencils = asked, pencils
        self._of: dict[str, Plan] = {}

    def plan(self, norm: str) -> Plan:
        """The plan that divides in one direction. The first call is collective."""
        if norm not in self._of:
            asked = self._asked
            self._of[norm] = Plan(
                asked.points,
                asked.kinds,
                comm=self.comm,
                physical_box=self._pencils[0].slices,
                spectral_box=self._pencils[1].slices,
                grid=[size for size in asked.sizes if size > 1] or None,
                scheme="first",
                dtype=asked.precision,
                threads=asked.threads,
                effort=asked.effort,
                modes=asked.modes,
                norm=norm,
            )
        return self._of[norm]

    @cached_property
    def physical(self) -> np.ndarray:
        """The plan's own array of points."""
        return zeros(self._pencils[0].subshape, self.physical_dtype)

    @cached_property
    def spectral(self) -> np.ndarray:
        """The plan's own array of modes."""
        return zeros(self._pencils[1].subshape, self.spectral_dtype)

    def ways(self, forward: bool, normalize: bool) -> tuple[Callable[..., object], np.ndarray, np.ndarray]:
        """The function that transforms, and placeholders without memory for its input and its output."""
        physical, spectral = (
            np.broadcast_to(np.zeros((), dtype), pencil.subshape)
            for dtype, pencil in zip((self.physical_dtype, self.spectral_dtype), self._pencils, strict=True)
        )
        if 0 in self._asked.points:  # the part of a rank without data
            run: Callable[..., object] = _nothing
        else:
            plan = self.plan("forward" if forward == normalize else "backward")
            run = plan.forward if forward else plan.backward
        return (run, physical, spectral) if forward else (run, spectral, physical)


def _nothing(source: np.ndarray, out: np.ndarray) -> None:
    """The transform of an empty part."""
