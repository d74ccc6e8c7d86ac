#!/usr/bin/env python3
"""The independent readers, behind one interface, and what they are known not to do.

    peers.py NAME PATH OUT [SELECTION]

reads the array in folder PATH with one of them and writes its values to OUT by the contract of
docs/conformance.md, so that each can stand as the command of a conformance run.  NAME: zarr-python,
tensorstore, zarrs (the crate; ZARRS_PEER names the program of zarrs_peer/) or zarrita (ZARRITA_PEER names
zarrita_peer/read.mjs where its packages are installed).
"""

from __future__ import annotations

import base64
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

VARIABLE = ("string", "bytes", "variable_length_bytes")
PROGRAM_TIMEOUT = 30.0
BYTE_CODECS = ("gzip", "zstd", "blosc", "crc32c")


class Absent(Exception):
    """The reader is not installed."""


class Crashed(Exception):
    """The reader's program was killed by a signal."""


# ---------------------------------------------------------------- readers: (folder, box or None) -> raw bytes or list


def _values(a):
    import numpy as np

    a = np.asarray(a)
    if a.dtype.kind in "OT":
        return [x if isinstance(x, (str, bytes)) else bytes(x) for x in a.ravel(order="C")]
    if a.dtype.byteorder == ">":
        a = a.astype(a.dtype.newbyteorder("<"))
    return np.ascontiguousarray(a).tobytes()


def _index(box):
    return Ellipsis if box is None else tuple(slice(a, b) for a, b in box)


def read_zarr_python(folder, box=None):
    try:
        import zarr
    except ImportError as e:
        raise Absent(str(e)) from e
    warnings.simplefilter("ignore")
    return _values(zarr.open_array(str(folder), mode="r", zarr_format=3)[_index(box)])


def read_tensorstore(folder, box=None):
    try:
        import tensorstore as ts
    except ImportError as e:
        raise Absent(str(e)) from e
    path = os.path.abspath(folder).rstrip("/") + "/"
    a = ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": path}}, open=True, read=True).result()
    return _values(a[_index(box)].read(order="C").result())


def _program(command, folder, box):
    with tempfile.TemporaryDirectory() as d:
        out = os.path.join(d, "out")
        extra = [] if box is None else [",".join(f"{a}:{b}" for a, b in box)]
        r = subprocess.run(
            [*command, str(folder), out, *extra],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROGRAM_TIMEOUT,
        )
        if r.returncode < 0 or r.returncode > 128:
            raise Crashed(f"exit {r.returncode}")
        if r.returncode:
            said = [x.strip() for x in (r.stderr or r.stdout).splitlines() if x.strip()]
            raise RuntimeError(" | ".join(said[:3])[:300] or f"exit {r.returncode}")
        data = pathlib.Path(out).read_bytes()
        return listed(json.loads(data)) if data_type(folder) in VARIABLE else data


def _named(variable):
    name = os.environ.get(variable)
    if not name or not os.path.exists(name):
        raise Absent(f"{variable} is not set")
    return name


def read_zarrs(folder, box=None):
    return _program([_named("ZARRS_PEER")], folder, box)


def read_zarrita(folder, box=None):
    return _program(["node", _named("ZARRITA_PEER")], folder, box)


READERS = {
    "zarr-python": read_zarr_python,
    "tensorstore": read_tensorstore,
    "zarrs": read_zarrs,
    "zarrita": read_zarrita,
}


def version(name):
    """The reader's name with its version: what is installed, or what its program pins."""
    from importlib import metadata

    here = pathlib.Path(__file__).resolve().parent
    if name == "zarrs":
        pinned = re.search(r'^zarrs = .*?version = "=([^"]+)"', (here / "zarrs_peer/Cargo.toml").read_text(), re.M)
        return f"zarrs crate {pinned.group(1)}"
    if name == "zarrita":
        return "zarrita " + json.loads((here / "zarrita_peer/package.json").read_text())["dependencies"]["zarrita"]
    return f"{name} {metadata.version({'zarr-python': 'zarr'}.get(name, name))}"


