"""The scaling trends of S3DFT (2024) and of Dalcin, Mortensen and Keyes (2019), compared with the model."""

from weft import _core
from weft.papers.tables import seconds, table
from weft.prediction import machine, predict

# The rate of products on all cores of a node (S3DFT, section 5.1).
_NODE_FLOPS = 3373e9
_EDGE, _MESHES = 4200, (4, 5, 6, 7)


def _tensor(n: float, p: int, links: float) -> float:
    """The time of one of three stages in seconds. `links` is the share of a link that a message gets."""
    on = machine("juwels").facts
    return _core.tensor_stage(n, p, 1 / _NODE_FLOPS, 8 / (on["link"] * links), on["t_s"])["seconds"]


def s3dft() -> dict[str, str]:
    """The text of the page on S3DFT, by the names of its placeholders."""
    on = machine("juwels")
    hiding = _core.hiding_block(1 / _NODE_FLOPS, 8 / on.facts["link"])
    rows = []
    for p in _MESHES:
        stages = {links: _tensor(_EDGE, p, links) for links in (1.0, 0.5)}
        first = {links: _tensor(_EDGE, _MESHES[0], links) for links in stages}
        speed = [f"{100 * first[links] * _MESHES[0] ** 3 / (stages[links] * p**3):.0f}" for links in (1.0, 0.5)]
        fft = predict([_EDGE] * 3, "c2c", ranks=p**3 * 2, threads=24, node_ranks=2, machine=on, strategy="alltoallv")
        whole = 2 * stages[1.0] + stages[0.5]
        rows.append(
            (f"{p}^3", _EDGE // p, seconds(stages[1.0]), *speed, seconds(whole), f"{2 * whole / fft.seconds:.1f}")
        )
    head = ("mesh (nodes)", "block", "stage", "efficiency, %", "at half a link, %", "3 stages", "of Weft's FFT")
    return {"HIDING": f"{hiding:.0f}", "TENSOR": table(head, rows)}


def dalcin() -> dict[str, str]:
    """The text of the page on Dalcin et al., by the names of its placeholders."""
    on = machine("shaheen")

    def speed_ups(shape: tuple[int, ...], counts: tuple[int, ...], node_ranks: int | None, strategy: str) -> list[str]:
        times = [
            predict(shape, ranks=p, node_ranks=node_ranks or p, machine=on, strategy=strategy, fuse=False).seconds
            for p in counts
        ]
        return [f"{times[0] / t * counts[0]:.1f}" for t in times]

    small = (1, 2, 4, 8, 16, 32)
    slabs = [
        ("one core a node", *speed_ups((700, 700, 700), small, 1, "alltoallw")),
        ("all on one node", *speed_ups((700, 700, 700), small, None, "alltoallw")),
    ]
    weak = []
    for ranks in (4, 16, 64, 256, 512):
        edge = [64 * 2 ** ((ranks.bit_length() - 1 + i) // 3) for i in range(3)]
        slab = predict(edge, ranks=ranks, node_ranks=1, machine=on, grid=(ranks,), strategy="alltoallw").seconds
        side = 2 ** ((ranks.bit_length() - 1) // 2)
        pencil = predict(
            edge, ranks=ranks, node_ranks=1, machine=on, grid=(side, ranks // side), strategy="alltoallw"
        ).seconds
        weak.append((ranks, " x ".join(map(str, edge)), seconds(slab), seconds(pencil)))
    strong = []
    for ranks in (512, 2048, 8192, 32768):
        cells = [
            seconds(predict((2048,) * 3, ranks=ranks, node_ranks=16, machine=on, strategy=name).seconds)
            for name in ("alltoallw", "alltoallv")
        ]
        strong.append((f"{ranks:,}", *cells))
    return {
        "SLABS": table(("ranks", *small), slabs),
        "WEAK": table(("ranks", "shape", "slab", "pencil"), weak),
        "LARGE": table(("ranks", "alltoallw", "alltoallv"), strong),
    }
