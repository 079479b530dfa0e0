"""A finite-difference axis from Python: the systems that scipy solves, means by widths, files, and wrong arguments."""

import numpy as np
import pytest
import weft
from scipy.sparse import diags, eye, kron
from scipy.sparse.linalg import splu

EPS = np.finfo(float).eps
WIDTHS = np.array([0.02, 0.03, 0.05, 0.1, 0.2, 0.25, 0.2, 0.09, 0.06])  # 1 in all
SHAPE = (8, 6, WIDTHS.size)


def second_difference(widths, ends, robin=(0.0, 0.0)):
    """The matrix of (q[j+1] - q[j]) / widths[j] with what holds at both ends."""
    n = widths.size
    inner = 2 / (widths[1:] + widths[:-1])
    left, right = (
        1 / (w / 2 + b) if end == "odd" else 0.0 for end, w, b in zip(ends, widths[[0, -1]], robin, strict=True)
    )
    below, above = np.append(left, inner), np.append(inner, right)
    matrix = diags([inner, -(below + above), inner], [-1, 0, 1], format="lil")
    if ends == ("periodic", "periodic"):
        wrap = 2 / (widths[0] + widths[-1])
        matrix[0, 0] -= wrap
        matrix[-1, -1] -= wrap
        matrix[0, n - 1] += wrap
        matrix[n - 1, 0] += wrap
    return diags(1 / widths) @ matrix.tocsr()


def laplacian(ends, robin=(0.0, 0.0)):
    """That of the whole problem, C order: equal cells along the first two axes, which are periodic and even."""
    x = second_difference(np.full(SHAPE[0], 1 / SHAPE[0]), ("periodic", "periodic"))
    y = second_difference(np.full(SHAPE[1], 2 / SHAPE[1]), ("even", "even"))
    z = second_difference(WIDTHS, ends, robin)
    ones = [eye(n) for n in SHAPE]
    return (kron(kron(x, ones[1]), ones[2]) + kron(kron(ones[0], y), ones[2]) + kron(kron(ones[0], ones[1]), z)).tocsc()


def solver(ends, **options):
    return weft.Poisson(
        SHAPE, (1.0, 2.0, 1.0), ["periodic", "even", ends], widths=(None, None, WIDTHS), kernel="lgf2", **options
    )


@pytest.mark.parametrize(
    ("ends", "robin"),
    [
        (("odd", "odd"), (0.0, 0.0)),
        (("odd", "even"), (0.0, 0.0)),
        (("odd", "odd"), (0.1, 0.7)),
        (("even", "odd"), (0.0, 2.0)),
    ],
)
def test_solution_is_that_of_a_direct_solve(ends, robin):
    f = np.random.default_rng(1).standard_normal(SHAPE)
    matrix = laplacian(ends, robin)
    u = solver(ends, robin=robin).solve(f)
    expected = splu(matrix).solve(f.ravel())
    # Both have small residuals; what these make of a solution is at most the norm of the inverse times them.
    norm = abs(matrix).sum(axis=1).max()
    inverse = 1 / np.abs(np.linalg.eigvals(matrix.toarray())).min()
    bound = 100 * EPS * norm * inverse * np.linalg.norm(expected)
    assert np.linalg.norm(u.ravel() - expected) <= bound
    assert np.linalg.norm(matrix @ u.ravel() - f.ravel()) <= 100 * EPS * norm * np.linalg.norm(u)


@pytest.mark.parametrize("ends", [("even", "even"), ("periodic", "periodic")])
def test_mean_counts_cells_by_their_widths(ends):
    one = solver(ends)
    f = one.field(np.random.default_rng(2).standard_normal(SHAPE))
    mean = np.mean(f.local, axis=(0, 1)) @ WIDTHS / WIDTHS.sum()
    assert f.mean() == pytest.approx(mean, rel=1e-13)
    u = one.solve(f)
    assert abs(u.mean()) <= 100 * EPS * abs(u.local).max()
    matrix = laplacian(ends)
    residual = matrix @ u.local.ravel() - (f.local.ravel() - mean)
    assert np.abs(residual).max() <= 100 * EPS * abs(matrix).sum(axis=1).max() * np.abs(u.local).max()
    with pytest.raises(weft.Error, match="rhs: its mean is"):
        solver(ends, mean="error").solve(f)


def test_points_and_what_a_solver_knows():
    one = solver(("odd", "even"), robin=(0.25, 0.0))
    assert np.array_equal(one.points()[2].ravel(), np.cumsum([0, *WIDTHS[:-1]]) + WIDTHS / 2)
    assert one.widths[:2] == (None, None)
    assert np.array_equal(one.widths[2], WIDTHS)
    assert one.robin == (0.25, 0.0)
    assert "axis 2" in one._repr_html_()
    assert np.array_equal(one.local_volumes().ravel(), WIDTHS / np.mean(WIDTHS))


def test_single_precision():
    f = np.random.default_rng(3).standard_normal(SHAPE)
    u = solver(("odd", "odd")).solve(f)
    v = solver(("odd", "odd"), dtype="float32").solve(f.astype(np.float32))
    # Of 432 points the transforms lose log2(432) = 9 roundings, the elimination of 9 cells as many.
    assert np.linalg.norm(u - v) <= 50 * np.finfo(np.float32).eps * np.linalg.norm(u)


