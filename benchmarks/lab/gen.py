"""Makes the lab's data below $LAB_HOME/data (deterministic, seeded) and the sharded arrays, written by zarr-python.

    python gen.py            everything that is missing
"""

from __future__ import annotations

import json
import os
import shutil
import time

import numpy as np

from lab import DATA, SEED

RAW = os.path.join(DATA, "raw")

CODECS = {
    "none": [],
    "zstd": [{"name": "zstd", "configuration": {"level": 3, "checksum": False}}],
    "gzip": [{"name": "gzip", "configuration": {"level": 5}}],
    "blosc": [{"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle",
                                                  "typesize": 2, "blocksize": 0}}],
}


def field(z0, z1, n, seed):
    """Smooth field of n x n planes z0..z1 in 0..1: sinusoids and gaussian blobs, as float32."""
    rng = np.random.default_rng(seed + SEED)
    k = rng.uniform(1, 6, (6, 3)) * 2 * np.pi / n
    ph = rng.uniform(0, 2 * np.pi, 6)
    cen = rng.uniform(0, n, (24, 3))
    sig = rng.uniform(n / 24, n / 8, 24)
    z = np.arange(z0, z1, dtype=np.float32)
    x = np.arange(n, dtype=np.float32)
    out = np.zeros((z1 - z0, n, n), np.float32)
    for (a, b, c), p in zip(k, ph):   # sin(az + by + cx + p) as a product of complex exponentials
        ez = np.exp(1j * (a * z + p)).astype(np.complex64)
        eyx = (np.exp(1j * b * x)[:, None] * np.exp(1j * c * x)[None, :]).astype(np.complex64)
        out += ez.imag[:, None, None] * eyx.real + ez.real[:, None, None] * eyx.imag
    for (cz, cy, cx), s in zip(cen, sig):
        gz, gy, gx = (np.exp(-((v - c) ** 2) / (2 * s * s)).astype(np.float32) for v, c in ((z, cz), (x, cy), (x, cx)))
        out += 2.5 * gz[:, None, None] * (gy[:, None] * gx[None, :])
    return (out + 6.0) / 16.0


def raw(name, shape, dtype, make):
    p = os.path.join(RAW, name + ".raw")
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if not (os.path.exists(p) and os.path.getsize(p) == size):
        make(p)
    assert os.path.getsize(p) == size, p
    return np.memmap(p, dtype, "r", shape=tuple(shape))


def make_A(p):
    with open(p, "wb") as f:
        for z in range(0, 512, 32):
            v = field(z, z + 32, 512, 7)
            noise = np.random.default_rng(1000 + z + SEED).integers(0, 16, v.shape, dtype=np.uint16)   # 4 bits
            f.write(((v * 1200).astype(np.uint16) + noise).astype("<u2").tobytes())


def make_F(p):
    with open(p, "wb") as f:
        for z in range(0, 256, 32):
            v = field(z, z + 32, 512, 11)
            noise = np.random.default_rng(2000 + z + SEED).normal(0, 1e-3, v.shape).astype(np.float32)
            v = v + noise
            b = v.view(np.uint32)
            b &= np.uint32(0xFFFFF000)      # 11 bits of mantissa kept
            f.write(v.astype("<f4").tobytes())


def make_B(p):
    with open(p, "wb") as f:
        y = np.arange(4096, dtype=np.float32)
        img = 96 + 60 * np.sin(y[:, None] / 97) * np.cos(y[None, :] / 61) + 30 * np.sin((y[:, None] + y[None, :]) / 23)
        img = img + np.random.default_rng(5 + SEED).integers(0, 4, img.shape)
        f.write(img.astype(np.uint8).tobytes())


def make_S(p):
    a = np.memmap(os.path.join(RAW, "A.raw"), "<u2", "r", shape=(512, 512, 512))
    with open(p, "wb") as f:
        f.write(np.ascontiguousarray(a[:256, :256, :256]).tobytes())


def make_U(p):
    """64 inner chunks of other data, for the update workload."""
    with open(p, "wb") as f:
        for i in range(64):
            v = field(i, i + 32, 64, 99)[:, :32, :32]
            noise = np.random.default_rng(3000 + i + SEED).integers(0, 16, v.shape, dtype=np.uint16)
            f.write(((v * 1200).astype(np.uint16) + noise).astype("<u2").tobytes())


ARRAYS = {}   # name -> raw, shape, dtype, shard, chunk, codec
for c in CODECS:
    ARRAYS["A_" + c] = ("A", [512, 512, 512], "uint16", [256] * 3, [32] * 3, c)
    ARRAYS["S_" + c] = ("S", [256, 256, 256], "uint16", [256] * 3, [32] * 3, c)
ARRAYS["F_zstd"] = ("F", [256, 512, 512], "float32", [256] * 3, [32] * 3, "zstd")
ARRAYS["B_zstd"] = ("B", [4096, 4096], "uint8", [4096] * 2, [16] * 2, "zstd")


