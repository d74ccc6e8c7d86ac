#!/usr/bin/env python3
"""Writes SHA256SUMS of a fixture folder (sha256sum -c reads it): run it after every change of the fixtures.

fixture_checksums.py [FOLDER]
"""

import hashlib
import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent / "fixtures"
files = sorted(f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file() and f.name != "SHA256SUMS")
lines = [f"{hashlib.sha256((folder / f).read_bytes()).hexdigest()}  {f}\n" for f in files]
(folder / "SHA256SUMS").write_bytes("".join(lines).encode())
print(len(lines), "checksums in", folder)