# ---------------------------------------------------------------- expected values


def listed(doc):
    """The values of the JSON form of variable-length data, as bytes."""
    values = doc["values"]
    return [v.encode() for v in values] if doc["encoding"] == "utf8" else [base64.b64decode(v) for v in values]


def load_expected(file):
    file = pathlib.Path(file)
    return listed(json.loads(file.read_text("utf-8"))) if file.suffix == ".json" else file.read_bytes()


def cut(values, shape, box):
    """The elements of a box out of whole values (raw bytes or list)."""
    n = math.prod(shape)
    if isinstance(values, list):
        at, join = (lambda i, m: values[i : i + m]), lambda parts: [x for p in parts for x in p]
    else:
        size = len(values) // n if n else 0
        at, join = (lambda i, m: values[i * size : (i + m) * size]), b"".join
    if not shape:
        return values
    starts = [0]
    for k in range(len(shape) - 1):
        starts = [(s + i) * shape[k + 1] for s in starts for i in range(box[k][0], box[k][1])]
    lo, hi = box[-1]
    return join([at(s + lo, hi - lo) for s in starts])


def compare(got, want):
    """An empty string, or what differs."""
    if isinstance(want, list) != isinstance(got, list):
        return "fixed-size and variable-length data"
    if isinstance(want, list):
        got = [x.encode() if isinstance(x, str) else x for x in got]
    if got == want:
        return ""
    if len(got) != len(want):
        return f"length {len(got)}, expected {len(want)}"
    bad = [i for i, (a, b) in enumerate(zip(got, want)) if a != b]
    return f"{len(bad)} of {len(want)} differ, the first at {bad[0]}"


# ---------------------------------------------------------------- known limits


def metadata_of(folder):
    return json.loads(pathlib.Path(folder, "zarr.json").read_text("utf-8"))


def data_type(folder):
    t = metadata_of(folder)["data_type"]
    return t if isinstance(t, str) else t["name"]


def _name(extension):
    return extension if isinstance(extension, str) else extension.get("name")


def _chains(codecs):
    """Every codec list of the array, outermost first."""
    yield codecs
    for c in codecs:
        if _name(c) == "sharding_indexed" and isinstance(c, dict):
            yield from _chains(c["configuration"]["codecs"])


