"""The peers: their drivers' processes, and the server that they read from over HTTP."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import time
import urllib.request

import lab


def load(files=()):
    peers = {}
    for file in [os.path.join(lab.LAB, "peers.json"), *files]:
        with open(file) as f:
            peers.update(json.load(f))
    return peers


def substitute(text):
    """{home}, {lab}, {root} stand for folders, {file:X} for the text of $LAB_HOME/X."""
    def value(match):
        what = match.group(1)
        if what.startswith("file:"):
            with open(os.path.join(lab.HOME, what[5:])) as f:
                return f.read().strip()
        return {"home": lab.HOME, "lab": lab.LAB, "root": lab.ROOT}[what]
    return re.sub(r"\{(home|lab|root|file:[^}]*)\}", value, text)


def missing(spec):
    """What of a peer is not installed; empty when all is there."""
    command = substitute(spec["cmd"][0])
    needed = [substitute(n) for n in spec.get("needs", [])]
    return next((n for n in needed if not os.path.exists(n)), "" if shutil.which(command) else command)


class Driver:
    """One driver's process: lines of JSON in and out."""

    def __init__(self, name, spec, cpus=None):
        self.name = name
        command = [substitute(x) for x in spec["cmd"]]
        if cpus:
            command = ["taskset", "-c", cpus] + command
        log = os.path.join(lab.HOME, "log")
        os.makedirs(log, exist_ok=True)
        begun = time.perf_counter()
        with open(os.path.join(log, name + ".err"), "ab") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                            cwd=lab.HOME, env={**os.environ, **spec.get("env", {}),
                                                               "PYTHONDONTWRITEBYTECODE": "1"})
        self.ready = self._line(120)
        self.start_s = time.perf_counter() - begun

    def _line(self, timeout):
        end, line = time.time() + timeout, b""
        while not line.endswith(b"\n"):
            if not select.select([self.process.stdout], [], [], max(0, end - time.time()))[0]:
                raise TimeoutError(f"no answer in {timeout} s")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise RuntimeError(f"driver ended, exit {self.process.wait()}")
            line += more
        return json.loads(line)

    def job(self, job, timeout=300):
        self.process.stdin.write((json.dumps(job) + "\n").encode())
        self.process.stdin.flush()
        return self._line(timeout)

    def peak_mib(self):
        """The most memory it has had so far."""
        with open(f"/proc/{self.process.pid}/status") as f:
            return next(int(line.split()[1]) / 1024 for line in f if line.startswith("VmHWM"))

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()


class Server:
    """The static file server, which counts requests and bytes."""

    def __init__(self, root=None):
        self.process = subprocess.Popen([os.path.join(lab.HOME, "server"), "-root", root or lab.DATA],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def _get(self, path):
        with urllib.request.urlopen(self.url + path) as answer:
            return json.load(answer)

    def stats(self):
        return self._get("/_stats")

    def reset(self):
        self._get("/_reset")

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
