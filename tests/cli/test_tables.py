"""Tables within the width of a page."""

import re

import pytest
from rich.table import Table
from weft.cli.terminal import print_table


def printed(capsys, headings, rows, **how):
    """The lines of a table, and the cells of each line."""
    table = Table(title="a title")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    print_table(table, **how)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    return lines, [[cell.strip() for cell in re.split("[┃│]", line)[1:-1]] for line in lines if line[:1] in "┃│"]


def test_a_table_that_fits_has_one_line_a_heading(capsys):
    _, cells = printed(capsys, ["name", "messages of all ranks"], [["first", "1"], ["second", "20"]])
    assert cells == [["name", "messages of all ranks"], ["first", "1"], ["second", "20"]]


def test_headings_are_broken_before_tables_are(capsys):
    headings = ["name", *["seconds of the slowest rank"] * 6]
    lines, cells = printed(capsys, headings, [["first", *"123456"]])
    assert cells[-1] == ["first", *"123456"] and sum("a title" in line for line in lines) == 1
    assert " ".join(row[1] for row in cells[:-1] if row[1]) == "seconds of the slowest rank"


@pytest.mark.parametrize("keys", [1, 2])
def test_what_does_not_fit_follows_below_the_names_of_its_rows(capsys, keys):
    headings = ["name", "grid", *(f"column_{i:02}" for i in range(20))]
    rows = [["first", "2 x 3", *map(str, range(20))], ["second", "6 x 1", *map(str, range(100, 120))]]
    lines, cells = printed(capsys, headings, rows, keys=keys)
    assert sum("a title" in line for line in lines) == 1
    found = {name: [] for name in ("name", "first", "second")}
    for row in cells:
        assert row[:keys] in [line[:keys] for line in (headings, *rows)]
        found[row[0]] += row[keys:]
    assert [found["name"], found["first"], found["second"]] == [line[keys:] for line in (headings, *rows)]


def test_a_cell_wider_than_a_page_is_folded(capsys):
    _, cells = printed(capsys, ["name", "note"], [["first", "word " * 40]])
    assert " ".join(row[1] for row in cells if row[1]) == "note " + "word " * 39 + "word"
