"""The peers: their drivers' processes, and the servers that they read from over HTTP and S3."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import lab

# What drivers find in their environment for S3.
S3_KEYS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing12", "AWS_REGION": "us-east-1"}
BUCKET = "lab"


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
                                            cwd=lab.HOME, env={**os.environ, **S3_KEYS, **spec.get("env", {}),
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

    def __init__(self, *options):
        self.process = subprocess.Popen([os.path.join(lab.HOME, "server"), *(options or ("-root", lab.DATA))],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}"

    def place(self, array, name, latency):
        """The fields of a job that say where an array is."""
        return {"array": lab.location(array, f"{self.url}/l{latency}/{name}")}

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


class S3:
    """
    versitygw, an S3 server, with the arrays of the workloads in a bucket. Without latency, drivers reach it directly;
    otherwise through the lab's server, which adds the latency and counts.
    """

    def __init__(self, names, keep=None):
        keep = keep or os.path.join(lab.HOME, "s3")
        os.makedirs(keep, exist_ok=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = subprocess.run([os.path.join(lab.ROOT, ".ci", "versitygw")], check=True, stdout=subprocess.PIPE, text=True)
        self.process = subprocess.Popen(
            [command.stdout.strip(), "--quiet", "--keep-alive", "--port", f"127.0.0.1:{port}", "posix", keep],
            stdout=subprocess.DEVNULL, stderr=sys.stderr, env={**os.environ, "ROOT_ACCESS_KEY": S3_KEYS["AWS_ACCESS_KEY_ID"],
                                                           "ROOT_SECRET_KEY": S3_KEYS["AWS_SECRET_ACCESS_KEY"]})
        self.url, self.slow = f"http://127.0.0.1:{port}", {}
        self._await(port)
        self._fill(keep, names)

    @staticmethod
    def _await(port):
        for _ in range(600):
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        raise TimeoutError("versitygw does not listen")

    def _fill(self, keep, names):
        """Uploads the arrays that are not there yet, because the server keeps ETags beside files."""
        from obstore.store import S3Store
        os.makedirs(os.path.join(keep, BUCKET), exist_ok=True)
        store = S3Store(BUCKET, endpoint=self.url, region=S3_KEYS["AWS_REGION"], access_key_id=S3_KEYS["AWS_ACCESS_KEY_ID"],
                        secret_access_key=S3_KEYS["AWS_SECRET_ACCESS_KEY"], client_options={"allow_http": True})
        for name in names:
            root = os.path.join(lab.DATA, name)
            for folder, _, files in [] if os.path.exists(os.path.join(keep, BUCKET, name)) else os.walk(root):
                for file in files:
                    path = os.path.join(folder, file)
                    with open(path, "rb") as f:
                        store.put(f"{name}/{os.path.relpath(path, root)}", f.read(), use_multipart=False)

    def _server(self, latency):
        if latency not in self.slow:
            self.slow[latency] = Server("-before", self.url, "-ms", str(latency))
        return self.slow[latency]

    def place(self, array, name, latency):
        """The fields of a job that say where an array is."""
        self.now = self._server(latency) if latency else None
        return {"array": f"s3://{BUCKET}/{name}", "endpoint": self.now.url if self.now else self.url}

    def reset(self):
        if self.now:
            self.now.reset()

    def stats(self):
        """The counters of the place that was asked for last; None without latency."""
        return self.now.stats() if self.now else None

    def close(self):
        for server in self.slow.values():
            server.close()
        self.process.terminate()
        self.process.wait(10)
