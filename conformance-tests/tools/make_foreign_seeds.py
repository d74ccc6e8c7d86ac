"""Writes the first inputs of the fuzz targets of other formats: python make_foreign_seeds.py CORPUS

CORPUS is conformance-tests/campaigns/fuzz/corpus. Needs the libraries of
foreign-requirements.txt.
"""

import gzip
import hashlib
import sys
import tempfile
from pathlib import Path

import blosc2
import numpy as np
import tensorstore as ts
import wkw

CORPUS = Path(sys.argv[1])
SHARDING = {
    "@type": "neuroglancer_uint64_sharded_v1",
    "hash": "murmurhash3_x86_128",
    "preshift_bits": 0,
    "minishard_bits": 1,
    "shard_bits": 0,
    "minishard_index_encoding": "gzip",
    "data_encoding": "raw",
}
BLOCK = {"compressed_segmentation_block_size": [2, 2, 2]}


def put(target, content):
    folder = CORPUS / target
    folder.mkdir(exist_ok=True)
    (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)


def volume(number, data_type, encoding, key, **more):
    with tempfile.TemporaryDirectory() as folder:
        scale = {"key": "s", "size": [4, 4, 4], "resolution": [1, 1, 1], "chunk_size": [4, 4, 4], "encoding": encoding}
        spec = {
            "driver": "neuroglancer_precomputed",
            "kvstore": {"driver": "file", "path": folder + "/"},
            "multiscale_metadata": {
                "type": "segmentation" if encoding == "compressed_segmentation" else "image",
                "data_type": data_type,
                "num_channels": 1,
            },
            "scale_metadata": {**scale, **more},
        }
        values = (np.arange(64).reshape(4, 4, 4, 1) * 3 % 17 + 1).astype(data_type)
        ts.open(spec, create=True).result().write(values).result()
        put("neuroglancer", bytes([number]) + (Path(folder) / "s" / key).read_bytes())


def cubes(number, block_type):
    with tempfile.TemporaryDirectory() as folder:
        with wkw.Dataset.create(folder + "/d", wkw.Header(np.uint8, 1, 1, 2, 2, block_type)) as dataset:
            dataset.write((0, 0, 0), np.asfortranarray(np.arange(64, dtype="uint8").reshape(4, 4, 4) % 5 + 1))
        put("wkw", bytes([number]) + (Path(folder) / "d/z0/y0/x0.wkw").read_bytes())


def frame(make):
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/x.b2nd"
        make({"chunks": (12, 16), "blocks": (5, 8), "urlpath": file, "mode": "w"})
        put("b2nd", Path(file).read_bytes())


def main():
    volume(0, "uint8", "raw", "0.shard", sharding=SHARDING)
    volume(1, "uint32", "compressed_segmentation", "0-4_0-4_0-4", **BLOCK)
    volume(2, "uint64", "compressed_segmentation", "0-4_0-4_0-4", **BLOCK)
    volume(3, "uint16", "png", "0-4_0-4_0-4")
    volume(4, "uint8", "jpeg", "0-4_0-4_0-4")
    put("neuroglancer", bytes([5]) + gzip.compress(bytes(range(1, 65)), mtime=0))
    cubes(0, 1)
    cubes(1, 2)
    numbers = (np.arange(600) % 91).astype("uint16").reshape(20, 30)
    filters = blosc2.Filter
    for codec in ("BLOSCLZ", "LZ4", "ZLIB", "ZSTD"):
        for pipeline in ([filters.SHUFFLE], [filters.BITSHUFFLE], [filters.DELTA, filters.SHUFFLE]):
            cparams = {"nthreads": 1, "codec": blosc2.Codec[codec], "filters": pipeline}
            frame(lambda more, cparams=cparams: blosc2.asarray(numbers, cparams=cparams, **more))
    frame(lambda more: blosc2.full((20, 30), fill_value=3.0, dtype="float64", **more))
    frame(lambda more: blosc2.nans((20, 30), dtype="float64", **more))


if __name__ == "__main__":
    main()