def limits(name, m):
    """Reasons why this reader may refuse the array (or read it differently), from the array's metadata."""
    chains = list(_chains(m["codecs"]))
    flat = [c for chain in chains for c in chain]
    names = [_name(c) for c in flat]
    shards = [c["configuration"] for c in flat if _name(c) == "sharding_indexed"]
    t = _name(m["data_type"])
    fill = json.dumps(m["fill_value"])
    after_shard = any(
        _name(a) == "sharding_indexed" and _name(b) in BYTE_CODECS for ch in chains for a, b in zip(ch, ch[1:])
    )
    shard_after_transpose = any(
        _name(a) == "transpose" and _name(b) == "sharding_indexed" for ch in chains for a, b in zip(ch, ch[1:])
    )
    short = any(isinstance(c, str) for c in [*flat, m["chunk_key_encoding"]]) or any(
        isinstance(c, str) for s in shards for c in s["index_codecs"]
    )
    start = any(s.get("index_location") == "start" for s in shards)
    snappy = any(_name(c) == "blosc" and c["configuration"].get("cname") == "snappy" for c in flat)
    unknown = any(isinstance(c, dict) and c.get("must_understand") is False for c in flat)
    raw = t[0] == "r" and t[1:].isdigit()
    size = int("".join(c for c in t if c.isdigit()) or "8") // 8
    uneven_blosc = any(
        _name(c) == "blosc"
        and c["configuration"].get("shuffle", "noshuffle") != "noshuffle"
        and (after_shard or c["configuration"].get("typesize", size) != size)
        for c in flat
    )
    signalling = t == "float32" and fill.startswith('"0x') and not int(fill[3:-1], 16) & 0x400000
    registered = [n for n in names if n in ("scale_offset", "cast_value", "bitround", "packbits", "reshape")]
    table = {
        "zarr-python": [
            (raw, "data type r*"),
            (t == "bytes" and fill.startswith("["), "fill value of bytes as a list"),
            (snappy, "blosc with snappy"),
            (shard_after_transpose, "sharding after transpose"),
            (after_shard and start, "index at the start under another codec"),
            (short, "short-hand names"),
            (unknown, "ignorable codec"),
            ("endian" in names, "old codec name endian"),
            (t == "float16" and "0x" in fill, "NaN payload of float16"),
            (signalling, "signalling NaN of float32"),
            (t == "bfloat16" or t.startswith(SMALL), "data type " + t),
            (registered, "codecs " + ", ".join(registered)),
            (t == "raw_bytes", "data type raw_bytes"),
            (_name(m["chunk_grid"]) != "regular", "chunk grid"),
            (not m["shape"] and shards, "0-d shards"),
        ],
        "tensorstore": [
            (raw or t in VARIABLE or t.startswith(("fixed_length", "null_terminated", "numpy.", "raw_bytes")), "data type " + t),
            (t in ("uint2", "uint4", "float8_e4m3") or t.startswith("float6"), "data type " + t),
            (registered, "codecs " + ", ".join(registered)),
            (after_shard, "codec after sharding"),
            (short, "short-hand names"),
            ("must_understand" in json.dumps(m["codecs"]), "must_understand"),
            ("endian" in names, "old codec name endian"),
            (_name(m["chunk_grid"]) != "regular", "chunk grid"),
        ],
        "zarrs": [
            (uneven_blosc, "parts of shuffled blosc frames that are no multiple of typesize"),
            (t == "raw_bytes", "data type raw_bytes"),
            (any(n in names for n in ("scale_offset", "cast_value", "bitround")), "codecs " + ", ".join(registered)),
            (t.startswith(("float8", "float6", "float4")) and "0x" not in fill, "fill value of " + t),
            ("packbits" in names and (t in ("int2", "int4") or "_bit" in json.dumps(flat)), "parts under packbits"),
        ],
        "zarrita": [
            (t in ("float16", "complex64", "complex128", "bytes") or raw or t not in ZARRITA_TYPES, "data type " + t),
            (start, "index at the start"),
            (len(shards) > 1, "nested shards"),
            (after_shard, "codec after sharding"),
            ("transpose" in names, "transpose"),
            (0 in m["shape"], "empty array"),
            (t in ("int64", "uint64") and abs(int(m["fill_value"])) > 2**53, "64-bit fill value"),
            ("0x" in fill, "hexadecimal fill value"),
            (short or registered or "endian" in names, "names of codecs"),
            (_name(m["chunk_grid"]) != "regular", "chunk grid"),
        ],
    }
    return [why for is_so, why in table[name] if is_so]


# Numbers of a byte at most that NumPy has not.
SMALL = ("int2", "int4", "uint2", "uint4", "float8", "float6", "float4")

ZARRITA_TYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "string",
)


def main():
    name, folder, out = sys.argv[1:4]
    box = [[int(x) for x in r.split(":")] for r in sys.argv[4].split(",")] if len(sys.argv) > 4 else None
    got = READERS[name](folder, box)
    if isinstance(got, list):
        text = data_type(folder) == "string"
        values = (
            [x if isinstance(x, str) else x.decode() for x in got]
            if text
            else [base64.b64encode(x).decode() for x in got]
        )
        m = metadata_of(folder)
        shape = m["shape"] if box is None else [b - a for a, b in box]
        got = json.dumps({"encoding": "utf8" if text else "base64", "shape": shape, "values": values}).encode()
    pathlib.Path(out).write_bytes(got)


if __name__ == "__main__":
    main()
