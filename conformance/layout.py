"""What lies in an array's folder, by the text of the specification: is the metadata legal and as asked for, is every shard
laid out as it must be?  Python 3.9 or newer, no dependencies.  It decodes no more than it needs (no zstd, no blosc)."""

import base64
import itertools
import json
import math
import os
import re
import struct
import zlib

EMPTY = 2**64 - 1
SIZES = {"bool": 1, "int4": 1, "int2": 1, "bfloat16": 2, "complex64": 8, "complex128": 16}
SIZES.update({f"{k}int{n}": n // 8 for k in ("", "u") for n in (8, 16, 32, 64)})
SIZES.update({f"float{n}": n // 8 for n in (16, 32, 64)})
DEFAULTS = {
    "sharding_indexed": {"index_location": "end"},
    "zstd": {"checksum": False},
    "default": {"separator": "/"},
    "v2": {"separator": "."},
}
ALLOWED = {"zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding", "fill_value", "codecs"}
OPTIONAL = {"attributes", "dimension_names", "storage_transformers", "consolidated_metadata"}


class Unknown(Exception):
    """A codec that is not decoded here."""


class Illegal(Exception):
    """What is wrong, in one line."""


def table():
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        yield n


CRC = list(table())


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC[(crc ^ byte) & 255] ^ (crc >> 8)
    return struct.pack("<I", crc ^ 0xFFFFFFFF)


# ---------------------------------------------------------------- metadata


def name_of(extension):
    return extension if isinstance(extension, str) else extension["name"]


def config_of(extension):
    return {} if isinstance(extension, str) else extension.get("configuration") or {}


def plain(extension, one_byte=False):
    """An extension point with its defaults filled in and short-hands written out."""
    name = {"endian": "bytes"}.get(name_of(extension), name_of(extension))
    config = {**DEFAULTS.get(name, {}), **config_of(extension)}
    for member in ("codecs", "index_codecs"):
        if member in config:
            config[member] = [plain(c, one_byte and member == "codecs") for c in config[member]]
    if name == "bytes" and one_byte:
        config.pop("endian", None)
    if name == "blosc" and config.get("shuffle") == "noshuffle":
        config.pop("typesize", None)
    return {"name": name, **({"configuration": config} if config else {})}


def number(value, width):
    """A fill value of a float as its bit pattern; every NaN without a payload is the word."""
    codes = {2: "<e", 4: "<f", 8: "<d"}
    if isinstance(value, str) and value.startswith("0x"):
        return int(value, 16)
    words = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}
    value = words.get(value, value) if isinstance(value, str) else value
    if value is None:
        return {2: 0x7E00, 4: 0x7FC00000, 8: 0x7FF8000000000000}[width]
    return int.from_bytes(struct.pack(codes[width], value), "little")


def fill(value, data_type):
    """A fill value in a form that can be compared."""
    kind = data_type if isinstance(data_type, str) else name_of(data_type)
    try:
        if kind.startswith("float") and kind in SIZES:
            return number(value, SIZES[kind])
        if kind.startswith("complex"):
            return [number(v, SIZES[kind] // 2) for v in value]
    except (OverflowError, struct.error, TypeError, ValueError) as e:
        raise Illegal(f"fill_value {json.dumps(value)} does not fit {kind}") from e
    if value == "NaT" and kind.startswith("numpy."):
        return -(2**63)
    if kind in ("bytes", "variable_length_bytes") and isinstance(value, list):
        return base64.b64encode(bytes(value)).decode()
    return value


def axis(edges, length):
    """The edges of one axis of a rectilinear grid, as far as they reach into the array."""
    if isinstance(edges, int):
        return [edges] * math.ceil(length / edges)
    return [e for g in edges for e in ([g] if isinstance(g, int) else [g[0]] * g[1])]


def edges(metadata):
    """The lengths of the chunks along each axis."""
    grid, shape = metadata["chunk_grid"], metadata["shape"]
    if name_of(grid) == "regular":
        return [axis(c, s) for c, s in zip(config_of(grid)["chunk_shape"], shape)]
    if name_of(grid) == "rectilinear":
        return [axis(c, s) for c, s in zip(config_of(grid)["chunk_shapes"], shape)]
    raise Unknown(name_of(grid))


def normal(m):
    """The metadata in a form in which equal meaning is equality."""
    data_type = m["data_type"]
    data_type = (
        {"variable_length_bytes": "bytes"}.get(data_type, data_type) if isinstance(data_type, str) else data_type
    )
    one_byte = isinstance(data_type, str) and SIZES.get(data_type) == 1
    names = m.get("dimension_names")
    return {
        "shape": m["shape"],
        "data_type": data_type,
        "chunk_grid": edges(m),
        "chunk_key_encoding": plain(m["chunk_key_encoding"]),
        "fill_value": fill(m["fill_value"], data_type),
        "codecs": [plain(c, one_byte) for c in m["codecs"]],
        "attributes": json.loads(json.dumps(m.get("attributes", {})), parse_int=float),
        "dimension_names": names if names and any(n is not None for n in names) else None,
    }


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def document(folder):
    file = os.path.join(folder, "zarr.json")
    try:
        with open(file, "rb") as f:
            found = json.loads(f.read().decode("utf-8"), parse_constant=no_constant)
    except OSError as e:
        raise Illegal("there is no zarr.json") from e
    except (ValueError, RecursionError) as e:
        raise Illegal(f"zarr.json is no JSON: {e}") from e
    if not isinstance(found, dict):
        raise Illegal("zarr.json is no object")
    return found


def check_metadata(folder, wanted):
    """Raises Illegal unless the folder's metadata is legal and means what was wanted."""
    found = document(folder)
    missing = sorted(ALLOWED - found.keys())
    if missing:
        raise Illegal(f"core: zarr.json must have {', '.join(missing)}")
    if found["zarr_format"] != 3 or found["node_type"] != "array":
        raise Illegal("core: zarr_format must be 3 and node_type array")
    for name, value in found.items():
        if name not in ALLOWED | OPTIONAL and not (isinstance(value, dict) and value.get("must_understand") is False):
            raise Illegal(f"core: the member {name} is not known and has no must_understand false")
    if found.get("storage_transformers"):
        raise Illegal("storage_transformers were not asked for")
    if "dimension_names" in found and not isinstance(found["dimension_names"], list):
        raise Illegal("core: dimension_names must be a list")
    try:
        have, want = normal(found), normal(wanted)
    except (KeyError, TypeError, AttributeError, IndexError) as e:
        raise Illegal(f"zarr.json is malformed: {type(e).__name__}: {e}") from e
    for member, value in want.items():
        if json.dumps(have[member], sort_keys=True) != json.dumps(value, sort_keys=True):
            raise Illegal(f"{member}: expected {json.dumps(value)[:150]}, found {json.dumps(have[member])[:150]}")


# ---------------------------------------------------------------- shards


def unwrap(data, codec):
    """The bytes before a bytes to bytes codec."""
    name = name_of(codec)
    if name == "crc32c":
        if len(data) < 4 or crc32c(data[:-4]) != data[-4:]:
            raise Illegal("crc32c: the checksum does not match")
        return data[:-4]
    if name == "gzip":
        try:
            out = b""
            while data:
                z = zlib.decompressobj(31)
                out += z.decompress(data)
                if not z.eof:
                    raise Illegal("gzip: the stream is cut")
                data = z.unused_data
            return out
        except zlib.error as e:
            raise Illegal(f"gzip: {e}") from e
    raise Unknown(name)


def check_chunk(data, codecs, shape, size, where):
    """Raises Illegal unless the bytes of a chunk of this shape are as the codecs say."""
    for k, codec in enumerate(codecs):
        if name_of(codec) == "transpose":
            shape = [shape[i] for i in config_of(codec)["order"]]
        elif name_of(codec) in ("bytes", "endian", "sharding_indexed", "vlen-utf8", "vlen-bytes"):
            break
        else:
            raise Unknown(name_of(codec))
    try:
        for outer in reversed(codecs[k + 1 :]):
            data = unwrap(data, outer)
        if name_of(codec) == "sharding_indexed":
            check_shard(data, config_of(codec), shape, size, where)
        elif name_of(codec) in ("bytes", "endian") and size and len(data) != math.prod(shape) * size:
            raise Illegal(f"bytes: expected {math.prod(shape) * size} bytes, found {len(data)}")
    except Illegal as e:
        raise e if str(e).startswith("chunk ") else Illegal(f"chunk {where}: {e}") from e


def index_of(data, config, count):
    """(entries, start, stop) of a shard's index."""
    first, rest = config["index_codecs"][0], config["index_codecs"][1:]
    if name_of(first) not in ("bytes", "endian") or any(name_of(c) != "crc32c" for c in rest):
        raise Unknown("index_codecs")
    length = 16 * count + 4 * len(rest)
    if len(data) < length:
        raise Illegal(f"sharding_indexed: an index of {length} bytes in a shard of {len(data)}")
    start = 0 if config.get("index_location") == "start" else len(data) - length
    raw = data[start : start + length]
    for codec in rest:
        raw = unwrap(raw, codec)
    order = ">" if config_of(first).get("endian") == "big" else "<"
    flat = struct.unpack(f"{order}{2 * count}Q", raw)
    return list(zip(flat[::2], flat[1::2])), start, start + length


def check_shard(data, config, shape, size, where):
    inner = config["chunk_shape"]
    per_axis = [range(n // c) for n, c in zip(shape, inner)]
    entries, start, stop = index_of(data, config, math.prod(map(len, per_axis)))
    used = [(start, stop, "the index")]
    for at, (offset, length) in zip(itertools.product(*per_axis), entries):
        name = f"inner chunk {list(at)}"
        if (offset == EMPTY) != (length == EMPTY):
            raise Illegal(f"sharding_indexed: {name} is half missing: offset {offset}, nbytes {length}")
        if offset == EMPTY:
            continue
        if offset + length > len(data):
            raise Illegal(f"sharding_indexed: {name} ends at {offset + length} in a shard of {len(data)} bytes")
        used.append((offset, offset + length, name))
        try:
            check_chunk(data[offset : offset + length], config["codecs"], inner, size, f"{where}, {name}")
        except Unknown:
            pass
    used = sorted(u for u in used if u[0] < u[1])
    for (_, end, one), (begin, _, other) in zip(used, used[1:]):
        if begin < end:
            raise Illegal(f"sharding_indexed: {one} and {other} overlap")


def keys(metadata):
    """{key: shape of the chunk} of every chunk of the grid."""
    encoding = plain(metadata["chunk_key_encoding"])
    v2, separator = encoding["name"] == "v2", encoding["configuration"]["separator"]
    per_axis = edges(metadata)
    found = {}
    for at in itertools.product(*(range(len(e)) for e in per_axis)):
        parts = list(map(str, at)) if v2 else ["c", *map(str, at)]
        found[separator.join(parts) or "0"] = [e[i] for e, i in zip(per_axis, at)]
    return found


def files(folder):
    for parent, _, names in os.walk(folder):
        for name in names:
            yield os.path.relpath(os.path.join(parent, name), folder).replace(os.sep, "/")


def is_like_a_chunk(name, metadata):
    v2 = name_of(metadata["chunk_key_encoding"]) == "v2"
    return bool(re.fullmatch(r"\d+([./]\d+)*" if v2 else r"c([./]\d+)*", name))


def check_layout(folder):
    """Raises Illegal unless every chunk in the folder belongs to the grid and is laid out as the codecs say."""
    metadata = document(folder)
    try:
        known = keys(metadata)
    except Unknown:
        return
    data_type = metadata["data_type"]
    size = SIZES.get(data_type, 0) if isinstance(data_type, str) else 0
    for name in sorted(files(folder)):
        if name in known:
            with open(os.path.join(folder, name), "rb") as f:
                data = f.read()
            try:
                check_chunk(data, metadata["codecs"], known[name], size, name)
            except Unknown:
                pass
        elif is_like_a_chunk(name, metadata):
            raise Illegal(f"{name} looks like a chunk, and the grid has none there")
