"""Files of other programs and paths of every kind, from Python: what is read, and what is refused by its name."""

import os
import warnings

import h5py
import numpy as np
import pytest
import weft
from mpi4py import MPI
from on_ranks import on_ranks

SHAPE = (6, 5, 4)
WHOLE = tuple(slice(0, n) for n in SHAPE)


def field(array):
    return weft.Field(array, tuple(slice(0, n) for n in array.shape), array.shape)


def dataset(path, **options):
    """A file with a dataset u of SHAPE whose first two rows hold their offsets."""
    with h5py.File(path, "w") as file:
        made = file.create_dataset("u", options.pop("shape", SHAPE), dtype=options.pop("dtype", "f8"), **options)
        made[0:2] = np.arange(40.0).reshape(2, 5, 4)
    return path


@pytest.mark.parametrize("options", [{}, {"compression": "gzip"}, {"fillvalue": 2.5}, {"dtype": "f4"}])
def test_rows_that_were_never_written_hold_the_fill_value(tmp_path, options):
    path = dataset(tmp_path / "f.h5", chunks=(2, 5, 4), **options)
    expected = np.full(SHAPE, options.get("fillvalue", 0.0))
    expected[0:2] = np.arange(40.0).reshape(2, 5, 4)
    assert np.array_equal(weft.Field.load(path, "u").local, expected)


def test_rows_that_were_never_written_on_two_ranks(tmp_path):
    dataset(tmp_path / "f.h5", chunks=(2, 5, 4))
    script = f"""
    import weft
    from mpi4py import MPI
    total = weft.Field.load({str(tmp_path / "f.h5")!r}, "u").sum()
    if MPI.COMM_WORLD.rank == 0: print(total)
    """
    assert float(on_ranks(2, script, tmp_path)) == 39 * 40 / 2


def test_what_cannot_be_read_is_named(tmp_path):
    def refused(path):
        with pytest.raises(weft.FileError) as caught:
            weft.Field.load(path, "u")
        return str(caught.value)

    text = refused(dataset(tmp_path / "lzf.h5", compression="lzf", chunks=(2, 5, 4)))
    assert 'dataset "u"' in text and '"lzf", number 32000' in text and 'compression="gzip"' in text
    with h5py.File(tmp_path / "virtual.h5", "w") as file:
        layout = h5py.VirtualLayout(SHAPE, "f8")
        layout[:] = h5py.VirtualSource("lzf.h5", "u", SHAPE)
        file.create_virtual_dataset("u", layout)
    assert "is virtual" in refused(tmp_path / "virtual.h5")
    with h5py.File(tmp_path / "empty.h5", "w") as file:
        file["u"] = np.zeros((0, 5))
    assert "no elements, its shape is 0 x 5" in refused(tmp_path / "empty.h5")
    np.save(tmp_path / "empty.npy", np.zeros((0, 5)))
    assert "no elements, its shape is 0 x 5" in refused(tmp_path / "empty.npy")
    with h5py.File(tmp_path / "link.h5", "w") as file:
        file["u"] = h5py.SoftLink("/nowhere")
    assert 'dataset "u"' in refused(tmp_path / "link.h5") and "cannot be opened" in refused(tmp_path / "link.h5")


def test_a_checkpoint_that_is_open_elsewhere_is_not_skipped(tmp_path):
    u = np.arange(120.0).reshape(SHAPE)
    folder = weft.CheckpointFolder(tmp_path / "run")
    for step in (1, 2):
        folder.save(step, {"u": field(u + step)})
    with h5py.File(folder.path(2), "r+"):
        for attempt in (folder.latest, lambda: folder.restore({"u": WHOLE})):
            with pytest.raises(weft.FileError, match="checkpoint-000002.h5.* is open for writing.*h5clear -s"):
                attempt()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(folder.restore({"u": WHOLE}).fields["u"], u + 2)


