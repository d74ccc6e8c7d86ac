"""What one sound array of make_rows.py is; shared by the lists of them."""

from __future__ import annotations

import dataclasses

import numpy as np

from reference import array_metadata


@dataclasses.dataclass
class Row:
    id: str
    special: str
    tags: list
    metadata: dict
    values: np.ndarray
    streams: dict = dataclasses.field(default_factory=dict)
    missing: object = None  # box of an inner chunk -> whether it is left out
    absent: tuple = ()  # grid positions of chunks that are not stored
    may_refuse: tuple = ()


def transpose(*order):
    return {"name": "transpose", "configuration": {"order": list(order)}}


def ramp(shape, data_type="int32"):
    """Values that differ everywhere, so that a wrong order shows."""
    n = int(np.prod(shape, dtype=np.int64))
    return (np.arange(n, dtype=np.int64) * 7 + 1).astype(data_type).reshape(shape)


def row(id, special, shape, chunk, codecs, tags, data_type="int32", fill=0, values=None, meta=None, **more):
    metadata = array_metadata(shape, data_type, chunk, codecs, fill)
    metadata.update(meta or {})
    dtype = data_type if isinstance(data_type, str) else data_type["name"]
    data = ramp(shape, dtype) if values is None else values
    return Row(id, special, tags, metadata, data, **more)