SHARDS = {"@type": "neuroglancer_uint64_sharded_v1", "hash": "identity", "preshift_bits": 3, "minishard_bits": 3,
          "shard_bits": 0, "minishard_index_encoding": "gzip", "data_encoding": "gzip"}
FORMATS = {   # name -> the driver of tensorstore, and what it needs; 256^3 of uint16 in chunks of 64^3
    "P_raw": ("neuroglancer", {"scale_metadata": {}}),
    "P_gzip": ("neuroglancer", {"scale_metadata": {"sharding": SHARDS}}),
    "N_gzip": ("n5", {"metadata": {"compression": {"type": "gzip", "level": 5}}}),
    "N_zstd": ("n5", {"metadata": {"compression": {"type": "zstd", "level": 3}}}),
}


def write_format(path, name, values):
    """Writes an array of another format, and returns its shape, the shape of a chunk and its path below the folder."""
    import tensorstore as ts
    driver, members = FORMATS[name]
    shape, chunk, kvstore = list(values.shape), [64] * 3, {"driver": "file", "path": path + "/"}
    if driver == "n5":
        spec = {"driver": "n5", "kvstore": kvstore, "metadata": {
            **members["metadata"], "dimensions": shape, "blockSize": chunk, "dataType": "uint16"}}
    else:
        shape, chunk, values = shape + [1], chunk + [1], values[..., None]
        spec = {"driver": "neuroglancer_precomputed", "kvstore": kvstore,
                "multiscale_metadata": {"type": "image", "data_type": "uint16", "num_channels": 1},
                "scale_metadata": {**members["scale_metadata"], "size": shape[:3], "chunk_size": chunk[:3],
                                   "key": "8_8_8", "resolution": [8, 8, 8], "encoding": "raw"}}
    array = ts.open(spec, create=True, delete_existing=True).result()
    array.write(values).result()
    assert np.array_equal(array.read().result(), values)
    return shape, chunk, "" if driver == "n5" else "/8_8_8"


def metadata(shape, dtype, shard, chunk, codec):
    inner = [{"name": "bytes", "configuration": {"endian": "little"}} if dtype != "uint8" else {"name": "bytes"}]
    return {
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": dtype,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shard}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0.0 if dtype == "float32" else 0,
        "codecs": [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": chunk, "codecs": inner + CODECS[codec],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            "index_location": "end"}}],
        "attributes": {}}


def main():
    os.makedirs(RAW, exist_ok=True)
    raws = {
        "A": raw("A", (512, 512, 512), "<u2", make_A),
        "F": raw("F", (256, 512, 512), "<f4", make_F),
        "B": raw("B", (4096, 4096), "|u1", make_B),
        "S": raw("S", (256, 256, 256), "<u2", make_S),
        "U": raw("U", (64, 32, 32, 32), "<u2", make_U),
    }
    import zarr
    man = {"zarr_python": zarr.__version__, "arrays": {}}
    for name, (r, shape, dtype, shard, chunk, codec) in ARRAYS.items():
        d = os.path.join(DATA, name)
        done = os.path.join(DATA, name + ".done")
        if not os.path.exists(done):
            shutil.rmtree(d, ignore_errors=True)
            os.makedirs(d)
            with open(os.path.join(d, "zarr.json"), "w") as f:
                json.dump(metadata(shape, dtype, shard, chunk, codec), f)
            t = time.time()
            z = zarr.open_array(d, mode="r+")
            z[...] = np.asarray(raws[r])
            assert np.array_equal(z[...], raws[r])
            open(done, "w").close()
            print(f"{name}: written in {time.time() - t:.1f} s", flush=True)
        stored = sum(os.path.getsize(os.path.join(a, f)) for a, _, fs in os.walk(d) for f in fs)
        man["arrays"][name] = {"raw": r, "shape": shape, "dtype": dtype, "shard": shard, "chunk": chunk, "codec": codec,
                               "raw_bytes": int(raws[r].nbytes), "stored_bytes": stored}
    for name, (driver, _) in FORMATS.items():
        d = os.path.join(DATA, name)
        shape, chunk, path = write_format(d, name, np.asarray(raws["S"]))
        stored = sum(os.path.getsize(os.path.join(a, f)) for a, _, fs in os.walk(d) for f in fs)
        man["arrays"][name] = {"raw": "S", "shape": shape, "dtype": "uint16", "chunk": chunk, "format": driver,
                               "path": path, "raw_bytes": int(raws["S"].nbytes), "stored_bytes": stored}
    with open(os.path.join(DATA, "manifest.json"), "w") as f:
        json.dump(man, f, indent=1)
    for n, m in man["arrays"].items():
        raw_mib, stored_mib = m["raw_bytes"] / 2**20, m["stored_bytes"] / 2**20
        print(f"{n:8} raw {raw_mib:7.1f} MiB  stored {stored_mib:7.1f} MiB  ratio {raw_mib / stored_mib:.2f}")


if __name__ == "__main__":
    main()
