"""What is made and dropped leaves nothing behind, and what does is found. `make leaks` runs many more rounds."""

import os
import subprocess
import sys
from pathlib import Path

import leaks
from leaks.levels import MOST_COMMUNICATORS, free_communicators, grown
from leaks.makers import WORLD
from leaks.rounds import level

ROUNDS = 36


def test_objects_of_all_kinds_leave_nothing_behind():
    path = [str(Path(leaks.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    command = [sys.executable, "-m", "leaks", "--rounds", str(ROUNDS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "all is level" in done.stdout, done.stdout + done.stderr


def risen(make):
    _, before, after = level(make, ROUNDS)
    return [text.split(":")[0] for text in grown(before, after, ROUNDS)]


def test_a_leak_of_each_sort_is_found():
    kept = []
    assert risen(lambda i: kept.append(bytearray(3000))) == ["allocated"]
    assert risen(lambda i: kept.append(os.dup(2))) == ["descriptors"]
    for descriptor in kept[ROUNDS:]:
        os.close(descriptor)
    name = f"/dev/shm/leak-{os.getpid()}-{{}}"
    assert risen(lambda i: Path(name.format(i)).touch()) == ["shared"]
    for i in range(ROUNDS):
        os.unlink(name.format(i))
    assert risen(lambda i: None) == []


def test_a_communicator_that_is_not_freed_is_found():
    free = free_communicators()
    copies = [WORLD.Dup() for _ in range(5)]
    assert free == MOST_COMMUNICATORS or free_communicators() == free - 5
    for copy in copies:
        copy.Free()
    assert free_communicators() == free
