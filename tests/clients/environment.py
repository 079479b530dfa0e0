"""A virtual environment for programs in Python: the packages of Weft's own, and others from PyPI beside them."""

import sys
import sysconfig
from pathlib import Path

from clients.contest import ClientError, Missing, run


def environment(scratch: Path) -> Path:
    """The Python of the environment, which is made if it is not there and sees what Weft's has installed."""
    python = scratch / "python" / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", str(python.parent.parent)], scratch)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        packages = python.parent.parent / "lib" / version / "site-packages"
        (packages / "weft-environment.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        # mpi4py's wheels take the MPI that lies in the environment, before any other.
        for library in (Path(sys.prefix) / "lib").glob("libmpi*"):
            (python.parent.parent / "lib" / library.name).symlink_to(library)
    return python


def install(python: Path, *requirements: str, options: tuple[str, ...] = (), env: dict[str, str] | None = None) -> None:
    """Installs packages from PyPI, or from a folder. Raises Missing if they cannot be."""
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "install"]
    try:
        run([*pip, *options, *requirements], python.parent, env)
    except ClientError as error:
        raise Missing.since(f"pip install {' '.join(requirements)} failed", error) from None


def version_of(python: Path, package: str) -> str:
    """The version of an installed package."""
    program = f"from importlib.metadata import version; print(version('{package}'))"
    return run([str(python), "-c", program], python.parent).strip()


def sdist(python: Path, requirement: str, scratch: Path) -> Path:
    """The folder with the unpacked sources of a package on PyPI, fetched if it is not there."""
    name, _, version = requirement.partition("==")
    folder = scratch / f"source-{name}-{version}"
    if not folder.is_dir():
        archives = scratch / f"sdist-{name}"
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps"]
        try:
            # The build back ends are installed beforehand, since pip asks them for the name of what it has fetched.
            run([*pip, "--no-build-isolation", "--no-binary", ":all:", "-d", str(archives), requirement], scratch)
        except ClientError as error:
            raise Missing.since(f"the sources of {requirement} cannot be had", error) from None
        (archive,) = archives.glob("*.tar.gz")
        folder.mkdir()
        run(["tar", "-xf", str(archive), "-C", str(folder), "--strip-components=1"], scratch)
    return folder
