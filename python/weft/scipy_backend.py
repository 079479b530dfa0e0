"""A backend for scipy.fft: with scipy.fft.set_backend(weft.scipy_backend) its functions are those of Weft.

It follows the uarray protocol. hfft, ihfft and fht with their relatives, long double, and calls with a plan= are left
to the next backend, scipy's own. Without workers= the number of scipy.fft.set_workers holds, as it does there.
"""

import inspect
from collections.abc import Callable
from typing import Any

from weft import functions
from weft.field import Field
from weft.functions.arrays import taken
from weft.functions.calls import TRANSFORMS

__ua_domain__ = "numpy.scipy.fft"

_served: dict[str, Callable[..., Any]] = {name: getattr(functions, name) for name in TRANSFORMS}


def __ua_function__(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Called by uarray: the result of Weft's function of this name, NotImplemented if there is none."""
    served = _served.get(method.__name__)
    if served is None or kwargs.get("plan") is not None:
        return NotImplemented
    x, rest = (args[0], args[1:]) if args else (kwargs["x"], ())
    others = {name: value for name, value in kwargs.items() if name != "x"}
    if isinstance(x, Field):
        return served(x, *rest, **others)
    x = taken(x)
    if x.dtype.char in "gG":
        return NotImplemented
    # scipy exists if it calls this function; Weft does not need it.
    from scipy.fft import get_workers

    if get_workers() == 1:
        return served(x, *rest, **others)
    bound = inspect.signature(served).bind(x, *rest, **others)
    if bound.arguments.get("workers") is None:
        bound.arguments["workers"] = get_workers()
    return served(*bound.args, **bound.kwargs)
