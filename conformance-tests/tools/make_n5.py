"""Writes samples of N5 with tensorstore, as a ZIP archive: python make_n5.py SAMPLES.zip LZ4_JAVA.jar

Element i of an array, counted with the first dimension fastest, is (i * 7919) % 60013 in the array's type.
N5Blocks.java adds blocks that tensorstore does not write: cut at the edge, LZ4Block streams, varlength.
"""

import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tensorstore as ts

CODECS = {
    "raw": {"type": "raw"},
    "gzip": {"type": "gzip"},
    "zlib": {"type": "gzip", "useZlib": True, "level": 3},
    "bzip2": {"type": "bzip2"},
    "xz": {"type": "xz"},
    "zstd": {"type": "zstd", "level": 0},
    "blosc": {"type": "blosc", "cname": "zstd", "clevel": 3, "shuffle": 2, "blocksize": 0},
}
TYPES = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64"]


def write(folder, data_type, shape, block, compression, **more):
    values = (np.arange(np.prod(shape)) * 7919) % 60013
    metadata = {"dimensions": shape, "blockSize": block, "dataType": data_type, "compression": compression, **more}
    spec = {"driver": "n5", "kvstore": {"driver": "file", "path": str(folder)}, "metadata": metadata}
    ts.open(spec, create=True).result().write(values.reshape(shape, order="F").astype(data_type)).result()


def main():
    target, lz4_java = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "attributes.json").write_text(json.dumps({"n5": "4.0.0", "title": "sample"}))
        for name, compression in CODECS.items():
            write(root / "by/codec" / name, "uint16", [7, 5, 4], [4, 3, 3], compression)
        for data_type in TYPES:
            write(root / "types" / data_type, data_type, [5, 4], [3, 3], {"type": "gzip"})
        write(root / "line", "int32", [10], [4], {"type": "raw"}, axes=["x"], units=["um"], resolution=[0.5])
        (root / "line/1").unlink()  # an absent block
        blocks = Path(__file__).with_name("N5Blocks.java")
        subprocess.run(["java", "-cp", lz4_java, str(blocks), str(root)], check=True)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
