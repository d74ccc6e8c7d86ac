#!/usr/bin/env python3
"""Judges how a Zarr v3 implementation reads parts of sharded arrays over HTTP, and what it makes of faults.

    partial.py --batch 'python my_adapter.py'

It is `run.py --rows partial`. The kit makes the arrays, serves them on 127.0.0.1 and counts requests and bytes. Right
values come first; then the table of requests and bytes beside the least possible. Contract: docs/conformance.md.
run.py, writing.py, layout.py, serving.py, scenes.py and this file need Python 3.9 or newer and nothing else.
Exit status: 0 no failure, and something was read; 1 otherwise; 2 wrong usage, or fixtures or a tool that cannot be run.
"""

import array
import concurrent.futures
import itertools
import os
import queue
import shutil
import tempfile
import time

import run
import serving
import writing
from scenes import INNER, LITTLE, SHAPE, Scene, sharding, value


class Row:
    def __init__(self, id, special, scene, box, tags, fault="", later=None, allowed=(), times=1, etags=True):
        self.id, self.special, self.scene, self.box, self.tags = id, special, scene, box, tags
        self.fault, self.later, self.allowed, self.times, self.etags = fault, later, allowed, times, etags
        self.is_fault = "partial" not in tags


PLAIN = sharding(INNER)
ONE, ROW = [[40, 41], [70, 71]], [[0, 32], [0, 128]]
FAULTS = {
    "500@once": "a server error, then none",
    "500": "a server error every time",
    "503@once": "503 with Retry-After, then none",
    "429@once": "too many requests, then none",
    "401": "unauthorized: no absence of a chunk",
    "403": "forbidden: no absence of a chunk",
    "ranges_ignored": "RFC 9110: a server may ignore Range and answer 200 with the whole object",
    "close_before_headers@once": "the connection ends before an answer, then works",
    "close_before_body": "the connection ends after the headers",
    "close_in_body": "the connection ends in the body",
    "close_in_body@once": "the connection ends in the body, then works",
    "shifted": "206 with another range than the one asked for, as its Content-Range says",
    "too_short": "206 with a byte less, as its Content-Range says",
    "too_long": "206 with a byte more, as its Content-Range says",
    "no_content_range": "206 without Content-Range",
    "unknown_total": "RFC 9110: Content-Range with an unknown length",
    "gzip": "the server compresses the answer, Content-Encoding: gzip",
    "416": "range not satisfiable every time",
    "redirect": "a redirect to another address",
    "redirect_loop": "a redirect to itself",
    "garbage": "an answer that is no HTTP",
    "empty": "200 and nothing in it",
    "portal": "200 and a page to log in",
    "chunked": "the body in chunks, without a length",
    "chunked_cut": "the body in chunks, and the last one is lost",
    "no_head": "HEAD is not allowed",
    "no_suffix": "suffix ranges are not supported",
}


def rows():
    def partial(name, special, scene, box, times=1):
        return Row("partial/" + name, special, scene, box, ["partial"], times=times)

    plain = Scene(PLAIN)
    yield partial("one_element", "one element: the index and one inner chunk", plain, ONE)
    yield partial("inner_chunk", "exactly one inner chunk", plain, [[32, 64], [64, 96]])
    yield partial("row", "four inner chunks that lie beside each other in the shard", plain, ROW)
    yield partial("column", "four inner chunks that lie apart", plain, [[0, 128], [33, 34]])
    yield partial("whole_shard", "a whole shard", plain, [[0, 128], [0, 128]])
    yield partial("four_shards", "a box across four shards", plain, [[120, 136], [120, 136]])
    yield partial("ragged_edge", "a shard that reaches beyond the array", plain, [[250, 256], [190, 200]])
    yield partial("whole_array", "everything", plain, [[0, SHAPE[0]], [0, SHAPE[1]]])
    yield partial("twice", "the same box two times: is the index asked for again?", plain, ONE, 2)
    yield partial("index_at_start", "the index at the start", Scene(sharding(INNER, location="start")), ONE)
    yield partial("no_checksum", "an index without checksum", Scene(sharding(INNER, index=(LITTLE,))), ONE)
    zipped = sharding(INNER, (LITTLE, {"name": "gzip", "configuration": {"level": 6}}))
    yield partial("gzip", "compressed inner chunks", Scene(zipped), ROW)
    yield partial("nested", "a shard in a shard: two indexes", Scene(sharding((64, 64), (PLAIN,))), ONE)
    gone = Scene(PLAIN, absent=frozenset({(0, 1)}))
    yield partial(
        "absent_shard", "a shard that is not there: fill values, and one question", gone, [[0, 8], [130, 140]]
    )
    yield partial("beside_absent_shard", "a box across a stored and an absent shard", gone, [[0, 8], [120, 140]])
    holes = Scene(PLAIN, missing=frozenset({(1, 2), (0, 0)}))
    yield partial("missing_inner_chunk", "an inner chunk that is not there: the index says so", holes, ONE)
    yield partial("unsharded", "chunks without shards", Scene(LITTLE), [[40, 41], [60, 70]])
    for name, special in FAULTS.items():
        yield Row("fault/" + name.replace("@", "_"), special, plain, ROW, ["fault"], fault=name)
    other = Scene(PLAIN, version=1, backwards=True)
    new = {k: v for k, v in other.files.items() if k != "zarr.json"}
    box = [[0, 96], [0, 96]]
    both = [other.values(box)]
    fill = array.array("i", [-1] * 96 * 96).tobytes()
    yield Row(
        "change/etag",
        "the shard is replaced after the first answer: one version, or an error",
        plain,
        box,
        ["change"],
        later=new,
        allowed=both,
    )
    small = Scene(PLAIN, version=1, missing=frozenset(itertools.product(range(4), range(2, 4))))
    less = {k: v for k, v in small.files.items() if k != "zarr.json"}
    yield Row(
        "change/shorter",
        "the shard is replaced by a shorter one",
        plain,
        box,
        ["change"],
        later=less,
        allowed=[small.values(box)],
    )
    yield Row(
        "change/deleted",
        "the shard is deleted after the first answer",
        plain,
        box,
        ["change"],
        later={},
        allowed=[fill],
    )
    yield Row(
        "change/no_etag",
        "replaced within the second of Last-Modified, without an ETag: no reader of ranges can know",
        plain,
        box,
        ["change", "choice"],
        later=new,
        allowed=both,
        etags=False,
    )


