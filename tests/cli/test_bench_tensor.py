"""weft bench tensor: what is reported of transforms, updates, events and predictions. Timings are never asserted."""

import numpy as np
import pytest
from unwrapped import headings

SMALL = ("bench", "tensor", "--shape", 8, 6, 10, "--repeat", 2)


def bound(shape, precision):
    """Largest error of a round trip of values below 1, from that in the 2-norm (check_reference.round_trip_bound)."""
    from weft.cli.check_reference import round_trip_bound

    eps = np.finfo({"double": np.float64, "float": np.float32}[precision]).eps
    # Every element errs by no more than all of them together; they are complex, and below sqrt(2).
    return round_trip_bound(("c2c",) * len(shape), shape, eps) * np.sqrt(2 * np.prod(shape))


def test_tensor_and_fft_take_turns(weft):
    rows = weft.json(*SMALL, "-n", 2, "--algorithm", "cannon,transpose", "--matrix", "circulate,own")
    tensor = [row for row in rows if row["is_tensor"]]
    assert [row["name"] for row in rows[:2]] == ["weft shared", "weft alltoallv"]
    assert {(row["algorithm"], row["matrix"]) for row in tensor} == {
        (algorithm, matrix) for algorithm in ("cannon", "transpose") for matrix in ("circulate", "own")
    }
    for row in rows:
        assert (row["ranks"], row["threads"], row["work"]) == (2, 1, "pair")
        assert row["repeats"] >= 2 and 0 < row["seconds_min"] <= row["seconds_median"]
        assert row["error"] < bound((8, 6, 10), "double")
        # Forward and backward of 480 complex points, nominally.
        assert row["gflops"] == pytest.approx(2e-9 * 5 * 480 * np.log2(480) / row["seconds_min"])
    for row in tensor:
        assert np.prod(row["grid"]) == 2 and row["messages_per_rank"] > 0 and row["bytes_sent_per_rank"] > 0
        assert len(row["folded"]) == 3 and row["performed_gflops_per_rank"] > 0
    messages = {row["name"]: row["messages_per_rank"] for row in rows}
    assert (messages["weft shared"], messages["weft alltoallv"]) == (0, 2)


