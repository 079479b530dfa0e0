"""What a tensor transform and an FFT of n^3 complex points on p^3 ranks cost on a network: a closed form.

Symbols: b = n / p points per axis and rank, w bytes an element, t_s seconds a message, t_w seconds a byte over the link
of a rank, r_gemm and r_fft flops per second and rank, c flops of a local update per b^4 (8 plain, 2 folded), m messages
an event (2: a block of the tensor and one of the matrix; 1 where ranks have their own matrices), and kappa, how many
times longer a byte takes when all ranks exchange with all instead of with a neighbour.

    event   E = m t_s + w (b^3 + (m - 1) b^2) t_w
    update  U = c b^4 / r_gemm
    tensor  T = 3 (E + (p - 1) max(E, U) + U)        alignment, then each event beside an update, then the last one
    FFT     F = 5 n^3 log2(n^3) / (p^3 r_fft) + sum over exchanges of (k t_s + v w b^3 kappa t_w)

An exchange among q ranks takes k = q - 1 messages and v = (q - 1) / q blocks when every pair talks, and k = ceil(log2
q) messages of half a block each when it is done in stages (Bruck et al. 1997). Pencils have two exchanges among
p^(3/2) ranks, slabs one among p^3, while there are as many planes.

Where messages decide (E > U, p > 1) the two terms of T are 3 m p t_s and 3 p w b^3 t_w, and T < F of pencils whose
ranks talk in pairs, below the crossover

    b^3 = ((2 p^(3/2) - 3 m p - 2) t_s) / ((3 p - 2 kappa) w t_w - 15 log2(n) / r_fft)

It needs p > 9 (m = 2) or p > 3 (m = 1), since a step takes 3 m messages where an FFT takes two for each peer. In stages
an FFT needs 3 log2(p) messages, always fewer, of 1.5 kappa log2(p) blocks of bytes: then only a kappa above
2 p / log2(p) lets the tensor transform win.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

UPDATE_FLOPS = {"plain": 8.0, "folded": 2.0}


@dataclass(frozen=True)
class Network:
    """What messages cost."""

    t_s: float  # seconds per message
    t_w: float  # seconds per byte
    kappa: float = 1.0


@dataclass(frozen=True)
class Processor:
    """Flops per second and rank."""

    gemm: float  # of the local update
    fft: float  # of the FFT, 5 n log2 n a line


@dataclass(frozen=True)
class Method:
    """A variant of the tensor transform."""

    update_flops: float = UPDATE_FLOPS["folded"]  # per b^4
    messages: int = 2  # an event
    overlap: bool = True

    def event(self, block: float, network: Network, element_bytes: int) -> float:
        """Seconds in which neighbours swap a block of a tensor, and perhaps one of a matrix."""
        elements = block**3 + (self.messages - 1) * block**2
        return self.messages * network.t_s + element_bytes * elements * network.t_w

    def update(self, block: float, processor: Processor) -> float:
        """Seconds of a local update."""
        return self.update_flops * block**4 / processor.gemm

    def stage(self, event: float, update: float, ranks: int) -> float:
        """One of the three products: `ranks` blocks in turn, each multiplied while the next one is on its way."""
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
        """Seconds of the tensor transform of (p block)^3 points."""
        event = self.method.event(block, self.network, self.element_bytes)
        return 3 * self.method.stage(event, self.method.update(block, self.processor), p)

    def _exchange(self, block: float, ranks: float, staged: bool) -> float:
        """An exchange of all that a rank holds, among so many ranks."""
        if ranks <= 1:
            return 0.0
        stages = math.ceil(math.log2(ranks))
        messages, volume = (stages, stages / 2) if staged else (ranks - 1, (ranks - 1) / ranks)
        net = self.network
        return messages * net.t_s + volume * self.element_bytes * block**3 * net.kappa * net.t_w

    def fft(self, block: float, p: int, staged: bool = False) -> float:
        """Seconds of the FFT of as many points on as many ranks, in slabs or in pencils, whichever is faster."""
        n = p * block
        flops = 15 * block**3 * math.log2(n) / self.processor.fft if n > 1 else 0.0
        pencils = 2 * self._exchange(block, p**1.5, staged)
        slabs = self._exchange(block, p**3, staged) if p**3 <= n else math.inf
        return flops + min(pencils, slabs)

    def crossover(self, p: int, n: int) -> float:
        """The closed form: below so many points per axis and rank messages make the tensor transform win.

        0 where it takes as many messages as the FFT, infinity where it loses nothing by its bytes.
        """
        saved = (2 * p**1.5 - 3 * self.method.messages * p - 2) * self.network.t_s
        if saved <= 0:
            return 0.0
        per_byte = (3 * p - 2 * self.network.kappa) * self.element_bytes * self.network.t_w
        extra = per_byte - 15 * math.log2(n) / self.processor.fft
        return (saved / extra) ** (1 / 3) if extra > 0 else math.inf

    def winning(self, p: int, blocks: Sequence[int], staged: bool) -> list[int]:
        """The block sizes of those given at which T < F, by the whole model."""
        return [b for b in blocks if self.tensor(b, p) < self.fft(b, p, staged)]

    def scaling(self, n: int, meshes: Sequence[int]) -> Iterator[dict[str, Any]]:
        """Seconds of n^3 points on p^3 ranks by each way, for each p that leaves every rank a point."""
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
