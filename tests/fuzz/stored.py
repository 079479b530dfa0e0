"""Folders of checkpoints and time series beside what was saved: whole, damaged, and continued from an earlier step."""

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

from fuzz import draws
from fuzz.cases import Case, smaller_shapes, without_one
from fuzz.draws import one_of, some

DTYPES = ("float64", "float32", "complex128", "complex64")
NAMES = ("u", "velocity", "a b", "ω", "x/y", "u.1", "")
Step = tuple[int, ...]  # what is done, as a place in the table of steps, and numbers of its own


@dataclasses.dataclass(frozen=True)
class Checkpoints(Case):
    """Checkpoints of one run in a folder, and what other ranks' parts of them are read back."""

    fields: tuple[tuple[str, tuple[int, ...], str], ...]  # name, shape, dtype
    keep: int
    compression: int
    steps: tuple[Step, ...]

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Checkpoints":
        fields = {}
        for _ in range(int(rng.integers(1, 4))):
            axes = int(rng.integers(1, 5))
            fields[some(rng, NAMES, 0.3)] = draws.shape(rng, axes, [0, 60, 20, 10, 6][axes], 2000), one_of(rng, DTYPES)
        steps, now = [], 0
        for _ in range(int(rng.integers(2, 9))):
            which = int(rng.choice(len(_CHECKPOINT_STEPS), p=[0.5, 0.25, 0.1, 0.15]))
            now = max(0, now + int(rng.integers(1, 4))) if rng.random() < 0.8 else int(rng.integers(0, 1200000))
            steps.append((which, now if which == 0 else int(rng.integers(2**31))))
        return cls(
            ranks,
            int(rng.integers(2**31)),
            tuple((name, *made) for name, made in fields.items()),
            int(rng.integers(1, 4)),
            some(rng, [0, 1, 9], 0.4),
            tuple(steps),
        )

    def lines(self) -> list[str]:
        result = [
            "folder = check.path('run')",
            f"run = weft.CheckpointFolder(folder, {self.keep}, compression={self.compression}, comm=comm)",
            "saved, damaged = {}, set()  # seeds of the numbers by step, in the order of steps",
        ]
        for number, (which, own) in enumerate(self.steps):
            result += _CHECKPOINT_STEPS[which](self, number, own)
        return result

    def made(self, field: int, seed: str) -> str:
        """The whole array of a field, as Python."""
        _, shape, dtype = self.fields[field]
        return f"numbers({seed} + {field}, {shape}, {dtype!r})"

    def part(self, field: int, seed: int) -> str:
        """The ranks' parts of a field, as Python."""
        return draws.box_text(draws.tiling(seed, self.fields[field][1], self.ranks))

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(steps=steps) for steps in without_one(self.steps))
        yield from (self.but(fields=fields) for fields in without_one(self.fields))
        if self.compression:
            yield self.but(compression=0)
        for i, (name, shape, dtype) in enumerate(self.fields):
            for other in (("u", shape, dtype), *((name, s, dtype) for s in smaller_shapes(shape))):
                if other != self.fields[i]:
                    yield self.but(fields=(*self.fields[:i], other, *self.fields[i + 1 :]))


def _save(case: Checkpoints, number: int, step: int) -> list[str]:
    seed = case.data + 10 * number
    result = ["fields = {}"]
    for i, (name, shape, _) in enumerate(case.fields):
        result += [
            f"here = {case.part(i, seed)}",
            f"fields[{name!r}] = (block({case.made(i, str(seed))}, here), here, {shape})",
        ]
    return [
        *result,
        f"run.save({step}, fields, {{'seed': {seed}, 'half': 0.5, 'text': 'ü{number}'}})",
        f"saved[{step}] = {seed}",
        f"damaged.discard({step})",
        f"for old in sorted(step for step in saved if step <= {step})[: -{case.keep}]:",
        "    del saved[old]",
        "check.that(run.steps() == sorted(saved), f'steps {run.steps()} instead of {sorted(saved)}')",
    ]


# A checkpoint is damaged or gives what was saved, and only damaged ones are passed over.
_TAKEN = [
    "    check.that(not newer - damaged, f'{newer - damaged} passed over')",
    "    check.that(found.values['seed'] == saved[found.values['step']], 'another seed')",
]


def _restore(case: Checkpoints, number: int, seed: int) -> list[str]:
    stored = "found.values['seed']"
    wanted = ", ".join(f"{name!r}: {case.part(i, seed + i)}" for i, (name, _, _) in enumerate(case.fields))
    return [
        f"wanted = {{{wanted}}}",
        "try:",
        "    found = run.restore(wanted)",
        "    check.that((found is None) == (not saved), 'an empty folder')",
        "except weft.FileError:",
        "    found = None",
        "    check.that(set(saved) <= damaged, 'no whole checkpoint is found')",
        "if found is not None:",
        "    newer = {step for step in saved if step > found.values['step']}",
        *_TAKEN,
        *(
            f"    check.bits(found.fields[{name!r}], block({case.made(i, stored)}, wanted[{name!r}]), {name!r})"
            for i, (name, _, _) in enumerate(case.fields)
        ),
    ]


