#!/usr/bin/env python3
"""Fresh fixtures, written by zarr-python: random values, the same manifest form as conformance-tests/fixtures.

    make_fixtures.py --out DIR [--seed N]

The configurations are fixed (data types, codecs, index location and codecs, nesting, ragged shapes, fill
values, missing shards and inner chunks, variable-length data, key encodings, unsharded arrays); the seed
gives the values, the shapes of some, and which parts are written.  The expected file is made from the values
that were asked for, and each array is read back by zarr-python before its row is written.
Needs requirements.txt.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import pathlib
import sys
import warnings
import zlib

import numpy as np
import zarr

import peers
from fixture_cases import cases

warnings.simplefilter("ignore")
WORDS = ["", "a", "shard", "inner chunk", "é", "漢字", "🚀", "line\nbreak", "\0", "x" * 50, "ß" * 20]


def random_values(rng, data_type, shape):
    """Values with the extremes of the type in front."""
    n = int(np.prod(shape, dtype=np.int64))
    if data_type in peers.VARIABLE:
        a = np.empty(n, object)
        text = data_type == "string"
        a[:] = [WORDS[k] if text else rng.bytes(int(3 * k)) for k in rng.integers(0, len(WORDS), n)]
        return a.reshape(shape)
    d = np.dtype(data_type)
    if d.kind == "b":
        a = rng.integers(0, 2, n).astype(d)
    elif d.kind in "iu":
        i = np.iinfo(d)
        a = np.repeat(rng.integers(i.min, i.max, n // 3 + 1, dtype=d, endpoint=True), 3)[:n]
        first = np.array([i.min, i.max, 0], d)
        a[: len(first)] = first[:n]
    else:
        f = np.dtype({"complex64": "f4", "complex128": "f8"}.get(data_type, d))
        a = (rng.standard_normal(n * (d.itemsize // f.itemsize)) * 100).astype(f)
        first = np.array([np.nan, np.inf, -np.inf, -0.0, np.finfo(f).max, np.finfo(f).smallest_subnormal], f)
        a[: len(first)] = first[: len(a)]
        a = a.view(d)
    return a.reshape(shape)


def fill_scalar(data_type, fill):
    """The fill value of the metadata as NumPy holds it."""
    if data_type == "variable_length_bytes":
        return base64.b64decode(fill)
    if data_type.startswith("complex"):
        return np.dtype(data_type).type(complex(*map(float, fill)))
    return fill if data_type == "string" else np.dtype(data_type).type(float(fill) if isinstance(fill, str) else fill)


def written_boxes(rng, part, shape):
    """All, nothing, or a few random boxes."""
    if part == "all":
        return [tuple(slice(0, s) for s in shape)]
    if part == "none":
        return []
    boxes = []
    for _ in range(2):
        lo = [int(rng.integers(0, s)) for s in shape]
        boxes.append(tuple(slice(a, int(rng.integers(a + 1, s + 1))) for a, s in zip(lo, shape)))
    return boxes


def raw(data_type, a):
    """(suffix, bytes) of the expected file."""
    if data_type not in peers.VARIABLE:
        return ".bin", np.ascontiguousarray(a).astype(a.dtype.newbyteorder("<")).tobytes()
    text = data_type == "string"
    values = [x if text else base64.b64encode(x).decode() for x in a.ravel()]
    doc = {"encoding": "utf8" if text else "base64", "shape": list(a.shape), "values": values}
    return ".json", json.dumps(doc).encode()


def chain(codecs):
    for c in codecs:
        if c["name"] == "sharding_indexed":
            yield c["configuration"]
            yield from chain(c["configuration"]["codecs"])


def make(case, out, seed):
    rng = np.random.default_rng([seed, zlib.crc32(case["id"].encode())])
    shape = tuple(s if isinstance(s, int) else int(rng.integers(s[0], s[1] + 1)) for s in case["shape"])
    data_type, fill = case["data_type"], fill_scalar(case["data_type"], case["fill_value"])
    values = random_values(rng, data_type, shape)
    want = np.full(shape, fill, values.dtype)
    store = "arrays/" + case["id"].replace("/", "_") + ".zarr"
    z = zarr.create(
        store=str(out / store),
        shape=shape,
        chunks=tuple(case["chunk_shape"]),
        dtype=data_type,
        fill_value=fill,
        codecs=case["codecs"],
        zarr_format=3,
        chunk_key_encoding=case["chunk_key_encoding"],
        config={"write_empty_chunks": case["write_empty"]},
    )
    for box in written_boxes(rng, case["part"], shape):
        z[box] = values[box]
        want[box] = values[box]
    suffix, data = raw(data_type, want)
    got = peers.read_zarr_python(out / store)
    wrong = peers.compare(got, peers.listed(json.loads(data)) if suffix == ".json" else data)
    if wrong:
        raise RuntimeError(f"{case['id']}: zarr-python reads something else than it was given: {wrong}")
    file = "expected/" + case["id"].replace("/", "_") + suffix
    (out / file).write_bytes(data)
    m = peers.metadata_of(out / store)
    shards = list(chain(m["codecs"]))
    return {
        "id": case["id"],
        "kind": "array",
        "store": store,
        "array_path": "/",
        "zarr_format": 3,
        "producer": "zarr-python",
        "producer_version": zarr.__version__,
        "metadata_by": "zarr-python",
        "shards_by": "zarr-python",
        "data_type": m["data_type"],
        "shape": m["shape"],
        "chunk_grid": m["chunk_grid"],
        "outer_chunk_shape": m["chunk_grid"]["configuration"]["chunk_shape"],
        "inner_chunk_shapes": [s["chunk_shape"] for s in shards],
        "codecs": m["codecs"],
        "index_location": [s.get("index_location", "end") for s in shards],
        "chunk_key_encoding": m["chunk_key_encoding"],
        "fill_value": m["fill_value"],
        "expected": {
            "file": file,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "format": "json" if suffix == ".json" else "raw-le-c",
        },
        "special": "",
        "tags": sorted(case["tags"]),
        "peers": {peers.version("zarr-python"): "equal"},
        "may_refuse": [],
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=pathlib.Path, required=True)
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    if (a.out / "manifest.json").exists():
        ap.error(f"{a.out} holds a manifest already")
    for d in ("arrays", "expected"):
        (a.out / d).mkdir(parents=True, exist_ok=True)
    rows = [make(case, a.out, a.seed) for case in cases()]
    doc = {"manifest_version": 1, "seed": a.seed, "failed_to_write": [], "cases": rows}
    (a.out / "manifest.json").write_text(json.dumps(doc, indent=1) + "\n", "utf-8")
    print(f"{len(rows)} arrays in {a.out}, seed {a.seed}, zarr-python {zarr.__version__}")


if __name__ == "__main__":
    sys.exit(main())
