"""The tables of docs/performance.md, made of result files of run.py.

    python report.py results/a.json [results/b.json ...]                     prints them
    python report.py --update ../../docs/performance.md results/*.json       puts them between the marks in that file

All peers of a cell come from one run: where several files have it, that with shardkit in it and the least load.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from statistics import mean

import tables
from workloads import WORKLOADS

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"
OURS = "shardkit"
# Rows: workload, latency, label, and the goal for each array; with the plug-in of native codecs in brackets.
ROWS = [
    ("R1c", None, "one inner chunk, index cached, µs", {"A_none": "15", "A_zstd": "165 (100)", "A_blosc": "35"}),
    ("R1", None, "the same, index fetched each time, µs",
     {"A_none": "45", "A_zstd": "190 (130)", "A_gzip": "", "A_blosc": "41"}),
    ("R2", None, "whole array, GB/s",
     {"A_none": "2.0", "A_zstd": "0.7 (0.95)", "A_gzip": "0.6 (0.9)", "A_blosc": "1.6", "F_zstd": ""}),
    ("R3", None, "unaligned 64^3 region, µs", {"A_none": "450", "A_zstd": "1,600 (1,300)", "A_blosc": "600"}),
    ("R4", None, "one z plane, ms", {"A_none": "1.1", "A_zstd": "18 (12)", "A_blosc": "3.8"}),
    ("R4c", None, "the same, index cached, ms", {"A_zstd": ""}),
    ("R5f", None, "65,536 tiny inner chunks, full read, ms", {"B_zstd": "220"}),
    ("R5", None, "one of those, index fetched, µs", {"B_zstd": "150"}),
    ("R5c", None, "one of those, index cached, µs", {"B_zstd": "18"}),
    ("W1", None, "whole array write, GB/s",
     {"A_none": "2.0", "A_zstd": "0.13 (0.3)", "A_gzip": "0.06 (0.2)", "A_blosc": "1.35"}),
    ("W2", None, "write of one shard, ms", {"S_none": "", "S_zstd": "", "S_gzip": "", "S_blosc": ""}),
    ("W3", None, "update of one inner chunk, ms (in place or append)",
     {"S_none": "15 (0.3)", "S_zstd": "9 (0.7)", "S_blosc": "9 (0.4)"}),
    ("H1", 0, "one inner chunk over HTTP, ms", {"A_zstd": ""}),
    ("H1", 20, "the same, +20 ms a request, ms", {"A_zstd": "42"}),
    ("H1c", 0, "index cached, ms", {"A_zstd": ""}),
    ("H1c", 20, "the same, +20 ms a request, ms", {"A_zstd": "25"}),
    ("H1p", 0, "one z plane over HTTP, ms", {"A_zstd": ""}),
    ("H1p", 20, "the same, +20 ms a request, ms", {"A_zstd": "90, at most 40 requests"}),
    ("H2", 0, "one shard of 32 MiB over HTTP, ms", {"S_zstd": ""}),
    ("H2", 20, "the same, +20 ms a request, ms", {"S_zstd": ""}),
]
KINDS = {"R": "Reads", "W": "Writes", "H": "HTTP"}
MEMORY_GOAL = "120 after 100 inner chunks, 420 after a full read"


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
        found = found or {OURS: None}
        return sorted(found, key=lambda peer: (not peer.startswith(OURS), len(peer) if peer.startswith(OURS) else 0))


def text(record, mark):
    if not record:
        return ""
    if "error" in record:
        return "error"
    value = tables.number(record["median"])
    if record.get("http"):
        value += f" ({record['http']['Ranged'] + record['http']['Whole']} requests)"
    return f"**{value}**" if mark else value


def best_of(cell, unit):
    """The peer with the best median, and the best of those that are not ours."""
    done = {peer: record["median"] for peer, record in cell.items() if "error" not in record}
    better = max if unit == "GB/s" else min
    others = [peer for peer in done if not peer.startswith(OURS)]
    return (better(done, key=done.get, default=None), better(others, key=done.get) if others else None)


def ratio(cell, other, unit):
    """How many times as fast as the best other one we are."""
    if OURS not in cell or "error" in cell[OURS] or not other:
        return ""
    ours, theirs = cell[OURS]["median"], cell[other]["median"]
    return f"{ours / theirs if unit == 'GB/s' else theirs / ours:.2f}"


def comparison(runs, kind, title):
    names = runs.peers(kind)
    lines = [f"### {title}", "", "| workload | array | goal | times the best peer | " + " | ".join(names) + " |",
             "|---|---|---|---|" + "---|" * len(names)]
    for work, latency, label, goals in (row for row in ROWS if row[0].startswith(kind)):
        for array, goal in goals.items():
            cell = runs.cells.get((work, latency, array), {})
            unit = WORKLOADS[work].unit
            first, other = best_of(cell, unit)
            values = [text(cell.get(peer), peer == first) for peer in names]
            lines.append("| " + " | ".join([f"{work} {label}", array, goal, ratio(cell, other, unit), *values]) + " |")
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
