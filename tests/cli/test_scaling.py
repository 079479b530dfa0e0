"""weft scaling: the page, its tables against the papers' numbers, its pictures; the measured part stays."""

import re

import pytest


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The folder and the text of a page that was written over one with a measured part."""
    from conftest import CommandLine

    weft = CommandLine(tmp_path_factory.mktemp("scaling"))
    (weft.folder / "scaling.md").write_text(
        "of before\n<!-- measured: begin -->\nby hand\n<!-- measured: end -->\nof before\n"
    )
    done = weft("scaling", "--out", ".")
    assert done.returncode == 0, done.stderr
    return weft.folder, (weft.folder / "scaling.md").read_text()


def test_numbers_of_the_papers(page):
    _, text = page
    for row in ("| 1024^3 on 256 | 24.69 / 34.01 / 41.29 | 24.69 / 34.01 / 41.29 |", "| 694,532 | 694,532 |"):
        assert row in text
    for name in ("FLUPS", "S3DFT", "Dalcin", "meluxina", "JUWELS", "Shaheen"):
        assert name in text


def test_ranks_of_the_study(page):
    _, text = page
    assert "| 49,152 |" in text and "| 1,048,576 |" in text
    assert "nan" not in text and "inf" not in text.replace("information", "").replace("InfiniBand", "")


def test_pictures(page):
    folder, text = page
    named = set(re.findall(r"\((scaling[\w-]*\.svg)\)", text))
    assert named == {path.name for path in folder.glob("*.svg")} and len(named) == 8
    assert all("</svg>" in path.read_text() for path in folder.glob("*.svg"))


def test_what_was_measured_stays(page):
    _, text = page
    assert "by hand" in text and "of before" not in text


def test_the_folder_has_to_exist(weft):
    message = weft.refused("scaling", "--out", "missing")
    assert "--out" in message and "missing" in message
