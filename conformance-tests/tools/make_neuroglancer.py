"""Writes samples of neuroglancer's precomputed format as a ZIP archive: python make_neuroglancer.py SAMPLES.zip

Each volume NAME has its elements in NAME.bin: little-endian, x, y, z, channel in C order. tensorstore writes them, and
cloud-volume those below cloudvolume/. Needs the libraries of foreign-requirements.txt.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import tensorstore as ts

SHAPE = (37, 21, 13)
CHUNK = (16, 16, 8)
INTEGERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32"]


def noise(data_type, channels):
    values = np.arange(np.prod(SHAPE) * channels, dtype="int64") * 7919 % 60013
    return values.reshape((*SHAPE, channels)).astype(data_type)


def segments(data_type, channels):
    x, y, z, c = np.indices((*SHAPE, channels))
    values = (x // 5 + 10 * (y // 7) + 100 * (z // 6) + 1000 * c).astype(data_type)
    return np.where(values % 7 == 3, np.array(2**31 + 5, data_type) * values, values).astype(data_type)


def smooth(channels):
    x, y, z, c = np.indices((*SHAPE, channels))
    return ((4 * x + 3 * y + 2 * z + 40 * c) % 200).astype("uint8")


def sharding(hash="identity", preshift=0, minishards=2, shards=2, index="raw", data="raw"):
    return {
        "@type": "neuroglancer_uint64_sharded_v1",
        "preshift_bits": preshift,
        "hash": hash,
        "minishard_bits": minishards,
        "shard_bits": shards,
        "minishard_index_encoding": index,
        "data_encoding": data,
    }


def write(root, name, values, encoding, offset=(0, 0, 0), **more):
    folder = root / name
    scale = {
        "key": "8_8_40",
        "size": list(SHAPE),
        "resolution": [8, 8, 40],
        "voxel_offset": list(offset),
        "chunk_size": list(CHUNK),
        "encoding": encoding,
        **more,
    }
    spec = {
        "driver": "neuroglancer_precomputed",
        "kvstore": {"driver": "file", "path": str(folder) + "/"},
        "multiscale_metadata": {
            "type": "segmentation" if encoding == "compressed_segmentation" else "image",
            "data_type": str(values.dtype),
            "num_channels": values.shape[3],
        },
        "scale_metadata": scale,
        "create": True,
    }
    array = ts.open(spec).result()
    array.write(values).result()
    expect(root, name, np.array(array.read().result()))


def expect(root, name, values):
    file = root / (name + ".bin")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes())


def cloud_volume(root, name, values, encoding):
    from cloudvolume import CloudVolume

    info = CloudVolume.create_new_info(
        num_channels=values.shape[3],
        layer_type="segmentation" if encoding == "compressed_segmentation" else "image",
        data_type=str(values.dtype),
        encoding=encoding,
        resolution=[8, 8, 40],
        voxel_offset=[-7, 0, 3],
        chunk_size=list(CHUNK),
        volume_size=list(SHAPE),
    )
    volume = CloudVolume("file://" + str(root / name), info=info, compress=True, progress=False)
    volume.add_scale((2, 2, 1))
    volume.commit_info()
    volume[:, :, :] = values
    volume.mip = 1
    volume[:, :, :] = values[::2, ::2]
    expect(root, name, values)
    expect(root, name + ".half", values[::2, ::2])


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for data_type in [*INTEGERS, "float32"]:
            write(root, "types/" + data_type, noise(data_type, 1), "raw")
        write(root, "raw/offset", noise("uint16", 3), "raw", (10, -25, 3))
        write(root, "raw/identity", noise("uint16", 2), "raw", (1, 2, -3), sharding=sharding())
        write(root, "raw/murmur", noise("float32", 1), "raw", sharding=sharding("murmurhash3_x86_128", 1, 1, 3, "gzip"))
        write(root, "raw/gzip", noise("uint64", 1), "raw", sharding=sharding(preshift=9, index="gzip", data="gzip"))
        write(root, "raw/one", noise("uint8", 1), "raw", sharding=sharding(minishards=0, shards=0))
        for channels in (1, 2, 3, 4):
            write(root, f"png/uint8-{channels}", noise("uint8", channels), "png")
        write(root, "png/uint16-2", noise("uint16", 2), "png")
        write(root, "png/sharded", noise("uint16", 1), "png", sharding=sharding("murmurhash3_x86_128"))
        write(root, "jpeg/gray", smooth(1), "jpeg", jpeg_quality=90)
        write(root, "jpeg/color", smooth(3), "jpeg", jpeg_quality=90, sharding=sharding())
        block = {"compressed_segmentation_block_size": [8, 8, 8]}
        odd = {"compressed_segmentation_block_size": [5, 3, 8]}
        name = "compressed_segmentation"
        write(root, "segments/uint32", segments("uint32", 1), name, (0, -4, 0), **block)
        write(root, "segments/uint64", segments("uint64", 2), name, **odd)
        write(root, "segments/noise", noise("uint32", 1), name, sharding=sharding(data="gzip"), **block)
        cloud_volume(root, "cloudvolume/raw", noise("uint16", 1), "raw")
        cloud_volume(root, "cloudvolume/segments", segments("uint64", 1), name)
        cloud_volume(root, "cloudvolume/png", noise("uint8", 1), "png")
        with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file() and not file.name == "provenance":
                    entry = zipfile.ZipInfo(file.relative_to(root).as_posix())
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
