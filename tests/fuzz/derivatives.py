"""Derivatives, gradients and Laplacians of plans of any kind, beside sums over their waves, and one rank's bits."""

import dataclasses
from collections.abc import Iterator

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, options_text, without_defaults
from fuzz.draws import one_of
from fuzz.plans import OfPlan, plan_kinds, plan_options

CALLS = ("derivative", "derivative", "gradient", "laplacian")


@dataclasses.dataclass(frozen=True)
class Derivative(OfPlan):
    """A plan and the derivatives of one array."""

    call: str
    axis: int = 0
    order: int = 1
    lengths: tuple[float, ...] | None = None  # of all axes
    fields: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Derivative":
        axes = int(rng.choice([1, 2, 3, 4], p=[0.2, 0.3, 0.4, 0.1]))
        shape = draws.shape(rng, axes, [0, 500, 50, 18, 8][axes], 5000)
        kinds = plan_kinds(rng, axes, in_place=False)
        options = plan_options(rng, shape, kinds, ranks, in_place=False)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            kinds,
            without_defaults(weft.Plan, options),
            call=one_of(rng, CALLS),
            axis=int(rng.integers(-axes, axes)),
            order=int(rng.choice([1, 2, 3, 4], p=[0.4, 0.3, 0.2, 0.1])),
            lengths=tuple(round(float(x), 2) for x in rng.uniform(0.5, 4, axes)) if rng.random() < 0.5 else None,
            fields=bool(rng.random() < 0.2),
        )

    def lines(self) -> list[str]:
        batch = self.options.get("batch_axes", ())
        lengths = None
        if self.lengths is not None:
            lengths = tuple(x for axis, x in enumerate(self.lengths) if axis not in batch)
        given = f", lengths={lengths}"
        if self.call == "derivative":
            given = f", {self.axis}, {self.order}{given}"
        single = self.options.get("wire") == "single"
        u, local = ("plan.physical_field(block(u, here))", ".local") if self.fields else ("block(u, here)", "")
        result = [
            f"shape, kinds, keep = {self.shape}, {self.kinds}, {self.keep}",
            f"plan = weft.Plan(shape, kinds, comm=comm{options_text(self.options)})",
            f"alone = {self.alone('batch_axes')}",
            "here = plan.physical_slices",
            f"u = numbers({self.data}, shape, plan.physical_dtype)",
            f"found, one = plan.{self.call}({u}{given}), alone.{self.call}(u{given})",
            f"waves = references.Waves(u, kinds, keep, {self.lengths})",
            f"bounds = references.Bounds(kinds, shape, np.finfo(plan.dtype).eps, 'backward', keep != shape, {single})",
        ]
        if self.call == "gradient":
            result += [
                "transformed = [axis for axis, kind in enumerate(kinds) if kind != 'none']",
                "wanted = [waves.derivative(axis, 1) for axis in transformed]",
                "largest = [waves.largest(axis) for axis in transformed]",
            ]
        else:
            result.append("found, one = [found], [one]")
        if self.call == "derivative":
            axis = self.axis % len(self.shape)
            result.append(f"wanted = [waves.derivative({axis}, {self.order})]")
            result.append(f"largest = [waves.largest({axis}) ** {self.order}]")
        if self.call == "laplacian":
            result += [
                "wanted = [sum(waves.derivative(axis, 2) for axis, kind in enumerate(kinds) if kind != 'none')]",
                "largest = [sum(waves.largest(axis) ** 2 for axis, kind in enumerate(kinds) if kind != 'none')]",
            ]
        result += [
            "for got, same, want, k in zip(found, one, wanted, largest, strict=True):",
            f"    check.near(got{local}, want[here], {self.call!r}, 8 * bounds.apply() * k, u)",
        ]
        if self.exact:
            result.append(f"    check.bits(got{local}, same[here], {self.call!r})")
        return result

    def simpler(self) -> Iterator[Case]:
        yield from self.with_fewer_options()
        plain = {"lengths": None, "fields": False, "order": 1, "axis": self.axis % len(self.shape)}
        yield from (self.but(**{name: value}) for name, value in plain.items() if getattr(self, name) != value)
        yield from self.smaller()
