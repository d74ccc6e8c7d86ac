#!/usr/bin/env python3
"""Reads arrays back with the independent readers and compares, whole and partially, exactly.

    read_back.py MANIFEST [MANIFEST ...] [--peer NAME ...] [--require NAME ...] [--only SUBSTRING] [--json FILE]

MANIFEST: a fixture manifest, or a list in JSON of what an implementation wrote.  A row has `store` (the
array's store, relative to the manifest), `array_path` ("/" if left out), `expected` (the file of expected
values, or an object with `file`), and where they apply `id`, `selection` (an array too large to be read
whole: read only this box, the expected file is the box), `selections` (boxes to read as well; two random ones
where there are none) and `may_refuse` (names of readers that need not support it).

Prints a count for each reader: equal, different, refused, limit (the reader's known limits or `may_refuse`
excuse whatever it said).  Exit status 1: a difference, a refusal, a crash or a time-out that nothing excuses,
or a required reader (zarr-python and tensorstore, unless --require says otherwise) that did not answer.
"""

from __future__ import annotations

import argparse
import collections
import json
import pathlib
import random
import sys

import peers
from isolated import Reader

COLUMNS = ("equal", "different", "refused", "crash", "timeout", "limit")


def rows_of(manifest):
    doc = json.loads(manifest.read_text("utf-8"))
    for k, row in enumerate(doc["cases"] if isinstance(doc, dict) else doc):
        if row.get("kind", "array") == "array" and row.get("zarr_format", 3) == 3:
            folder = manifest.parent / row["store"] / row.get("array_path", "/").strip("/")
            expected = row["expected"] if isinstance(row["expected"], str) else row["expected"]["file"]
            yield {
                **row,
                "id": row.get("id", f"{manifest.stem}[{k}]"),
                "folder": folder,
                "file": manifest.parent / expected,
            }


def boxes_of(row, shape):
    """The partial reads of a row."""
    if "selection" in row or not shape or 0 in shape:
        return []
    if "selections" in row:
        return row["selections"]
    rng = random.Random(row["id"])
    boxes = []
    for _ in range(2):
        lo = [rng.randrange(s) for s in shape]
        boxes.append([[a, rng.randrange(a, s) + 1] for a, s in zip(lo, shape)])
    return boxes


def questions(row):
    """(box or None, expected values) of every read."""
    want = peers.load_expected(row["file"])
    if "selection" in row:
        return [(row["selection"], want)]
    shape = peers.metadata_of(row["folder"])["shape"]
    return [(None, want)] + [(b, peers.cut(want, shape, b)) for b in boxes_of(row, shape)]


def ask(name, reader, row):
    """(verdict, detail) over all reads of a row: the worst of them."""
    for box, want in questions(row):
        verdict, got = reader.read(row["folder"], box)
        detail = peers.compare(got, want) if verdict == "values" else got
        if verdict == "absent":
            return verdict, detail
        if verdict != "values" or detail:
            verdict = "different" if verdict == "values" else verdict
            excuses = [
                *peers.limits(name, peers.metadata_of(row["folder"])),
                *(["may_refuse"] if name in row.get("may_refuse", []) else []),
            ]
            if excuses:
                return "limit", f"{verdict}: " + ", ".join(excuses)
            return verdict, f"{'whole' if box is None else box}: {detail}"
    return "equal", ""


def table(counts):
    print(f"{'reader':24}" + "".join(f"{c:>11}" for c in COLUMNS))
    for name, c in counts.items():
        absent = c.get("absent")
        print(f"{name:24}" + (f"  absent ({absent})" if absent else "".join(f"{c[k]:>11}" for k in COLUMNS)))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("manifest", type=pathlib.Path, nargs="+")
    ap.add_argument("--peer", action="append", choices=list(peers.READERS))
    ap.add_argument("--require", action="append", choices=list(peers.READERS))
    ap.add_argument("--only", default="")
    ap.add_argument("--json", type=pathlib.Path)
    a = ap.parse_args()
    rows = [r for m in a.manifest for r in rows_of(m) if a.only in r["id"]]
    counts, results, bad = {}, collections.defaultdict(dict), 0
    for name in a.peer or peers.READERS:
        reader, c = Reader(name), collections.Counter()
        for row in rows:
            verdict, detail = ask(name, reader, row)
            if verdict == "absent":
                c = {"absent": detail}
                break
            c[verdict] += 1
            results[row["id"]][name] = [verdict, detail]
            if verdict not in ("equal", "limit"):
                bad += 1
                print(f"{name}: {verdict}: {row['id']}: {detail}")
        reader.close()
        counts[name if "absent" in c else peers.version(name)] = c
    print(f"{len(rows)} arrays")
    table(counts)
    if a.json:
        a.json.write_text(json.dumps({"counts": counts, "results": results}, indent=1), "utf-8")
    answered = {n for n in peers.READERS if any(k.startswith(n) and c.get("equal") for k, c in counts.items())}
    silent = [n for n in a.require or ("zarr-python", "tensorstore") if n not in answered]
    if silent:
        print("no answer from " + " and ".join(silent))
    return 1 if bad or silent or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