def test_colons_in_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    u = np.arange(120.0).reshape(SHAPE)
    for add, name in enumerate(("w.h5", "ufs:w.h5", "nfs:w.h5", "ufs:w.npy")):
        field(u + add).save(name)
    for add, name in enumerate(("w.h5", "ufs:w.h5", "nfs:w.h5", "ufs:w.npy")):
        assert np.array_equal(weft.Field.load(name).local, u + add)
    folder = weft.CheckpointFolder("run 14:05/ck")
    folder.save(1, {"u": field(u)})
    assert folder.latest().values == {"step": 1}
    series = weft.TimeSeries("run 14:05/s.xdmf", SHAPE, (1.0, 1.0, 1.0))
    series.append(0.0, {"u": field(u)})
    assert np.array_equal(weft.Field.load("run 14:05/s-000000.h5").local, u)


def test_characters_of_code_zero_are_refused_before_anything(tmp_path):
    (tmp_path / "victim").write_text("mine")
    u, victim = field(np.ones(SHAPE)), str(tmp_path / "victim") + "\0"
    u.save(tmp_path / "f.h5")
    attempts = [
        lambda: u.save(victim + ".h5"),
        lambda: u.save(victim + ".npy"),
        lambda: u.save(tmp_path / "g.h5", "u\0v"),
        lambda: weft.Field.load(victim + ".h5"),
        lambda: weft.Field.load(tmp_path / "f.h5", "u\0"),
        lambda: weft.save_checkpoint(victim + ".h5", {"u": u}),
        lambda: weft.save_checkpoint(tmp_path / "g.h5", {"u\0": u}),
        lambda: weft.save_checkpoint(tmp_path / "g.h5", {}, {"a\0": 1}),
        lambda: weft.save_checkpoint(tmp_path / "g.h5", {}, {"a": "b\0"}),
        lambda: weft.load_checkpoint(victim + ".h5"),
        lambda: weft.verify_checkpoint(victim + ".h5"),
        lambda: weft.CheckpointFolder(victim),
        lambda: weft.TimeSeries(victim + ".xdmf", SHAPE, (1.0, 1.0, 1.0)),
        lambda: weft.Plan(SHAPE, "r2c", tuning=victim + ".toml"),
    ]
    for attempt in attempts:
        with pytest.raises(ValueError, match="code 0"):
            attempt()
    assert sorted(os.listdir(tmp_path)) == ["f.h5", "victim"]
    assert (tmp_path / "victim").read_text() == "mine"


def test_write_protected_files_stay_and_modes_are_kept(tmp_path):
    u = field(np.ones(SHAPE))
    for name in ("u.h5", "u.npy"):
        path = tmp_path / name
        path.write_bytes(b"mine")
        path.chmod(0o444)
        with pytest.raises(weft.FileError, match=r"write-protected \(mode 0444\)"):
            u.save(path)
        assert path.read_bytes() == b"mine"
        path.chmod(0o600)
        u.save(path)
        assert path.stat().st_mode & 0o777 == 0o600


def test_a_communicator_that_was_freed_is_one_clear_error(tmp_path):
    comm = MPI.COMM_SELF.Dup()
    whole = (np.ones(SHAPE), WHOLE, SHAPE)
    u = weft.Field(*whole, comm=comm)
    folder = weft.CheckpointFolder(tmp_path / "run", comm=comm)
    folder.save(1, {"u": whole})
    series = weft.TimeSeries(tmp_path / "s.xdmf", SHAPE, (1.0, 1.0, 1.0), comm=comm)
    comm.Free()
    attempts = [
        lambda: folder.save(2, {"u": whole}),
        folder.latest,
        lambda: folder.restore({"u": WHOLE}),
        lambda: series.append(0.0, {"u": whole}),
        lambda: u.save(tmp_path / "u.h5"),
    ]
    for attempt in attempts:
        with pytest.raises(weft.Error, match="communicator was freed"):
            attempt()
    with pytest.raises(weft.Error, match="comm: .* is not usable"):
        weft.CheckpointFolder(tmp_path / "run", comm=comm)
    assert folder.steps() == [1]
