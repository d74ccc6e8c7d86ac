#!/usr/bin/env python3
"""tensorstore as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md)."""

import json
import os
import sys
from importlib import metadata

import numpy as np
import tensorstore as ts


def read(path, selection):
    """The array's elements in a box, or all."""
    driver = "zarr" if os.path.exists(os.path.join(path, ".zarray")) else "zarr3"
    spec = {"driver": driver, "kvstore": {"driver": "file", "path": path + "/"}}
    array = ts.open(spec, open=True, read=True).result()
    box = ... if selection is None else tuple(slice(a, b) for a, b in selection)
    return np.asarray(array[box].read(order="C").result())


def write(values, out):
    if values.dtype.byteorder == ">":
        values = values.astype(values.dtype.newbyteorder("<"))
    with open(out, "wb") as f:
        f.write(values.tobytes(order="C"))


def answer(question):
    try:
        write(read(question["path"], question.get("selection")), question["out"])
        return {"id": question["id"], "out": question["out"]}
    except Exception as e:
        return {"id": question["id"], "error": {"kind": "other", "message": f"{type(e).__name__}: {e}"}}


print(json.dumps({"protocol": 1, "tool": "tensorstore", "version": metadata.version("tensorstore")}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
