"""Writes samples of TIFF files as a ZIP archive: python make_tiff.py SAMPLES.zip

Each image NAME.tif has its elements in NAME.bin, and its smaller versions in NAME-1.bin ...: little-endian, C order.
Needs the libraries of hdf5-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tifffile


def values(shape, data_type="<u2"):
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    return (numbers * 7 // 3 % 251).astype(data_type)


def expect(root, name, array):
    (root / (name + ".bin")).write_bytes(array.astype(array.dtype.newbyteorder("<")).tobytes())


def write(root, name, array, **options):
    tifffile.imwrite(root / (name + ".tif"), array, metadata=None, **options)
    expect(root, name, array)


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for compression in (None, "zlib", "lzw"):
            for predictor in (False, True):
                if predictor and not compression:
                    continue
                name = f"{compression or 'none'}{'-predictor' if predictor else ''}"
                more = {"compression": compression, "predictor": 2 if predictor else None, "photometric": "minisblack"}
                write(root, f"strips-{name}", values((40, 30)), rowsperstrip=8, **more)
                write(root, f"cut-{name}", values((37, 30)), rowsperstrip=8, **more)
                write(root, f"tiles-{name}", values((50, 70)), tile=(16, 32), **more)
                write(root, f"pages-{name}", values((3, 40, 30), "u1"), rowsperstrip=8, **more)
                write(root, f"big-{name}", values((32, 30), ">i4"), rowsperstrip=16, bigtiff=True, byteorder=">", **more)
                more["photometric"] = "rgb"
                write(root, f"rgb-{name}", values((32, 48, 3), "u1"), tile=(16, 16), **more)
                write(root, f"planes-{name}", values((3, 32, 48)), tile=(16, 16), planarconfig="separate", **more)
        write(root, "float", values((40, 30), "<f4"), rowsperstrip=10)
        write(root, "noise", np.random.default_rng(3).integers(0, 2**16, (64, 64), "<u2"), compression="lzw", tile=(64, 64))
        write(root, "flat", np.full((64, 64), 7, "u1"), compression="lzw", tile=(64, 64))
        levels = [values((64, 96)), values((32, 48)), values((16, 24))]
        with tifffile.TiffWriter(root / "pyramid.tif") as file:
            file.write(levels[0], subifds=2, tile=(16, 16), compression="zlib", metadata=None)
            for level in levels[1:]:
                file.write(level, subfiletype=1, tile=(16, 16), compression="zlib", metadata=None)
        with tifffile.TiffWriter(root / "overviews.tif") as file:
            for i, level in enumerate(levels):
                file.write(level, subfiletype=min(i, 1), tile=(16, 16), compression="lzw", metadata=None)
        for name in ("pyramid", "overviews"):
            for i, level in enumerate(levels):
                expect(root, f"{name}-{i}", level)
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for file in sorted(root.rglob("*")):
                entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
