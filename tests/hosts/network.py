"""Several hosts on one machine: Linux namespaces with a network, a name, processes and a /dev/shm of their own.

A switch connects them; every host has a cable to it, whose speed tc limits. The front end, where launchers run, has one
too. Hosts share the file system with this machine but for what private() hides. Nothing outside the namespaces is
touched, and they end with this process, however it ends.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

HERE = Path(__file__).resolve().parent
_NET = "10.77.0"
_FRONT = "254"
_TOOLS = ("unshare", "nsenter", "ip", "tc", "taskset")
_PR_SET_PDEATHSIG = 1


def obstacle() -> str:
    """Why there can be no hosts here, for people; empty: there can."""
    if os.uname().sysname != "Linux":
        return f"namespaces are Linux's, and this is {os.uname().sysname}"
    if os.geteuid() != 0:
        return "network namespaces need root; run it as root (sudo make hosts)"
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        return f"missing: {', '.join(missing)} (Debian: iproute2, util-linux)"
    tried = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else f"namespaces are forbidden here: {tried.stderr.strip()}"


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Network:
    """Hosts h1, h2, ... and the front end; a context manager that removes them."""

    def __init__(self, count: int, rate: str, cores: Sequence[Sequence[int]] = ()) -> None:
        """Starts `count` hosts.

        rate   of every cable in either direction, as tc takes it ("1gbit")
        cores  of this machine that each host is tied to; none: all
        """
        self.names = [f"h{i + 1}" for i in range(count)]
        self._folder = Path(tempfile.mkdtemp(prefix="weft-hosts-"))
        self._started: list[subprocess.Popen[bytes]] = []
        lines = ["127.0.0.1 localhost", f"{_NET}.{_FRONT} front"]
        lines += [f"{_NET}.{i + 1} {name}" for i, name in enumerate(self.names)]
        (self._folder / "etc-hosts").write_text("\n".join(lines) + "\n")
        try:
            self._start("front", f"{_NET}.{_FRONT}/24")
            for i, name in enumerate(self.names):
                tied = ",".join(map(str, cores[i])) if i < len(cores) else ""
                self._start(name, f"{_NET}.{i + 1}/24", f"taskset -c {tied}" if tied else "")
                self._plug_in(name, f"{_NET}.{i + 1}/24")
            self.set_rate(rate)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Network":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Removes all hosts, with everything that runs on them."""
        for process in self._started:
            process.kill()
        for process in self._started:
            process.wait()
        self._started.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    # --- what can be done to a host ---------------------------------------------------------------------------------

    def set_rate(self, rate: str) -> None:
        """Another speed of all cables. The queues hold 20 ms, as those of a small switch."""
        for name in self.names:
            for place, device in ((name, "eth0"), ("front", _cable(name))):
                shaped = f"tc qdisc replace dev {device} root tbf rate {rate} burst 128kb latency 20ms"
                self._inside(place, shaped.split())

    def cable(self, host: str, *, plugged: bool) -> None:
        """Pulls a host's cable, or puts it back."""
        self._inside("front", ["ip", "link", "set", _cable(host), "up" if plugged else "down"])

    def private(self, host: str, folder: Path) -> None:
        """From now on the host has an empty folder of its own there, as with a disk that is not shared."""
        self._inside(host, ["mount", "-t", "tmpfs", "tmpfs", str(folder)])

    def power_off(self, host: str) -> None:
        """Everything on the host ends at once, and so does its side of the cable. No connection is closed."""
        self.cable(host, plugged=False)
        os.kill(self._pid(host), signal.SIGKILL)

    def setting(self, name: str, value: str) -> None:
        """A setting of the kernel (sysctl net....) on all hosts and the front end."""
        path = Path("/proc/sys") / name.replace(".", "/")
        for place in ("front", *self.names):
            self._inside(place, ["sh", "-c", f"echo {value} > {path}"])

    def bytes_sent(self) -> dict[str, int]:
        """What every host has put on its cable so far, all headers included."""
        counter = "/sys/class/net/eth0/statistics/tx_bytes"
        return {name: int(self._inside(name, ["cat", counter])) for name in self.names}

    # --- programs ---------------------------------------------------------------------------------------------------

    def launcher(
        self, mpi: str, ranks: Sequence[int], exported: Iterable[str] = (), *, watched: bool = False
    ) -> list[str]:
        """The start of a command that runs a program on so many ranks of each host, in order, under this MPI.

        exported  names of variables that ranks are to have, which Open MPI wants to be told
        watched   with what docs/install.md recommends against hosts that are lost
        """
        places = ",".join(f"{name}:{n}" for name, n in zip(self.names, ranks, strict=False))
        number = ["-n", str(sum(ranks))]
        agent = str(HERE / "launch.sh")
        if mpi == "mpich" and watched:
            agent = str(HERE.parents[1] / "tools" / "ssh-watched")
        if mpi == "mpich":
            where = ["-launcher", "ssh", "-launcher-exec", agent, "-localhost", f"{_NET}.{_FRONT}", "-hosts", places]
            return ["mpiexec.mpich", *where, *number]
        settings = {
            "plm_rsh_agent": agent,
            "plm_rsh_no_tree_spawn": "1",
            "btl": "self,vader,tcp",
            "btl_tcp_if_include": f"{_NET}.0/24",
            "oob_tcp_if_include": f"{_NET}.0/24",
            "mpi_yield_when_idle": "1",
        }
        if watched:
            settings |= {f"oob_tcp_keepalive_{name}": str(n) for name, n in (("time", 5), ("intvl", 2), ("probes", 3))}
        words = [word for item in settings.items() for word in ("--mca", *item)]
        return [
            "mpiexec.openmpi",
            "--allow-run-as-root",
            "--oversubscribe",
            *words,
            *(word for name in exported for word in ("-x", name)),
            "--host",
            places,
            *number,
        ]

    def launcher_environment(self, mpi: str) -> dict[str, str]:
        """The same for launchers that others start on the front end, with hosts of their own."""
        agent = str(HERE / "launch.sh")
        if mpi == "mpich":
            return {"HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": agent}
        settings = {"plm_rsh_agent": agent, "plm_rsh_no_tree_spawn": "1", "btl_tcp_if_include": f"{_NET}.0/24"}
        return {f"OMPI_MCA_{name}": value for name, value in settings.items()}

    def start(
        self, command: Sequence[str], environment: dict[str, str] | None = None, **keywords: object
    ) -> subprocess.Popen[str]:
        """Starts a command on the front end, in a process group of its own."""
        # Launchers have to find the hosts, so they stay in the namespaces of this process for files and processes.
        inside = ["nsenter", "-t", str(self._pid("front")), "-n", "-u", "--", *command]
        environ = {**os.environ, **(environment or {}), "WEFT_HOSTS": str(self._folder)}
        return subprocess.Popen(
            inside,
            env=environ,
            text=True,
            stdin=subprocess.DEVNULL,
            preexec_fn=_die_with_parent,
            start_new_session=True,
            **keywords,  # type: ignore[call-overload]
        )

    def run_until(
        self, command: Sequence[str], limit: float, said: str, patience: float, environment: dict[str, str]
    ) -> tuple[int | None, str, float]:
        """As run(), but a command that has said something and does not end is ended when patience is over."""
        begin, heard = time.monotonic(), 0.0
        with tempfile.NamedTemporaryFile("w") as words:
            log = Path(words.name)
            process = self.start(command, environment, stdout=words, stderr=subprocess.STDOUT)
            while process.poll() is None and time.monotonic() - begin < limit:
                time.sleep(0.5)
                if not heard and said in log.read_text(errors="replace"):
                    heard = time.monotonic()
                if heard and time.monotonic() - heard > patience:
                    break
            status = process.poll()
            if status is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return status, log.read_text(errors="replace"), (heard or time.monotonic()) - begin

    def run(
        self, command: Sequence[str], limit: float, environment: dict[str, str] | None = None
    ) -> tuple[int | None, str, float]:
        """Runs a command on the front end: its status (None: longer than `limit` seconds), all it said, and seconds."""
        begin = time.monotonic()
        process = self.start(command, environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        status: int | None = None
        try:
            text = process.communicate(timeout=limit)[0]
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text = process.communicate()[0]
        return status, text, time.monotonic() - begin

    # --- parts ------------------------------------------------------------------------------------------------------

    def _start(self, name: str, address: str, prefix: str = "") -> None:
        kinds = ("--net", "--uts", "--ipc", "--mount", "--pid")
        command = ["unshare", *kinds, "--fork", "--mount-proc", "--propagation", "private", "--kill-child"]
        log = self._folder / f"{name}.log"
        with log.open("wb") as words:
            process = subprocess.Popen(
                [*command, str(HERE / "host.sh"), str(self._folder), name, address],
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                preexec_fn=_die_with_parent,
            )
        self._started.append(process)
        (self._folder / f"{name}.prefix").write_text(prefix)
        ready = self._folder / f"{name}.ready"
        for _ in range(400):
            if ready.exists():
                break
            if process.poll() is not None:
                raise RuntimeError(f"host {name} did not start: {log.read_text().strip()}")
            time.sleep(0.05)
        else:
            raise RuntimeError(f"host {name} was not ready within 20 s: {log.read_text().strip()}")
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        (self._folder / f"{name}.pid").write_text(children[0])

    def _plug_in(self, name: str, address: str) -> None:
        cable = _cable(name)
        pair = f"ip link add {cable} type veth peer name eth0 netns {self._pid(name)}"
        # The cable is made in the namespace of the switch, so this machine's own network never sees it.
        subprocess.run(["nsenter", "-t", str(self._pid("front")), "-n", "--", *pair.split()], check=True)
        self._inside("front", ["ip", "link", "set", cable, "master", "br0", "up"])
        self._inside(name, ["ip", "addr", "add", address, "dev", "eth0"])
        self._inside(name, ["ip", "link", "set", "eth0", "up"])
        # Some machines have bbr by default, which is slow to find out what a short cable can do.
        self._inside(name, f"ip route replace {_NET}.0/24 dev eth0 congctl cubic".split())

    def _pid(self, name: str) -> int:
        return int((self._folder / f"{name}.pid").read_text())

    def _inside(self, name: str, command: Sequence[str]) -> str:
        enter = ["nsenter", "-t", str(self._pid(name)), "-n", "-u", "-i", "-m", "-p", "--"]
        done = subprocess.run([*enter, *command], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {' '.join(command)}: {done.stderr.strip()}")
        return done.stdout


def _cable(host: str) -> str:
    return f"to-{host}"
