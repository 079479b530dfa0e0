"""Makes the release of the version in CMakeLists.txt: its sdist and its notes, in out/release.

usage: tools/release.py [--wheels] [--dry-run]

--wheels   also takes the wheels that make wheels has built
--dry-run  checks the tree, the tag and the changelog, prints the notes, and makes nothing

The tree has to be clean, the commit to have the tag of the version (v0.1.0), and CHANGELOG.md a dated entry for it. The
sdist is checked by twine; nothing is uploaded. The exit status is 1, with one sentence, where something is not so.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "out" / "release"


class Refusal(Exception):
    """The release cannot be made; the text is one sentence."""


def git(*words: str) -> str:
    """What git prints, or an empty text where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def version() -> str:
    """The version of the project, found as the build back end finds it."""
    rule = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]["metadata"]["version"]
    found = re.search(rule["regex"], (ROOT / rule["input"]).read_text())
    if found is None:
        raise Refusal(f"{rule['input']} has no version that matches {rule['regex']}.")
    return found["value"]


def check_tree() -> None:
    if not git("rev-parse", "HEAD"):
        raise Refusal(f"{ROOT} is not a git repository with a commit: a release is made from one.")
    if changed := git("status", "--porcelain").splitlines():
        name = changed[0].split(maxsplit=1)[1]
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise Refusal(f"The tree is not clean ({name}{more}): commit, remove or ignore what differs.")


def check_tag(tag: str) -> None:
    tagged = git("rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{commit}}")
    if not tagged:
        raise Refusal(f"There is no tag {tag}: make it by git tag -a {tag}.")
    if tagged != git("rev-parse", "HEAD"):
        raise Refusal(f"The tag {tag} is at {tagged[:10]}, not at this commit: check out the tag or raise the version.")


def notes(release: str) -> str:
    """The entry of a version in CHANGELOG.md without its heading, with the headings inside raised by one level."""
    text = (ROOT / "CHANGELOG.md").read_text()
    entry = re.search(rf"^## {re.escape(release)}(?: \(([^)\n]*)\))?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if entry is None or not entry[2].strip():
        raise Refusal(f"CHANGELOG.md has no entry for {release}: write one with the heading ## {release} (YYYY-MM-DD).")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", entry[1] or ""):
        raise Refusal(f"CHANGELOG.md has no date for {release}: let its heading be ## {release} (YYYY-MM-DD).")
    return re.sub(r"^###", "##", entry[2].strip(), flags=re.MULTILINE) + "\n"


def run(*words: str | Path) -> None:
    """Runs a module of this Python; the time of the commit makes the sdist the same wherever it is built."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": git("show", "-s", "--format=%ct", "HEAD")}
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=environment, check=False)
    if done.returncode != 0:
        raise Refusal(f"python -m {' '.join(map(str, words))} failed.")


def built_wheels(release: str) -> list[Path]:
    """The wheels of make wheels, which have to be of this version."""
    wheels = sorted((ROOT / "out" / "wheels").glob("*.whl"))
    if not wheels:
        raise Refusal("There are no wheels in out/wheels: build them by make wheels, and try them by make test-wheels.")
    for wheel in wheels:
        if wheel.name.split("-")[1] != release:
            raise Refusal(f"{wheel.name} is in out/wheels, but the version is {release}: run make wheels anew.")
    return wheels


def make(release: str, text: str, *, wheels: bool) -> None:
    taken = built_wheels(release) if wheels else []
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    run("build", "--sdist", "--no-isolation", "--outdir", OUT)
    (sdist,) = OUT.glob("*.tar.gz")
    if not sdist.name.endswith(f"-{release}.tar.gz"):
        raise Refusal(f"The sdist is called {sdist.name}, but the version is {release}.")
    for wheel in taken:
        shutil.copy(wheel, OUT)
    run("twine", "check", "--strict", sdist, *OUT.glob("*.whl"))
    (OUT / "notes.md").write_text(text)
    print(
        f"release: {sdist.relative_to(ROOT)}, {len(taken)} wheels and {(OUT / 'notes.md').relative_to(ROOT)} are ready"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/release.py", description="Makes the sdist and the notes of a release.")
    parser.add_argument("--wheels", action="store_true", help="also take the wheels that make wheels has built")
    parser.add_argument("--dry-run", action="store_true", help="check, print the notes, and make nothing")
    options = parser.parse_args()
    try:
        release = version()
        text = notes(release)
        check_tree()
        check_tag(f"v{release}")
        if options.dry_run:
            print(text, end="")
            print(f"release: {release} can be made")
        else:
            make(release, text, wheels=options.wheels)
    except Refusal as refusal:
        print(f"release: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
