"""Element types of fields and of their files."""

from typing import Any

import numpy as np

from weft._arguments import numpy_dtype, shown
from weft._distributed import DTYPES
from weft.errors import Error

_ALLOWED = "whole, real or complex numbers of up to double precision, in this machine's byte order"


def is_number(dtype: np.dtype) -> bool:
    """Whether fields may have elements of this type."""
    return dtype.kind in "biufc" and dtype.itemsize <= (16 if dtype.kind == "c" else 8) and dtype.isnative


def number_type(dtype: Any) -> np.dtype:
    """The type of elements that a value names. Raises Error for types that fields may not have."""
    found = numpy_dtype(dtype)
    if found is None:
        raise Error(f"dtype: {shown(dtype)} is not a numpy type; give one such as 'float64'")
    if not is_number(found):
        raise Error(f"dtype: {found} is not allowed; give {_ALLOWED}")
    return found


def block_type(local: Any, shape: tuple[int, ...]) -> str:
    """The name of the type of a block's elements. Raises Error for arrays that cannot be a block of this shape."""
    problem = block_problem(local, shape)
    if problem is not None:
        raise problem
    return local.dtype.name


def block_problem(local: Any, shape: tuple[int, ...] | None, name: str = "local") -> Error | None:
    """Why an array cannot be a block, or None; of any shape for None."""
    if not isinstance(local, np.ndarray):
        return Error(f"{name} is {type(local).__name__}, not a numpy array; give one")
    if not is_number(local.dtype):
        return Error(f"{name} has dtype {local.dtype}; give {_ALLOWED}")
    if shape is not None and local.shape != shape:
        return Error(f"{name} has shape {local.shape}, but the slices of this rank hold {shape}; give a block of these")
    return None


def file_type_problem(dtype: np.dtype) -> Error | None:
    """Why files do not hold such elements, or None."""
    if dtype.name in DTYPES and dtype.isnative:
        return None
    return Error(f'this field has dtype {dtype}; files hold {", ".join(DTYPES)}; save u.astype("float64")')


def wanted_type(dtype: Any) -> str | None:
    """The name of the type for reading a file, or None: the double precision of the numbers in the file."""
    found = None if dtype is None else numpy_dtype(dtype)
    if dtype is not None and (found is None or found.name not in DTYPES or not found.isnative):
        raise Error(f"dtype: {shown(dtype)} is not allowed; give one of {', '.join(DTYPES)}, or None: as in the file")
    return None if found is None else found.name
