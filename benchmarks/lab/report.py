"""The tables of benchmarks/RESULTS.md, made of result files of run.py.

    python report.py results/a.json [results/b.json ...]                     prints them
    python report.py --update ../RESULTS.md results/*.json       puts them between the marks in that file

All peers of a cell come from one run: where several files have it, that with shardkit in it and the least load.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from dataclasses import dataclass
from statistics import mean

import tables
from workloads import WORKLOADS

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
OURS = "shardkit"
FFM, CHANGED = ("shardkit-ffm",), ("shardkit-in-place", "shardkit-owned", "shardkit-append")
IN_PLACE = ("zarrs-partial",)   # peers that change a shard where it lies


@dataclass(frozen=True)
class Goal:
    """
    How many times the best peer's speed is aimed at; `second`: the same with the plug-in of native codecs, or in place.
    """
    times: float | None = None
    second: float | None = None


# Rows: workload, latency, label, and the goal for each array.
ROWS = [
    ("R1c", None, "one inner chunk, index cached, µs", {"A_none": Goal(1.2), "A_zstd": Goal(1), "A_blosc": Goal(1)}),
    ("R1", None, "the same, index fetched each time, µs",
     {"A_none": Goal(1.2), "A_zstd": Goal(1.1), "A_gzip": Goal(), "A_blosc": Goal(1)}),
    ("R2", None, "whole array, GB/s",
     {"A_none": Goal(), "A_zstd": Goal(0.95, 1.1), "A_gzip": Goal(), "A_blosc": Goal(), "F_zstd": Goal(0.95, 1.1)}),
    ("R3", None, "unaligned 64^3 region, µs", {"A_none": Goal(1.2), "A_zstd": Goal(0.95, 1.1), "A_blosc": Goal(1.3)}),
    ("R4", None, "one z plane, ms", {"A_none": Goal(1.1), "A_zstd": Goal(1.1), "A_blosc": Goal(1.3)}),
    ("R4c", None, "the same, index cached, ms", {"A_zstd": Goal()}),
    ("R5f", None, "65,536 tiny inner chunks, full read, ms", {"B_zstd": Goal()}),
    ("R5", None, "one of those, index fetched, µs", {"B_zstd": Goal()}),
    ("R5c", None, "one of those, index cached, µs", {"B_zstd": Goal()}),
    ("W1", None, "whole array write, GB/s",
     {"A_none": Goal(1.3), "A_zstd": Goal(0.75, 1.1), "A_gzip": Goal(), "A_blosc": Goal(1.2)}),
    ("W2", None, "write of one shard, ms",
     {"S_none": Goal(1.1), "S_zstd": Goal(1.1), "S_gzip": Goal(1.1), "S_blosc": Goal(1.1)}),
    ("W3", None, "update of one inner chunk, ms (in place or append)",
     {"S_none": Goal(None, 1), "S_zstd": Goal(None, 1), "S_blosc": Goal(None, 1)}),
    ("H1", 0, "one inner chunk over HTTP, ms", {"A_zstd": Goal(1)}),
    ("H1", 20, "the same, +20 ms a request, ms", {"A_zstd": Goal(1.03)}),
    ("H1c", 0, "index cached, ms", {"A_zstd": Goal(1)}),
    ("H1c", 20, "the same, +20 ms a request, ms", {"A_zstd": Goal(1.03)}),
    ("H1p", 0, "one z plane over HTTP, ms", {"A_zstd": Goal(1)}),
    ("H1p", 20, "the same, +20 ms a request, ms", {"A_zstd": Goal(2)}),
    ("H2", 0, "one shard of 32 MiB over HTTP, ms", {"S_zstd": Goal(1.2)}),
    ("H2", 20, "the same, +20 ms a request, ms", {"S_zstd": Goal(1.2)}),
]
ROWS += [(row[0].replace("H", "S"), *row[1:2], row[2].replace("HTTP", "S3"), {array: Goal(1) for array in row[3]})
         for row in ROWS if row[0].startswith("H")]
ROWS += [(work, latency, f"{who}, {way}, reads a second", {"A_zstd": Goal(1)})
         for work, who in (("C64", "64 threads"), ("C1000", "1,000 tasks"))
         for latency, way in ((None, "files"), (0, "HTTP"), (20, "HTTP +20 ms"))]
KINDS = {"R": "Reads", "W": "Writes", "H": "HTTP", "S": "S3", "C": "Many readers"}
MEMORY_GOAL = "120 after 100 inner chunks, 340 after a full read"


class Runs:
    """The records of several runs, each cell's from one of them."""

    def __init__(self, files):
        self.cells, self.memory, self.about, self.versions = {}, {}, [], {}
        for file in files:
            with open(file) as f:
                data = json.load(f)
            data = data if isinstance(data, dict) else {"records": data}
            self.about.append((os.path.basename(file), data.get("machine", ""), data.get("date", "")))
            self._add(data["records"])

    def _add(self, records):
        cells = {}
        for record in records:
            if record["work"] == "M":
                self.memory[record["peer"]] = record
                continue
            cells.setdefault((record["work"], record["latency_ms"], record["array"]), {})[record["peer"]] = record
            if record.get("version"):
                self.versions[record["peer"]] = record["version"]
        for key, cell in cells.items():
            if key not in self.cells or self._rank(cell) < self._rank(self.cells[key]):
                self.cells[key] = cell

    @staticmethod
    def _rank(cell):
        loads = [load for record in cell.values() for load in record.get("load", [])]
        return (not any(peer.startswith(OURS) for peer in cell), mean(loads) if loads else 99)

    def peers(self, kind):
        """The peers of a kind of workload, ours first."""
        found = dict.fromkeys(peer for key, cell in self.cells.items() if key[0].startswith(kind) for peer in cell)
        return sorted(found, key=lambda peer: (not peer.startswith(OURS), len(peer) if peer.startswith(OURS) else 0))


