#!/usr/bin/env python3
"""Judges how a Zarr v3 implementation writes: whole arrays, and regions of arrays that others wrote.

    writing.py --fixtures DIR --batch 'python my_adapter.py' --reader 'python zarr_python.py' --reader ...

It is `run.py --rows writing`. Readers are batch tools. One judges a row if it reads the fixture's own array exactly; a row without such a reader is
skipped. run.py, layout.py and this file need Python 3.9 or newer and nothing else. Contract: docs/conformance.md.
Exit status: 0 no failure, and something was written; 1 otherwise; 2 wrong usage, or fixtures or a tool that cannot be run.
"""

import concurrent.futures
import itertools
import json
import math
import os
import queue
import shutil
import tempfile
import time

import layout
import run


class Room(run.Limits):
    """What an answer may cost: time, and bytes of values."""

    def __init__(self, seconds, out, size):
        self.out, self.seconds, self.memory, self.bytes = out, seconds, None, run.ROOM + 8 * size

    def passed(self, seconds, grown):
        """An answer if a limit is passed, else None; an array counts with all its files."""
        try:
            size = sum(os.path.getsize(os.path.join(self.out, f)) for f in layout.files(self.out))
        except OSError:
            size = 0  # files come and go while the tool writes
        if size > self.bytes:
            return run.Answer("different", f"wrote more than {self.bytes} bytes")
        return super().passed(seconds, grown)


def rows(folder):
    file = os.path.join(folder, "writing.json")
    if not os.path.exists(file):
        raise run.Trouble(f"{folder} has no writing.json")
    found = run.cases(file)
    for row in found:
        if not isinstance(row, dict) or row.get("kind") not in ("write", "update"):
            raise run.Trouble(f"{file} is not a manifest: expected rows of the kinds write and update")
        try:
            good = all(isinstance(x, str) for x in (row["id"], row["array"], row["expected"]["file"], *row["tags"]))
        except (KeyError, TypeError):
            good = False
        if not good or (row["kind"] == "update" and not run.spans(row.get("selection"))):
            raise run.Trouble(f"{file}: row {row.get('id')}: expected id, array, expected.file, tags and selection")
    if not found:
        raise run.Trouble(f"{file} is not a manifest: expected at least one row")
    return found


# ---------------------------------------------------------------- values


class Values:
    """The elements of an array: raw bytes, or the list of a JSON document."""

    def __init__(self, file, shape):
        with open(file, "rb") as f:
            data = f.read()
        self.document = json.loads(data) if file.endswith(".json") else None
        self.shape = shape
        n = math.prod(shape)
        if self.document is None:
            size = len(data) // n if n else 0
            self.items = [data[i * size : (i + 1) * size] for i in range(n)]
        else:
            self.items = self.document["values"]

    def positions(self, box):
        steps = [math.prod(self.shape[k + 1 :]) for k in range(len(self.shape))]
        return [sum(i * s for i, s in zip(at, steps)) for at in itertools.product(*(range(a, b) for a, b in box))]

    def store(self, items, shape, file):
        if self.document is None:
            data = b"".join(items)
        else:
            data = json.dumps({**self.document, "shape": shape, "values": items}).encode()
        with open(file, "wb") as f:
            f.write(data)


def change(row, folder, shape, own):
    """The files of the values to write and of the values of the whole array afterwards."""
    values = Values(os.path.join(folder, row["expected"]["file"]), shape)
    box = row["selection"]
    at = values.positions(box)
    new = [values.items[len(values.items) - 1 - i] for i in at]
    suffix = ".json" if values.document else ".bin"
    part, whole = os.path.join(own, "part" + suffix), os.path.join(own, "whole" + suffix)
    values.store(new, [b - a for a, b in box], part)
    after = list(values.items)
    for i, item in zip(at, new):
        after[i] = item
    values.store(after, shape, whole)
    return part, whole


# ---------------------------------------------------------------- judging


def contents(folder):
    found = {}
    for name in layout.files(folder):
        with open(os.path.join(folder, name), "rb") as f:
            found[name] = f.read()
    return found


def untouched(metadata, box):
    """The keys of the chunks that a region does not touch."""
    per_axis, found = layout.edges(metadata), set()
    grid = itertools.product(*(range(len(e)) for e in per_axis))
    for key, at in zip(layout.keys(metadata), grid):
        spans = [(sum(e[:i]), sum(e[: i + 1])) for e, i in zip(per_axis, at)]
        if any(hi <= a or lo >= b for (lo, hi), (a, b) in zip(spans, box)):
            found.add(key)
    return found


def check_rest(row, metadata, before, folder):
    """Raises Illegal if a chunk changed that the region does not touch."""
    after = contents(folder)
    for key in sorted(untouched(metadata, row["selection"])):
        if before.get(key) != after.get(key):
            raise layout.Illegal(f"the chunk {key} lies outside of the region and was changed")


