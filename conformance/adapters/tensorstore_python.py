#!/usr/bin/env python3
"""tensorstore as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md)."""

import json
import os
import sys
from importlib import metadata

import numpy as np
import tensorstore as ts


def box(question):
    selection = question.get("selection")
    return ... if selection is None else tuple(slice(a, b) for a, b in selection)


def read(question):
    if "url" in question:
        driver, store = "zarr3", question["url"].rstrip("/") + "/"
    else:
        path = question["path"]
        driver = "zarr" if os.path.exists(os.path.join(path, ".zarray")) else "zarr3"
        store = {"driver": "file", "path": path + "/"}
    array = ts.open({"driver": driver, "kvstore": store}, open=True, read=True).result()
    values = np.asarray(array[box(question)].read(order="C").result())
    if values.dtype.byteorder == ">":
        values = values.astype(values.dtype.newbyteorder("<"))
    with open(question["out"], "wb") as f:
        f.write(values.tobytes(order="C"))


def write(question):
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": question["out"] + "/"}}
    create = "metadata" in question
    if create:
        spec["metadata"] = question["metadata"]
    array = ts.open(spec, open=not create, create=create).result()[box(question)]
    with open(question["values"], "rb") as f:
        values = np.frombuffer(f.read(), array.dtype.numpy_dtype.newbyteorder("<"))
    array.write(values.astype(array.dtype.numpy_dtype).reshape(array.shape)).result()


def answer(question):
    try:
        (write if question.get("do") == "write" else read)(question)
        return {"id": question["id"], "out": question["out"]}
    except Exception as e:
        return {"id": question["id"], "error": {"kind": "other", "message": f"{type(e).__name__}: {e}"}}


print(json.dumps({"protocol": 1, "tool": "tensorstore", "version": metadata.version("tensorstore")}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
