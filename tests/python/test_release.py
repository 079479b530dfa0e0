"""make release: what it refuses, the notes that it takes from the changelog, the sdist, and the README of packages."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "metadata"))
from pypi_readme import for_pypi  # noqa: E402

CHANGELOG = """\
# Changelog

## 1.3.0 (unreleased)
- Later.

## 1.2.0 (2026-12-01)
The second one.

### Solvers
- Faster.

## 1.1.0 (2026-11-01)
- Earlier.
"""
PROJECT = """\
[build-system]
requires = ["scikit-build-core>=0.10"]
build-backend = "scikit_build_core.build"

[project]
name = "weft-fft"
description = "A project"
readme = "README.md"
dynamic = ["version"]

[tool.scikit-build.metadata.version]
provider = "scikit_build_core.metadata.regex"
input = "CMakeLists.txt"
regex = 'project\\(weft VERSION (?P<value>[0-9.]+)'
"""
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


def git(folder, *words):
    who = {f"GIT_{role}_{what}": "someone" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, env={**os.environ, **who, **settings}, capture_output=True, check=True)


def commit(folder):
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A version")


@pytest.fixture
def project(tmp_path):
    """A repository of version 1.2.0, which can be released."""
    folder = tmp_path / "project"
    (folder / "tools").mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "release.py", folder / "tools")
    for name, text in {
        "pyproject.toml": PROJECT,
        "CMakeLists.txt": "project(weft VERSION 1.2.0 LANGUAGES NONE)\n",
        "README.md": "# A project\n",
        "CHANGELOG.md": CHANGELOG,
        ".gitignore": "/out/\n",
    }.items():
        (folder / name).write_text(text)
    git(folder, "init", "-q")
    commit(folder)
    git(folder, "tag", "v1.2.0")
    return folder


def release(folder, *options):
    command = [sys.executable, folder / "tools" / "release.py", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def refusal(folder):
    done = release(folder, "--dry-run")
    assert (done.returncode, done.stdout) == (1, ""), done.stdout
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_the_notes_are_the_entry_of_the_version(project):
    done = release(project, "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The second one.\n\n## Solvers\n- Faster.\nrelease: 1.2.0 can be made\n"
    assert not (project / "out").exists()


def test_a_tree_that_is_not_clean_is_refused(project):
    (project / "new.txt").write_text("")
    assert "The tree is not clean (new.txt)" in refusal(project)
    (project / "README.md").write_text("# Another\n")
    assert "The tree is not clean (README.md and 1 more)" in refusal(project)


def test_a_missing_or_older_tag_is_refused(project):
    git(project, "commit", "-q", "--allow-empty", "-m", "Later")
    assert "The tag v1.2.0 is at " in refusal(project)
    git(project, "tag", "-d", "v1.2.0")
    assert "There is no tag v1.2.0: make it by git tag -a v1.2.0." in refusal(project)


@pytest.mark.parametrize(
    ("version", "said"),
    [("1.2.1", "CHANGELOG.md has no entry for 1.2.1:"), ("1.3.0", "CHANGELOG.md has no date for 1.3.0:")],
)
def test_a_version_without_an_entry_or_its_date_is_refused(project, version, said):
    (project / "CMakeLists.txt").write_text(f"project(weft VERSION {version})\n")
    commit(project)
    git(project, "tag", f"v{version}")
    assert said in refusal(project)


def test_a_folder_without_git_is_refused(project):
    shutil.rmtree(project / ".git")
    assert "is not a git repository with a commit" in refusal(project)


def test_the_sdist_and_the_notes_are_made(project):
    pytest.importorskip("build")
    pytest.importorskip("twine")
    pytest.importorskip("scikit_build_core")
    (project / "out" / "release").mkdir(parents=True)
    (project / "out" / "release" / "weft_fft-1.1.0.tar.gz").write_text("of an earlier release")
    done = release(project)
    assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name for path in (project / "out" / "release").iterdir()}
    assert made == {"weft_fft-1.2.0.tar.gz", "notes.md"}
    with tarfile.open(project / "out" / "release" / "weft_fft-1.2.0.tar.gz") as archive:
        assert {"weft_fft-1.2.0/README.md", "weft_fft-1.2.0/CMakeLists.txt"} <= set(archive.getnames())
    assert (project / "out" / "release" / "notes.md").read_text() == "The second one.\n\n## Solvers\n- Faster.\n"


def test_wheels_are_taken_if_they_are_of_the_version(project):
    assert release(project, "--wheels").stderr.startswith("release: There are no wheels in out/wheels")
    (project / "out" / "wheels").mkdir(parents=True)
    (project / "out" / "wheels" / "weft_fft-1.1.0-cp311-cp311-linux_x86_64.whl").write_text("of an earlier version")
    done = release(project, "--wheels")
    assert done.returncode == 1 and "weft_fft-1.1.0-cp311-cp311-linux_x86_64.whl is in out/wheels" in done.stderr
    assert not (project / "out" / "release").exists()


def relative_links(text):
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if not re.match(r"https?:|mailto:|#", link)]


def test_the_readme_of_packages_has_no_relative_links():
    readme = (ROOT / "README.md").read_text()
    paths = relative_links(readme)
    assert len(paths) > 20 and relative_links(for_pypi(readme)) == []
    absolute = for_pypi(readme, "https://host/owner/weft/blob/v1.0.0/")
    assert relative_links(absolute) == []
    places = re.findall(r"https://host/owner/weft/(?:blob|raw)/v1\.0\.0/([^)#]+)", absolute)
    assert len(places) == len(paths) and all((ROOT / place).exists() for place in places)
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", absolute)
    assert len(pictures) == 2 and all("/raw/" in picture for picture in pictures)
    # Nothing else changes: headings, code and words are those of the README.
    assert re.findall(r"^#.*|^    .*", for_pypi(readme), re.M) == re.findall(r"^#.*|^    .*", readme, re.M)


def test_the_installed_package_has_that_readme():
    assert metadata("weft-fft")["Description"].strip() == for_pypi((ROOT / "README.md").read_text()).strip()
