#!/usr/bin/env python3
"""Makes writing.json out of manifest.json: arrays to write, and arrays of others to change a region of.

    make_writing.py [--out conformance-tests/fixtures]

Every sound array of Zarr v3 of which the metadata differ is to be written from its own values (`write/...`), and every
sharded one is to be changed in place (`update/...`).  Standard library only.
"""

import argparse
import json
import math
import pathlib
import random

from make_malformed import FIXTURES_VERSION

# What a writer need not write: spellings that only readers must know, other formats, arrays too large.
UNWRITTEN = {"v2", "legacy", "spec-3.1", "huge", "group", "zarr-vectors"}


def box(name, shape, inner):
    """A region that begins and ends within inner chunks where the shape lets it."""
    rng = random.Random(name)
    found = []
    for length, step in zip(shape, inner or [1] * len(shape)):
        start = rng.randrange(max(1, length - 1))
        stop = min(length, start + rng.randint(1, max(1, min(length - start, 2 * step + 1))))
        found.append([start, stop])
    return found


def rows(cases, folder):
    seen = set()
    for c in cases:
        if c["kind"] != "array" or c["zarr_format"] != 3 or UNWRITTEN & set(c["tags"]) or "selection" in c:
            continue
        node = "/".join(p for p in (c["store"], c["array_path"].strip("/")) if p)
        metadata = json.loads((folder / node / "zarr.json").read_text("utf-8"))
        base = {"array": node, "expected": c["expected"], "tags": sorted({*c["tags"]} - {"rewritten", "hand-made"})}
        metadata.pop("consolidated_metadata", None)
        form = json.dumps({**metadata, "storage_transformers": []}, sort_keys=True)
        if form not in seen:
            seen.add(form)
            special = "write the whole array"
            yield {"id": "write/" + c["id"], "kind": "write", **base, "special": special}
        if c["inner_chunk_shapes"] and c["shape"] and math.prod(c["shape"]) > 1:
            inner = c["inner_chunk_shapes"][0] if len(c["inner_chunk_shapes"][0]) == len(c["shape"]) else None
            name = "update/" + c["id"]
            special = f"change a region of an array by {c['producer']}: {c['special']}".rstrip(": ")
            yield {"id": name, "kind": "update", **base, "selection": box(name, c["shape"], inner), "special": special}


def main():
    here = pathlib.Path(__file__).resolve().parent
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=pathlib.Path, default=here.parent / "fixtures")
    out = ap.parse_args().out
    cases = json.loads((out / "manifest.json").read_text("utf-8"))["cases"]
    found = list(rows(cases, out))
    text = json.dumps({"manifest_version": 1, "fixtures_version": FIXTURES_VERSION, "cases": found}, indent=1)
    (out / "writing.json").write_text(text + "\n", "utf-8")
    counts = {k: sum(r["kind"] == k for r in found) for k in ("write", "update")}
    print(counts)


if __name__ == "__main__":
    main()
