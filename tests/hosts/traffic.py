"""On every rank of several hosts: what exchanges put on the cables, beside what explain() says. Rank 0 prints JSON.

usage: mpiexec ... python traffic.py NX NY NZ
"""

import json
import re
import sys
import time
from pathlib import Path

import weft
from mpi4py import MPI

TRANSFORMS = 4
# Ethernet, IP and TCP with time stamps, for each segment of at most 1500 bytes with IP and TCP: 1448 of data.
HEADER, SEGMENT = 66, 1448
# MPI libraries cut long messages into fragments of 8 KB or more, with at most so many bytes of their own each.
FRAGMENT, FRAGMENT_HEADER = 8192, 64
# Requests and answers before a long message, with their headers and acknowledgements; barriers around all.
MESSAGE, BARRIERS = 1024, 32 << 10


def counters() -> tuple[int, int]:
    """Bytes that this host has sent, and segments that it had to send again."""
    sent = int(Path("/sys/class/net/eth0/statistics/tx_bytes").read_text())
    names, values = (line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line[:4] == "Tcp:")
    return sent, int(values[names.index("RetransSegs")])


def told(text: str) -> int | None:
    """Bytes to other hosts, as explain() has them; None where a strategy passes on what others send."""
    whole = re.sub(r"\n {4,}(?=\S)", " ", text)  # explain() breaks long lines
    exchanges = [line for line in whole.splitlines() if " MB sent" in line]
    parts = [re.search(r"([\d.e+-]+) MB to other nodes", line) for line in exchanges]
    return None if None in parts or not parts else round(sum(float(part[1]) for part in parts if part) * 1e6)


def settled(comm: MPI.Intracomm) -> tuple[int, int]:
    """The counters when everything has arrived and has been acknowledged, late by at most 40 ms."""
    comm.Barrier()
    time.sleep(0.1)
    found = counters()
    comm.Barrier()
    return found


def measure(comm: MPI.Intracomm, shape: tuple[int, ...], strategy: str) -> dict[str, object]:
    """One strategy: bytes told and sent, of all hosts, and the bounds that follow from headers."""
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    plan = weft.Plan(shape, "r2c", strategy=strategy)
    points, modes = plan.physical(), plan.spectral()
    points[...] = comm.rank + 1
    plan.forward(points, out=modes)
    before = settled(comm)
    seconds = []
    for _ in range(TRANSFORMS):
        comm.Barrier()
        begin = time.perf_counter()
        plan.forward(points, out=modes)
        seconds.append(comm.allreduce(time.perf_counter() - begin, MPI.MAX))
    after = settled(comm)
    here = told(plan.explain())
    mine = node.allreduce(-1 if here is None else here * TRANSFORMS)
    leader = node.rank == 0
    hosts = comm.gather((mine, after[0] - before[0], after[1] - before[1]) if leader else None)
    row: dict[str, object] = {"strategy": plan.strategy, "ms": min(seconds) * 1e3, "ok": True}
    if comm.rank != 0 or here is None:
        return row
    found = [host for host in hosts if host is not None]
    data, wire = sum(host[0] for host in found), sum(host[1] for host in found)
    again = sum(host[2] for host in found) * (SEGMENT + HEADER)
    messages = TRANSFORMS * comm.size * comm.size * 2
    # Every byte is a byte of a segment, and as many segments arrive and are acknowledged as are sent.
    most = data * (1 + 2 * HEADER / SEGMENT + FRAGMENT_HEADER / FRAGMENT) + messages * MESSAGE + BARRIERS + again
    return row | {"told": data, "wire": wire, "most": round(most), "again": again, "ok": data <= wire <= most}


def main() -> None:
    """All strategies that send messages."""
    shape = tuple(map(int, sys.argv[1:]))
    comm = MPI.COMM_WORLD
    names = [name for name in weft.strategies() if name not in ("auto", "shared")]
    rows = [measure(comm, shape, name) for name in names]
    if comm.rank == 0:
        print(json.dumps(rows))


main()
