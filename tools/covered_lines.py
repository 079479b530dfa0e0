"""Adds up the lines that tests run. usage: covered_lines.py BUILD LEAST

Reads cpp-lines.json (gcovr) and python-lines.json (coverage.py) of BUILD, writes uncovered.txt and prints the figures.
Exit status 1 where less than LEAST per cent of all lines are covered.
"""

import json
import sys
from itertools import groupby
from pathlib import Path

Lines = dict[str, dict[int, bool]]


def cpp_lines(path: Path) -> Lines:
    """By file and number, whether any compilation of the line has run."""
    found: Lines = {}
    for file in json.loads(path.read_text())["files"]:
        lines = found.setdefault(file["file"], {})
        for line in file["lines"]:
            if not line.get("gcovr/noncode", False) and not line.get("gcovr/excluded", False):
                number = line["line_number"]
                lines[number] = lines.get(number, False) or line["count"] > 0
    return found


def python_lines(path: Path) -> Lines:
    files = json.loads(path.read_text())["files"]
    return {
        name: {n: True for n in file["executed_lines"]} | {n: False for n in file["missing_lines"]}
        for name, file in files.items()
    }


def counts(lines: Lines) -> tuple[int, int]:
    """Covered lines, and all."""
    states = [state for file in lines.values() for state in file.values()]
    return sum(states), len(states)


def missing(lines: dict[int, bool]) -> str:
    """Lines that have not run, as ranges of lines that follow one another among those that count."""
    numbers = sorted(lines)
    runs = [[number for number in run] for ran, run in groupby(numbers, key=lambda n: lines[n]) if not ran]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def main() -> None:
    build, least = Path(sys.argv[1]), float(sys.argv[2])
    cpp, python = cpp_lines(build / "cpp-lines.json"), python_lines(build / "python-lines.json")
    both = cpp | python
    table = []
    for name, lines in both.items():
        absent = sum(not state for state in lines.values())
        if absent:
            table.append((absent, f"{name}: {absent} of {len(lines)} lines: {missing(lines)}"))
    table.sort(key=lambda row: (-row[0], row[1]))
    (build / "uncovered.txt").write_text("".join(text + "\n" for _, text in table))

    def per_cent(lines: Lines) -> float:
        covered, total = counts(lines)
        return 100 * covered / total if total else 0.0

    figures = [
        f"{name} {per_cent(lines):.1f} % of {counts(lines)[1]}" for name, lines in (("C++", cpp), ("Python", python))
    ]
    together = per_cent(both)
    print(
        f"coverage: {', '.join(figures)}, together {together:.1f} % of {counts(both)[1]} lines (at least {least:g} %)"
    )
    print(f"coverage: what no test runs is in {build / 'uncovered.txt'}, the reasons in docs/coverage.md")
    if together < least:
        sys.exit(f"coverage: {together:.1f} % is less than {least:g} %")


if __name__ == "__main__":
    main()
