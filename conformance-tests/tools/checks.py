"""What the checks of clouds and archives share: they count, run the command, and start servers."""

import pathlib
import socket
import subprocess
import sys
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Checks:
    """Counts checks. The last line, "NAME: N checks, N wrong", is for .ci/run; the status is 1 if one was wrong."""

    def __init__(self, name):
        self.name = name
        self.done = self.wrong = 0

    def equal(self, what, read, expected):
        """Compares what the function `read` returns."""
        self.true(what, lambda: numpy.array_equal(numpy.asarray(read()).ravel(), numpy.asarray(expected).ravel()))

    def true(self, what, judge):
        self.done += 1
        try:
            right, told = bool(judge()), ""
        except Exception as e:
            right, told = False, f": {type(e).__name__}: {str(e)[:400]}"
        self.wrong += not right
        print("right" if right else "WRONG", what + told, flush=True)

    def steps(self, what, action):
        """Runs checks that need each other; an error on the way ends them and is wrong."""
        try:
            action()
        except Exception as e:
            self.true(what, lambda e=e: raise_again(e))

    def end(self):
        print(f"{self.name}: {self.done} checks, {self.wrong} wrong")
        sys.exit(self.wrong > 0)


def raise_again(e):
    raise e


def run(shardkit, *arguments, statuses=(0,)):
    """Runs the command; returns its standard output."""
    done = subprocess.run([*shardkit, *map(str, arguments)], capture_output=True)
    if done.returncode not in statuses:
        told = done.stderr.decode() or done.stdout.decode()
        raise RuntimeError(f"{' '.join(map(str, arguments))}: status {done.returncode}: {told}")
    return done.stdout


def server(script, *arguments):
    """Starts the server of a script in .ci; returns its process and port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(ROOT / ".ci" / script), "run", str(port), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    for _ in range(1800):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return process, port
        except OSError:
            if process.poll() is not None:
                raise SystemExit(f"{script} did not start")
            time.sleep(0.1)
    raise SystemExit(f"{script} does not answer")
