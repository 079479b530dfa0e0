"""Convolutions, correlations and products of modes, beside numpy's sums, and one rank's bits."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import weft

from fuzz import draws
from fuzz.cases import Case, options_text, without_defaults
from fuzz.draws import one_of, some
from fuzz.plans import OfPlan, plan_options

CALLS = ("convolve", "correlate", "product", "dealiased")
OF_MODES = CALLS[2:]
SUMMED = ("none", "c2c", "c2c", "dct4")  # the last one is refused
MULTIPLIED = ("none", "c2c", "dct1", "dct2", "dst3")


@dataclasses.dataclass(frozen=True)
class Product(OfPlan):
    """A call of a plan with two fields, or with their modes."""

    call: str
    origin: Any = None
    box: int | None = None  # the seed of the ranks' own boxes
    out: str = "new"
    square: bool = False  # both factors are one array
    fields: bool = False

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Product":
        axes = int(rng.choice([1, 2, 3, 4, 5], p=[0.2, 0.3, 0.34, 0.13, 0.03]))
        shape = draws.shape(rng, axes, [0, 600, 60, 20, 8, 5][axes], 6000)
        call = one_of(rng, CALLS)
        of_product = call in OF_MODES
        kinds = [one_of(rng, MULTIPLIED[:-1] if of_product else SUMMED[:-1]) for _ in shape]
        if rng.random() < 0.6:
            kinds[int(rng.integers(axes))] = "r2c"
        if rng.random() < 0.02:
            kinds[0] = (MULTIPLIED if of_product else SUMMED)[-1]
        options = plan_options(rng, shape, tuple(kinds), ranks, in_place=False)
        if not of_product:
            options["modes"] = None
        origin = None
        if not of_product and rng.random() < 0.75:
            origin = tuple(0 if k == "none" else int(rng.integers(n)) for n, k in zip(shape, kinds, strict=True))
            origin = some(rng, [origin, "same", 0], 0.4)
        return cls(
            ranks,
            int(rng.integers(2**31)),
            shape,
            tuple(kinds),
            without_defaults(weft.Plan, options),
            call=call,
            origin=origin,
            box=int(rng.integers(2**31)) if rng.random() < 0.2 else None,
            out=some(rng, ["new", "first", "second", "full of NaN"], 0.0 if call == "dealiased" else 0.5),
            square=bool(rng.random() < 0.15),
            fields=bool(rng.random() < 0.1),
        )

    def lines(self) -> list[str]:
        given = options_text(self.options)
        of_modes, about = self.call in OF_MODES, f"kinds, {self.keep}, {self.options.get('norm', 'backward')!r}"
        name = "spectral" if of_modes else "physical"
        if self.box is not None:
            size = self.modes if of_modes else self.shape
            given += f", {name}_box={draws.box_text(draws.tiling(self.box, size, self.ranks))}"
        # A wire in single precision rounds once more with each exchange, by 2^-24.
        eps = "np.finfo(plan.dtype).eps" + (" + 2.0**-22" if self.options.get("wire") == "single" else "")
        result = [
            f"shape, kinds = {self.shape}, {self.kinds}",
            f"plan = weft.Plan(shape, kinds, comm=comm{given})",
            f"alone = {self.alone()}",
            f"here = plan.{name}_slices",
            f"u = numbers({self.data}, shape, plan.physical_dtype)",
            f"v = {'u' if self.square else f'numbers({self.data} + 1, shape, plan.physical_dtype)'}",
        ]
        if of_modes:
            result += [
                f"u, v = (np.array(references.forward(f, {about}), plan.spectral_dtype, order='C') for f in (u, v))",
                f"want = references.product_of_modes(u, v, shape, {about})",
                f"bound = references.product_of_modes_bound(u, shape, {about}, {eps})",
            ]
            arguments = ""
        else:
            result += [
                f"want = references.sums(u, v, kinds, {self.call == 'correlate'}, {self.origin!r})",
                f"bound = references.sums_bound(u, kinds, {eps})",
            ]
            arguments = "" if self.origin is None else f", origin={self.origin!r}"
        result += ["a = block(u, here)", f"b = {'a' if self.square else 'block(v, here)'}", "kept = a.copy(), b.copy()"]
        result += self._called(name, arguments)
        result.append(f"check.near(got, want[here], {self.call!r}, bound, v)")
        if self.exact:
            result.append(f"check.bits(got, alone.{self._call}u, v{arguments})[here], {self.call!r})")
        return result

    @property
    def _call(self) -> str:
        """The method, up to the factors."""
        return f"{self.call}(" + ("lambda x, y: x * y, " if self.call == "dealiased" else "")

    def _called(self, name: str, arguments: str) -> list[str]:
        """Lines that call it, and check what must be preserved."""
        if self.fields:
            field = f"plan.{name}_field"
            return [f"got = plan.{self._call}{field}(a), {field}(b){arguments}).local"]
        nan = f"np.full(plan.{name}_shape, np.nan, plan.{name}_dtype)"
        out = {"new": "", "first": ", out=a", "second": ", out=b", "full of NaN": f", out={nan}"}[self.out]
        result = [f"got = plan.{self._call}a, b{out}{arguments})"]
        if self.out != "first" and not (self.square and self.out == "second"):
            result.append("check.bits(a, kept[0], 'the first factor')")
        if self.out != "second" and not (self.square and self.out == "first"):
            result.append("check.bits(b, kept[1], 'the second factor')")
        return result

    def simpler(self) -> Iterator[Case]:
        yield from self.with_fewer_options()
        plain = {"origin": None, "box": None, "out": "new", "square": False, "fields": False}
        yield from (self.but(**{name: value}) for name, value in plain.items() if getattr(self, name) != value)
        for case in self.smaller():
            origin = self.origin
            if isinstance(origin, tuple):
                origin = tuple(min(o, n - 1) for o, n in zip(origin, case.shape, strict=True))
            yield case.but(origin=origin)
