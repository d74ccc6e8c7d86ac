"""A batch tool that writes with another one (the command in the arguments) and then damages some of what it wrote."""

import json
import os
import subprocess
import sys
import zlib

tool = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(tool.stdout.readline(), end="", flush=True)


def chunks(folder):
    found = [os.path.join(parent, f) for parent, _, names in os.walk(folder) for f in names if f != "zarr.json"]
    return sorted(f for f in found if os.path.getsize(f))


def metadata(folder, change):
    file = os.path.join(folder, "zarr.json")
    with open(file, encoding="utf-8") as f:
        document = json.load(f)
    change(document)
    with open(file, "w", encoding="utf-8") as f:
        json.dump(document, f)


def rewrite(file, change):
    with open(file, "rb") as f:
        data = bytearray(f.read())
    change(data)
    with open(file, "wb") as f:
        f.write(data)


def flip(data):
    data[len(data) // 2] ^= 1


def stray(folder):
    os.makedirs(folder + "/c/9999", exist_ok=True)
    with open(folder + "/c/9999/9999", "wb") as f:
        f.write(b"1")


DAMAGE = {
    "flipped": lambda folder: [rewrite(f, flip) for f in chunks(folder)],
    "cut": lambda folder: [rewrite(f, lambda d: d.pop()) for f in chunks(folder)],
    "attribute": lambda folder: metadata(folder, lambda d: d.setdefault("attributes", {}).update(mine=1)),
    "member": lambda folder: metadata(folder, lambda d: d.update(mine=1)),
    "missing": lambda folder: metadata(folder, lambda d: d.pop("fill_value")),
    "order": lambda folder: metadata(folder, lambda d: d["shape"].append(1)),
    "stray": stray,
    "gone": lambda folder: [os.remove(f) for f in chunks(folder)],
}
for line in sys.stdin:
    question = json.loads(line)
    tool.stdin.write(line)
    tool.stdin.flush()
    answer = tool.stdout.readline()
    way = [*DAMAGE, "sound", "sound"][zlib.crc32(question["id"].encode()) % (len(DAMAGE) + 2)]
    if '"out"' in answer and way in DAMAGE:
        DAMAGE[way](question["out"])
    print(json.dumps({**json.loads(answer)}), flush=True)
    print(way, file=sys.stderr, flush=True)
