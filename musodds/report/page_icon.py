"""The icon of the page as PNG, for phones that take no SVG: a coin on green felt."""

from __future__ import annotations

import struct
import zlib

import numpy as np

_FELT, _GOLD, _RIM = (20, 85, 63), (231, 199, 104), (150, 112, 34)
_RINGS = ((0.36, _RIM), (0.335, _GOLD), (0.25, _RIM), (0.235, _GOLD), (0.11, _RIM), (0.095, _FELT))
"""Radii as parts of the width, from the outside in, and the colour within each."""


def icon_png(size: int) -> bytes:
    """The icon as a PNG file.

    Parameters
    ----------
    size : int
        Width and height in pixels.

    Examples
    --------
    >>> icon_png(8)[:4]
    b'\\x89PNG'
    """
    middle = (np.arange(size) + 0.5) / size - 0.5
    distance = np.hypot(middle[:, None], middle[None, :])
    pixels = np.full((size, size, 3), _FELT, dtype=np.float64)
    for radius, colour in _RINGS:
        # An edge of one pixel, so that the circle is smooth.
        inside = np.clip((radius - distance) * size + 0.5, 0, 1)[..., None]
        pixels = pixels * (1 - inside) + np.array(colour) * inside
    rows = np.rint(pixels).astype(np.uint8).reshape(size, -1)
    raw = np.column_stack((np.zeros(size, dtype=np.uint8), rows)).tobytes()
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)
