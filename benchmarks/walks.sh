#!/usr/bin/env bash
# Measures the CPU time of commands that walk a tree of Zarr v3 with N arrays (100 in each group), with and without
# consolidated metadata, and an array with N stored shards of 4 inner chunks in a grid of 10^7. Time must grow in
# proportion to N. A root with the consolidated metadata of 100,000 arrays is larger than the command reads (16 MiB):
# these rows are errors.
# usage: walks.sh [N...] (default 1000 10000 100000); needs Python 3. SHARDKIT names the command.
set -eu
shardkit=${SHARDKIT:-$(cd "$(dirname "$0")/.." && pwd)/shardkit}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/make.py" <<'PYTHON'
import json, os, sys
folder, count = sys.argv[1], int(sys.argv[2])
array = {"zarr_format": 3, "node_type": "array", "shape": [10], "data_type": "int32",
         "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10]}},
         "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
         "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "attributes": {"units": "K"}}
group = {"zarr_format": 3, "node_type": "group", "attributes": {}}
nodes = {}
for i in range(count):
    nodes.setdefault(f"g{i // 100:04d}", group)
    nodes[f"g{i // 100:04d}/a{i:06d}"] = array
for kind in ("listed", "consolidated"):
    root = dict(group)
    if kind == "consolidated":
        root["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": nodes}
    for path, document in [("", root), *nodes.items()]:
        place = os.path.join(folder, kind, path)
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, "zarr.json"), "w") as file:
            json.dump(document, file)
PYTHON

cat >"$work/keys.py" <<'PYTHON'
import json, os, random, sys
folder, count = sys.argv[1], int(sys.argv[2])
side = 3163
inner = [{"name": "bytes", "configuration": {"endian": "little"}}]
sharding = {"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 2], "codecs": inner, "index_codecs": inner}}
os.makedirs(folder)
with open(os.path.join(folder, "zarr.json"), "w") as file:
    json.dump({"zarr_format": 3, "node_type": "array", "shape": [side * 4, side * 4], "data_type": "uint16",
               "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
               "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [sharding], "attributes": {}}, file)
chunks = b"".join((7).to_bytes(2, "little") * 4 for _ in range(4))
index = b"".join((8 * i).to_bytes(8, "little") + (8).to_bytes(8, "little") for i in range(4))
random.seed(5)
for number in random.sample(range(side * side), count):
    row = os.path.join(folder, "c", str(number // side))
    os.makedirs(row, exist_ok=True)
    with open(os.path.join(row, str(number % side)), "wb") as file:
        file.write(chunks + index)
PYTHON

TIMEFORMAT='%U + %S s of CPU'
for count in ${*:-1000 10000 100000}; do
  rm -rf "$work/tree"
  python3 "$work/make.py" "$work/tree" "$count"
  for kind in listed consolidated; do
    for command in ls tree du verify; do
      printf '%s arrays, %s, %s: ' "$count" "$kind" "$command"
      time "$shardkit" "$command" "$work/tree/$kind" >/dev/null || true
    done
  done
  rm -rf "$work/tree"
  python3 "$work/keys.py" "$work/tree" "$count"
  for command in tree chunks stats verify; do
    printf '%s stored shards: %s: ' "$count" "$command"
    time "$shardkit" "$command" "$work/tree" >/dev/null || true
  done
done
