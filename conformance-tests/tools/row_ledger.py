#!/usr/bin/env python3
"""Records what each row of the fixtures means in ROWS.sha256: run it after adding rows, before fixture_checksums.py.

row_ledger.py [FOLDER]

A line is a digest and an id. The digest covers the bytes of the array, the expected values, the selection and whether the row must be
refused. A row that is recorded never changes: this program refuses a row with another digest. Such a row needs another id.
"""

import hashlib
import json
import pathlib
import sys


def meaning(folder, row):
    """The digest of what a row means; words, tags, faults and peers are no part of it."""
    store = folder / row.get("array", row.get("store", ""))
    node = store / row.get("array_path", "/").strip("/")
    place = node if node.is_dir() else store  # the draft of 2022 keeps an array in other folders
    if row["kind"] == "malformed":
        verdict = "choice" if "choice" in row["tags"] else "refused"
    else:
        verdict = row["expected"]["sha256"]
    box = row.get("selection")
    lines = [row["kind"], verdict, "" if box is None else json.dumps(box, separators=(",", ":"))]
    for file in sorted(f.relative_to(place).as_posix() for f in place.rglob("*") if f.is_file()):
        lines.append(f"{hashlib.sha256((place / file).read_bytes()).hexdigest()}  {file}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "fixtures").resolve()
    ledger = folder / "ROWS.sha256"
    known = {}
    if ledger.exists():
        known = {line[66:]: line[:64] for line in ledger.read_text("utf-8").splitlines()}
    changed = []
    for name in ("manifest", "malformed", "writing"):
        for row in json.loads((folder / f"{name}.json").read_text("utf-8"))["cases"]:
            digest = meaning(folder, row)
            if known.setdefault(row["id"], digest) != digest:
                changed.append(row["id"])
    if changed:
        sys.exit(f"rows never change their meaning; give these another id: {', '.join(changed)}")
    ledger.write_bytes("".join(f"{known[i]}  {i}\n" for i in sorted(known)).encode())
    print(len(known), "rows in", ledger)


if __name__ == "__main__":
    main()
