"""Writes the pages of docs/reference, which git ignores: what headers, package and commands say of themselves."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import command_line
import fortran_page
import weft

HERE = Path(__file__).parent
DOCS = HERE.parent
ROOT = DOCS.parent
PAGES = DOCS / "reference"

# Headers in the order in which they are read, with the words of their headings.
CPP = {
    "plan.hpp": "Plans",
    "options.hpp": "Options of plans",
    "kind.hpp": "Kinds of transforms",
    "field.hpp": "Fields",
    "poisson.hpp": "Poisson solvers",
    "variable_poisson.hpp": "Coefficients that vary",
    "vector_poisson.hpp": "Vector fields",
    "boundary.hpp": "Boundaries",
    "green.hpp": "Kernels",
    "redistribution.hpp": "Redistribution",
    "halo.hpp": "Halos",
    "particle_mesh.hpp": "Particles",
    "tensor.hpp": "Tensor transforms",
    "tuning.hpp": "Tuning",
    "io.hpp": "Files",
    "checkpoint.hpp": "Checkpoints",
    "workspace.hpp": "Workspaces",
    "layout.hpp": "Layouts",
    "partition.hpp": "Partitions",
    "box.hpp": "Boxes",
    "comm.hpp": "Communicators",
    "error.hpp": "Errors",
}
# Classes of Python that come before the others.
PYTHON = (
    *("Plan", "Poisson", "VariablePoisson", "VectorPoisson", "Field"),
    *("Redistribution", "Halo", "ParticleMesh", "TensorDft"),
)
# Modules beside the package itself.
MODULES = {"weft.scipy_backend": "Backend of scipy.fft", "weft.compat.mpi4py_fft": "Scripts for mpi4py-fft"}


def write_all(build: Path) -> None:
    """Writes every page; Doxygen's files go to `build`."""
    run_doxygen(build)
    PAGES.mkdir(exist_ok=True)
    written = {"cpp.md": cpp(), "python.md": python(), "command_line.md": command_line.page(), "readme.md": readme()}
    if (ROOT / "include/weft.h").exists():
        parts = "weft.h", "chebyshev.h", "halo.h", "particles.h", "tensor.h", "variable.h"
        written["c.md"] = "# C\n\n`#include <weft.h>`\n\n" + "".join(map(header, parts))
    if (ROOT / "src/fortran").exists():
        members = ["-DOUT=" + str(build / "fortran"), "-P", str(ROOT / "cmake/FortranMembers.cmake")]
        subprocess.run(["cmake", *members], check=True)
        written["fortran.md"] = fortran_page.page(ROOT / "src/fortran", build / "fortran")
    for name, text in written.items():
        path = PAGES / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in PAGES.glob("*.md"):
        if path.name not in written:
            path.unlink()


def run_doxygen(build: Path) -> None:
    """Doxygen's XML of the public headers, in build/xml."""
    build.mkdir(parents=True, exist_ok=True)
    filtering = f"{sys.executable} {HERE / 'doxygen_filter.py'}"
    environment = {**os.environ, "WEFT_OUTPUT": str(build), "WEFT_FILTER": filtering}
    try:
        subprocess.run(["doxygen", str(DOCS / "Doxyfile")], cwd=ROOT, env=environment, check=True)
    except FileNotFoundError:
        raise SystemExit("docs: there is no doxygen; make docs installs it (Debian: doxygen)") from None
    for path in (build / "xml").glob("*.xml"):
        # Headings say what to include; Breathe would link to pages of files, which there are not.
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\s*<includes .*?</includes>", "", text), encoding="utf-8")


def cpp() -> str:
    """The C++ reference: one section a header, those that are not named in CPP last."""
    others = sorted(path.name for path in (ROOT / "include/weft").glob("*.hpp") if path.name not in {*CPP, "weft.hpp"})
    parts = [(title, name) for name, title in CPP.items() if (ROOT / "include/weft" / name).exists()]
    parts += [(name.removesuffix(".hpp").replace("_", " ").capitalize(), name) for name in others]
    intro = "Everything is in the namespace `weft`; `#include <weft/weft.hpp>` has all of it.\n"
    sections = [f"\n## {title}\n`#include <weft/{name}>`\n\n{header(name)}" for title, name in parts]
    return "".join(["# C++\n\n", intro, *sections])


def header(name: str) -> str:
    """A directive that shows what Doxygen knows of a header."""
    return f"```{{doxygenfile}} {name}\n:project: weft\n```\n"


def python() -> str:
    """The Python reference: classes, functions and errors of weft.__all__."""
    objects = {name: getattr(weft, name) for name in weft.__all__ if not name.startswith("__")}
    objects = {name: each for name, each in objects.items() if not inspect.ismodule(each)}
    errors = [name for name, each in objects.items() if inspect.isclass(each) and issubclass(each, Exception)]
    classes = [name for name, each in objects.items() if inspect.isclass(each) and name not in errors]
    classes.sort(key=lambda name: PYTHON.index(name) if name in PYTHON else len(PYTHON))
    functions = [name for name in objects if name not in errors + classes]
    lines = ["# Python", "", "```{eval-rst}", ".. automodule:: weft", "```", ""]
    for title, kind, names in (
        ("Classes", "autoclass", classes),
        ("Functions", "autofunction", functions),
        ("Errors", "autoexception", errors),
    ):
        lines += [f"## {title}", ""]
        for name in names:
            options = ["   :members:", "   :inherited-members: Exception"] if kind == "autoclass" else []
            lines += [f"### {name}", "", "```{eval-rst}", f".. {kind}:: weft.{name}", *options, "```", ""]
    for module, title in MODULES.items():
        if (ROOT / "python" / f"{module.replace('.', '/')}.py").exists():
            lines += [f"## {title}", "", "```{eval-rst}", f".. automodule:: {module}", "   :members:", "```", ""]
    return "\n".join(lines)


def readme() -> str:
    """The README, its links as they are from docs/reference."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\[([^\]]+)\]\(\w+\.md\)", r"\1", text)  # pages beside it are not part of the site
    text = re.sub(r"\]\(docs/", "](../", text)
    return re.sub(r"\]\((?!\.\./|https?:|#)", "](../../", text)
