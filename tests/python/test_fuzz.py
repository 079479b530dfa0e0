"""The fuzzer itself: it knows all options, finds what is wrong, makes it simpler, and ends where a case hangs."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import weft
from fuzz import cases, kinds, ranks, shrink
from mpi4py import MPI

ALONE = MPI.COMM_SELF


def drawn(kind, count, size=3):
    return [ranks.drawn(kind, seed, size, 0) for seed in range(count)]


@pytest.mark.parametrize(
    ("kind", "called", "apart"),
    [
        # The boxes and the workspace are drawn, too, and tuning files have a fuzzer of their own.
        ("plans", weft.Plan, {"physical_box", "spectral_box", "workspace", "tuning"}),
        ("solves", weft.Poisson, {"workspace"}),
        ("products", weft.Plan, {"physical_box", "spectral_box", "workspace", "tuning", "in_place"}),
        ("derivatives", weft.Plan, {"physical_box", "spectral_box", "workspace", "tuning", "in_place"}),
        ("media", weft.VariablePoisson, set()),
        ("vectors", weft.VectorPoisson, {"alpha"}),
        ("moves", weft.Redistribution, set()),
        ("tensors", weft.TensorDft, set()),
        # Boundaries are drawn by component.
        ("halos", weft.Halo, {"component_boundary"}),
        ("particles", weft.ParticleMesh, set()),
    ],
)
def test_every_option_is_drawn(kind, called, apart):
    optional = {p.name for p in inspect.signature(called).parameters.values() if p.kind is p.KEYWORD_ONLY}
    assert {name for case in drawn(kind, 600) for name in case.options} == optional - apart - {"comm"}


@pytest.mark.parametrize("kind", list(kinds.KINDS))
def test_cases_are_right_on_one_rank(kind):
    verdicts = [cases.run(ranks.drawn(kind, seed, 1, 0), ALONE) for seed in range(12)]
    assert [verdict for verdict in verdicts if verdict.failed] == []
    assert kind == "bad" or any(verdict.sort == "right" for verdict in verdicts)


@pytest.mark.parametrize("kind", list(kinds.KINDS))
def test_programs_and_simpler_cases_are_python(kind):
    for case in drawn(kind, 20):
        compile(case.program(), "<case>", "exec")
        for simpler in case.simpler():
            assert simpler != case
            compile(simpler.program(), "<case>", "exec")


def first_failure(kind):
    for seed in range(300):
        case = ranks.drawn(kind, seed, 1, 0)
        verdict = cases.run(case, ALONE)
        if verdict.failed:
            return case, verdict
    raise AssertionError("nothing was found")


def test_one_bit_of_one_plan_is_found_and_the_case_made_simple(monkeypatch):
    forward = weft.Plan.forward

    def with_another_bit(self, u, out=None):
        result = forward(self, u, out)
        # Not the plan of one thread on one rank that is compared with.
        if self.shape[-1] >= 6 and self.kinds[-1] == "c2c" and self._options["strategy"] != "auto":
            values = result.local if isinstance(result, weft.Field) else result
            last = (-1,) * values.ndim
            values[last] = np.nextafter(values[last].real, 2) + 1j * values[last].imag
        return result

    monkeypatch.setattr(weft.Plan, "forward", with_another_bit)
    case, verdict = first_failure("plans")
    assert verdict.sort == "bits"
    simple, verdict, repeats = shrink.shrink(case, verdict, ALONE, 60, lambda trial: None)
    assert repeats and verdict.sort == "bits" and "forward: 1 of" in verdict.texts[0]
    assert simple.shape == (6,) and simple.steps == ("forward",)
    assert set(simple.options) == {"engine", "strategy"}


def test_a_wrong_number_is_found_by_theory(monkeypatch):
    solve = weft.Poisson.solve

    def with_an_error(self, f, out=None):
        # The same on all ranks, so that comparing bits cannot find it.
        return solve(self, f, out) * (1 + 1e-4)

    monkeypatch.setattr(weft.Poisson, "solve", with_an_error)
    case, verdict = first_failure("solves")
    assert verdict.sort == "far" and ("exact modes" in verdict.texts[0] or "direct sum" in verdict.texts[0])


def test_what_is_raised_is_told(monkeypatch):
    def breaks(self, *given):
        raise ZeroDivisionError("division")

    monkeypatch.setattr(weft.TensorDft, "forward", breaks)
    _, verdict = first_failure("tensors")
    assert verdict.sort == "raised ZeroDivisionError" and "division" in verdict.texts[0]


HANGS = """\
import os, sys, time
from fuzz.ranks import Session
session = Session(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT), 0.5)
session.ready("plans", 12345)
time.sleep(100)
"""


def test_a_case_that_hangs_ends_the_job_and_its_seed_is_known(tmp_path):
    record = tmp_path / "record"
    path = [str(Path(ranks.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    command = [sys.executable, "-c", HANGS, str(record)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "time.sleep" not in done.stdout and "Timeout" in done.stderr
    assert json.loads(record.read_text()) == {"kind": "plans", "seed": 12345, "note": "", "tally": {}}
