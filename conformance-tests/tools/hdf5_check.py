"""Random HDF5 files, read by shardkit and by h5py.

    hdf5_check.py DIR FILES SHARDKIT...

SHARDKIT is the command with its arguments. h5py writes FILES files of 40 datasets. `shardkit copy hdf5:FILE` makes Zarr
v3 of each, `shardkit references FILE` a document of references. zarr-python reads the copy, and by fsspec the document,
from files and over HTTP, without the datasets whose filters numcodecs lacks; `shardkit copy reference:DOCUMENT` reads
the document of some. All elements must be h5py's.
Needs the libraries of hdf5-requirements.txt.
"""

import functools
import http.server
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading

import fsspec
import h5py
import hdf5plugin
import numpy as np
import zarr
from h5py import h5d, h5p, h5s, h5t, h5z

DATASETS = 40
TYPES = ["i1", "u1", "<i2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f2", "<f4", ">f4", "<f8", ">f8", "?", "<c8", "<c16", "S3", "S7"]


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Serves files, and single ranges of them."""

    def do_GET(self):
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        path = pathlib.Path(self.translate_path(self.path))
        if not wanted or not path.is_file():
            return super().do_GET()
        data = path.read_bytes()
        first, last = int(wanted[1]), min(int(wanted[2] or len(data)), len(data) - 1)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        self.wfile.write(data[first : last + 1])

    def log_message(self, *_):
        pass


def run(*command, statuses=(0,)):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in statuses:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done


def filters(rng):
    some = {}
    if rng.random() < 0.5:
        some["shuffle"] = True
    if rng.random() < 0.2:
        some["fletcher32"] = True
    kind = rng.random()
    if kind < 0.5:
        some |= {"compression": "gzip", "compression_opts": rng.randint(0, 9)}
    elif kind < 0.6:
        some |= dict(hdf5plugin.Zstd(clevel=rng.randint(1, 9)))
    elif kind < 0.7:
        some |= dict(hdf5plugin.Blosc(cname=rng.choice(["lz4", "zlib", "zstd"]), shuffle=rng.randint(0, 2)))
    elif kind < 0.75:
        some |= dict(hdf5plugin.BZip2())
    return some


def others(rng, dtype):
    """Filters that numcodecs lacks."""
    kinds = [
        {"compression": "lzf"},
        dict(hdf5plugin.LZ4(nbytes=rng.choice([0, 64]))),
        dict(hdf5plugin.Bitshuffle(nelems=rng.choice([0, 8]), cname=rng.choice(["none", "lz4", "zstd"]))),
        dict(hdf5plugin.Blosc2(cname=rng.choice(["blosclz", "lz4", "zlib", "zstd"]), clevel=rng.randint(0, 9), filters=rng.randint(0, 3))),
        {"compression": 32026, "compression_opts": (0, rng.choice([16, 100, 1000]), 0, 0, 5, rng.randint(0, 3), 5)},
    ]
    if dtype.kind in "iu" and rng.random() < 0.2:
        return {"scaleoffset": 0}
    return rng.choice(kinds) | {"shuffle": rng.random() < 0.3, "fletcher32": rng.random() < 0.2}


def narrow(f, name, dtype, data, chunks, rng):
    """Integers of less precision than their size; nbit stores only their bits."""
    bits = 8 * dtype.itemsize
    precision = rng.randint(bits // 2 + 1, bits)
    data_type = h5t.py_create(dtype).copy()
    data_type.set_precision(precision)
    data_type.set_offset(rng.randint(0, bits - precision))
    create = h5p.create(h5p.DATASET_CREATE)
    create.set_chunk(chunks)
    if rng.random() < 0.8:
        create.set_filter(h5z.FILTER_NBIT, h5z.FLAG_OPTIONAL, ())
    if rng.random() < 0.5:
        create.set_deflate(4)
    group = f.require_group(name.rpartition("/")[0] or "/")
    made = h5d.create(group.id, name.rpartition("/")[2].encode(), data_type, h5s.create_simple(data.shape), create)
    h5py.Dataset(made)[...] = np.minimum(data, (1 << precision - 1) - 1)


def write(path, rng):
    """Returns the elements of each dataset, as h5py reads them, and the names of those that references leave out."""
    left_out = set()
    libver = rng.choice(["earliest", "latest", ("v108", "v110"), ("v110", "v112")])
    with h5py.File(path, "w", libver=libver, userblock_size=rng.choice([0, 0, 512])) as f:
        for i in range(DATASETS):
            dtype = np.dtype(rng.choice(TYPES))
            shape = tuple(rng.randint(1, 40 if d < 2 else 5) for d in range(rng.choice([0, 1, 1, 2, 2, 2, 3, 4])))
            name = "/".join(rng.choice(["a", "b b", "ü"]) for _ in range(rng.randint(0, 2))) + f"/d{i}"
            data = np.random.default_rng(rng.getrandbits(32)).integers(0, 120, shape).astype(dtype)
            options = {}
            if shape and rng.random() < 0.3:
                left_out.add(name.strip("/"))
                chunks = tuple(rng.randint(1, n) for n in shape)
                if dtype.kind in "iu" and rng.random() < 0.4:
                    narrow(f, name, dtype, data, chunks, rng)
                else:
                    f.create_dataset(name, data=data, chunks=chunks, track_times=False, **others(rng, dtype))
                continue
            if shape and rng.random() < 0.8:
                options = {"chunks": tuple(rng.randint(1, n) for n in shape), **filters(rng)}
                options["maxshape"] = tuple(rng.choice([n, n, None, n + 7]) for n in shape)
                options["track_times"] = False
            if rng.random() < 0.5 and dtype.kind in "iuf":
                options["fillvalue"] = rng.choice([1, 7, np.nan if dtype.kind == "f" else 3])
            dataset = f.create_dataset(name, shape, dtype, **options)
            if shape and rng.random() < 0.5:
                part = tuple(slice(rng.randint(0, n - 1), n) for n in shape)
                dataset[part] = data[part]
            elif rng.random() < 0.95:
                dataset[...] = data
            if shape and "chunks" in options and rng.random() < 0.2:
                dataset.resize(tuple(m if m and m > n else max(1, n - 3) for n, m in zip(shape, options["maxshape"])))
    values = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, node: values.update({name: node[...]}) if isinstance(node, h5py.Dataset) else None)
    return values, left_out


def compare(group, values, what):
    for name, expected in values.items():
        found = np.asarray(group[name][...])
        same = found.shape == expected.shape and (
            np.array_equal(found, expected, equal_nan=True) if expected.dtype.kind in "fc" else (found == expected).all()
        )
        if not same:
            raise SystemExit(f"{what}: {name}: {found.dtype} {found.shape}, expected {expected.dtype} {expected.shape}")
    return len(values)


def by_fsspec(document, **options):
    store = fsspec.filesystem("reference", fo=str(document), asynchronous=True, **options)
    return zarr.open_group(zarr.storage.FsspecStore(store, read_only=True), mode="r", zarr_format=2)


def check(directory, number, base, shardkit):
    path = directory / f"r{number}.h5"
    values, left_out = write(path, random.Random(number))
    copy = directory / f"r{number}.zarr"
    shutil.rmtree(copy, ignore_errors=True)
    run(*shardkit, "copy", f"hdf5:{path}", str(copy))
    read = compare(zarr.open_group(str(copy), mode="r"), values, f"{path} copied")
    local, far = directory / f"r{number}.json", directory / f"r{number}-http.json"
    run(*shardkit, "references", str(path), "-o", str(local), "--url", str(directory), "--skip-unsupported", statuses=(0, 1))
    run(*shardkit, "references", str(path), "-o", str(far), "--url", base, "--skip-unsupported", statuses=(0, 1))
    count = len(values)
    values = {name: value for name, value in values.items() if name not in left_out}
    group = by_fsspec(local, remote_protocol="file", remote_options={"asynchronous": True})
    read += compare(group, values, f"{path} by fsspec")
    read += compare(by_fsspec(far, remote_protocol="http", remote_options={"asynchronous": True}), values, f"{base} by fsspec")
    if number % 4 == 0:
        again = directory / f"r{number}-again.zarr"
        shutil.rmtree(again, ignore_errors=True)
        run(*shardkit, "copy", f"reference:{far}#allow=*", str(again))
        # Bytes of Zarr v2 become raw bits, which zarr-python does not open.
        numbers = {name: value for name, value in values.items() if value.dtype.kind != "S"}
        read += compare(zarr.open_group(str(again), mode="r"), numbers, f"{far} by shardkit")
    return count, read


def main():
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Ranges, directory=str(directory)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    arrays = reads = 0
    for number in range(int(sys.argv[2])):
        some, read = check(directory, number, base, sys.argv[3:])
        arrays += some
        reads += read
    print(f"{arrays} arrays")
    print(f"hdf5: {reads} checks, 0 wrong")


if __name__ == "__main__":
    main()