# ---------------------------------------------------------------- asking


def costs(row, site):
    """Requests and bytes for chunks, beside the least possible, and what was asked for again."""
    data = [e for e in site.log if site.is_data(e["key"])]
    seen, again = set(), 0
    for e in data:
        what = e["key"], e["head"], e["range"]
        again += what in seen
        seen.add(what)
    least = row.scene.least(row.box)
    ranges = [e for e in data if e["range"]]
    absent = [e["key"] for e in data if not e["found"]]
    return {
        "requests": len(data),
        "least_requests": least[0],
        "bytes": sum(e["bytes"] for e in data),
        "least_bytes": least[1],
        "metadata_requests": len(site.log) - len(data),
        "asked_again": again,
        "heads": sum(e["head"] for e in data),
        "ranges": len(ranges),
        "suffix_ranges": sum(e["range"].replace(" ", "").startswith("bytes=-") for e in ranges),
        "absent_again": len(absent) - len(set(absent)),
    }


def judge(row, answer, out, folder):
    if answer.end != "values":
        return answer.end, answer.detail
    wanted = [row.scene.values(row.box), *row.allowed]
    file = os.path.join(folder, "wanted")
    for data in wanted:
        with open(file, "wb") as f:
            f.write(data)
        wrong = run.difference(out, file, "raw-le-c")
        if not wrong:
            return "equal", ""
    if row.later is not None and is_mixture(out):
        return ("accepted" if "choice" in row.tags else "different"), "a mixture of versions; " + wrong
    return "different", wrong


def is_mixture(out):
    """Whether every element is one of the two versions, wherever it belongs."""
    values = array.array("i")
    with open(out, "rb") as f:
        data = f.read()
    values.frombytes(data[: len(data) // 4 * 4])
    versions = [value(0, 0, v) % 7 for v in (0, 1)]
    return all(v == -1 or 0 < v <= value(*SHAPE, 1) and v % 7 in versions for v in values)


def ask(a, row, idle, server, base):
    tool, folder = idle.get(), tempfile.mkdtemp(dir=base)
    out = os.path.join(folder, "out")
    site = serving.Site(row.scene.files, row.fault, row.later, row.etags)
    question = {"id": row.id, "url": server.open(site), "out": out, "selection": row.box}
    start = time.monotonic()
    try:
        for _ in range(row.times):
            if os.path.exists(out):
                os.remove(out)
            answer = tool.put(question, writing.Room(a.timeout, out, 4 * SHAPE[0] * SHAPE[1]))
        seconds = round(time.monotonic() - start, 3)
        verdict, detail = judge(row, answer, out, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        idle.put(tool)
    good = ("equal", "refused", "accepted") if row.is_fault else ("equal",)
    return {
        "id": row.id,
        "kind": "malformed" if row.is_fault else "array",
        "verdict": verdict,
        "passed": verdict in good,
        "detail": " ".join(detail.split()),
        "output": answer.output,
        "seconds": seconds,
        "tags": row.tags,
        "special": row.special,
        **({} if row.is_fault else costs(row, site)),
    }


def table(outcomes, out):
    """Requests and bytes of the rows without faults, beside the least possible."""
    counted = [o for o in outcomes if "requests" in o]
    if counted:
        out.write(
            f"\n{'requests and bytes for chunks':32}{'requests':>10}{'least':>7}{'bytes':>9}{'least':>9}  notes\n"
        )
    for o in counted:
        notes = [
            f"{o[k]} {k.replace('_', ' ')}" for k in ("heads", "suffix_ranges", "asked_again", "absent_again") if o[k]
        ]
        notes += [] if o["ranges"] or o["id"] == "partial/unsharded" else ["no ranges"]
        numbers = f"{o['requests']:>10}{o['least_requests']:>7}{o['bytes']:>9}{o['least_bytes']:>9}"
        out.write(f"{o['id']:32}{numbers}  {', '.join(notes)}\n")


def every_row(a):
    return [{"id": r.id, "tags": r.tags, "special": r.special, "row": r} for r in rows()]


def outcomes_of(a, chosen):
    idle, base, server = queue.Queue(), os.path.realpath(tempfile.mkdtemp()), serving.Server()
    run.FOLDERS.add(base)
    for _ in range(a.jobs):
        idle.put(run.BatchTool(a.batch))
    try:
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            return run.collect([pool.submit(ask, a, r["row"], idle, server, base) for r in chosen])
    finally:
        while not idle.empty():
            idle.get().close()
        server.close()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    run.guard(lambda: run.main("partial", __doc__))