def text(record, mark):
    if not record:
        return ""
    if "error" in record:
        return "error"
    value = tables.number(record["median"])
    if record["unit"] == "reads/s":
        value += f" (p50 {tables.number(record['p50_us'] / 1e3)}, p99 {tables.number(record['p99_us'] / 1e3)} ms)"
    elif record.get("http"):
        value += f" ({record['http']['Ranged'] + record['http']['Whole']} requests)"
    return f"**{value}**" if mark else value


def best_of(cell, unit, names):
    """That of these peers with the best median."""
    done = {peer: cell[peer]["median"] for peer in names if peer in cell and "error" not in cell[peer]}
    return (max if unit.endswith("/s") else min)(done, key=done.get, default=None)


def ratio(cell, unit, ours, theirs):
    """How many times as fast the best of ours is as the best of theirs."""
    us, them = best_of(cell, unit, ours), best_of(cell, unit, theirs)
    if not us or not them:
        return None
    ours, theirs = cell[us]["median"], cell[them]["median"]
    return ours / theirs if unit.endswith("/s") else theirs / ours


def reached(cell, work, goal):
    """Beside the best peer: in pure Java, and with the plug-in or in place; with a mark for what was aimed at."""
    unit = WORKLOADS[work].unit
    others = [peer for peer in cell if not peer.startswith(OURS)]
    whole = [peer for peer in others if peer not in IN_PLACE]
    pure = [OURS, "shardkit-immutable"] if WORKLOADS[work].cache else [OURS]
    first = ratio(cell, unit, pure, whole)
    second = ratio(cell, unit, CHANGED, IN_PLACE) if work == "W3" else ratio(cell, unit, FFM, whole)
    texts = [f"{value:.2f}" + ("" if aim is None else " ✓" if value >= aim else " ✗")
             for value, aim in ((first, goal.times), (second, goal.second)) if value is not None]
    return texts[0] + (f" ({texts[1]})" if texts[1:] else "") if texts else ""


def aim(goal):
    first, second = ("" if value is None else f"{value:g}" for value in (goal.times, goal.second))
    return f"{first} ({second})".strip() if second else first


def comparison(runs, kind, title):
    """The table of a kind of workload, without rows that were not measured; empty if none was."""
    if not any(work.startswith(kind) for work, _, _ in runs.cells):
        return []
    names = runs.peers(kind)
    lines = [f"### {title}", "", "| workload | array | goal | reached | " + " | ".join(names) + " |",
             "|---|---|---|---|" + "---|" * len(names)]
    for work, latency, label, goals in (row for row in ROWS if row[0].startswith(kind)):
        for array, goal in goals.items():
            cell = runs.cells.get((work, latency, array))
            if not cell:
                continue
            first = best_of(cell, WORKLOADS[work].unit, cell)
            values = [text(cell.get(peer), peer == first) for peer in names]
            lines.append("| " + " | ".join(
                [f"{work} {label}", array, aim(goal), reached(cell, work, goal), *values]) + " |")
    return lines + [""]


def memory(runs):
    lines = ["### Memory", "", f"Peak RSS in MiB, fresh processes, A_zstd; goal: {MEMORY_GOAL}.", "",
             "| peer | process start, ms | open and first inner chunk, ms | at start | after 100 inner chunks "
             "| after a full read of 256 MiB |", "|---|---|---|---|---|---|"]
    for peer in sorted(runs.memory, key=lambda p: not p.startswith(OURS)):
        record = runs.memory[peer]
        keys = ("start_ms", "first_ms", "base", "peak100", "peakfull")
        lines.append(f"| {peer} | " + " | ".join(f"{record[key]:.0f}" for key in keys) + " |")
    return lines


def report(files):
    runs = Runs(files)
    about = list(dict.fromkeys(f"{machine}; {date}" for _, machine, date in runs.about if machine))
    versions = [f"{peer} {version}" for peer, version in sorted(runs.versions.items())]
    lines = [f"Measured on: {'; '.join(about)}." if about else "Not measured yet.", ""]
    lines += ["Versions: " + "; ".join(versions) + ".", "", "Medians of the rounds; bold: the best of the row.", ""] \
        if versions else []
    for kind, title in KINDS.items():
        lines += comparison(runs, kind, title)
    return "\n".join(lines + memory(runs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", metavar="FILE", help="a Markdown file with the marks in it")
    parser.add_argument("results", nargs="*")
    options = parser.parse_args()
    made = report(options.results)
    if not options.update:
        print(made)
        return
    with open(options.update) as f:
        before = f.read()
    after, count = re.subn(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: f"{BEGIN}\n{made}\n{END}", before,
                           flags=re.DOTALL)
    if count != 1:
        raise SystemExit(f"{options.update}: expected the marks {BEGIN} and {END} once, found them {count} times")
    with open(options.update, "w") as f:
        f.write(after)


if __name__ == "__main__":
    main()
