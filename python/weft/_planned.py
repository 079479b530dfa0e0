"""What plans and solvers have in common: facts about what was planned."""

from typing import Any


class Planned:
    """Properties that come from the compiled object in `_core`."""

    _core: Any

    @property
    def strategy(self) -> str:
        """The strategy in use; never "auto"."""
        return self._core.strategy

    @property
    def workspace_bytes(self) -> int:
        """Bytes that are held on this rank, beside the user's arrays and fields."""
        return self._core.workspace_bytes

    @property
    def threads(self) -> int:
        """Threads in use per rank."""
        return self._core.threads

    @property
    def bytes_sent(self) -> int:
        """Bytes that this rank sends in one call."""
        return self._core.bytes_sent

    def explain(self) -> str:
        """Every step with its lines, bytes and times, and why the strategy was chosen."""
        return self._core.explain()
