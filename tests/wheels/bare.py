"""The trial of a wheel on a bare Debian machine: a folder made by debootstrap with python3-venv and no compiler.

It needs root. The folder is build-wheel/bare and is kept, with what pip has fetched: the installation that is timed is
the second one, in a new virtual environment. What is mounted there for a command is gone with the command.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from trial import ROOT, Environment, Failed, Trial

RELEASE = "bookworm"  # that of the Python which run.py names
DEBIAN = ROOT / "build-wheel" / "bare"
MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"


def make_debian() -> None:
    """The folder, with this machine's settings of pip and its certificates."""
    shutil.rmtree(DEBIAN, ignore_errors=True)
    DEBIAN.parent.mkdir(parents=True, exist_ok=True)
    words = ["debootstrap", "--variant=minbase", "--include=python3-venv,ca-certificates", RELEASE, str(DEBIAN), MIRROR]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{shlex.join(words)}: {done.stdout[-2000:]}")
    for name in ("etc/pip.conf", CERTIFICATES, "etc/resolv.conf"):
        if Path("/", name).exists():
            shutil.copy(Path("/", name), DEBIAN / name)
    (DEBIAN / ".ready").touch()


class BareTrial(Trial):
    """A virtual environment on the bare machine."""

    @staticmethod
    def missing(given: Environment) -> str:
        if os.geteuid() != 0 or shutil.which("debootstrap") is None:
            return "needs root and debootstrap"
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            return "this machine lets nobody mount"
        return "" if given.wheel else "no wheel for it here"

    def make(self) -> None:
        if not (DEBIAN / ".ready").exists():
            make_debian()
        self.seen = Path("/root/environment")
        self.folder = DEBIAN / self.seen.relative_to("/")
        self.environ |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        self.environ |= {"HOME": "/root", "PIP_CERT": f"/{CERTIFICATES}"}
        self.environ["PATH"] = f"{self.seen}/bin:/usr/bin:/bin:/usr/sbin"

    def make_anew(self) -> None:
        """A new virtual environment and the wheel beside it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.run("environment", "/usr/bin/python3", "-m", "venv", self.seen)
        shutil.copy(self.given.wheel, self.folder)

    def command(self, program: str, words: list[str]) -> list[str]:
        mounts = [f"mount --rbind /{name} {shlex.quote(str(DEBIAN / name))}" for name in ("proc", "sys", "dev")]
        inside = f"cd {self.seen} && exec {shlex.join([str(self.seen / 'bin' / program), *words])}"
        outside = shlex.join(["exec", "chroot", str(DEBIAN), "sh", "-c", inside])
        return ["unshare", "--mount", "sh", "-c", " && ".join([*mounts, outside])]

    def install(self) -> None:
        """Installs twice: what pip fetches from elsewhere is there for the second time."""
        packages = [self.seen / self.given.wheel.name, self.given.package]
        for _ in range(2):
            self.make_anew()
            self.run("install", "pip", "--disable-pip-version-check", "install", "-q", *packages)
