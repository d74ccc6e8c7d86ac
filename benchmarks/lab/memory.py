"""Workload M: process start and peak memory, in fresh processes."""

from __future__ import annotations

import os
import statistics
import time

import lab
import peers

ARRAY = "A_zstd"
PROCESSES = 3


def _read(driver, regions):
    answer = driver.job({"op": "read", "array": os.path.join(lab.DATA, ARRAY), "dtype": "uint16", "regions": regions,
                         "reps": 1, "cache": False})
    if not answer["ok"]:
        raise RuntimeError(answer["error"])


def one_process(name, spec, cpus):
    """Start to ready, open and first inner chunk (both ms); MiB at ready, after 100 inner chunks, after a full read."""
    array = lab.arrays()[ARRAY]
    driver = peers.Driver(name, spec, cpus)
    try:
        base = driver.peak_mib()
        begun = time.perf_counter()
        _read(driver, lab.inner_chunks(array, 1, 9))
        first = (time.perf_counter() - begun) * 1e3
        _read(driver, lab.inner_chunks(array, 100, 9))
        single = driver.peak_mib()
    finally:
        driver.close()
    start = driver.start_s * 1e3
    driver = peers.Driver(name, spec, cpus)
    try:
        _read(driver, lab.whole(array))
        full = driver.peak_mib()
    finally:
        driver.close()
    return {"start_ms": start, "first_ms": first, "base": base, "peak100": single, "peakfull": full}


def measure(names, specs, cpus):
    print(f"\n## M: process start and memory (fresh processes; {ARRAY})   [load {os.getloadavg()[0]:.2f}]")
    print("| peer | start to ready ms | open + first chunk ms | at ready MiB | peak, 100 chunk reads MiB "
          "| peak, full read (256 MiB raw) MiB |\n|---|---|---|---|---|---|")
    results = []
    for name in (n for n in names if "M" in specs[n].get("only", ["M"])):
        try:
            runs = [one_process(name, specs[name], cpus) for _ in range(PROCESSES)]
        except Exception as e:   # whatever a peer does must not end the others' run
            print(f"| {name} | ERR {e} |", flush=True)
            continue
        record = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        results.append({"work": "M", "peer": name, **record})
        print(f"| {name} | " + " | ".join(f"{record[k]:.0f}" for k in record) + " |", flush=True)
    return results
