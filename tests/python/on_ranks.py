"""Runs a script on several ranks."""

import subprocess
import sys
import textwrap
from pathlib import Path

from weft.launch import own_launcher


def on_ranks(ranks: int, script: str, folder: Path) -> str:
    """What the ranks printed, without the line end; an AssertionError with their words when one of them failed."""
    path = folder / "ranks.py"
    path.write_text(textwrap.dedent(script))
    launcher = own_launcher()
    # mpi4py ends all ranks when one has failed; by itself it would leave the others waiting for it.
    command = launcher.command(ranks, [sys.executable, "-m", "mpi4py", str(path)])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()
