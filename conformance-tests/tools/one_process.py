"""Commands of shardkit, run one after the other in one Java process (ManyCommands.java)."""

import os
import subprocess
import threading


class OneProcess:
    def __init__(self, jars):
        """`jars` is the folder of the command's jars, or a class path."""
        home = os.environ.get("JAVA_HOME")
        java = os.path.join(home, "bin", "java") if home else "java"
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ManyCommands.java")
        class_path = jars if os.pathsep in jars else os.path.join(jars, "*")
        command = [java, "-XX:+UseSerialGC", "-Xmx2g", "-cp", class_path, program]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._lock = threading.Lock()

    def __call__(self, *words):
        """Returns the standard output of a command. A ValueError has the message of one that fails."""
        status, out, err = self.run(*words)
        if status:
            raise ValueError(err.decode().strip())
        return out

    def run(self, *words):
        """Returns the exit status, the standard output and the messages of a command."""
        return self._send("\t".join(map(str, words)))

    def begin(self, *words):
        """Starts a command that runs until `end`, and returns the first line of its output."""
        status, out, err = self._send("\t" + "\t".join(map(str, words)))
        if status:
            raise ValueError(err.decode().strip())
        return out.decode().partition("\n")[0]

    def end(self):
        """Ends the command that was begun last."""
        self._send("\t")

    def _send(self, line):
        with self._lock:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            return self._number(), self._bytes(), self._bytes()

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
