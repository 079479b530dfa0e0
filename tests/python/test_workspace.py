"""Plans that share memory, and axes that share exchanges."""

import numpy as np
import pytest
import weft
from reference import numbers


def test_plans_take_turns_in_one_workspace():
    workspace = weft.Workspace()
    shapes = [(8, 9, 10), (12, 16, 8)]
    alone = [weft.Plan(shape, "r2c", threads=1) for shape in shapes]
    plans = [weft.Plan(shape, "r2c", threads=1, workspace=workspace) for shape in shapes]
    assert workspace.nbytes < sum(plan.workspace_bytes for plan in plans)
    fields = [numbers(shape, np.dtype(float)) for shape in shapes]
    for _ in range(2):
        for plan, other, u in zip(plans, alone, fields, strict=True):
            assert np.array_equal(plan.forward(u), other.forward(u))


@pytest.mark.parametrize("shared", [False, True])
def test_plans_of_derivatives_and_products_are_counted(shared):
    workspace = weft.Workspace() if shared else None
    plan = weft.Plan((8, 12), ("dct2", "c2c"), threads=1, strategy="alltoallv", workspace=workspace)
    alone = plan.workspace_bytes
    u = plan.physical()
    plan.laplacian(u)
    plan.derivative(u, 1)
    assert plan.workspace_bytes == alone, "these stay in the kinds of the plan"
    sines = weft.Plan((8, 12), ("dst2", "c2c"), threads=1, strategy="alltoallv")
    finer = weft.Plan((12, 20), ("dct2", "c2c"), threads=1, strategy="alltoallv", modes=(8, 12))
    plan.derivative(u, 0)
    plan.gradient(u)
    total = max if shared else sum
    assert plan.workspace_bytes == total([alone, sines.workspace_bytes])
    shapes = []
    plan.dealiased(lambda v: shapes.append(v.shape) or v * v, plan.spectral())
    assert shapes == [finer.physical_shape]
    assert plan.workspace_bytes == total([alone, sines.workspace_bytes, finer.workspace_bytes])


def test_memory_of_the_user():
    needed = weft.Workspace()
    weft.Plan((8, 9), "c2c", threads=1, workspace=needed)
    memory = np.empty(needed.nbytes + 64, np.uint8)
    memory.fill(255)
    workspace = weft.Workspace(memory)
    assert needed.nbytes <= workspace.nbytes <= memory.nbytes
    plan = weft.Plan((8, 9), "c2c", threads=1, workspace=workspace)
    u = numbers((8, 9), plan.physical_dtype)
    assert np.array_equal(plan.forward(u), weft.Plan((8, 9), "c2c", threads=1).forward(u))
    assert not np.all(memory == 255)
    with pytest.raises(weft.ResourceError, match="workspace: it has .* this plan needs"):
        weft.Plan((8, 9), "c2c", threads=1, workspace=weft.Workspace(memory[:500]))


@pytest.mark.parametrize(
    ("make", "parts"),
    [
        (lambda: weft.Workspace(b"1234"), ("memory", "bytes", "numpy.empty")),
        (lambda: weft.Workspace(np.zeros(8)), ("memory", "float64", "uint8")),
        (lambda: weft.Workspace(np.zeros(64, np.uint8)[::2]), ("memory", "contiguous")),
        (lambda: weft.Plan((8,), "c2c", workspace=1 << 20), ("workspace", "1048576", "weft.Workspace")),
    ],
)
def test_what_is_no_memory_is_refused(make, parts):
    with pytest.raises(weft.Error) as refusal:
        make()
    assert all(part in str(refusal.value) for part in parts)


def test_batch_axes():
    plan = weft.Plan((3, 8, 10), ("none", "c2c", "r2c"), batch_axes=(0,))
    u = numbers((3, 8, 10), plan.dtype)
    one = weft.Plan((8, 10), "r2c")
    assert all(np.array_equal(modes, one.forward(v)) for modes, v in zip(plan.forward(u), u, strict=True))
    for axes, part in [((1,), "c2c"), ((3,), "0 to 2"), ((0, 0), "twice")]:
        with pytest.raises(weft.Error, match=f"batch_axes: .*{part}"):
            weft.Plan((3, 8, 10), ("none", "c2c", "r2c"), batch_axes=axes)
