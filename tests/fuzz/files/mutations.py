"""Changes to bytes and texts: bits, numbers at the edges of their types, pieces that are lost, doubled or exchanged."""

import random
import re
from collections.abc import Callable

# Edges of the integer types, and what lies just beyond.
EDGES = (0, 1, -1, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1)
_NUMBERS = (*map(str, EDGES), str(2**64), "1" + "0" * 5000, "1e400", "1e-400", "0.5", "-1e300", "-0.0", "0x7fffffff")
_WORDS = (
    *(
        "nan",
        "inf",
        "-inf",
        "true",
        "[]",
        "{}",
        '""',
        "''",
        "1979-05-27",
        "[[[[[]]]]]",
        "\ufeff",
        "\x00",
        "\u00e9",
        "\ud7ff",
    ),
    *('"""', "'''", "#", "=", "\n", "[x]", "[[x]]", ".", '"\\u0000"', '"' + "x" * 3000 + '"', "[" * 400 + "]" * 400),
)
_PIECES = re.compile(rb"-?[0-9][0-9.e+-]*|\"[^\"\n]*\"|[A-Za-z_][A-Za-z_0-9]*")


def _flip(rng: random.Random, data: bytearray, at: int) -> None:
    data[at] ^= 1 << rng.randrange(8)


def _byte(rng: random.Random, data: bytearray, at: int) -> None:
    data[at] = rng.choice((0, 1, 127, 128, 255, 32, 48, 57))


def _cut(rng: random.Random, data: bytearray, at: int) -> None:
    del data[at:]


def _insert(rng: random.Random, data: bytearray, at: int) -> None:
    data[at:at] = rng.randbytes(rng.choice((1, 2, 4, 8, 64, 1000)))


def _lose(rng: random.Random, data: bytearray, at: int) -> None:
    del data[at : at + rng.choice((1, 2, 4, 8, 64))]


def _copy(rng: random.Random, data: bytearray, at: int) -> None:
    size, there = rng.choice((4, 8, 16, 64, 300)), rng.randrange(len(data))
    data[at : at + size] = data[there : there + size]


def _number(rng: random.Random, data: bytearray, at: int) -> None:
    width = rng.choice((1, 2, 4, 8))
    value = rng.choice(EDGES) if rng.random() < 0.8 else rng.getrandbits(64)
    data[at : at + width] = (value % (1 << (8 * width))).to_bytes(width, rng.choice(("little", "big")))


def _fill(rng: random.Random, data: bytearray, at: int) -> None:
    size = rng.choice((2, 8, 64))
    data[at : at + size] = bytes([rng.choice((0, 255))]) * size


_BYTES: tuple[Callable[[random.Random, bytearray, int], None], ...] = (
    *(_flip, _byte, _cut, _insert, _lose, _copy, _number, _fill),
)


def _exchange_word(rng: random.Random, data: bytearray) -> None:
    source = bytes(data)
    pieces = [match.span() for match in _PIECES.finditer(source)]
    if not pieces:
        return
    first, last = rng.choice(pieces)
    a, b = rng.choice(pieces)
    word = rng.choice((rng.choice(_NUMBERS), rng.choice(_WORDS), None))
    data[first:last] = source[a:b] if word is None else word.encode("utf-8", "surrogatepass")


def mutate(rng: random.Random, data: bytes, *, text: bool, near: int | None = None) -> bytes:
    """One to four changes; near: bytes from the beginning that are hit more often."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        if not changed:
            changed = bytearray(b"\0")
        if text and rng.random() < 0.4:
            _exchange_word(rng, changed)
            continue
        span = len(changed) if near is None or rng.random() < 0.3 else min(near, len(changed))
        rng.choice(_BYTES)(rng, changed, rng.randrange(span))
    return bytes(changed)
