"""Reads volumes and cubes that shardkit has changed: python foreign_check.py DIR

DIR holds volumes of neuroglancer and data of webknossos-wrap, each NAME with its elements in NAME.out. tensorstore and
cloud-volume read the former, wkw the latter. Prints "foreign: N checks, N wrong"; the status is 1 if one is wrong.
"""

import sys
from pathlib import Path

import numpy as np
import tensorstore as ts
import wkw
from cloudvolume import CloudVolume

# cloud-volume has another order of channels in PNG than tensorstore, and reads 8 bits of 16.
NOT_FOR_CLOUD_VOLUME = ("png/sharded", "png/uint16-2", "png/uint8-2", "png/uint8-3", "png/uint8-4")


def volumes(name, folder):
    spec = {"driver": "neuroglancer_precomputed", "kvstore": {"driver": "file", "path": str(folder) + "/"}}
    yield "tensorstore", np.array(ts.open(spec).result().read().result())
    if not name.endswith(NOT_FOR_CLOUD_VOLUME):
        yield "cloud-volume", np.array(CloudVolume("file://" + str(folder), progress=False, fill_missing=True)[:, :, :])


def cubes(name, folder):
    with wkw.Dataset.open(str(folder)) as dataset:
        length = 2 * dataset.header.block_len * dataset.header.file_len
        yield "wkw", dataset.read((0, 0, 0), (length, length, length))


def main():
    root = Path(sys.argv[1])
    checks = wrong = 0
    for out in sorted(root.rglob("*.out")):
        folder = out.with_suffix("")
        name = str(folder.relative_to(root))
        readers = volumes if (folder / "info").exists() else cubes
        for reader, found in readers(name, folder):
            checks += 1
            expected = np.frombuffer(out.read_bytes(), found.dtype)
            if expected.size != found.size or not np.array_equal(expected.reshape(found.shape), found):
                wrong += 1
                print(f"{name}: {reader} reads other elements")
    print(f"foreign: {checks} checks, {wrong} wrong")
    sys.exit(1 if wrong or not checks else 0)


if __name__ == "__main__":
    main()
