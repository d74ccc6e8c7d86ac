"""Runs a reader in a process of its own, so that a crash, a hang or a bomb is a verdict and not the end."""

from __future__ import annotations

import multiprocessing
import os
import resource
import subprocess

import peers

_CONTEXT = multiprocessing.get_context("spawn")


def _serve(name, pipe, memory):
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 2)
    while (question := pipe.recv()) is not None:
        folder, box = question
        try:
            answer = ("values", peers.READERS[name](folder, box))
        except peers.Absent as e:
            answer = ("absent", str(e))
        except peers.Crashed as e:
            answer = ("crash", str(e))
        except subprocess.TimeoutExpired as e:
            answer = ("timeout", str(e))
        except BaseException as e:  # noqa: BLE001  (a panic of a native reader is no Exception)
            answer = ("refused", f"{type(e).__name__}: {str(e)[:300]}")
        pipe.send(answer)


class Reader:
    """One reader in a worker process; started again after a crash or a time-out."""

    def __init__(self, name, timeout=60.0, memory=0):
        self.name, self.timeout, self.memory = name, timeout, memory
        self._process = None

    def read(self, folder, box=None):
        """("values", them), or ("refused" | "absent" | "crash" | "timeout", why)."""
        if self._process is None:
            self._pipe, child = _CONTEXT.Pipe()
            self._process = _CONTEXT.Process(target=_serve, args=(self.name, child, self.memory), daemon=True)
            self._process.start()
            child.close()
        try:
            self._pipe.send((str(folder), box))
            if self._pipe.poll(self.timeout):
                return self._pipe.recv()
            self._process.kill()
            verdict = ("timeout", f"no answer within {self.timeout:g} s")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._process.join(5)
            verdict = ("crash", f"exit {self._process.exitcode}")
        self.close()
        return verdict

    def close(self):
        if self._process is not None:
            try:
                self._pipe.send(None)
                self._process.join(5)
            except OSError:
                pass
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None