def test_several_counts_of_ranks(weft):
    done = weft(*SMALL, "-n", "1,2", "--strategy", "alltoallv", "--plot", "ranks.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(word in done.stdout for word in ("weft alltoallv", "weft none", "tensor cannon", "1 x 1", "2 x 1"))
    assert "<svg" in (weft.folder / "ranks.svg").read_text()


def test_real_points_in_float_on_a_mesh(weft):
    arguments = ("--kinds", "r2c", "--precision", "float", "--mesh", 1, 1, 2, "--folding", "on,off", "--threads", 2)
    rows = weft.json(*SMALL, "-n", 2, "--strategy", "shared", *arguments)
    assert [row["grid"] for row in rows[1:]] == [[1, 1, 2]] * 2
    assert [row["name"] for row in rows[1:]] == ["tensor cannon, folding on", "tensor cannon, folding off"]
    for row in rows:
        assert row["threads"] == 2 and row["error"] < bound((8, 6, 10), "float")
        # Double precision would be this exact.
        assert row["error"] > 1e-10
        assert row["gflops"] == pytest.approx(1e-9 * 5 * 480 * np.log2(480) / row["seconds_min"])


def test_picture_of_one_count(weft):
    done = weft(*SMALL, "--plot", "times.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert (weft.folder / "times.png").read_bytes().startswith(b"\x89PNG")


def test_local_updates(weft):
    rows = weft.json("bench", "tensor", "--update", "--blocks", "8,16", "--threads", "1,2")
    assert [(row["threads"], row["block"], row["way"]) for row in rows] == [
        (threads, block, way) for threads in (1, 2) for block in (8, 16) for way in ("plain", "folded")
    ]
    for row in rows:
        assert row["gflops"] == pytest.approx(8e-9 * row["block"] ** 4 / row["seconds_min"])
        assert row["of_zgemm"] == row["gflops"] / row["zgemm_gflops"] and row["kernel"]
    done = weft("bench", "tensor", "--update", "--blocks", "8", "--plot", "update.png")
    assert (done.returncode, done.stderr) == (0, "") and "of zgemm" in headings(done.stdout)
    assert (weft.folder / "update.png").read_bytes().startswith(b"\x89PNG")


def test_events_beside_updates(weft):
    blocks = [4, 8, 12, 16, 20, 24]
    arguments = ("bench", "tensor", "--model", "-n", "2,3", "--blocks", ",".join(map(str, blocks)))
    models = weft.json(*arguments)
    assert [(model["ranks"], model["mesh"]) for model in models] == [(2, [1, 1, 2]), (3, [1, 1, 3])]
    for model in models:
        assert model["blocks"] == blocks
        for name, terms in (("event", 4), ("update", 5)):
            seconds, polynomial = np.array(model[f"{name}_seconds"]), model[f"{name}_polynomial"]
            assert np.all(seconds > 0) and len(polynomial) == terms
            curve = np.polynomial.Polynomial(polynomial)(np.array(blocks, dtype=float))
            assert np.max(np.abs(curve / seconds - 1)) == pytest.approx(model[f"{name}_deviation"], rel=1e-6)
        for low, high in model["hidden_blocks"]:
            assert blocks[0] <= low < high <= blocks[-1]
    done = weft(*arguments, "--plot", "model.svg", "--folding", "on")
    assert (done.returncode, done.stderr) == (0, "")
    assert "perfect overlap at b =" in done.stdout and "folded" in done.stdout
    assert "<svg" in (weft.folder / "model.svg").read_text()


def test_overlap(weft):
    arguments = ("bench", "tensor", "--overlap", "--blocks", "8,16", "--repeat", 2)
    rows = weft.json(*arguments, "-n", "1,2")
    assert [(row["ranks"], row["block"], row["steps"]) for row in rows] == [
        (1, 8, 1),
        (1, 16, 1),
        (2, 8, 2),
        (2, 16, 2),
    ]
    for row in rows:
        event, update = row["event_seconds"], row["update_seconds"]
        # Two ranks: one shift beside the first of two updates. One rank: an update.
        shifts = row["steps"] - 1
        assert row["perfect_seconds"] == pytest.approx(shifts * max(event, update) + update)
        assert row["sum_seconds"] == pytest.approx(shifts * (event + update) + update)
        assert row["of_perfect"] == row["product_seconds"] / row["perfect_seconds"] > 0
        assert row["of_sum"] == row["product_seconds"] / row["sum_seconds"]
    done = weft(*arguments, "-n", 2, "--mesh", 1, 2, 1)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 x 2 x 1 x 1" in done.stdout and "of perfect" in headings(done.stdout)


def test_predictions(weft):
    arguments = ("bench", "tensor", "--predict", "--shape", 128, 128, 128)
    rows = weft.json(*arguments, "--network", "2e-5,1e-10", "--speed", "2e12,1e11")
    assert [row["ranks"] for row in rows[:3]] == [1, 8, 27] and rows[0]["fft_pairs"] == rows[0]["fft_stages"]
    # Latency of 20 us: from some mesh on the tensor transform beats an FFT whose ranks talk in pairs, and never one
    # that exchanges in stages.
    faster = [row["tensor"] < row["fft_pairs"] for row in rows]
    assert not any(faster[1:7]) and all(faster[-3:])
    assert all(row["tensor"] > row["fft_stages"] for row in rows[1:])
    own = weft.json(*arguments, "--matrix", "own")
    assert own[-1]["crossover_block"] > 0
    done = weft("bench", "tensor", "--predict", "--shape", 64, 64, 64, "--plot", "predicted.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert {"FFT, stages ms", "closed-form b"} <= set(headings(done.stdout))
    assert "<svg" in (weft.folder / "predicted.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--shape", "8", "8"], ["--shape", "2 numbers", "3 axes"]),
        (["--kinds", "dct2"], ["--kinds", "dct2", "c2c, r2c"]),
        (["--algorithm", "magic"], ["--algorithm", "magic", "cannon, transpose"]),
        (["--folding", "maybe"], ["--folding", "maybe", "auto, on, off"]),
        (["--precision", "half"], ["--precision", "half", "float"]),
        (["--strategy", "pigeon"], ["--strategy", "pigeon", "alltoallv"]),
        (["-n", "none"], ["--ranks", "none"]),
        (["--threads", "1,2"], ["--threads", "several", "one"]),
        (["--mesh", "2", "2", "2", "-n", "2"], ["mesh", "2"]),
        (["--plot", "times.pdf"], ["--plot", "times.pdf", ".svg"]),
        (["--plot", "missing/times.png"], ["--plot", "missing/times.png", "folder"]),
        (["--update", "--model"], ["--update", "--model"]),
        (["--overlap", "--plot", "overlap.png"], ["--plot", "--overlap"]),
        (["--model", "--blocks", "8,16", "-n", "2"], ["--blocks", "8,16", "5 or more"]),
        (["--predict", "--shape", "8", "8", "9"], ["--shape", "cube"]),
        (["--predict", "--network", "fast"], ["--network", "fast", "2e-6,1e-10"]),
        (["--predict", "--speed", "1e9,-1"], ["--speed", "1e9,-1"]),
    ],
)
def test_refused(weft, arguments, named):
    message = weft.refused("bench", "tensor", *arguments)
    assert all(word in message for word in named), message
