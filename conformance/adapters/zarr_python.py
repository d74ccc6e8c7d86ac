#!/usr/bin/env python3
"""zarr-python as a tool of the conformance suite: JSON lines on standard input and output (docs/conformance.md)."""

import base64
import json
import sys
import warnings

import numpy as np
import zarr
from zarr.errors import MetadataValidationError

warnings.simplefilter("ignore")
zarr.config.set({"array.rectilinear_chunks": True})


def read(path, selection):
    """The array's elements in a box, or all, and its Zarr data type."""
    array = zarr.open_array(path, mode="r")
    box = ... if selection is None else tuple(slice(a, b) for a, b in selection)
    return np.asarray(array[box]), array.metadata.to_dict().get("data_type")


def write(values, data_type, out):
    if values.dtype.kind in "OT":  # strings and bytes of variable length
        text = data_type == "string"
        items = [x if text else base64.b64encode(bytes(x)).decode() for x in values.ravel(order="C")]
        document = {"encoding": "utf8" if text else "base64", "shape": list(values.shape), "values": items}
        data = json.dumps(document).encode()
    else:
        data = values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes(order="C")
    with open(out, "wb") as f:
        f.write(data)


def kind(error):
    """Only where the error's class says it."""
    return "metadata" if isinstance(error, MetadataValidationError) else "other"


def answer(question):
    try:
        write(*read(question["path"], question.get("selection")), question["out"])
        return {"id": question["id"], "out": question["out"]}
    except Exception as e:
        return {"id": question["id"], "error": {"kind": kind(e), "message": f"{type(e).__name__}: {e}"}}


print(json.dumps({"protocol": 1, "tool": "zarr-python", "version": zarr.__version__}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
