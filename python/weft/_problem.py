"""Converts the arguments that scalar and vector solvers share to the types of the extension, which checks them."""

from typing import Any

from weft._arguments import entries, one_per_axis, real, whole, whole_entries, word
from weft.errors import Error
from weft.kernel import Kernel


def pair(value: Any, name: str) -> tuple[str, str]:
    """The boundaries at both ends of an axis. One word stands for both."""
    if isinstance(value, str):
        return (word(value, name, "periodic"),) * 2
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise Error(f'{name}: {value!r} is neither a word nor a pair; write "periodic" or ("even", "unbounded")')
    return word(value[0], f"{name}[0]", "even"), word(value[1], f"{name}[1]", "unbounded")


def axis_ends(boundary: Any, axes: int, name: str, like: str = "cells") -> list[tuple[str, str]]:
    """The boundaries at both ends of every axis; one word stands for all. `like` has the axes."""
    if isinstance(boundary, str):
        return [pair(boundary, name)] * axes
    given = entries(boundary, name, '("periodic", "odd", ("even", "unbounded"))')
    one_per_axis(given, axes, name, like)
    return [pair(value, f"{name}[{i}]") for i, value in enumerate(given)]


def equation(kernel: Any, alpha: Any, screening: Any, mean: Any) -> dict[str, Any]:
    """The kernel and the constants in the types of the extension."""
    return {
        "kernel": kernel if isinstance(kernel, Kernel) else word(kernel, "kernel", "truncated"),
        "alpha": real(alpha, "alpha"),
        "screening": real(screening, "screening"),
        "mean": word(mean, "mean", "remove"),
    }


def displacement(shift: Any, axes: int) -> dict[str, Any]:
    """The displacement of the points of solutions per axis in the types of the extension; empty for None."""
    given = [] if shift is None else entries(shift, "shift", "(0.5, 0.0, 0.0)")
    if shift is not None:
        one_per_axis(given, axes, "shift", "cells")
    return {"shift": [real(value, f"shift[{i}]") for i, value in enumerate(given)]}


def differences(widths: Any, robin: Any, order: Any, axes: int) -> dict[str, Any]:
    """The finite-difference axis in the types of the extension: widths per axis, empty for transformed axes."""
    given = entries([None] * axes if widths is None else widths, "widths", "(None, None, [0.1, 0.2, 0.1])")
    one_per_axis(given, axes, "widths", "cells")
    lists = [
        [] if one is None else [real(w, f"widths[{i}][{j}]") for j, w in enumerate(_cells(one, i))]
        for i, one in enumerate(given)
    ]
    ends = entries(robin, "robin", "(0.0, 0.1)")
    if len(ends) != 2:
        raise Error(f"robin: {len(ends)} entries given; give 2, one for each end of the axis with widths")
    return {
        "widths": lists if any(lists) else [],
        "robin": (real(ends[0], "robin[0]"), real(ends[1], "robin[1]")),
        "order": whole(order, "order", 31),
    }


def several(power: Any, batch: Any) -> dict[str, Any]:
    """The power of the operator and the number of right-hand sides in the types of the extension; batch 0 for None."""
    sides = 0 if batch is None else whole(batch, "batch")
    if batch is not None and sides < 1:
        raise Error(f"batch: {sides} given; give the number of right-hand sides, or None for arrays without that axis")
    return {"power": real(power, "power"), "batch": sides}


def _cells(widths: Any, axis: int) -> Any:
    """The widths of the cells of one axis, at least one."""
    found = entries(widths, f"widths[{axis}]", "[0.1, 0.2, 0.1]")
    if not len(found):
        raise Error(f"widths[{axis}]: no widths given; give one per cell, or None for an axis that is transformed")
    return found


def grid(cells: Any, length: Any, boundary: Any, centring: Any) -> dict[str, Any]:
    """The points and the boundaries in the types of the extension."""
    counts = whole_entries(cells, "cells", "(64, 64, 64)")
    lengths = [real(value, f"length[{i}]") for i, value in enumerate(entries(length, "length", "(1.0, 1.0, 1.0)"))]
    centrings = [centring] * len(counts) if isinstance(centring, str) else entries(centring, "centring", '"cell"')
    for values, name in ((lengths, "length"), (centrings, "centring")):
        one_per_axis(values, len(counts), name, "cells")
    return {
        "cells": counts,
        "length": lengths,
        "boundary": axis_ends(boundary, len(counts), "boundary"),
        "centring": [word(value, f"centring[{i}]", "cell") for i, value in enumerate(centrings)],
    }
