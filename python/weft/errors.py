"""The exceptions of the package. Every rank of a communicator raises the same one, before any work is done."""

from weft import _namesake
from weft._core import Error, FileError, ResourceError

# Most modules import this one.
_namesake.require_own_package()


class FormulaError(Error):
    """A formula uses something that is not allowed. The text names it and lists what is allowed."""


class CaseError(Error):
    """A case file cannot be used. The text names the file, the key and what is allowed."""


__all__ = ["CaseError", "Error", "FileError", "FormulaError", "ResourceError"]
