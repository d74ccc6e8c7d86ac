"""Reads and changes data in other formats that shardkit has written: python foreign_check.py DIR

DIR/arrays.tsv has a row for each array: format, place, number of the scale, file of the elements (little-endian, C
order), shape; all below DIR. tensorstore, cloud-volume, wkw, z5py and shardedstore read the arrays. Then each library
that can writes the elements in reverse order into a copy, and z5py and shardedstore make new data. DIR/theirs.tsv names
them for shardkit: a location and the file of its elements. Prints "foreign: N checks, N wrong"; the status is 1 if one
is wrong.
"""

import json
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import tensorstore as ts
import wkw
import z5py
import zarr
from cloudvolume import CloudVolume
from shardedstore import ShardedStore, array_shard_directory_store

# cloud-volume has another order of channels in PNG than tensorstore, and reads 8 bits of 16.
NOT_FOR_CLOUD_VOLUME = ("png/sharded", "png/uint16-2", "png/uint8-2", "png/uint8-3", "png/uint8-4")
NOT_FOR_Z5PY = ("zstd", "blosc")  # it has N5's blosc with other members, and no zstd
NOT_BY_Z5PY = (*NOT_FOR_Z5PY, "zlib")  # it writes streams of gzip there, which tensorstore refuses too
JPEG_TOLERANCE = 3  # between decoders


def is_like(name, expected, found):
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return False
    if "jpeg" in name:
        return np.abs(expected.astype(int) - found.astype(int)).max() <= JPEG_TOLERANCE
    return np.array_equal(expected, found)


class Theirs:
    """What the libraries have written."""

    def __init__(self, root):
        self.root = root
        self.rows = []

    def copy(self, folder, library, scale=0):
        to = self.root / "theirs" / f"{library}-{scale}" / folder.relative_to(self.root)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder, to, dirs_exist_ok=True)
        return to

    def add(self, location, values):
        file = self.root / "theirs" / f"{len(self.rows)}.out"
        file.write_bytes(np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes())
        self.rows.append(f"{location}\t{file}\n")


def volume(folder, scale):
    kvstore = {"driver": "file", "path": str(folder) + "/"}
    return ts.open({"driver": "neuroglancer_precomputed", "kvstore": kvstore, "scale_index": scale}).result()


def cloud(folder, scale):
    return CloudVolume("file://" + str(folder), mip=scale, progress=False, fill_missing=True, compress=False)


def volumes(name, folder, scale, shape):
    yield "tensorstore", np.array(volume(folder, scale).read().result())
    if not name.endswith(NOT_FOR_CLOUD_VOLUME):
        yield "cloud-volume", np.array(cloud(folder, scale)[:, :, :])


def change_volumes(name, folder, scale, values, theirs):
    info = json.loads((folder / "info").read_text())["scales"][scale]
    to = theirs.copy(folder, "tensorstore", scale)
    if "sharding" in info:  # tensorstore 0.1.86 keeps some shards that exist, of its own volumes too, when it overwrites
        shutil.rmtree(to / info["key"])
    volume(to, scale).write(values).result()
    stored = np.array(volume(to, scale).read().result())
    yield "tensorstore", stored
    theirs.add(f"neuroglancer:{to}/{info['key']}", stored)
    one = values.shape[3] == 1 or info["encoding"] != "compressed_segmentation"  # cloud-volume writes one channel only
    if one and "sharding" not in info and not name.endswith(NOT_FOR_CLOUD_VOLUME):
        to = theirs.copy(folder, "cloud-volume", scale)
        cloud(to, scale)[:, :, :] = values
        stored = np.array(cloud(to, scale)[:, :, :])
        yield "cloud-volume", stored
        theirs.add(f"neuroglancer:{to}/{info['key']}", stored)


def cubes(name, folder, scale, shape):
    with wkw.Dataset.open(str(folder)) as dataset:
        yield "wkw", dataset.read((0, 0, 0), shape[1:])


