"""Field: a distributed numpy array with a layout, axes, and methods that sum, move and save it."""

from weft.field.core import Field

__all__ = ["Field"]
