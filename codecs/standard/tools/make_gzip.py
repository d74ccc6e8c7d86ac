"""Writes the real gzip streams that the tests read.  Needs: pip install zstandard (for the rule of the content).

Every NAME.gz decodes to NAME's content, which the tests make by the same rule: see content() in make_frames.
"""
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "zstd/tools"))
from make_frames import content  # noqa: E402

HERE = Path(__file__).resolve().parent.parent / "src/test/resources/dev/shardkit/codec/gzip"


def gz(name, data):
    (HERE / (name + ".gz")).write_bytes(data)


def member(data, level=6, extra=None, name=None, comment=None, hcrc=False):
    flags = 4 * (extra is not None) | 8 * (name is not None) | 16 * (comment is not None) | 2 * hcrc
    head = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, flags, 1_700_000_000, 0, 3)
    if extra is not None:
        head += struct.pack("<H", len(extra)) + extra
    for text in (name, comment):
        head += text + b"\0" if text is not None else b""
    if hcrc:
        head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
    c = zlib.compressobj(level, zlib.DEFLATED, -15)
    return head + c.compress(data) + c.flush() + struct.pack("<II", zlib.crc32(data), len(data))


def gzip_members():
    c = content(20_000)
    for level in (0, 1, 9):
        gz(f"level{level}", member(c, level))
    gz("header_fields", member(c, extra=b"AB\x03\x00xyz", name=b"shard.bin", comment=b"two\nlines", hcrc=True))
    gz("members", member(c[:7_000], name=b"first") + member(b"") + member(c[7_000:], 9, comment=b""))
    gz("empty", member(b""))
    gz("zeros_1m", member(bytes(1 << 20), 9))
    gz("several_blocks", member(content(300_000)))


if __name__ == "__main__":
    sys.exit(gzip_members())
