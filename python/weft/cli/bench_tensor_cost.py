"""The cost of a tensor transform and an FFT of n^3 complex points on p^3 ranks of a network, in closed form.

Symbols: b = n / p points per axis and rank, w bytes per element, t_s seconds per message, t_w seconds per byte on the
link of a rank, r_gemm and r_fft flops per second and rank, c flops of a local update per b^4 (8 plain, 2 folded), m
messages per event (2: a block of the tensor and one of the matrix; 1 if ranks have their own matrices), and kappa, the
factor by which a byte takes longer when all ranks exchange with all ranks instead of with a neighbour.

    event   E = m t_s + w (b^3 + (m - 1) b^2) t_w
    update  U = c b^4 / r_gemm
    tensor  T = 3 (E + (p - 1) max(E, U) + U)        alignment, then events during updates, then the last update
    FFT     F = 5 n^3 log2(n^3) / (p^3 r_fft) + sum over exchanges of (k t_s + v w b^3 kappa t_w)

An exchange among q ranks takes k = q - 1 messages and v = (q - 1) / q blocks if every pair exchanges a message, and k =
ceil(log2 q) messages of half a block each if it is done in stages (Bruck et al. 1997). Pencils have two exchanges among
p^(3/2) ranks, slabs one among p^3 if there are as many planes.

If messages dominate (E > U, p > 1), the two terms of T are 3 m p t_s and 3 p w b^3 t_w. T is less than F of pencils
whose ranks exchange in pairs below the crossover

    b^3 = ((2 p^(3/2) - 3 m p - 2) t_s) / ((3 p - 2 kappa) w t_w - 15 log2(n) / r_fft)

This needs p > 9 (m = 2) or p > 3 (m = 1), since a step takes 3 m messages where an FFT takes two for each peer. In
stages an FFT needs 3 log2(p) messages, which is always fewer, with 1.5 kappa log2(p) blocks of bytes. Then the tensor
transform is faster only for kappa above 2 p / log2(p).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

UPDATE_FLOPS = {"plain": 8.0, "folded": 2.0}


@dataclass(frozen=True)
class Network:
    """The cost of messages."""

    t_s: float  # seconds per message
    t_w: float  # seconds per byte
    kappa: float = 1.0


@dataclass(frozen=True)
class Processor:
    """Flops per second and rank."""

    gemm: float  # of the local update
    fft: float  # of the FFT, 5 n log2 n per line


@dataclass(frozen=True)
class Method:
    """A variant of the tensor transform."""

    update_flops: float = UPDATE_FLOPS["folded"]  # per b^4
    messages: int = 2  # an event
    overlap: bool = True

    def event(self, block: float, network: Network, element_bytes: int) -> float:
        """The time in which neighbours exchange a block of a tensor and possibly one of a matrix, in seconds."""
        elements = block**3 + (self.messages - 1) * block**2
        return self.messages * network.t_s + element_bytes * elements * network.t_w

    def update(self, block: float, processor: Processor) -> float:
        """The time of a local update in seconds."""
        return self.update_flops * block**4 / processor.gemm

    def stage(self, event: float, update: float, ranks: int) -> float:
        """The time of one of the three products: `ranks` blocks in turn, each multiplied while the next one is sent."""
        if ranks == 1:
            return update
        together = max(event, update) if self.overlap else event + update
        return event + (ranks - 1) * together + update


@dataclass(frozen=True)
class Model:
    """A transform on a machine."""

    network: Network
    processor: Processor
    method: Method = Method()
    element_bytes: int = 16

    def tensor(self, block: float, p: int) -> float:
        """The time of the tensor transform of (p block)^3 points in seconds."""
        event = self.method.event(block, self.network, self.element_bytes)
        return 3 * self.method.stage(event, self.method.update(block, self.processor), p)

    def _exchange(self, block: float, ranks: float, staged: bool) -> float:
        """The time of an exchange of all data of a rank among so many ranks."""
        if ranks <= 1:
            return 0.0
        stages = math.ceil(math.log2(ranks))
        messages, volume = (stages, stages / 2) if staged else (ranks - 1, (ranks - 1) / ranks)
        net = self.network
        return messages * net.t_s + volume * self.element_bytes * block**3 * net.kappa * net.t_w

    def fft(self, block: float, p: int, staged: bool = False) -> float:
        """The time of the FFT of as many points on as many ranks, in slabs or pencils, whichever is faster."""
        n = p * block
        flops = 15 * block**3 * math.log2(n) / self.processor.fft if n > 1 else 0.0
        pencils = 2 * self._exchange(block, p**1.5, staged)
        slabs = self._exchange(block, p**3, staged) if p**3 <= n else math.inf
        return flops + min(pencils, slabs)

    def crossover(self, p: int, n: int) -> float:
        """The crossover: the tensor transform is faster below so many points per axis and rank.

        It is 0 if the tensor transform takes as many messages as the FFT, infinity if its bytes cost no more.
        """
        saved = (2 * p**1.5 - 3 * self.method.messages * p - 2) * self.network.t_s
        if saved <= 0:
            return 0.0
        per_byte = (3 * p - 2 * self.network.kappa) * self.element_bytes * self.network.t_w
        extra = per_byte - 15 * math.log2(n) / self.processor.fft
        return (saved / extra) ** (1 / 3) if extra > 0 else math.inf

    def winning(self, p: int, blocks: Sequence[int], staged: bool) -> list[int]:
        """The given block sizes for which T < F in the full model."""
        return [b for b in blocks if self.tensor(b, p) < self.fft(b, p, staged)]

    def scaling(self, n: int, meshes: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The times of n^3 points on p^3 ranks by each method, for each p that leaves every rank a point."""
        for p in meshes:
            if p <= n:
                yield {
                    "p": p,
                    "ranks": p**3,
                    "block": n / p,
                    "tensor": self.tensor(n / p, p),
                    "fft_pairs": self.fft(n / p, p),
                    "fft_stages": self.fft(n / p, p, True),
                }
