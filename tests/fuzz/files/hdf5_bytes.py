"""Blocks of HDF5 files that carry a checksum, and that checksum: a mutant that is signed again reaches deeper code."""

import random
import struct

from fuzz.files.mutations import EDGES

_MASK = 0xFFFFFFFF
_SUPERBLOCK = b"\x89HDF\r\n\x1a\n"
# What the steps of a round and of the end do: the word that changes, the other one, the rotation.
_ROUND = ((0, 2, 4), (1, 0, 6), (2, 1, 8), (0, 2, 16), (1, 0, 19), (2, 1, 4))
_END = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))


def _rotated(value: int, bits: int) -> int:
    return ((value << bits) | (value >> (32 - bits))) & _MASK


def checksum(data: bytes) -> int:
    """The checksum of HDF5's metadata: Bob Jenkins' lookup3 with the initial value 0."""
    words = [(0xDEADBEEF + len(data)) & _MASK] * 3
    at = 0
    while len(data) - at > 12:
        words = [(word + more) & _MASK for word, more in zip(words, struct.unpack_from("<III", data, at), strict=True)]
        for place, other, bits in _ROUND:
            words[place] = ((words[place] - words[other]) & _MASK) ^ _rotated(words[other], bits)
            words[other] = (words[other] + words[3 - place - other]) & _MASK
        at += 12
    if at == len(data):
        return words[2]
    rest = struct.unpack("<III", data[at:].ljust(12, b"\0"))
    words = [(word + more) & _MASK for word, more in zip(words, rest, strict=True)]
    for place, other, bits in _END:
        words[place] = ((words[place] ^ words[other]) - _rotated(words[other], bits)) & _MASK
    return words[2]


def signed_blocks(data: bytes) -> list[tuple[int, int]]:
    """(first byte, place of the checksum) of the superblock and of the object headers of the newer format."""
    found = []
    if data[:8] == _SUPERBLOCK and len(data) > 48 and data[8] in (2, 3):
        found.append((0, 44))
    at = data.find(b"OHDR")
    while 0 <= at < len(data) - 26:
        flags = data[at + 5]
        begin = at + 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
        width = 1 << (flags & 3)
        end = begin + width + int.from_bytes(data[begin : begin + width], "little")
        if end + 4 <= len(data):
            found.append((at, end))
        at = data.find(b"OHDR", at + 1)
    return found


def signed_mutant(rng: random.Random, base: bytes, blocks: list[tuple[int, int]]) -> bytes:
    """Up to three changes inside blocks whose checksums are made right again. The length stays."""
    data = bytearray(base)
    for _ in range(rng.choice((1, 1, 2, 3))):
        first, end = rng.choice(blocks)
        at = rng.randrange(first + 4, end)
        how = rng.randrange(4)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            data[at] = rng.randrange(256)
        else:
            width = min(rng.choice((2, 4, 8)), end - at)
            value = rng.choice(EDGES) if how == 2 else rng.randrange(len(base) + 10)
            data[at : at + width] = (value % (1 << (8 * width))).to_bytes(width, "little")
    for first, end in blocks:
        data[end : end + 4] = struct.pack("<I", checksum(bytes(data[first:end])))
    return bytes(data)
