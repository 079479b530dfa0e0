"""Whether a name means one thing in the whole library; exits with 1 where a type is defined twice and differently.

usage: tools/odr.py BUILD, where compile_commands.json is.

The files of a folder are compiled as one, and all of them linked once, by GCC's link-time optimiser: it alone sees the
types of all files. The lane kernels are left out: each instruction set has a namespace of its own.
"""

import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tidy import Group, groups

FOR_CLANG = ("-idirafter", "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument")


def compiled(sources: list[str], flags: tuple[str, ...], to: Path) -> bool:
    """Whether these compile as one file."""
    to.with_suffix(".cpp").write_text("".join(f'#include "{source}"\n' for source in sources))
    # Files that only a program of the tests compiles have its flags, and all are linked into a shared library.
    command = ["g++", *flags, "-fPIC", "-O0", "-flto", "-fno-fat-lto-objects", "-w", "-c", str(to.with_suffix(".cpp"))]
    return subprocess.run([*command, "-o", str(to)], stderr=subprocess.DEVNULL, check=False).returncode == 0


def objects(group: Group) -> list[Path]:
    """The objects of a group: one, or one for each file where names of files clash."""
    unit, files, all_flags = group
    flags = tuple(flag for flag in all_flags if not flag.startswith(FOR_CLANG))
    whole = unit.parent.parent / "odr" / f"{unit.stem}.o"
    if compiled(files, flags, whole):
        return [whole]
    alone = [whole.with_name(f"{unit.stem}-{Path(file).stem}.o") for file in files]
    if not all(compiled([file], flags, to) for file, to in zip(files, alone, strict=True)):
        sys.exit(f"odr: {unit.stem} does not compile: {shlex.join(['g++', *flags])}")
    return alone


def main() -> int:
    """Compiles all groups, as many at once as there are cores, and links them."""
    build = Path(sys.argv[1])
    (build / "odr").mkdir(parents=True, exist_ok=True)
    wanted = [group for group in groups(build) if Path(group.files[0]).parent.name != "kernels"]
    with ThreadPoolExecutor() as pool:
        found = [str(to) for some in pool.map(objects, wanted) for to in some]
    link = ["g++", "-shared", "-O0", "-flto=auto", "-Wodr", "-Werror=odr", "-o", str(build / "odr" / "all.so"), *found]
    done = subprocess.run(link, stderr=subprocess.PIPE, text=True, check=False)
    print(done.stderr, end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