def _latest(case: Checkpoints, number: int, seed: int) -> list[str]:
    return [
        "try:",
        "    found = run.latest()",
        "except weft.FileError:",
        "    found = None",
        "    check.that(set(saved) <= damaged, 'no whole checkpoint is found')",
        "if found is not None:",
        "    newer = {step for step in saved if step > found.values['step']}",
        *_TAKEN,
        f"    shapes = { ({name: shape for name, shape, _ in case.fields}) }",
        "    check.that(found.shapes == shapes, f'shapes {found.shapes}')",
        "    check.that(found.values['half'] == 0.5 and found.values['text'].startswith('ü'), 'other values')",
    ]


def _damage(case: Checkpoints, number: int, seed: int) -> list[str]:
    """Cuts the newest file short, or changes a bit of a number in it."""
    whole = case.made(0, "saved[max(saved)]")
    return [
        "if saved:",
        "    damaged.add(max(saved))",
        "    if comm.rank == 0:",
        "        path = run.path(max(saved))",
        "        raw = bytearray(path.read_bytes())",
        f"        number = {whole}.ravel()[:1].tobytes()",
        f"        at = raw.find(number) if {seed % 2} else -1",
        "        if at >= 0:",
        f"            raw[at] ^= {1 << seed % 7}",
        "        else:",
        f"            raw = raw[: {seed} % max(1, len(raw))]",
        "        path.write_bytes(raw)",
        "    comm.Barrier()",
    ]


_CHECKPOINT_STEPS: tuple[Callable[[Checkpoints, int, int], list[str]], ...] = (_save, _restore, _latest, _damage)


@dataclasses.dataclass(frozen=True)
class Series(Case):
    """A time series that is continued now and then from an earlier time."""

    shape: tuple[int, ...]
    dtype: str
    names: tuple[str, ...]
    compression: int
    steps: tuple[Step, ...]  # a time to add, or one to continue from, in quarters

    @classmethod
    def draw(cls, rng: np.random.Generator, ranks: int) -> "Series":
        axes, now, steps = int(rng.integers(1, 4)), 0, []
        for _ in range(int(rng.integers(1, 8))):
            again = int(rng.random() < 0.25)
            now = int(rng.integers(-2, now + 3)) if again else now + int(rng.integers(1, 5))
            steps.append((again, now))
        return cls(
            ranks,
            int(rng.integers(2**31)),
            draws.shape(rng, axes, [0, 60, 20, 10][axes], 2000),
            one_of(rng, DTYPES[:2]),
            tuple({some(rng, NAMES[:-1], 0.4) for _ in range(int(rng.integers(1, 3)))}),
            some(rng, [0, 1, 9], 0.4),
            tuple(steps),
        )

    def lines(self) -> list[str]:
        spacing = tuple(0.5 + axis for axis in range(len(self.shape)))
        made = f"weft.TimeSeries(path, {self.shape}, {spacing}, comm=comm, compression={self.compression}"
        result = [
            "from pathlib import Path",
            "from xml.etree import ElementTree",
            "import h5py",
            "path = check.path('xdmf')",
            f"series, steps = {made}), []  # times and seeds",
        ]
        for number, (again, quarters) in enumerate(self.steps):
            time, seed = quarters / 4, self.data + 10 * number
            if again:
                result += [f"series = {made}, resume={time})", f"steps = [step for step in steps if step[0] < {time}]"]
                continue
            boxes = draws.box_text(draws.tiling(seed, self.shape, self.ranks))
            fields = ", ".join(
                f"{name!r}: (block({self.made(i, str(seed))}, here), here, {self.shape})"
                for i, name in enumerate(self.names)
            )
            result += [f"here = {boxes}", f"series.append({time}, {{{fields}}})", f"steps.append(({time}, {seed}))"]
        result += [
            "check.that(series.times == [time for time, _ in steps], f'times {series.times}')",
            "check.that(Path(path).exists() == bool(steps), 'a file without steps, or none')",
            "if comm.rank == 0 and steps:",
            "    grids = ElementTree.parse(path).getroot().findall('.//Grid[@GridType=\"Uniform\"]')",
            "    times = [float(grid.find('Time').get('Value')) for grid in grids]",
            "    check.that(times == series.times, f'times {times} in the file')",
            "    files = sorted(Path(path).parent.glob('*.h5'))",
            "    # Those of steps that were dropped stay.",
            "    check.that(len(files) >= len(steps), f'{len(files)} files')",
            "    for file, (time, seed) in zip(files, steps, strict=False):",
            "        with h5py.File(file) as stored:",
            "            check.that(stored.attrs['time'] == time, f'time {time}')",
        ]
        for i, name in enumerate(self.names):
            result.append(f"            check.bits(stored[{name!r}][()], {self.made(i, 'seed')}, {name!r})")
        return result

    def made(self, name: int, seed: str) -> str:
        """The whole array of a field, as Python."""
        return f"numbers({seed} + {name}, {self.shape}, {self.dtype!r})"

    def simpler(self) -> Iterator[Case]:
        yield from (self.but(steps=steps) for steps in without_one(self.steps))
        yield from (self.but(names=names) for names in without_one(self.names))
        if self.compression:
            yield self.but(compression=0)
        yield from (self.but(shape=shape) for shape in smaller_shapes(self.shape))