def test_file_has_a_rectilinear_mesh(tmp_path):
    u = solver(("odd", "odd")).field()
    u.save(tmp_path / "u.h5", xdmf=True)
    text = (tmp_path / "u.xdmf").read_text()
    assert 'TopologyType="3DRectMesh" Dimensions="9 6 8"' in text
    assert ">0.01 0.035 " in text


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"widths": (None, WIDTHS)}, ["widths has 2 entries", "cells has 3"]),
        ({"widths": (None, None, WIDTHS[1:])}, ["widths of axis 2: 8 given for 9 cells"]),
        ({"widths": (None, None, [])}, ["widths[2]", "None"]),
        ({"widths": (None, None, 3)}, ["widths[2]"]),
        ({"widths": (None, None, ["a"] * 9)}, ["widths[2][0]"]),
        ({"widths": 5}, ["widths"]),
        ({"robin": (1, 2, 3)}, ["robin: 3 entries", "2"]),
        ({"robin": (-1, 0)}, ["robin[0] of axis 2", "-1"]),
        ({"widths": None, "robin": (1, 0)}, ["robin", "without widths"]),
    ],
)
def test_wrong_arguments_are_named(changes, parts):
    arguments = {"widths": (None, None, WIDTHS), "robin": (0.0, 0.0)} | changes
    with pytest.raises(weft.Error) as caught:
        weft.Poisson(SHAPE, (1.0, 2.0, 1.0), ["periodic", "even", "odd"], **arguments)
    text = " ".join(str(caught.value).split())
    assert all(part in text for part in parts), text


@pytest.mark.parametrize("centring", ["cell", "node"])
@pytest.mark.parametrize("widths", [WIDTHS, None])
def test_values_at_ends_are_those_of_a_linear_function(centring, widths):
    # Differences of second order are exact for 1 + 2 x - 3 y + z, whose Laplacian is 0.
    if widths is not None and centring == "node":
        centring = ("node", "node", "cell")
    # Cells of transformed axes are cubes of 1 where the kernel lgf2 wants equal spacings.
    cells, length = ((4, 3, 9), (4.0, 3.0, 1.0)) if widths is not None else ((4, 3, 5), (4.0, 3.0, 5.0))
    robin = (0.5, 0.0) if widths is not None else (0.0, 0.0)
    one = weft.Poisson(
        cells,
        length,
        [("odd", "even"), ("even", "odd"), "odd"],
        centring=centring,
        kernel="lgf2",
        widths=None if widths is None else (None, None, widths),
        robin=robin,
    )

    def exact(x, y, z):
        return 1 + 2 * x - 3 * y + z

    x, y, z = one.points()
    ends = {
        (0, "left"): exact(0, y, z),
        (0, "right"): 2.0,
        (1, "left"): 3.0,
        (1, "right"): exact(x, length[1], z),
        (2, "left"): exact(x, y, 0) - robin[0],
        (2, "right"): exact(x, y, length[2]),
    }
    f = one.field()
    u = one.solve(f, ends=ends)
    np.testing.assert_allclose(u.local, exact(x, y, z), rtol=0, atol=1e-12)
    assert not f.local.any()


def test_slopes_at_ends_and_the_mean():
    # u = z^2 / 2 has the slopes 0 and 1, and f = 1; differences of it are exact on equal cells.
    n = 8
    one = weft.Poisson((4, n), (1.0, 1.0), ["periodic", "even"], widths=(None, np.full(n, 1 / n)), mean="error")
    u = one.solve(np.ones(one.local_shape), ends={(1, "right"): 1})
    z = one.points()[1]
    exact = z**2 / 2
    np.testing.assert_allclose(u, np.broadcast_to(exact - exact.mean(), u.shape), rtol=0, atol=1e-14)
    with pytest.raises(weft.Error, match="rhs: its mean is"):
        one.solve(np.ones(one.local_shape), ends={(1, "right"): 1.1})


@pytest.mark.parametrize(
    ("ends", "parts"),
    [
        ({(0, "left"): 1}, ["left end of axis 0 is periodic"]),
        ({(1, "left"): 1}, ["left end of axis 1", "transformed", "chat2", "lgf2"]),
        ({(3, "left"): 1}, ["ends: 3 is not an axis"]),
        ({(2, "top"): 1}, ["ends: (2, 'top') is not an end"]),
        ({2: 1}, ["ends: 2 is not an end"]),
        ({(2, "left"): np.ones(7)}, ["values at (2, 'left')", "(8, 6, 1)"]),
        ({(2, "left"): np.nan}, ["left end of axis 2", "NaN"]),
        ([1], ["ends: [1] is not a dict"]),
    ],
)
def test_wrong_ends_are_named(ends, parts):
    one = weft.Poisson(SHAPE, (1.0, 2.0, 1.0), ["periodic", "even", "odd"], widths=(None, None, WIDTHS))
    with pytest.raises(weft.Error) as caught:
        one.solve(np.zeros(SHAPE), ends=ends)
    text = " ".join(str(caught.value).split())
    assert all(part in text for part in parts), text
