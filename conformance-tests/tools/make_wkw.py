"""Writes samples of webknossos-wrap as a ZIP archive: python make_wkw.py SAMPLES.zip

Each dataset NAME has its elements in NAME.bin: little-endian, channel, x, y, z in C order. Needs the libraries of
foreign-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import wkw

TYPES = ["uint8", "uint16", "uint32", "uint64", "float32", "float64", "int8", "int16", "int32", "int64"]
BLOCKS = {"raw": wkw.Header.BLOCK_TYPE_RAW, "lz4": wkw.Header.BLOCK_TYPE_LZ4, "lz4hc": wkw.Header.BLOCK_TYPE_LZ4HC}


def write(root, name, data_type, channels, blocks, block=4, cube=2):
    """Writes three cubes of a box of 2 x 2 x 2; the others are missing."""
    length = block * cube
    values = np.zeros((channels, 2 * length, 2 * length, 2 * length), data_type)
    x, y, z = np.indices((length, length, length))
    noise = (x + 8 * y + 64 * z) * 7919 % 60013
    header = wkw.Header(np.dtype(data_type).type, channels, 1, block, cube, BLOCKS[blocks])
    with wkw.Dataset.create(str(root / name), header) as dataset:
        for number, at in enumerate([(0, 0, 0), (1, 0, 0), (1, 1, 1)]):
            part = np.stack([(noise // 16 + number + 3 * c) for c in range(channels)]).astype(data_type)
            corner = tuple(length * a for a in at)
            dataset.write(corner, np.asfortranarray(part))
            values[(slice(None), *(slice(c, c + length) for c in corner))] = part
        assert np.array_equal(dataset.read((0, 0, 0), values.shape[1:]), values)
    (root / (name + ".bin")).parent.mkdir(parents=True, exist_ok=True)
    (root / (name + ".bin")).write_bytes(np.ascontiguousarray(values).tobytes())


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for data_type in TYPES:
            write(root, "types/" + data_type, data_type, 1, "lz4")
        for blocks in BLOCKS:
            write(root, "blocks/" + blocks, "uint16", 1, blocks)
            write(root, "channels/" + blocks, "uint8", 3, blocks, 2, 4)
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
