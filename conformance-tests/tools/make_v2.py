#!/usr/bin/env python3
"""Arrays of Zarr v2, written by zarr-python, as fixtures: the manifest form of conformance-tests/fixtures.

    make_v2.py --out DIR [--seed N]

The configurations are fixed (data types and byte orders, compressors, filters, orders, separators, fill values, missing
chunks); the seed gives the values.  The expected file is what zarr-python reads back, which is what it was given unless
a filter is lossy.  Needs requirements.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import sys
import warnings
import zlib

import numcodecs
import numpy as np
import zarr

from make_fixtures import WORDS, raw

warnings.simplefilter("ignore")
LOSSY = ("fixedscaleoffset", "bitround", "astype")


def values_of(rng, dtype, shape):
    n = int(np.prod(shape, dtype=np.int64))
    if dtype in ("text", "binary"):
        a = np.empty(n, object)
        a[:] = [WORDS[k] if dtype == "text" else rng.bytes(int(3 * k)) for k in rng.integers(0, len(WORDS), n)]
        return a.reshape(shape)
    d = np.dtype(dtype)
    if d.kind in "US":
        words = [w[: max(1, d.itemsize // 4)].replace("\0", "") for w in WORDS]
        words = [w for w in words if d.kind == "U" or w.isascii()]
        return np.array([words[k] for k in rng.integers(0, len(words), n)], d).reshape(shape)
    if d.kind == "b":
        return rng.integers(0, 2, shape).astype(d)
    if d.kind in "fc":
        a = (rng.standard_normal((*shape, 2)) * 100).astype("f8")
        if n > 1:
            a.reshape(-1)[:2] = [np.nan, -np.inf] if dtype not in ("<f8", "<f4") else [0.5, -100.25]
        return (a[..., 0] if d.kind == "f" else a[..., 0] + 1j * a[..., 1]).astype(d)
    if d.kind in "mM":
        return rng.integers(-(2**40), 2**40, shape).astype("i8").view(d.newbyteorder("=")).astype(d)
    return np.frombuffer(rng.bytes(n * d.itemsize), d).reshape(shape)


def cases():
    kinds = ["|b1", "|i1", "|u1", "<i2", ">i2", "<i4", ">i4", ">i8", "<u2", ">u4", "<u8", "<f2", ">f2", ">f4", ">f8"]
    kinds += ["<c8", ">c16", "|S5", "|V3", "<U3", ">U2", "<M8[ns]", ">M8[10s]", "<m8[D]", "text", "binary"]
    for k, dtype in enumerate(kinds):
        yield f"type/{k}", dtype, {"compressor": [None, numcodecs.Zstd(1), numcodecs.Blosc("lz4")][k % 3]}
    compressors = {
        "zlib": numcodecs.Zlib(1), "zlib9": numcodecs.Zlib(9), "gzip": numcodecs.GZip(5), "zstd": numcodecs.Zstd(3),
        "zstdsum": numcodecs.Zstd(3, checksum=True), "lz4": numcodecs.Blosc("lz4", 5, 1),
        "lz4hc": numcodecs.Blosc("lz4hc", 9, 2), "blosczstd": numcodecs.Blosc("zstd", 3, -1),
        "blosczlib": numcodecs.Blosc("zlib", 1, 0), "blosclz": numcodecs.Blosc("blosclz", 5, 1),
    }  # fmt: skip
    for name, compressor in compressors.items():
        yield f"compressor/{name}", ">i4" if name < "c" else "<u2", {"compressor": compressor, "order": "F"}
        yield f"compressor/{name}_bytes", "|u1", {"compressor": compressor, "shape": (40,), "chunks": (16,)}
    yield "filter/shuffle", "<i4", {"filters": [numcodecs.Shuffle(4)], "compressor": numcodecs.Zlib(4)}
    yield "filter/shuffle_alone", "<i2", {"filters": [numcodecs.Shuffle(2)], "compressor": None}
    for astype in ("<i2", ">i4", "|u1"):
        f = numcodecs.FixedScaleOffset(offset=-3 if astype != "|u1" else -500, scale=7 if astype != "|u1" else 0.25,
                                       dtype="<f8", astype=astype)  # fmt: skip
        yield f"filter/scale{astype[1:]}", "<f8", {"filters": [f], "compressor": numcodecs.Zlib(1), "part": "all"}
    yield "filter/astype", "<f8", {"filters": [numcodecs.AsType("<f4", "<f8")], "compressor": None}
    yield "filter/bitround", "<f4", {"filters": [numcodecs.BitRound(6)], "compressor": numcodecs.GZip(1)}
    yield "order/f3", ">u2", {"shape": (5, 4, 7), "chunks": (2, 3, 4), "order": "F", "separator": "/"}
    yield "order/c3", "<u2", {"shape": (5, 4, 7), "chunks": (2, 3, 4), "separator": "/"}
    yield "shape/scalar", "<i4", {"shape": (), "chunks": (), "part": "all"}
    yield "shape/empty", "<i4", {"shape": (0, 3), "chunks": (2, 2)}
    yield "shape/one", "<f4", {"shape": (3,), "chunks": (100,)}
    fills = {"<f4": [np.nan, np.inf, -np.inf, 1.5, None], "<i8": [-(2**63), 2**63 - 1, None], "|b1": [True, None]}
    for dtype, list_ in fills.items():
        for k, fill in enumerate(list_):
            yield f"fill/{dtype[1:]}_{k}", dtype, {"fill": fill, "part": "some"}


def make(name, dtype, case, out, seed):
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    shape, chunks = case.get("shape", (9, 7)), case.get("chunks", (4, 3))
    values = values_of(rng, dtype, shape)
    objects = {"text": numcodecs.VLenUTF8(), "binary": numcodecs.VLenBytes()}
    store = "arrays/" + name.replace("/", "_") + ".zarr"
    more = {}
    if dtype in objects:
        kind = str if dtype == "text" else zarr.core.dtype.VariableLengthBytes()
        fill = "" if dtype == "text" else b""
    else:
        kind, fill = np.dtype(dtype), case.get("fill", None if np.dtype(dtype).kind in "VmM" else np.zeros(1, dtype)[0])
    if case.get("filters"):
        more["filters"] = case["filters"]
    z = zarr.create(
        store=str(out / store), shape=shape, chunks=chunks, dtype=kind, fill_value=fill, zarr_format=2,
        compressor=case.get("compressor", numcodecs.Zstd(1)), order=case.get("order", "C"),
        dimension_separator=case.get("separator", "."), attributes={"name": name, "x": 1.5}, **more,
    )  # fmt: skip
    part = case.get("part", "most")
    box = tuple(slice(0, {"all": s, "some": s // 2, "most": s - s // 3}[part]) for s in shape)
    z[box if shape else ...] = values[box if shape else ...]
    got = np.asarray(zarr.open_array(str(out / store), mode="r", zarr_format=2)[...])
    if not any(f.codec_id in LOSSY for f in case.get("filters", [])):
        same = got[box] == values[box] if got.dtype.kind in "OTSU" else None
        if not (np.all(same) if same is not None else got[box].tobytes() == values[box].astype(got.dtype).tobytes()):
            raise RuntimeError(f"{name}: zarr-python reads something else than it was given")
    data_type = {"text": "string", "binary": "bytes"}.get(dtype, "")
    suffix, data = raw(data_type, got)
    file = "expected/" + name.replace("/", "_") + suffix
    (out / file).write_bytes(data)
    return {
        "id": "v2/" + name, "kind": "array", "store": store, "array_path": "/", "zarr_format": 2,
        "producer": "zarr-python", "producer_version": zarr.__version__, "metadata_by": "zarr-python",
        "shards_by": "zarr-python", "data_type": dtype, "shape": list(shape),
        "expected": {"file": file, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(),
                     "format": "json" if suffix == ".json" else "raw-le-c"},
        "special": "", "tags": ["v2"], "may_refuse": [],
    }  # fmt: skip


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    for d in ("arrays", "expected"):
        (a.out / d).mkdir(parents=True, exist_ok=True)
    rows = [make(*case, a.out, a.seed) for case in cases()]
    doc = {"manifest_version": 1, "seed": a.seed, "failed_to_write": [], "cases": rows}
    (a.out / "manifest.json").write_text(json.dumps(doc, indent=1) + "\n", "utf-8")
    print(f"{len(rows)} arrays of Zarr v2 in {a.out}, seed {a.seed}, zarr-python {zarr.__version__}")


if __name__ == "__main__":
    sys.exit(main())
