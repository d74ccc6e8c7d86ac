#!/usr/bin/env python3
"""Makes the malformed arrays: MALFORMED_DIR/<category>/<name>/zarr.json and chunks, and malformed.json.

    make_malformed.py [--out conformance-tests/fixtures]

Standard library only; the same bytes on every run of one zlib version.  What other readers made of the
rows (`peers`) is kept from the manifest that is replaced, where the row's bytes are the same;
`judge_malformed.py` fills it in.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import shutil

import malformed_case
import malformed_chunks
import malformed_codecs
import malformed_documents
import malformed_shards
import malformed_streams
import malformed_values

LISTS = (
    malformed_documents,
    malformed_values,
    malformed_codecs,
    malformed_shards,
    malformed_chunks,
    malformed_streams,
)


# The first number changes when a row means something else, which the change log forbids; see CHANGES.md.
FIXTURES_VERSION = "1.1.0"

# What a corrupt row may be called: a reader finds the same fault in one place or another.
CORRUPT_FAULTS = {
    "index": ("index", "truncated", "checksum"),
    "stream": ("codec", "truncated", "checksum"),
}


def faults(case):
    """The kinds of fault that fit a row, in the words of the batch protocol."""
    found = set()
    for error in case.errors:
        if error == malformed_case.CORRUPT:
            found.update(CORRUPT_FAULTS.get(case.category, ("codec", "truncated")))
        elif error == malformed_case.CHECKSUM:
            found.update(("checksum", "index") if case.category == "index" else ("checksum", "codec"))
        else:
            found.add("metadata" if error == malformed_case.META else "unsupported")
    if "hostile" in case.tags:
        found.add("bomb")
    return sorted(found)


def digest(files):
    h = hashlib.sha256()
    for name in sorted(files):
        h.update(f"{name}:{len(files[name])}:".encode() + files[name])
    return h.hexdigest()


def row(case, old):
    sha = digest(case.files)
    r = {
        "id": case.id,
        "kind": "malformed",
        "category": case.category,
        "store": case.id,
        "array_path": "/",
        "zarr_format": 3,
        "producer": "make_malformed.py",
        "special": case.why,
        "expected": {"refused": case.errors, "faults": faults(case), "stage": case.stage},
        "tags": sorted({"malformed", case.category, *case.tags}),
        "bytes_sha256": sha,
    }
    if case.part is not None:
        r["expected"]["part"] = case.part
    before = old.get(case.id, {})
    if before.get("bytes_sha256") == sha and "peers" in before:
        r["peers"] = before["peers"]
    return r


def main():
    here = pathlib.Path(__file__).resolve().parent
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--out", type=pathlib.Path, default=here.parent / "fixtures")
    out = ap.parse_args().out
    manifest = out / "malformed.json"
    old = {r["id"]: r for r in json.loads(manifest.read_text("utf-8"))["cases"]} if manifest.exists() else {}
    shutil.rmtree(out / "malformed", ignore_errors=True)
    rows, seen = [], set()
    for case in (c for part in LISTS for c in part.cases()):
        if case.id in seen:
            raise SystemExit(f"two cases are called {case.id}")
        seen.add(case.id)
        for name, data in case.files.items():
            f = out.joinpath(*case.id.split("/"), *name.split("/"))
            f.parent.mkdir(parents=True, exist_ok=True)
            f.write_bytes(data)
        rows.append(row(case, old))
    text = json.dumps({"manifest_version": 1, "fixtures_version": FIXTURES_VERSION, "cases": rows}, indent=1, ensure_ascii=True)
    manifest.write_text(text + "\n", "utf-8")
    print(len(rows), "malformed arrays in", out)


if __name__ == "__main__":
    main()
