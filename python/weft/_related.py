"""Plans related to a plan: other points or kinds, the same ranks and options, made when they are first needed."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from weft._plan_axes import PlanAxes
from weft.errors import Error
from weft.field.layout import Slices
from weft.field.of_transforms import TransformFields
from weft.in_place import InPlaceField
from weft.workspace import Workspace

if TYPE_CHECKING:
    from weft.plan import Plan

# The options that related plans do not take over unchanged. "tuning" is for another shape, and in-place plans need
# other boxes.
_OWN = ("grid", "threads", "in_place", "output", "modes", "tuning", "workspace")


class RelatedPlans(TransformFields, PlanAxes):
    """A plan that makes other plans for its own use."""

    in_place: bool
    apply: Callable[..., Any]
    forward: Callable[..., Any]
    backward: Callable[..., Any]
    _workspace: Workspace | None
    _made_plans: "dict[tuple[Any, ...], Plan] | None" = None

    @property
    def workspace_bytes(self) -> int:
        """Bytes that are held on this rank, besides the user's arrays and fields.

        Plans made by derivatives of cosines and sines and by dealiased() are kept and count from then on: all of
        them, or the largest if they share a Workspace.
        """
        made = [plan.workspace_bytes for plan in (self._made_plans or {}).values()]
        return (sum if self._workspace is None else max)([self._core.workspace_bytes, *made])

    def _related(
        self,
        shape: Sequence[int],
        kinds: Sequence[str],
        modes: Sequence[int],
        *,
        spectral_box: Slices,
        physical_box: Slices | None = None,
    ) -> "Plan":
        """An out-of-place plan with the options of this one, made at the first call, which is collective.

        modes     per axis, points of the transform that has its modes.
        """
        from weft.plan import Plan

        key = (*shape, *kinds)
        if self._made_plans is None:
            self._made_plans = {}
        if key not in self._made_plans:
            self._made_plans[key] = Plan(
                tuple(shape),
                tuple(kinds),
                comm=self.comm,
                dtype=self.dtype,
                modes=[0 if kept == n else kept for kept, n in zip(modes, shape, strict=True)],
                physical_box=physical_box,
                spectral_box=spectral_box,
                grid=self._options["grid"] or None,
                threads=self._options["threads"] or None,
                workspace=self._workspace,
                **{name: value for name, value in self._options.items() if name not in _OWN},
            )
        return self._made_plans[key]

    def _require_arrays(self, given: Any, name: str) -> None:
        """Raises Error for an in-place plan or an in-place field."""
        if self.in_place or isinstance(given, InPlaceField):
            what = f"{name} is an in-place field" if isinstance(given, InPlaceField) else "this plan works in place"
            raise Error(
                f"{what}, but derivatives, dealiasing and products work on arrays and Fields; make a plan without "
                "in_place=True, or multiply modes by apply()"
            )