def change_cubes(name, folder, scale, values, theirs):
    with wkw.Dataset.open(str(folder)) as dataset:
        header = dataset.header
        if header.block_type != wkw.Header.BLOCK_TYPE_RAW:  # the library writes whole files of compressed blocks only
            length = header.block_len * header.file_len
            box = [-(-n // length) * length for n in values.shape[1:]]
            written = np.pad(values, [(0, 0)] + [(0, b - n) for b, n in zip(box, values.shape[1:])])
            to = theirs.root / "theirs/wkw" / folder.relative_to(theirs.root)
            to.parent.mkdir(parents=True, exist_ok=True)
            copy = wkw.Dataset.create(str(to), header)
        else:
            written = values
            to = theirs.copy(folder, "wkw")
            copy = wkw.Dataset.open(str(to))
    with copy:
        write_cubes(copy, written)
        stored = copy.read((0, 0, 0), values.shape[1:])
    yield "wkw", stored
    theirs.add(f"wkw:{to}#shape={','.join(map(str, values.shape))}", stored)


def write_cubes(dataset, values):
    """Writes file by file, as the library asks of compressed data."""
    length = dataset.header.block_len * dataset.header.file_len
    for at in np.ndindex(*(-(-n // length) for n in values.shape[1:])):
        corner = tuple(length * a for a in at)
        part = values[(slice(None), *(slice(c, c + length) for c in corner))]
        dataset.write(corner, np.asfortranarray(part))


def n5(folder):
    return ts.open({"driver": "n5", "kvstore": {"driver": "file", "path": str(folder) + "/"}}).result()


def container(folder):
    return next(p for p in folder.parents if (p / "attributes.json").exists())


def z5(folder, mode="r"):
    root = container(folder)
    return z5py.File(str(root), use_zarr_format=False, mode=mode)[str(folder.relative_to(root))]


def blocks(name, folder, scale, shape):
    yield "tensorstore", np.array(n5(folder).read().result())
    if not name.endswith(NOT_FOR_Z5PY):
        yield "z5py", z5(folder)[:].transpose()


def change_blocks(name, folder, scale, values, theirs):
    to = theirs.copy(folder, "tensorstore")
    n5(to).write(values).result()
    yield "tensorstore", np.array(n5(to).read().result())
    theirs.add(f"n5:{to}", values)
    if not name.endswith(NOT_BY_Z5PY):
        to = theirs.copy(folder, "z5py")
        root = theirs.root / "theirs/z5py-0" / container(folder).relative_to(theirs.root)
        (root / "attributes.json").write_text('{"n5": "2.0.0"}')
        z5(to, "r+")[:] = np.ascontiguousarray(values.transpose())
        yield "z5py", z5(to)[:].transpose()
        theirs.add(f"n5:{to}", values)


def composed(folder):
    """Returns the composed store that an array belongs to, and the array's path."""
    root = next(p for p in folder.parents if (p / "composed.json").exists())
    store = ShardedStore.from_config(json.loads((root / "composed.json").read_text()))
    return store, str(folder.relative_to(root)), root


def parts(name, folder, scale, shape):
    store, path, _ = composed(folder)
    yield "shardedstore", zarr.open_array(store, path=path, mode="r")[:]


def change_parts(name, folder, scale, values, theirs):
    """In place: the document names its parts by their places."""
    store, path, root = composed(folder)
    array = zarr.open_array(store, path=path, mode="r+")
    array[:] = values
    yield "shardedstore", array[:]
    theirs.add(f"composed:{root}/composed.json!{path}", values)


FORMATS = {
    "neuroglancer": (volumes, change_volumes),
    "wkw": (cubes, change_cubes),
    "n5": (blocks, change_blocks),
    "composed": (parts, change_parts),
}


def make_new(theirs):
    """Makes N5 by z5py and a composed store by shardedstore."""
    values = (np.arange(20 * 13 * 9) * 7919 % 60013).astype("uint16").reshape(20, 13, 9)
    file = z5py.File(str(theirs.root / "theirs/new.n5"), use_zarr_format=False, mode="w")
    for codec in ("raw", "gzip", "bzip2", "xz"):
        file.create_dataset(codec, data=values, chunks=(8, 8, 4), compression=codec)
        theirs.add(f"n5:{theirs.root}/theirs/new.n5/{codec}", values.transpose())
    folder = theirs.root / "theirs/new.composed"
    folder.mkdir(parents=True)
    directory = lambda name: zarr.DirectoryStore(str(folder / name), dimension_separator="/")
    planes = array_shard_directory_store(str(folder / "planes"), dimension_separator="/")
    store = ShardedStore(directory("base.zarr"), {"group": directory("group.zarr")}, {"planes": (1, planes)})
    root = zarr.open_group(store, mode="w")
    root.create_dataset("planes", data=values[:6], chunks=(1, 5, 4))
    root.create_dataset("group/image", data=values[0], chunks=(5, 4))
    (folder / "composed.json").write_text(json.dumps(store.get_config()))
    theirs.add(f"composed:{folder}/composed.json!planes", values[:6])
    theirs.add(f"composed:{folder}/composed.json!group/image", values[0])


def main():
    warnings.simplefilter("ignore")
    root = Path(sys.argv[1])
    theirs = Theirs(root)
    checks = wrong = 0

    def check(what, name, expected, found):
        nonlocal checks, wrong
        checks += 1
        if not is_like(name, expected, found):
            wrong += 1
            print(f"{name}: {what} other elements")

    rows = [line.split("\t") for line in (root / "arrays.tsv").read_text().splitlines()]
    for format, name, scale, out, lengths in rows:
        read, change = FORMATS[format]
        shape = tuple(map(int, lengths.split(",")))
        for reader, found in read(name, root / name, int(scale), shape):
            expected = np.frombuffer((root / out).read_bytes(), found.dtype.newbyteorder("<")).reshape(shape)
            expected = expected.astype(found.dtype)
            check(f"{reader} reads", f"{name}, scale {scale}", expected, found)
        reverse = np.ascontiguousarray(np.flip(expected))
        for writer, found in change(name, root / name, int(scale), reverse, theirs):
            check(f"{writer} writes", f"{name}, scale {scale}", reverse, found)
    make_new(theirs)
    (root / "theirs.tsv").write_text("".join(theirs.rows))
    print(f"foreign: {checks} checks, {wrong} wrong")
    sys.exit(1 if wrong or not checks else 0)


if __name__ == "__main__":
    main()
