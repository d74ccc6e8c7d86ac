"""Stores that PyPI's zarr-vectors writes, before and after shardkit changes how they are sharded.

    zarr_vectors_check.py SHARDKIT DIR

writes 24 stores into DIR (which must not be there): six kinds of geometry, each flat, in shards of 2 x 2 x 2 and of
1 x 2 x 4 inner chunks, and in shards with blosc(zstd). Then it runs shard, reshard, unshard and copy of the command
SHARDKIT over all of them, and each time reads everything with zarr-python and with zarr-vectors: it must be what it
was. It ends with "N checks, N wrong". The packages and their versions: zarr-vectors-requirements.txt.
"""

import hashlib
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import zarr
from zarr_vectors.sharding import get_shard_info, unshard_store
from zarr_vectors.types.graphs import read_graph, write_graph
from zarr_vectors.types.lines import read_lines, write_lines
from zarr_vectors.types.meshes import read_mesh, write_mesh
from zarr_vectors.types.points import read_points, write_points
from zarr_vectors.types.polylines import read_polylines, write_polylines

CHUNK = (100.0, 100.0, 100.0)
PACKINGS = {
    "flat": {},
    "cubes": {"shard_shape": 2},
    "slabs": {"shard_shape": (1, 2, 4)},
    "blosc": {"shard_shape": 2, "compressor": "blosc"},
}


def walk(rng, count):
    """Points that are near to those before and after them."""
    steps = rng.normal(scale=12.0, size=(count, 3))
    return (200 + np.cumsum(steps, axis=0)).clip(1, 399).astype("float32")


def points(path, rng, **packing):
    write_points(path, rng.uniform(0, 400, (1500, 3)).astype("float32"), chunk_shape=CHUNK, **packing)


def objects(path, rng, **packing):
    count = 1200
    write_points(path, rng.uniform(0, 400, (count, 3)).astype("float32"), chunk_shape=CHUNK,
                 bin_shape=(50.0, 50.0, 50.0), object_ids=np.arange(count) % 60,
                 vertex_attributes={"gene": rng.integers(0, 9, count).astype("int32"),
                                    "intensity": rng.uniform(size=count).astype("float32")}, **packing)


def polylines(path, rng, **packing):
    write_polylines(path, [walk(rng, 40) for _ in range(20)], chunk_shape=CHUNK, **packing)


def lines(path, rng, **packing):
    start = walk(rng, 150)
    end = (start + rng.normal(scale=9.0, size=start.shape)).clip(1, 399).astype("float32")
    write_lines(path, np.stack([start, end], axis=1), chunk_shape=CHUNK, **packing)


def graph(path, rng, **packing):
    edges = np.stack([np.arange(299), np.arange(1, 300)], axis=1)
    write_graph(path, walk(rng, 300), edges, chunk_shape=CHUNK, **packing)


def mesh(path, rng, **packing):
    x, y = np.meshgrid(np.linspace(5, 395, 24), np.linspace(5, 395, 24), indexing="ij")
    vertices = np.stack([x, y, 200 + 50 * np.sin(x / 60) * np.cos(y / 40)], axis=-1).reshape(-1, 3).astype("float32")
    at = np.arange(24 * 24).reshape(24, 24)
    faces = np.concatenate([
        np.stack([at[:-1, :-1], at[1:, :-1], at[:-1, 1:]], axis=-1).reshape(-1, 3),
        np.stack([at[1:, 1:], at[1:, :-1], at[:-1, 1:]], axis=-1).reshape(-1, 3)])
    write_mesh(path, vertices, faces, chunk_shape=CHUNK, **packing)


KINDS = {
    "points": (points, read_points), "objects": (objects, read_points), "polylines": (polylines, read_polylines),
    "lines": (lines, read_lines), "graph": (graph, read_graph), "mesh": (mesh, read_mesh),
}


def write(root):
    zarr.open_group(root, mode="w-")
    for kind, (make, _) in KINDS.items():
        for packing, options in PACKINGS.items():
            make(str(root / f"{kind}-{packing}"), np.random.default_rng(7), **options)


