#!/usr/bin/env python3
"""Asks the independent readers what they make of the malformed arrays.

    judge_malformed.py [--fixtures DIR] [--record] [--only SUBSTRING]

First the sound twins of the arrays (malformed_controls.py) must be read by every reader that knows their
data type and codecs; otherwise a row may be refused for another reason than its own.  Then the rows, as a
sanity check too: where several readers happily return values, the row deserves a second look.
Verdicts: refused, read, crash, timeout.  --record writes them into malformed.json as `peers`.  Exit
status 1: a sound twin was not read.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import sys
import tempfile

import peers
from isolated import Reader
from malformed_controls import controls
from reference import document


def check_controls(name, reader, folder):
    """The number of sound arrays that the reader should read and does not."""
    bad = 0
    for control, metadata, chunk, want in controls():
        base = pathlib.Path(folder, control)
        file = base.joinpath("c", *["0"] * len(metadata["shape"]))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(chunk)
        (base / "zarr.json").write_bytes(document(metadata))
        verdict, got = reader.read(base)
        wrong = peers.compare(got, want) if verdict == "values" else f"{verdict}: {got}"
        known = peers.limits(name, metadata)
        if wrong and verdict != "absent" and not known:
            print(f"{name}: the sound array {control} is not read: {wrong}")
            bad += 1
    return bad


def main():
    here = pathlib.Path(__file__).resolve().parent
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--fixtures", type=pathlib.Path, default=here.parent / "fixtures")
    ap.add_argument("--record", action="store_true")
    ap.add_argument("--only", default="")
    a = ap.parse_args()
    manifest = a.fixtures / "malformed.json"
    doc = json.loads(manifest.read_text("utf-8"))
    bad = 0
    counts = collections.defaultdict(collections.Counter)
    for name in peers.READERS:
        reader = Reader(name, timeout=40, memory=6 * 2**30 if name in ("zarr-python", "tensorstore") else 0)
        with tempfile.TemporaryDirectory() as d:
            bad += check_controls(name, reader, d)
        for row in doc["cases"]:
            if a.only not in row["id"]:
                continue
            verdict, detail = reader.read(a.fixtures / row["store"])
            if verdict == "absent":
                print(name, "is absent:", detail)
                break
            verdict = "read" if verdict == "values" else verdict
            counts[name][verdict] += 1
            row.setdefault("peers", {})[peers.version(name)] = verdict
            if verdict in ("crash", "timeout"):
                print(f"{name:12} {verdict:8} {row['id']}  {detail}")
        reader.close()
    for row in doc["cases"]:
        said = row.get("peers", {})
        if a.only in row["id"] and sum(v == "read" for v in said.values()) > 1:
            print(
                f"{row['id']:60} read by {', '.join(n for n, v in said.items() if v == 'read')}",
                *[t for t in row["tags"] if t == "choice"],
            )
    for name, c in counts.items():
        print(f"{name:12}", dict(c))
    if a.record:
        manifest.write_text(json.dumps(doc, indent=1, ensure_ascii=True) + "\n", "utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
