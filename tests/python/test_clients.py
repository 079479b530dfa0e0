"""The tool behind make clients: what counts as a failure, and what is told of programs that cannot be had."""

import sys
from pathlib import Path

import pytest
from clients import __main__ as tool
from clients.contest import ClientError, Missing, Row, Setting, repository, run
from clients.suites import Outcome, compare

THEIRS = Outcome(frozenset({"a", "b"}), frozenset({"c"}), 1.0)


@pytest.mark.parametrize(
    ("failed", "expected", "cells"),
    [
        ({"c"}, set(), ("2 of 3; with its own library 2 of 3", "")),
        (set(), set(), ("3 of 3; with its own library 2 of 3", "")),
        ({"b", "c"}, {"b"}, ("1 of 3; with its own library 2 of 3", "fails with Weft alone: b")),
    ],
)
def test_tests_that_fail_with_both_libraries_are_no_fault(failed, expected, cells):
    ours = Outcome(frozenset({"a", "b", "c"} - failed), frozenset(failed), 1.0)
    assert compare("program", THEIRS, ours, frozenset(expected)) == cells


def test_a_test_that_fails_with_weft_alone_is_named():
    ours = Outcome(frozenset({"c"}), frozenset({"a", "b"}), 1.0)
    with pytest.raises(ClientError, match="program: fails with Weft: a$"):
        compare("program", THEIRS, ours, frozenset({"b"}))
    # Without the other library every failure counts.
    with pytest.raises(ClientError, match="program: fails with Weft: a, b$"):
        compare("program", None, ours, frozenset())


def test_sources_that_cannot_be_had_are_missing(tmp_path):
    address = (tmp_path / "nowhere").as_uri()
    with pytest.raises(Missing, match=f"its sources cannot be had from {address}: fatal: "):
        repository("program", address, "v1", tmp_path)


def test_a_status_is_an_error_unless_it_is_allowed(tmp_path):
    command = [sys.executable, "-c", "print('said'); raise SystemExit(3)"]
    with pytest.raises(ClientError, match="status 3\nsaid"):
        run(command, tmp_path)
    assert run(command, tmp_path, allowed=(0, 3)).strip() == "said"


@pytest.mark.parametrize(("part", "fails"), [("all", False), ("quick", True)])
def test_what_is_missing_has_a_row_and_fails_where_changes_are_tested(part, fails, tmp_path, monkeypatch):
    class Program:
        PACKAGES = ()

        @staticmethod
        def rows(setting):
            raise Missing("no network")

    class Other:
        PACKAGES = ()

        @staticmethod
        def rows(setting):
            return [Row("other", "1", "what", "2 of 2", 1.0, 0.5, "all")]

    monkeypatch.setattr(tool, "_CLIENTS", {"program": Program, "other": Other})
    rows, failed = tool._run(Setting({"mpich": Path("build")}, tmp_path, part=part), ["program", "other"])
    assert failed is fails
    table = tool._table(rows, 2).splitlines()
    assert table[-2:] == [
        "| program | - | not run: no network | - | - | - | - |",
        "| other | 1 | what | 2 of 2 | 1.00 | 0.50 | all |",
    ]
