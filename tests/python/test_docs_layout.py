"""The layout of comments and docstrings, as docs/_ext reads it for the reference pages."""

import sys

import pytest
from doc_blocks import ROOT

sys.path.insert(0, str(ROOT / "docs/_ext"))

from doxygen_filter import filtered
from fortran_page import page

from layout import Entry, Literal, Paragraph, blocks, markdown, restructured

TEXT = """\
A solver.

cells     per axis, 2 or 3
          of them.
kernel    the Green's function:
            "chat2"  order 2
            "lgf2", "lgf4"  orders 2 and 4
comm, dtype: as in Plan.

    x = f(y)   # code"""


def test_entries_may_hold_entries_and_code_stays_as_it_is():
    solver, cells, kernel, rest, code = blocks(TEXT)
    assert solver == Paragraph(["A solver."])
    assert cells == Entry("cells", [Paragraph(["per axis, 2 or 3", "of them."])])
    assert [inner.name for inner in kernel.body if isinstance(inner, Entry)] == ['"chat2"', '"lgf2", "lgf4"']
    assert rest == Paragraph(["comm, dtype: as in Plan."])
    assert code == Literal(["x = f(y)   # code"])


def test_restructured_text_has_definitions_and_no_markup_by_accident():
    lines = restructured(blocks("size_t  of *args, |k|, `code` and name_\n"))
    assert lines[:2] == ["``size_t``", "    of \\*args, \\|k\\|, ``code`` and name\\_"]


def test_markdown_has_a_list():
    assert markdown(blocks("even  N < P\nodd   none")) == ["- `even`: N \\< P", "- `odd`: none"]


def test_the_filter_changes_comments_only():
    header = "// A header.\n#pragma once\n/// Kinds:\n///  none  nothing\nenum class Kind { none };\n"
    assert filtered(header + "extern template class A<B>;\n").split("\n") == [
        *("/// @file", "/// A header.", "", "#pragma once"),
        *("/// Kinds:", "/// - `none`: nothing", "enum class Kind { none };", "", ""),
    ]


@pytest.fixture
def fortran(tmp_path):
    (tmp_path / "weft.f90").write_text(
        "module weft\n  use a, only: weft_plan\n  public :: weft_plan\nend module weft\n"
    )
    (tmp_path / "a.f90").write_text(
        '!> A plan.\ntype, extends(base) :: weft_plan\n  type(c_ptr) :: handle\n  include "n.inc" ! n\ncontains\n'
        "  !> forward(in, out): there.\n  procedure :: forward\n  procedure, private :: inner\nend type\n"
        "!> Not for others.\nsubroutine hidden()\n"
        "!> What all have.\ntype :: base\ncontains\n  procedure :: destroy\nend type\n"
    )
    (tmp_path / "n.inc").write_text("integer :: n\n")
    return tmp_path


def test_the_fortran_page_has_what_is_public_and_its_parents(fortran):
    text = page(fortran, fortran)
    assert [line for line in text.split("\n") if line.startswith("## ")] == ["## base", "## weft_plan"]
    assert "- `forward(in, out)`: there." in text and "integer :: n" in text
    assert not any(word in text for word in ("hidden", "inner", "handle"))
