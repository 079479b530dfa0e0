"""Converts the arguments that scalar and vector solvers share to the types of the extension, which checks them."""

from typing import Any

from weft._arguments import entries, one_per_axis, real, whole_entries, word
from weft.errors import Error
from weft.kernel import Kernel


def pair(value: Any, name: str) -> tuple[str, str]:
    """The boundaries at both ends of an axis. One word stands for both."""
    if isinstance(value, str):
        return (word(value, name, "periodic"),) * 2
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Error(f'{name}: {value!r} is neither a word nor a pair; write "periodic" or ("even", "unbounded")')
    return word(value[0], f"{name}[0]", "even"), word(value[1], f"{name}[1]", "unbounded")


def equation(kernel: Any, alpha: Any, screening: Any, mean: Any) -> dict[str, Any]:
    """The kernel and the constants in the types of the extension."""
    return {
        "kernel": kernel if isinstance(kernel, Kernel) else word(kernel, "kernel", "truncated"),
        "alpha": real(alpha, "alpha"),
        "screening": real(screening, "screening"),
        "mean": word(mean, "mean", "remove"),
    }


def grid(cells: Any, length: Any, boundary: Any, centring: Any) -> dict[str, Any]:
    """The points and the boundaries in the types of the extension."""
    counts = whole_entries(cells, "cells", "(64, 64, 64)")
    lengths = [real(value, f"length[{i}]") for i, value in enumerate(entries(length, "length", "(1.0, 1.0, 1.0)"))]
    ends = entries(boundary, "boundary", '("periodic", "odd", ("even", "unbounded"))')
    centrings = [centring] * len(counts) if isinstance(centring, str) else entries(centring, "centring", '"cell"')
    for values, name in ((lengths, "length"), (ends, "boundary"), (centrings, "centring")):
        one_per_axis(values, len(counts), name, "cells")
    return {
        "cells": counts,
        "length": lengths,
        "boundary": [pair(value, f"boundary[{i}]") for i, value in enumerate(ends)],
        "centring": [word(value, f"centring[{i}]", "cell") for i, value in enumerate(centrings)],
    }
