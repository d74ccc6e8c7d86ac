"""Numbers as text, and the tables that run.py prints."""

from __future__ import annotations

import os
import platform


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def machine():
    """The processor and how many of it there are."""
    name = platform.processor()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as f:
            name = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), name)
    return f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}"


def requests(http):
    """What a peer asked of the server."""
    parts = [f"{http['Ranged'] + http['Whole']} gets"]
    parts += [f"{http['MultiRange']} multi"] if http["MultiRange"] else []
    parts += [f"{http['Whole']} whole"] if http["Whole"] else []
    return ", ".join(parts + [f"{http['Head']} head", f"{http['DataBytes'] / 1e6:.2f} MB",
                              f"{http['MaxInFlight']} at once"])


def cell(record):
    if not record:
        return "-"
    if "error" in record:
        return "ERR " + record["error"].split("\n")[0][:80]
    text = f"{number(record['best'])} / {number(record['median'])}"
    if record["unit"] == "reads/s":
        text += f", each {number(record['p50_us'] / 1e3)} ms, p99 {number(record['p99_us'] / 1e3)}"
    return text + (f" ({requests(record['http'])})" if record.get("http") else "")


def workload(names, cells):
    columns = list(dict.fromkeys(column for _, column in cells))
    print("| peer | " + " | ".join(f"{column} best / median" for column in columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name in names:
        print(f"| {name} | " + " | ".join(cell(cells.get((name, column))) for column in columns) + " |", flush=True)
