"""How long commands take from process start to their end: wall and CPU time, best and median.

    python starts.py [--runs 20] -- COMMAND ARG... [-- COMMAND ARG...]     run in turn, so that all meet the same noise
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time


def once(command):
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begun, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    words, commands, runs = sys.argv[1:], [], 20
    if words[:1] == ["--runs"]:
        runs, words = int(words[1]), words[2:]
    for word in words:
        if word == "--":
            commands.append([])
        else:
            commands[-1].append(word)
    for command in commands:
        once(command)   # builds what is built on first use
    times = [[] for _ in commands]
    for _ in range(runs):
        for command, seen in zip(commands, times):
            seen.append(once(command))
    print("| command | wall ms, best / median | CPU ms, best / median |\n|---|---|---|")
    for command, seen in zip(commands, times):
        cells = [f"{1e3 * min(one):.0f} / {1e3 * statistics.median(one):.0f}" for one in zip(*seen)]
        print(f"| {' '.join(os.path.basename(word) for word in command)} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
