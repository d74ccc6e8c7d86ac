#!/usr/bin/env python3
"""zarr-python as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md)."""

import base64
import json
import os
import sys
import warnings

import numpy as np
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.core.metadata.v3 import ArrayV3Metadata
from zarr.errors import MetadataValidationError

warnings.simplefilter("ignore")
zarr.config.set({"array.rectilinear_chunks": True})
TYPES = {"string": str, "bytes": base64.b64decode, "variable_length_bytes": base64.b64decode}


def box(question):
    selection = question.get("selection")
    return ... if selection is None else tuple(slice(a, b) for a, b in selection)


def read(question):
    array = zarr.open_array(question.get("url") or question["path"], mode="r")
    values, data_type = array[box(question)], array.metadata.to_dict().get("data_type")
    if isinstance(values, (str, bytes)):  # the element of a 0-D array
        values = np.array(values, dtype=object)
    if values.dtype.kind in "OT":  # strings and bytes of variable length
        text = data_type == "string"
        items = [x if text else base64.b64encode(bytes(x)).decode() for x in values.ravel(order="C")]
        document = {"encoding": "utf8" if text else "base64", "shape": list(values.shape), "values": items}
        data = json.dumps(document).encode()
    else:
        data = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes(order="C")
    with open(question["out"], "wb") as f:
        f.write(data)


def write(question):
    if "metadata" in question:
        documents = ArrayV3Metadata.from_dict(question["metadata"]).to_buffer_dict(default_buffer_prototype())
        os.makedirs(question["out"])
        with open(question["out"] + "/zarr.json", "wb") as f:
            f.write(documents["zarr.json"].to_bytes())
    array = zarr.open_array(question["out"], mode="r+")
    with open(question["values"], "rb") as f:
        data = f.read()
    shape = [b - a for a, b in question["selection"]] if "selection" in question else array.shape
    data_type = array.metadata.to_dict()["data_type"]
    if isinstance(data_type, str) and data_type in TYPES:
        values = np.empty(int(np.prod(shape)), dtype=object)
        values[:] = [TYPES[data_type](x) for x in json.loads(data)["values"]]
    else:
        values = np.frombuffer(data, array.dtype.newbyteorder("<"))
    array[box(question)] = values.reshape(shape)


def answer(question):
    try:
        (write if question.get("do") == "write" else read)(question)
        return {"id": question["id"], "out": question["out"]}
    except Exception as e:  # its kind only where the error's class says it
        kind = "metadata" if isinstance(e, MetadataValidationError) else "other"
        return {"id": question["id"], "error": {"kind": kind, "message": f"{type(e).__name__}: {e}"}}


print(json.dumps({"protocol": 1, "tool": "zarr-python", "version": zarr.__version__}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
