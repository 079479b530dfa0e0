"""Field: a distributed numpy array that knows its layout, its axes, and how to be summed, moved and saved."""

from weft.field.core import Field

__all__ = ["Field"]