def digest(value):
    """A digest of what a reader gave, whatever it is made of."""
    h = hashlib.sha256()

    def add(v):
        if isinstance(v, dict):
            for k in sorted(v, key=str):
                h.update(f"{k}:".encode())
                add(v[k])
        elif isinstance(v, (list, tuple)) or (isinstance(v, np.ndarray) and v.dtype == object):
            for item in (v if isinstance(v, (list, tuple)) else v.ravel()):
                add(item)
            h.update(b"]")
        elif isinstance(v, np.ndarray):
            h.update(f"{v.dtype}{v.shape}".encode())
            h.update(np.ascontiguousarray(v).tobytes())
        elif isinstance(v, (bytes, bytearray)):
            h.update(f"{len(v)}:".encode() + v)
        else:
            h.update(repr(v).encode())

    add(value)
    return h.hexdigest()


def look_at(root, kind):
    """What zarr-python and zarr-vectors read of the stores of a kind."""
    seen = {}
    for packing in PACKINGS:
        store = f"{kind}-{packing}"
        seen[f"{store} by zarr-vectors"] = digest(KINDS[kind][1](str(root / store)))
        group = zarr.open_group(root / store, mode="r")
        for path, node in group.members(max_depth=None):
            value = [dict(node.attrs)]
            if isinstance(node, zarr.Array):
                value += [node.shape, str(node.dtype), node[...] if node.ndim else node[()]]
            seen[f"{store}/{path} by zarr-python"] = digest(value)
    return seen


def look(root):
    """What they read of all stores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as readers:
        parts = readers.map(look_at, [root] * len(KINDS), KINDS)
        return {key: value for part in parts for key, value in part.items()}


def packings(root):
    for _, node in zarr.open_group(root, mode="r").members(max_depth=None):
        if isinstance(node, zarr.Array):
            yield node.shards, node.chunks, node.shape


def fitted(most):
    """Shards of so many chunks along each dimension, or of as many as the array has."""
    return lambda shards, chunks, shape: shards == tuple(
        chunk * min(most, max(1, -(-length // chunk))) for chunk, length in zip(chunks, shape, strict=True)
    )


def main():
    command, root = shlex.split(sys.argv[1]), pathlib.Path(sys.argv[2])
    wrong, checks = [], 0

    def check(what, good):
        nonlocal checks
        checks += 1
        if not good:
            wrong.append(what)
            print("zarr-vectors: wrong:", what)

    def compare(what, at, but=()):
        now = look(at)
        check(f"{what}: the same nodes", now.keys() == before.keys())
        for key in before.keys() - set(but):
            check(f"{what}: {key}", now.get(key) == before[key])

    def shardkit(*arguments):
        done = subprocess.run([*command, *arguments], capture_output=True, text=True)
        check(f"shardkit {' '.join(arguments)}: {done.stdout[-300:]} {done.stderr}", done.returncode == 0)
        return done.stdout

    write(root)
    before = look(root)
    stores = len(KINDS) * len(PACKINGS)
    print(f"zarr-vectors: {stores} stores, {len(before) - stores} nodes")
    shardkit("verify", str(root))
    steps = {
        "shard --chunks-per-shard 2": fitted(2),
        "reshard --chunks-per-shard 3": fitted(3),
        "reshard --shard-shape auto": lambda shards, *_: shards is not None,
        "reshard --chunks-per-shard 1": fitted(1),
        "unshard": lambda shards, *_: shards is None,
        "shard --chunks-per-shard 4": fitted(4),
    }
    for step, layout in steps.items():
        name, *options = step.split()
        shardkit(name, str(root), *options)
        check(f"{step}: all arrays", all(layout(*packing) for packing in packings(root)))
        compare(step, root)
        again = json.loads(shardkit(name, str(root), *options, "--json"))["summary"]
        check(f"{step}, again: {again}", again["changed"] == 0 and again["refused"] == 0)
    copied = root.with_name(root.name + "-copy")
    shardkit("copy", str(root), str(copied), "--overwrite")  # all elements decoded, encoded and written by shardkit
    compare("copy", copied)
    shutil.rmtree(copied)
    for store in sorted(p for p in root.iterdir() if p.is_dir() and not p.name.startswith("__")):
        check(f"{store.name}: zarr-vectors knows the shards", get_shard_info(str(store))["sharded"])
        unshard_store(str(store))
    # zarr-vectors itself forgets an attribute (fragments_tile) of the groups of levels there
    compare("unshard_store of zarr-vectors", root, [f"{s}-{p}/0 by zarr-python" for s in KINDS for p in PACKINGS])
    print(f"zarr-vectors: {checks} checks, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
