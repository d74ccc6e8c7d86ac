"""A broken batch tool: whether it answers rightly or wrongly, and how, is chosen by the row's name."""

import json
import os
import sys
import zlib

folder = sys.argv[1]
rows = {}
for name in ("manifest.json", "malformed.json"):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        rows.update((r["id"], r) for r in json.load(f)["cases"])

print('{"protocol": 1, "tool": "broken", "version": "1"}', flush=True)
for line in sys.stdin:
    question = json.loads(line)
    row, answer = rows[question["id"]], {"id": question["id"]}
    way = zlib.crc32(question["id"].encode()) % 256  # the rare ways cost a start of the tool
    way = way if way < 3 else 3 + way % 61
    kinds = ["metadata", "unsupported", "index", "checksum", "truncated", "codec", "bomb", "data", "whim", None]
    if way == 0:
        sys.exit(0)
    elif way == 1:
        os.abort()
    elif way == 2:
        answer["id"] = "another"
    elif way < 24:
        answer["error"] = {"kind": kinds[way % len(kinds)], "message": "no"}
    else:
        answer["out"] = question["out"]
        file = row["expected"].get("file")
        if file:
            with open(os.path.join(folder, file), "rb") as f:
                data = bytearray(f.read())
        else:
            data = bytearray(b"anything")
        if way < 36 and data:
            data[len(data) // 2] ^= 1
        elif way < 38:
            data += b"\0"
        elif way < 40:
            data = data[:-1]
        if way != 40:
            with open(question["out"], "wb") as f:
                f.write(data)
        print("chatter", flush=True)
    print(json.dumps(answer), flush=True)
