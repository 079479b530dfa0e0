"""Arithmetic of fields: numpy's functions of elements, on the local blocks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from weft._arrays import zeros
from weft.errors import Error
from weft.field.base import FieldBase, require_match
from weft.field.elements import number_type

if TYPE_CHECKING:
    from typing import Self  # since Python 3.11


class FieldArithmetic(FieldBase, NDArrayOperatorsMixin):
    """Operators and numpy's ufuncs. Nothing is sent, and other ranks need not take part."""

    __slots__ = ()
    # Ranks have different numbers of elements, so they cannot iterate together.
    __iter__ = None
    # Comparisons are element by element.
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The local block."""
        if dtype is not None and np.dtype(dtype) != self.dtype:
            return self.local.astype(dtype)
        return self.local.copy() if copy else self.local

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        if method != "__call__" or ufunc.signature is not None:
            name = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
            raise Error(f"{name} is not element by element; use u.sum(), u.max(), u.dot(v) and others, or u.local")
        first = next(field for field in (*inputs, *(out or ())) if isinstance(field, FieldArithmetic))
        given = [first._operand(value, f"argument {i}") for i, value in enumerate(inputs, 1)]
        outputs = out or (None,) * ufunc.nout
        options |= first._options(out, options)
        results = ufunc(*given, **options)
        made = results if isinstance(results, tuple) else (results,)
        fields = [first._result(one, old, inputs) for one, old in zip(made, outputs, strict=True)]
        return tuple(fields) if isinstance(results, tuple) else fields[0]

    def _options(self, out: Any, options: dict[str, Any]) -> dict[str, Any]:
        """The arguments out= and where= in the form for numpy."""
        found = {"where": self._operand(options["where"], "where")} if "where" in options else {}
        if out is not None:
            found["out"] = tuple(None if one is None else self._operand(one, "out") for one in out)
        return found

    def _operand(self, value: Any, name: str) -> Any:
        """The operand for numpy in place of a field, an array or a number. Raises Error if it does not fit."""
        if isinstance(value, FieldArithmetic):
            require_match(self, value, name)
            return value.local
        shape = np.shape(value)
        try:
            fits = np.broadcast_shapes(shape, self.local.shape) == self.local.shape
        except ValueError:
            fits = False
        if not fits:
            raise Error(
                f"{name} has shape {shape}, which does not broadcast to this rank's block {self.local.shape} of "
                f"{self.global_shape}; give a number, a Field of the same layout or an array of local points"
            )
        return value

    def _result(self, values: Any, out: Any, inputs: tuple[Any, ...]) -> Any:
        if out is not None:
            return out
        spaces = [field._space for field in inputs if isinstance(field, FieldArithmetic) and field._space is not None]
        return self._of(np.asarray(values), self._layout, spaces[0] if spaces else self._space)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        known = _FUNCTIONS.get(function)
        if known is None or not isinstance(args[0], FieldArithmetic):
            raise Error(
                f"numpy.{function.__name__} does not know that a Field is a part of an array; use its methods, "
                "u.local for this rank's block or u.gather() for the whole array"
            )
        found = getattr(args[0], known)
        if not callable(found):
            return found
        try:
            inspect.signature(found).bind(*args[1:], **kwargs)
        except TypeError as error:
            text = f"numpy.{function.__name__} of a Field is its method {known}{inspect.signature(found)}: {error}"
            raise Error(f"{text}; use this, or u.local for this rank's block") from None
        return found(*args[1:], **kwargs)

    def __bool__(self) -> bool:
        raise Error("a Field is neither true nor false; ask for u.all(), u.any() or a number such as u.max()")

    @property
    def real(self) -> Self:
        """The real parts, a field of a view."""
        return self._of(self.local.real, self._layout, self._space)

    @property
    def imag(self) -> Self:
        """The imaginary parts, a field of a view."""
        return self._of(self.local.imag, self._layout, self._space)

    def copy(self) -> Self:
        """A field with its own, C-contiguous memory."""
        return self._of(self.local.copy(order="C"), self._layout, self._space)

    def astype(self, dtype: Any) -> Self:
        """A copy with elements of another type that the constructor accepts, the same on all ranks."""
        return self._of(self.local.astype(number_type(dtype)), self._layout, self._space)

    def zeros_like(self, dtype: Any = None) -> Self:
        """A field of zeros with this one's layout, and its type or another one."""
        found = self.dtype if dtype is None else number_type(dtype)
        return self._of(zeros(self.local.shape, found), self._layout, self._space)


# numpy's functions that are methods of fields; other functions would take the block for the whole array.
_FUNCTIONS: dict[Any, str] = {
    np.sum: "sum",
    np.mean: "mean",
    np.max: "max",
    np.amax: "max",
    np.min: "min",
    np.amin: "min",
    np.all: "all",
    np.any: "any",
    np.real: "real",
    np.imag: "imag",
    np.dot: "dot",
    np.vdot: "vdot",
    np.linalg.norm: "norm",
    np.copy: "copy",
    np.zeros_like: "zeros_like",
}
