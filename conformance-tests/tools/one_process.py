"""Commands of shardkit, run one after the other in one Java process (ManyCommands.java)."""

import os
import subprocess
import threading


class OneProcess:
    def __init__(self, jars):
        home = os.environ.get("JAVA_HOME")
        java = os.path.join(home, "bin", "java") if home else "java"
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ManyCommands.java")
        command = [java, "-XX:+UseSerialGC", "-Xmx2g", "-cp", os.path.join(jars, "*"), program]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()

    def __call__(self, *words):
        """Returns the standard output of a command. A ValueError has the message of one that fails."""
        with self._lock:
            self._process.stdin.write("\t".join(words).encode() + b"\n")
            self._process.stdin.flush()
            status, out, err = self._number(), self._bytes(), self._bytes()
        if status:
            raise ValueError(err.decode().strip())
        return out

    def _bytes(self):
        return self._exactly(self._number())

    def _number(self):
        return int.from_bytes(self._exactly(4), "big")

    def _exactly(self, size):
        found = self._process.stdout.read(size)
        if len(found) < size:
            raise EOFError("the Java process has ended")
        return found

    def close(self):
        self._process.stdin.close()
        self._process.wait()
