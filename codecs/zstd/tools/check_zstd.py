"""Has zstd itself read frames that shardkit's encoder wrote.  Needs: pip install zstandard.

    mvn test -pl codecs/zstd -am -Dtest=ZstdEncoderPeerTest -Dsurefire.failIfNoSpecifiedTests=false -Dshardkit.zstd.write=FILE
    check_zstd.py FILE

FILE holds, for each frame, its size, the size and the SHA-256 of what it holds, and the frame.
"""
import hashlib
import io
import struct
import sys

import zstandard


def main(path):
    data = open(path, "rb").read()
    at = count = 0
    while at < len(data):
        size, held = struct.unpack_from("<II", data, at)
        digest = data[at + 8:at + 40]
        frame = data[at + 40:at + 40 + size]
        at += 40 + size
        count += 1
        where = f"frame {count}, of {held} bytes"
        assert zstandard.frame_content_size(frame) == held, where
        assert zstandard.get_frame_parameters(frame).window_size <= 8 << 20, where
        whole = zstandard.ZstdDecompressor().decompress(frame) if held else b""
        assert hashlib.sha256(whole).digest() == digest, where
        stream = zstandard.ZstdDecompressor(max_window_size=8 << 20).stream_reader(io.BytesIO(frame)).read()
        assert stream == whole, f"{where}, as a stream"
    print(f"{count} frames read by zstd {'.'.join(map(str, zstandard.ZSTD_VERSION))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
