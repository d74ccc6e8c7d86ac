#!/usr/bin/env python3
"""Makes the sound arrays of row_cases.py byte by byte, and asks independent readers about them.

    make_rows.py [--out conformance-tests/fixtures] --peer zarr-python='python zarr_python.py' --peer tensorstore=... ...

The arrays come from array_encoder.py, the expected files from the values that were encoded.  Each --peer is the batch
command of a reader (conformance/adapters).  A row is kept when two independent libraries read exactly these values;
the others are named, and the exit status is 1.  Rows in the manifest that are not of row_cases.py stay as they are.
Needs requirements-rows.txt; run fixture_checksums.py afterwards.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from array_encoder import encode
from make_malformed import FIXTURES_VERSION
from reference import document
from row_cases import cases

HERE = pathlib.Path(__file__).resolve().parent
RUN = HERE.parents[1] / "conformance/run.py"
WANTED = 2
VERDICTS = {"equal": "equal", "different": "different"}


def expected_bytes(case):
    if case.values.dtype == object:
        found = {"encoding": "utf8", "shape": list(case.values.shape), "values": list(case.values.ravel())}
        return ".json", json.dumps(found).encode()
    return ".bin", case.values.astype(case.values.dtype.newbyteorder("<")).tobytes()


def chains(codecs):
    for c in codecs:
        if not isinstance(c, str) and c["name"] == "sharding_indexed":
            yield c["configuration"]
            yield from chains(c["configuration"]["codecs"])


def write(case, out):
    """Writes a case and gives its row."""
    name = case.id.replace("/", "_")
    store, (suffix, data) = f"arrays/{name}.zarr", expected_bytes(case)
    shutil.rmtree(out / store, ignore_errors=True)
    files = encode(case.values, case.metadata, case.streams, case.missing, case.absent)
    for key, content in {"zarr.json": document(case.metadata), **files}.items():
        file = out / store / key
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    file = f"expected/{name}{suffix}"
    (out / file).write_bytes(data)
    m, shards = case.metadata, list(chains(case.metadata["codecs"]))
    grid = m["chunk_grid"]["configuration"]
    return {
        "id": case.id,
        "kind": "array",
        "store": store,
        "array_path": "/",
        "zarr_format": 3,
        "producer": "make_rows.py",
        "metadata_by": "hand",
        "shards_by": "hand",
        "data_type": m["data_type"],
        "shape": m["shape"],
        "chunk_grid": m["chunk_grid"],
        "outer_chunk_shape": grid.get("chunk_shape"),
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
        "special": case.special,
        "tags": sorted({*case.tags, "hand-made"}),
    }


def ask(rows, out, peers):
    """What each peer makes of the rows: id -> {name with version: verdict}, and the details."""
    found, details = collections.defaultdict(dict), collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as d:
        folder = pathlib.Path(d)
        (folder / "manifest.json").write_text(json.dumps({"manifest_version": 1, "cases": rows}))
        for part in ("arrays", "expected"):
            (folder / part).symlink_to(out.resolve() / part)
        for peer in peers:
            name, command = peer.split("=", 1)
            report = folder / "report.json"
            options = ["--fixtures", d, "--batch", command, "--report", "json", "-o", str(report)]
            subprocess.run([sys.executable, str(RUN), *options], check=False)
            for r in json.loads(report.read_text())["rows"]:
                found[r["id"]][name] = VERDICTS.get(r["verdict"], "error")
                details[r["id"]][name] = r["detail"]
    return found, details


def judge(rows, answers):
    """Fills in what the readers say; the rows on which fewer than two libraries agree."""
    weak = []
    for r in rows:
        answer = answers[r["id"]]
        r["peers"] = answer
        by_library = {}
        for name, verdict in answer.items():
            by_library.setdefault(name.split(" ")[0], []).append(verdict)
        r["independent_readers"] = sum("equal" in v for v in by_library.values())
        r["may_refuse"] = sorted(n for n, v in by_library.items() if "error" in v)
        if r["independent_readers"] < WANTED:
            weak.append(r)
    return weak


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=pathlib.Path, default=HERE.parent / "fixtures")
    ap.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND", required=True)
    a = ap.parse_args()
    np.seterr(all="ignore")
    rows = [write(c, a.out) for c in cases()]
    answers, details = ask(rows, a.out, a.peer)
    weak = judge(rows, answers)
    for r in rows:
        for name, verdict in r["peers"].items():
            if verdict == "different" or r in weak:
                print(
                    f"{'dropped' if r in weak else 'kept'} {r['id']}: {name}: {verdict} {details[r['id']][name][:150]}"
                )
    for r in weak:
        shutil.rmtree(a.out / r["store"])
        (a.out / r["expected"]["file"]).unlink()
    manifest = a.out / "manifest.json"
    doc = json.loads(manifest.read_text("utf-8"))
    ours = {r["id"] for r in rows}
    kept = [r for r in rows if r not in weak]
    doc["cases"] = [c for c in doc["cases"] if c["id"] not in ours] + kept
    doc["fixtures_version"] = FIXTURES_VERSION
    manifest.write_text(json.dumps(doc, indent=1, ensure_ascii=True), "utf-8")
    print(f"{len(kept)} rows kept, {len(weak)} dropped")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
