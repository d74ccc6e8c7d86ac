"""HDF5 files whose datasets shardkit adopts, read back with zarr-python and with h5py.

    hdf5_adopt.py DIR SHARDKIT...

SHARDKIT is the command with its arguments. For each dataset: h5py writes it and says where its chunks lie, `shardkit
adopt` puts an index behind the file, and another beside it; zarr-python and `shardkit read` must then give h5py's
elements, h5py must open the file as before, its bytes must be what they were, and `--undo` must give the file back.
"""

import json
import pathlib
import subprocess
import sys

import h5py
import numpy
import zarr

# name, dtype, shape, chunk shape (None: contiguous), options of h5py, codecs behind bytes
CASES = [
    ("plain", "<i2", (64, 50), (16, 20), {}, []),
    ("gzip", "<f8", (100, 40), (30, 40), {"compression": "gzip", "compression_opts": 6}, ["zlib6"]),
    ("shuffled", "<u4", (33, 17, 9), (8, 8, 8), {"compression": "gzip", "shuffle": True}, ["shuffle4", "zlib4"]),
    ("big_endian", ">i4", (40, 40), (10, 40), {"compression": "gzip"}, ["zlib4"]),
    ("contiguous", "<f4", (60, 70), None, {}, []),
]


def codecs(dtype, names):
    endian = "big" if dtype.startswith(">") else "little"
    chain = [{"name": "bytes", "configuration": {"endian": endian}}]
    for name in names:
        number = int(name[-1])
        chain.append({"name": "numcodecs.shuffle", "configuration": {"elementsize": number}} if "shuffle" in name
                     else {"name": "numcodecs.zlib", "configuration": {"level": number}})
    return chain


def extents(dataset):
    """Where the chunks lie; a chunk that was stored without some of its filters cannot be adopted."""
    for i in range(dataset.id.get_num_chunks()):
        info = dataset.id.get_chunk_info(i)
        if info.filter_mask:
            raise SystemExit(f"a chunk without its filters: {info}")
        cell = [o // c for o, c in zip(info.chunk_offset, dataset.chunks)]
        yield {"cell": cell, "offset": info.byte_offset, "size": info.size}


def write(path, case, rng):
    name, dtype, shape, chunks, options, _ = case
    values = rng.integers(0, 1000, shape).astype(dtype)
    with h5py.File(path, "w") as f:
        f.attrs["made"] = "for a test"
        d = f.create_dataset("deep/" + name, shape, dtype, chunks=chunks, fillvalue=0, **options)
        if chunks is None:
            d[...] = values
        else:
            part = tuple(slice(0, n - n // 3) for n in shape)  # some chunks stay missing
            d[part] = values[part]
    with h5py.File(path, "r") as f:
        return f["deep/" + name][...]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def reads(shardkit, location, dtype, values):
    raw = subprocess.run([*shardkit, "read", location, "--format", "raw"], capture_output=True, check=True).stdout
    own = numpy.frombuffer(raw, numpy.dtype(dtype).newbyteorder("<")).reshape(values.shape)
    assert (own == values).all(), f"shardkit reads something else from {location}"


def check(directory, shardkit, case, rng):
    name, dtype, shape, chunks, _, filters = case
    path = directory / f"{name}.h5"
    values = write(path, case, rng)
    before = path.read_bytes()
    arguments = []
    with h5py.File(path, "r") as f:
        dataset = f["deep/" + name]
        if chunks is None:
            arguments = ["--contiguous", str(dataset.id.get_offset())]
        else:
            lines = directory / f"{name}.chunks"
            lines.write_text("".join(json.dumps(e) + "\n" for e in extents(dataset)))
            arguments = ["--chunks", str(lines)]
    description = directory / f"{name}.array"
    description.write_text(json.dumps({
        "shape": shape, "data_type": numpy.dtype(dtype).name, "chunk_shape": chunks or [6, *shape[1:]],
        "codecs": codecs(dtype, filters), "fill_value": 0}))
    arguments += ["--array", str(description)]
    document = directory / f"{name}.json"
    run(*shardkit, "adopt", str(path), str(document), "--beside", *arguments)
    assert path.read_bytes() == before, "the file was changed"
    array = directory / f"{name}.zarr"
    run(*shardkit, "adopt", str(path), str(array), *arguments)
    after = path.read_bytes()
    assert after[:len(before)] == before and len(after) > len(before), "the file was changed"
    with h5py.File(path, "r") as f:
        assert (f["deep/" + name][...] == values).all() and f.attrs["made"] == "for a test", "h5py reads something else"
    read = zarr.open_array(str(array), mode="r")
    assert read.shards is not None and (read[...] == values).all(), "zarr-python reads something else"
    run(*shardkit, "verify", str(array))
    reads(shardkit, str(array), dtype, values)
    run(*shardkit, "adopt", "--undo", str(path), str(array))
    assert path.read_bytes() == before, "undo did not give the file back"
    reads(shardkit, f"reference:{document}", dtype, values)
    print(f"{name}: {len(before)} bytes, {values.size} elements, equal in h5py, zarr-python and shardkit")


def main():
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    rng = numpy.random.default_rng(7)
    for case in CASES:
        check(directory, sys.argv[2:], case, rng)
    print(f"adopt: {len(CASES)} checks, 0 wrong")


if __name__ == "__main__":
    main()