class Judges:
    """The readers that say what was written."""

    def __init__(self, commands, timeout):
        self.tools = {c: run.BatchTool(c) for c in commands}
        self.timeout = timeout
        self.fit = {}

    def reads(self, command, row, folder, file, own):
        """(end, what differs) of one reader; file: the expected values."""
        out = os.path.join(own, "read")
        if os.path.exists(out):
            os.remove(out)
        form = "json" if file.endswith(".json") else "raw-le-c"
        question = {"id": row["id"], "path": folder, "out": out}
        answer = self.tools[command].put(question, Room(self.timeout, out, os.path.getsize(file)))
        wrong = run.difference(out, file, form) if answer.end == "values" else f"{answer.end}: {answer.detail}"
        return answer.end, wrong

    def check(self, row, fixtures, folder, file, own):
        """The readers that refuse what others read; raises Illegal unless a reader reads it, and none something else.

        None if no reader is fit to judge: a reader that does not read the fixture itself is not asked.
        """
        agree, refuse = 0, []
        for command in self.tools:
            key = command, row["array"]
            if key not in self.fit:
                expected = os.path.join(fixtures, row["expected"]["file"])
                source = os.path.join(fixtures, row["array"])
                self.fit[key] = self.reads(command, row, source, expected, own)[1] == ""
            if self.fit[key]:
                end, wrong = self.reads(command, row, folder, file, own)
                wrong = wrong and f"{command.split('/')[-1]}: {wrong}"
                if end == "values" and wrong:
                    raise layout.Illegal(f"read by {wrong}")
                agree += not wrong
                refuse += [wrong] if wrong else []
        if refuse and not agree:
            raise layout.Illegal("no reader reads it: " + "; ".join(refuse))
        return refuse if agree else None

    def close(self):
        for tool in self.tools.values():
            tool.close()


def work(a, row, folder, tool, judges, own):
    """(verdict, detail, output, seconds) of a row."""
    source, target = os.path.join(folder, row["array"]), os.path.join(own, "array.zarr")
    metadata = layout.document(source)
    metadata.pop("consolidated_metadata", None)
    file = os.path.join(folder, row["expected"]["file"])
    question = {"id": row["id"], "do": "write", "out": target, "values": file}
    before = {}
    if row["kind"] == "update":
        shutil.copytree(source, target)
        before = contents(target)
        question["values"], file = change(row, folder, metadata["shape"], own)
        question["selection"] = row["selection"]
    else:
        question["metadata"] = metadata
    start = time.monotonic()
    answer = tool.put(question, Room(a.timeout, target, os.path.getsize(file)))
    seconds = round(time.monotonic() - start, 3)
    if answer.end != "values":
        return answer.end, answer.detail, answer.output, seconds
    try:
        layout.check_metadata(target, metadata)
        layout.check_layout(target)
        if before:
            check_rest(row, metadata, before, target)
        refuse = judges.check(row, folder, target, file, own)
    except layout.Illegal as e:
        return "different", str(e), answer.output, seconds
    if refuse is None:
        return "skipped", "no reader reads this fixture", answer.output, seconds
    return "equal", "; ".join(refuse), answer.output, seconds


def ask(a, row, folder, sums, idle, base):
    tool, judges = idle.get()
    own = tempfile.mkdtemp(dir=base)
    probe = {**row, "kind": "array", "folder": row["array"]}
    try:
        hurt = run.damage(folder, sums, probe)
        done = ("damaged", hurt, "", 0.0) if hurt else work(a, row, folder, tool, judges, own)
    finally:
        shutil.rmtree(own, ignore_errors=True)
        idle.put((tool, judges))
    verdict, detail, output, seconds = done
    outcome = {"id": row["id"], "kind": row["kind"], "verdict": verdict, "passed": verdict == "equal"}
    outcome.update(detail=" ".join(detail.split()), output=output, seconds=seconds)
    outcome["tags"] = sorted({*row["tags"], row["kind"]})
    return outcome


def every_row(a):
    return [{**r, "tags": [*r["tags"], r["kind"]]} for r in rows(os.path.realpath(a.fixtures))]


def outcomes_of(a, chosen):
    folder = os.path.realpath(a.fixtures)
    idle, base, sums = queue.Queue(), os.path.realpath(tempfile.mkdtemp()), run.checksums(folder)
    run.FOLDERS.add(base)
    for _ in range(a.jobs):
        idle.put((run.BatchTool(a.batch), Judges(a.reader, a.timeout)))
    try:
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            return run.collect([pool.submit(ask, a, r, folder, sums, idle, base) for r in chosen])
    finally:
        while not idle.empty():
            for closable in idle.get():
                closable.close()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    run.guard(lambda: run.main("writing", __doc__))
