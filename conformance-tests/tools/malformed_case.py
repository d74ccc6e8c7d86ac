"""What one malformed array is; shared by the lists of them."""

from __future__ import annotations

import copy
import dataclasses

from reference import array_metadata, document, pack

META = "MetadataException"
UNSUPPORTED = "UnsupportedException"
CORRUPT = "CorruptDataException"
CHECKSUM = "ChecksumException"


@dataclasses.dataclass
class Case:
    category: str
    name: str
    why: str  # what is wrong, and what says that it is
    errors: list  # classes that fit, the best one first; a subclass fits too
    files: dict  # name in the array's folder -> bytes
    stage: str = "read"  # "open": the metadata alone must be refused; "read": a chunk must be; "either": by its limits
    part: list | None = None  # the smallest box whose read must fail too
    tags: tuple = ()  # "choice": the specification leaves a reader free

    @property
    def id(self):
        return f"malformed/{self.category}/{self.name}"


def broken(category, name, why, metadata, files, errors=(CORRUPT,), part=None, tags=(), stage="read"):
    """Sound metadata and damaged data; `files` may be the bytes of the only chunk."""
    if isinstance(files, bytes):
        files = {"/".join(["c"] + ["0"] * len(metadata["shape"])): files}
    return Case(
        category, name, why, list(errors), {"zarr.json": document(metadata), **files}, stage, part, tuple(tags)
    )


def flip(data, position, mask=1):
    """The bytes with one byte changed by exclusive or."""
    b = bytearray(data)
    b[position] ^= mask
    return bytes(b)


DROP = object()
EITHER = [META, UNSUPPORTED]
UNKNOWN = [UNSUPPORTED]
DATA = pack([1, 2, 3, 4])


def refused(name, why, content, errors=(META,), chunk=DATA, tags=(), key="c/0"):
    return Case("metadata", name, why, list(errors), {"zarr.json": content, key: chunk}, "open", None, tuple(tags))


def changed(name, why, changes, errors=(META,), base=None, chunk=DATA, tags=(), key="c/0"):
    """The base array with top-level members replaced (or dropped)."""
    m = copy.deepcopy(base or array_metadata())
    for k, v in changes.items():
        if v is DROP:
            del m[k]
        else:
            m[k] = v
    return refused(name, why, document(m), errors, chunk, tags, key)
