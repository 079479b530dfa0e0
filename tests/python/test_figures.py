"""What users see of fields, plans and solvers: figures, tables for notebooks, and texts within 100 columns."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
import weft
from matplotlib import pyplot
from matplotlib.figure import Figure
from mpi4py import MPI
from on_ranks import on_ranks
from reference import numbers
from weft._text import WIDTH, call_text


def panels(figure):
    """Per panel the numbers [across, up], the labels of its axes and its title."""
    drawn = [ax for ax in figure.axes if ax.images]
    return [
        (np.ma.filled(ax.images[0].get_array(), np.nan).T, ax.get_xlabel(), ax.get_ylabel(), ax.get_title())
        for ax in drawn
    ]


def test_a_curve_of_one_axis():
    plan = weft.Plan(16, "dct2")
    u = plan.physical_field(np.cos(3 * plan.coordinates()[0]))
    figure = u.plot("density")
    assert isinstance(figure, Figure) and pyplot.get_fignums() == []
    (ax,) = figure.axes
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.stack([plan.coordinates()[0], u.local], axis=1))
    assert (ax.get_xlabel(), ax.get_ylabel(), figure.get_suptitle()) == ("x", "value", "density")


def test_a_picture_of_two_axes_has_the_points_and_the_ends_of_a_solver():
    solver = weft.Poisson((6, 8), (1.0, 2.0), ("odd", "periodic"))
    u = solver.field(numbers((6, 8), float))
    figure = u.plot("$x^$")  # no formula
    ((values, across, up, title),) = panels(figure)
    np.testing.assert_array_equal(values, u.local)
    assert (across, up, title) == ("x", "y", "")
    assert np.allclose(figure.axes[0].images[0].get_extent(), (0, 1, 0, 2), rtol=1e-15, atol=1e-15)
    figure.canvas.draw()


def test_three_axes_are_cut_in_the_middle():
    plan = weft.Plan((6, 5, 8), "r2c")
    u = plan.physical_field(numbers((6, 5, 8), float))
    found = panels(u.plot())
    for (values, *labels), expected in zip(found, (u.local[:, :, 4], u.local[:, 2], u.local[3]), strict=True):
        np.testing.assert_array_equal(values, expected)
        assert labels[:2] == [name for name in "xyz" if name not in labels[2].split(" =")[0]]
    assert [title for *_, title in found] == ["z = 3.142", "y = 2.513", "x = 3.142"]


def test_modes_are_drawn_by_their_wavenumbers():
    plan = weft.Plan((6, 8), "r2c")
    uh = plan.forward(plan.physical_field(numbers((6, 8), float)))
    uh.local[1, 2] = 0
    ((values, across, up, _),) = panels(uh.plot("u"))
    with np.errstate(divide="ignore"):
        expected = np.log10(np.abs(np.fft.fftshift(uh.local, axes=0)))
    expected[np.isinf(expected)] = np.nan
    np.testing.assert_array_equal(values, expected)
    assert (across, up) == ("kx", "ky")
    whole = weft.Plan((4, 4, 4), "c2c").spectral_field(numbers((4, 4, 4), complex))
    assert [title for *_, title in panels(whole.plot())] == ["kz = 0", "ky = 0", "kx = 0"]


def test_components_and_steps():
    plan = weft.Plan((2, 9, 7), ("none", "c2c", "c2c"), batch_axes=(0,))
    u = plan.physical_field(numbers((2, 9, 7), complex))
    figure = u.plot("u", index=(1,), limit=4)
    ((values, across, up, _),) = panels(figure)
    np.testing.assert_array_equal(values, np.abs(u.local[1, ::3, ::2]))
    assert (across, up, figure.get_suptitle()) == ("x", "y", "u[1], 1 of 3 x 2 points")
    assert panels(weft.Field.zeros((3, 4), "int32").plot())[0][1:3] == ("axis 0", "axis 1")
    holes = weft.Field.zeros((3, 4))
    holes.local[0, 0], holes.local[1, 1] = np.inf, np.nan
    assert np.isnan(panels(holes.plot())[0][0]).sum() == 2


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("weft.Field.zeros((2,) * 4).plot()", ["index: ()", "4 of 4 axes", "1 to 3"]),
        ("weft.Field.zeros((2, 3)).plot(index=(0, 0))", ["index: (0, 0)", "0 of 2 axes"]),
        ("weft.Field.zeros((2, 3)).plot(index=(2,))", ["index[0]: 2", "-2 to 1"]),
        ("weft.Field.zeros((2, 3)).plot(index=0)", ["index: 0", "(0,)"]),
        ("weft.Field.zeros((2, 3)).plot(3)", ["name: 3", "string"]),
        ("weft.Field.zeros((2, 3)).plot(limit=1)", ["limit: 1", "2 points"]),
        ("weft.Plan(64, 'c2c').spectral_field().plot(limit=32)", ["limit", "64 modes", "limit=64", "spectrum()"]),
    ],
)
def test_what_cannot_be_drawn(code, parts):
    with pytest.raises(weft.Error) as refusal:
        eval(code)
    assert all(part in str(refusal.value) for part in parts), refusal.value


def test_rank_0_draws_for_all(tmp_path):
    script = """\
        import numpy as np
        import weft

        plan = weft.Plan((6, 5, 8), ("c2c", "dct1", "r2c"))
        u = plan.physical_field()
        whole = np.arange(240.0).reshape(6, 5, 8)
        u[...] = whole
        figure = u.plot()
        if u.comm.rank == 0:
            drawn = [ax.images[0].get_array().T for ax in figure.axes if ax.images]
            for values, expected in zip(drawn, (whole[:, :, 4], whole[:, 2], whole[3]), strict=True):
                assert np.array_equal(values, expected)
            parts = tuple(n // (part.stop - part.start) for n, part in zip(u.global_shape, u.slices, strict=True))
            assert " x ".join(map(str, parts)) in u._repr_html_() and "mean" not in u._repr_html_()
            print("ok")
        else:
            assert figure is None
        try:
            u.plot(limit=1 + u.comm.rank)
        except weft.Error:
            pass
        else:
            raise AssertionError("limits differ")
    """
    assert on_ranks(3, script, tmp_path) == "ok"


# --- tables for notebooks


class Rows(HTMLParser):
    """The rows of a table, by their names; and whether every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.words = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def rows(self):
        return dict(zip(self.words[1::2], self.words[2::2], strict=True))


def test_tables_of_fields():
    u = weft.Field(np.arange(6.0).reshape(2, 3), (slice(0, 2), slice(0, 3)), (2, 3), MPI.COMM_SELF)
    assert Rows(u._repr_html_()).rows == {
        "array": "2 x 3, float64",
        "side": "not known",
        "ranks": "1",
        "parts along the axes": "1 x 1",
        "part of this rank": "[0:2, 0:3]",
        "smallest, largest, mean": "0, 5, 2.5",
    }
    modes = weft.Plan((4, 6), "r2c").spectral_field()
    assert Rows(modes._repr_html_()).rows["largest magnitude"] == "0"
    assert "mean" not in weft.Field.zeros((1 << 20, 2), "int8")._repr_html_()


def test_tables_of_plans_and_solvers():
    rows = Rows(weft.Plan((6, 8), ("dct2", "r2c"), comm=MPI.COMM_SELF, threads=1)._repr_html_()).rows
    assert rows["points"] == "6 x 8, float64" and rows["modes"] == "6 x 5, complex128" and rows["kinds"] == "dct2, r2c"
    assert rows["modes of this rank"] == "[0:6, 0:5]" and rows["ranks"].startswith("1, grid 1")
    kernel = weft.kernel_of_distance(lambda r, k: r)
    solver = weft.Poisson((6, 8), (1.0, 2.0), (("odd", "even"), "unbounded"), kernel=kernel, centring="node")
    rows = Rows(solver._repr_html_()).rows
    assert rows["boundary"] == "odd to even, unbounded" and rows["points"].startswith("7 x 9, float64")
    assert rows["length"] == "1 x 2" and rows["kernel"] == solver.kernel


# --- texts


def objects():
    six = (2, 3, 2, 3, 2, 3)
    plan = weft.Plan(six, ("none", "dct1", "dct2", "dst3", "c2c", "r2c"))
    yield from (plan, plan.physical_field(), plan.spectral_field(), plan.physical_field().layout)
    yield weft.Plan((4, 4, 4), "r2c", in_place=True).in_place_field()
    ends = [("unbounded", "even"), ("odd", "unbounded"), ("unbounded", "unbounded")]
    yield weft.Poisson((4, 4, 4), (1 / 3, 1 / 3, 1 / 3), ends)
    yield weft.Poisson((4, 4, 4), (1.0, 1.0, 1.0), ["odd"] * 3, in_place=True).in_place_field()
    yield weft.VectorPoisson((4, 4, 4), (1 / 3, 1 / 3, 1 / 3), ["periodic"] * 3)
    yield weft.Redistribution(plan.physical_slices, plan.physical_slices)
    yield weft.Halo(plan.physical_field(), 1)
    mesh = weft.ParticleMesh(weft.Field.zeros((100, 100, 100)), 0.01)
    yield from (mesh, mesh.migration(np.zeros((0, 3))))
    yield weft.TensorDft((4, 5, 6), "r2c")
    yield from (weft.machine(), weft.predict((64, 64, 64), ranks=16))
    yield weft.tune((8, 8, 8), "r2c", effort="estimate")


def test_texts_fit_in_100_columns():
    for shown in objects():
        for text in (repr(shown), str(shown)):
            assert max(map(len, text.split("\n"))) <= WIDTH == 100, text
            assert text.startswith(f"{type(shown).__name__}(") and text.endswith(")")


def test_long_texts_are_broken_between_parts_and_say_the_same():
    parts = ["a" * 50, ("b" * 20, "c" * 20), "d" * 40, "e"]
    text = call_text("Name", parts)
    assert text.split("\n")[1].startswith("     ") and re.sub(r"\n +", " ", text) == (
        f"Name({'a' * 50}, {'b' * 20} {'c' * 20}, {'d' * 40}, e)"
    )
    assert call_text("Name", ["a", ("b", "of c")]) == "Name(a, b of c)"
    assert "\n" not in repr(weft.Plan((6, 8), "r2c"))


def test_predictions_say_what_their_dataclasses_say():
    found = weft.predict((64, 64, 64), ranks=16)
    names = {"Prediction": weft.Prediction}
    assert eval(repr(found), names) == found
