"""SIGKILL of a rank at random moments: the job ends, files are whole, and nothing of Weft's stays in /dev/shm."""

import argparse
import glob
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from weft.launch import own_launcher

# A job that has lost a rank ends in so many seconds.
LIMIT = 20
# Starting ranks, on a machine that does other things.
START = 120
# Ranks that wait give their core away.
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "OMPI_MCA_mpi_yield_when_idle": "1", "WEFT_MACHINE": ""}
# Rank 0 ends itself, at a moment that a signal from outside would hardly meet.
BY_ITSELF = "between name and memory"
KINDS = (
    BY_ITSELF,
    "plan",
    "in place",
    "tune",
    "solve",
    "shared solve",
    "save",
    "checkpoint",
    "packed checkpoint",
    "series",
    "plot",
)


def end_all(process: subprocess.Popen[bytes]) -> None:
    """Ends a job that was started in a session of its own, all of its ranks."""
    for pid in [*ranks_of(process.pid).values(), process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
    process.wait()


def ranks_of(launcher: int) -> dict[int, int]:
    """Process ids of the ranks below a launcher, by rank."""
    found: dict[int, int] = {}
    todo = [launcher]
    while todo:
        pid = todo.pop()
        try:
            for children in glob.glob(f"/proc/{pid}/task/*/children"):
                todo += [int(child) for child in Path(children).read_text().split()]
            for item in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                name, _, value = item.partition(b"=")
                if name in (b"PMI_RANK", b"OMPI_COMM_WORLD_RANK"):
                    found.setdefault(int(value), pid)
        except (OSError, ValueError):
            continue
    return found


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _ours() -> set[str]:
    """What Weft has in the memory of the node of processes that are gone; others on this machine may use it, too."""
    names = (name for name in os.listdir("/dev/shm") if name.startswith("weft-"))
    return {name for name in names if not _alive(int(name.split("-")[1]))}


def _started(kind: str, folder: Path, options: argparse.Namespace) -> subprocess.Popen[bytes]:
    launcher = own_launcher()
    script = [sys.executable, "-m", "fuzz.faults.victim", kind, str(folder)]
    command = launcher.command(options.ranks, ["env", f"LD_PRELOAD={options.preloads}", *script])
    environment = launcher.environ() | ENVIRONMENT
    with open(folder / "output", "wb") as output:
        return subprocess.Popen(command, env=environment, stdout=output, stderr=output, start_new_session=True)


def _ended(process: subprocess.Popen[bytes], pids: dict[int, int]) -> float:
    """Seconds until the launcher and all ranks have ended; LIMIT where they have not."""
    begin = time.monotonic()
    while process.poll() is None or any(map(_alive, pids.values())):
        if time.monotonic() - begin > LIMIT:
            return LIMIT
        time.sleep(0.05)
    return time.monotonic() - begin


def _killed(kind: str, folder: Path, options: argparse.Namespace, choose: random.Random) -> dict[str, str]:
    """One job, of which one rank is killed."""
    process = _started(kind, folder, options)
    begin = time.monotonic()
    while not (folder / "ready").exists() and time.monotonic() - begin < START and process.poll() is None:
        time.sleep(0.02)
    pids = ranks_of(process.pid)
    victim = 0
    if kind != BY_ITSELF:
        victim = choose.randrange(options.ranks)
        time.sleep(choose.uniform(0, 1.5))
    facts = {"operation": kind, "fault": "SIGKILL", "outcome": "lost", "breach": "", "where": f"rank {victim}"}
    try:
        if kind != BY_ITSELF:
            os.kill(pids[victim], signal.SIGKILL)
    except (KeyError, OSError):
        said = (folder / "output").read_text(errors="replace")[-2000:]
        facts["breach"] = f"the job had ended before: {said}"
    seconds = _ended(process, pids)
    left = [rank for rank, pid in pids.items() if _alive(pid)]
    end_all(process)
    if seconds >= LIMIT:
        facts["breach"] = facts["breach"] or f"the job had not ended after {LIMIT} s; ranks alive: {left}"
    return facts | {"outcome": f"job ended in {int(seconds) + 1} s"}


def _checked(folder: Path) -> str:
    """What is wrong with the files, by a new start, which removes what is left in the memory of the node."""
    launcher = own_launcher()
    command = launcher.command(2, [sys.executable, "-m", "fuzz.faults.victim", "check", str(folder)])
    done = subprocess.run(command, env=launcher.environ(), capture_output=True, text=True, timeout=120, check=False)
    return "" if done.returncode == 0 else f"the files are not whole: {done.stdout}{done.stderr}"


def trials(_: str, seconds: float, options: argparse.Namespace) -> list[dict[str, str]]:
    """Job after job, kind after kind, until the time is over."""
    choose = random.Random(options.seed)
    kinds = [kind for kind in KINDS if re.search(options.only, kind)]
    end = time.monotonic() + seconds
    found: list[dict[str, str]] = []
    while time.monotonic() < end and kinds and (not options.rounds or len(found) < options.rounds * len(kinds)):
        kind = kinds[len(found) % len(kinds)]
        before = _ours()
        with tempfile.TemporaryDirectory(prefix="weft-faults-") as name:
            facts = _killed(kind, Path(name), options, choose)
            facts["breach"] = facts["breach"] or _checked(Path(name))
        if left := _ours() - before:
            facts["breach"] = facts["breach"] or f"/dev/shm still has {sorted(left)}"
        found.append(facts)
    return found
