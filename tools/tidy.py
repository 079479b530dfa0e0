"""clang-tidy over the library's sources; exits with 1 where it finds something.

usage: tools/tidy.py BUILD, where compile_commands.json is.

The files of a folder are read as one, since most of the time goes into the headers that they share. Those whose
names clash with another's are read by themselves.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COMPILE_ERROR = re.compile(r"^(.*?):\d+:\d+: error: .*\[clang-diagnostic-", re.MULTILINE)


class Group(NamedTuple):
    """Files that are compiled with the same flags."""

    unit: Path  # the file that includes them all
    files: list[str]
    flags: tuple[str, ...]


def flags_of(command: str) -> tuple[str, ...]:
    """What a file is compiled with, without what only g++ knows, precompiled headers and how it is optimised."""
    words = iter(shlex.split(command)[1:])
    flags = []
    for word in words:
        if word in ("-o", "-c") or (word == "-include" and "cmake_pch" in command):
            next(words)
        elif word not in ("-Winvalid-pch", "-flive-range-shrinkage") and not word.startswith("-O"):
            flags.append(word)
    return tuple(flags)


def sources_of(file: str) -> list[str]:
    """The files that the build compiles as one (weft_unite), or the file itself."""
    if "/Unity/" not in file:
        return [file]
    return re.findall(r'^#include "(.*)"$', Path(file).read_text(), re.MULTILINE)


def groups(build: Path) -> Iterable[Group]:
    """The files of each folder of src, once for each way in which they are compiled; most files first."""
    found = defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for file in map(Path, sources_of(entry["file"])):
            if file.is_relative_to(ROOT / "src") and file.suffix == ".cpp":
                found[file.parent, flags_of(entry["command"])].append(str(file))
    # omp.h is that of the compiler that builds the project.
    include = subprocess.check_output(["g++", "-print-file-name=include"], text=True).strip()
    for_clang = (f"-idirafter{include}", "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument")
    in_order = sorted(found.items(), key=lambda group: -len(group[1]))
    for number, ((folder, flags), files) in enumerate(in_order):
        yield Group(build / "lint" / f"{folder.name}-{number}.cpp", sorted(files), flags + for_clang)


def run(source: str, flags: tuple[str, ...]) -> tuple[bool, str]:
    """Whether clang-tidy is content with a source file, and what it says of it."""
    command = ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", source, "--", *flags]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.returncode == 0, done.stdout


def tidy(group: Group) -> tuple[bool, str]:
    """The same of all files of a group."""
    unit, files, flags = group
    if len(files) == 1:
        return run(files[0], flags)
    unit.write_text("".join(f'#include "{file}"  // NOLINT(bugprone-suspicious-include)\n' for file in files))
    content, said = run(str(unit), flags)
    wrong = {str(Path(name).resolve()) for name in COMPILE_ERROR.findall(said)}
    if not wrong:
        return content, said
    clashing = sorted(wrong & set(files)) or files
    rest = [file for file in files if file not in clashing]
    results = [tidy(Group(unit, part, flags)) for part in [*([file] for file in clashing), rest] if part]
    return all(good for good, _ in results), "".join(text for _, text in results)


def main() -> int:
    """Tidies all groups, as many at once as there are cores."""
    build = Path(sys.argv[1])
    (build / "lint").mkdir(parents=True, exist_ok=True)
    good = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for content, said in pool.map(tidy, groups(build)):
            good = good and content
            print(said, end="")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
