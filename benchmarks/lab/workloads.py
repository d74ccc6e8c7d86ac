"""The workloads: what is read or written, of which arrays, and in which unit it is reported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

import lab

A = ["A_none", "A_zstd", "A_gzip", "A_blosc"]
A3 = ["A_none", "A_zstd", "A_blosc"]
F = ["P_raw", "P_gzip", "N_gzip", "N_zstd"]   # neuroglancer precomputed: files, a shard; N5


@dataclass(frozen=True)
class Workload:
    title: str
    unit: str
    arrays: list[str]
    regions: Callable[[dict, bool], list]   # of an array; quick: fewer of them
    op: str = "read"
    cache: bool = False
    http: bool = False
    s3: bool = False
    readers: int = 0                        # of one array at once; 0: one after the other
    style: str = ""                         # of these readers: blocking threads, or tasks such as coroutines
    formats: bool = False                   # of another format than Zarr
    fresh: bool = False
    source: str = ""                        # of what is written
    warmup_s: float = 0.0
    latencies: list = field(default_factory=lambda: [None])

    def value(self, seconds, count, nbytes):
        """A time of all regions in the workload's unit."""
        return {"us": seconds / count * 1e6, "ms": seconds / count * 1e3, "GB/s": nbytes / seconds / 1e9,
                "reads/s": count / seconds}[self.unit]

    def best(self, values):
        return self.better()(values)

    def better(self):
        """What picks the better one of two values."""
        return max if self.unit.endswith("/s") else min



def _chunks(usual, quick, seed):
    return lambda a, q: lab.inner_chunks(a, quick if q else usual, seed)


def _planes(usual, quick, seed):
    return lambda a, q: lab.planes(a, quick if q else usual, seed)


def _whole(a, _):
    return lab.whole(a)


HTTP = {"http": True, "latencies": [0, 20]}
S3 = {"s3": True, "latencies": [0, 20]}
CROWD = {"http": True, "cache": True, "warmup_s": 2, "latencies": [None, 0, 20]}
WORKLOADS = {
    "R1": Workload("random inner chunk reads, 500 a round, no index cache: microseconds a read", "us", A,
                   _chunks(500, 200, 1), warmup_s=2),
    "R1c": Workload("the same with the peer's index cache: microseconds a read", "us", A3,
                    _chunks(500, 200, 1), cache=True, warmup_s=2),
    "R2": Workload("full read: GB/s of raw data", "GB/s", A + ["F_zstd"], _whole, warmup_s=2),
    "R3": Workload("unaligned 64^3 regions, 40 a round: microseconds a region", "us", A3,
                   lambda a, q: lab.cubes(a, 10 if q else 40, 64, 3), warmup_s=2),
    "R4": Workload("one z plane, 1 x 512 x 512, 4 planes a round: milliseconds a plane", "ms", A3,
                   _planes(4, 2, 4), warmup_s=2),
    "R4c": Workload("the same with the peer's index cache: milliseconds a plane", "ms", ["A_zstd"],
                    _planes(4, 2, 4), cache=True, warmup_s=2),
    "R5f": Workload("B, 65,536 tiny inner chunks in one shard, full read: milliseconds", "ms", ["B_zstd"],
                    _whole, warmup_s=2),
    "R5": Workload("B, random single inner chunks, 100 a round, no index cache: microseconds a read", "us", ["B_zstd"],
                   _chunks(100, 50, 5), warmup_s=2),
    "R5c": Workload("B, 500 a round with the peer's index cache: microseconds a read", "us", ["B_zstd"],
                    _chunks(500, 200, 5), cache=True, warmup_s=2),
    "W1": Workload("full write of A: GB/s of raw data", "GB/s", A, _whole, op="write", fresh=True, source="A"),
    "W2": Workload("write of one whole 256^3 shard: milliseconds", "ms", ["S_none", "S_zstd", "S_gzip", "S_blosc"],
                   _whole, op="write", fresh=True, source="S", warmup_s=2),
    "W3": Workload("update of one inner chunk in a shard there (8 chunks): milliseconds an update", "ms",
                   ["S_none", "S_zstd", "S_blosc"], _chunks(8, 2, 6), op="write", source="U", warmup_s=1),
    "H1": Workload("HTTP, random inner chunks, 100 at +0 ms and 25 at +20 ms, no index cache: milliseconds a read",
                   "ms", ["A_zstd"], _chunks(100, 100, 7), **HTTP),
    "H1c": Workload("HTTP, the same with the peer's index cache: milliseconds a read", "ms", ["A_zstd"],
                    _chunks(100, 100, 7), cache=True, **HTTP),
    "H1p": Workload("HTTP, one z plane: milliseconds a plane", "ms", ["A_zstd"], _planes(1, 1, 8), **HTTP),
    "H2": Workload("HTTP, full read of one shard, 256^3: milliseconds", "ms", ["S_zstd"], _whole, **HTTP),
    "S1": Workload("S3, random inner chunks, 100 at +0 ms and 25 at +20 ms, no index cache: milliseconds a read",
                   "ms", ["A_zstd"], _chunks(100, 100, 7), **S3),
    "S1c": Workload("S3, the same with the peer's index cache: milliseconds a read", "ms", ["A_zstd"],
                    _chunks(100, 100, 7), cache=True, **S3),
    "S1p": Workload("S3, one z plane: milliseconds a plane", "ms", ["A_zstd"], _planes(1, 1, 8), **S3),
    "S2": Workload("S3, full read of one shard, 256^3: milliseconds", "ms", ["S_zstd"], _whole, **S3),
    "C64": Workload("64 threads that read random inner chunks of one open array, from files and over HTTP, index cached: "
                    "reads a second", "reads/s", ["A_zstd"], _chunks(4096, 500, 12), readers=64, style="threads", **CROWD),
    "C1000": Workload("the same by 1,000 tasks (coroutines, futures): reads a second", "reads/s", ["A_zstd"],
                      lambda a, q: 2 * _chunks(4096, 500, 13)(a, q), readers=1000, style="tasks", **CROWD),
    "F1": Workload("neuroglancer and N5: random chunks of 64^3, 40 a round: microseconds a read", "us", F,
                   _chunks(40, 10, 9), formats=True, warmup_s=2),
    "F2": Workload("neuroglancer and N5: one plane of the first dimension, 1 x 256 x 256, 4 a round: "
                   "milliseconds a plane", "ms", F, _planes(4, 2, 10), formats=True, warmup_s=2),
    "F3": Workload("neuroglancer and N5: full read: GB/s of raw data", "GB/s", F, _whole, formats=True, warmup_s=2),
    "F4": Workload("neuroglancer and N5 over HTTP: random chunks, 20 a round: milliseconds a read", "ms", F,
                   _chunks(20, 5, 11), formats=True, http=True, latencies=[20]),
}
# At +20 ms fewer of them are enough.
FAR_REGIONS = {"H1": 25, "H1c": 25, "S1": 25, "S1c": 25}
MEMORY = "M"
