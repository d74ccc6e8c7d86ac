"""A batch tool that reads with another one (the command in the arguments) and then changes a byte of some values."""

import json
import subprocess
import sys
import zlib

tool = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
print(tool.stdout.readline(), end="", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    tool.stdin.write(line)
    tool.stdin.flush()
    answer = tool.stdout.readline()
    if '"out"' in answer and zlib.crc32(question["id"].encode()) % 2 == 0:
        with open(question["out"], "r+b") as f:
            data = bytearray(f.read())
            data[-1] ^= 1
            f.seek(0)
            f.write(data)
    print(answer, end="", flush=True)
