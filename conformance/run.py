#!/usr/bin/env python3
"""Runs any Zarr v3 implementation over the conformance fixtures; needs Python 3.9 or newer and nothing else.

    run.py --fixtures DIR --batch 'python my_adapter.py'
    run.py --fixtures DIR --command 'my_tool {path} {out} {selection}' --tags dtype,codec
    run.py --fixtures DIR --batch 'python my_adapter.py' --rows reading,writing,partial --reader 'python other.py'

Rows of writing and partial reading need writing.py, partial.py and what these use beside this file.

Contract, verdicts and manifests: docs/conformance.md. The verdicts are those of `shardkit conformance`.
Exit status: 0 no failure, and something was read; 1 otherwise; 2 wrong usage, or fixtures or a tool that cannot be run.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import html
import importlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

VERDICTS = ["equal", "different", "refused", "misnamed", "accepted", "costly", "crash", "timeout", "damaged", "skipped"]
FAILURES = {"different", "costly", "crash", "timeout", "damaged"}
FAULTS = {"metadata", "unsupported", "index", "checksum", "truncated", "codec", "bomb"}
FORMATS = ("raw-le-c", "json", "hierarchy-json")
UNASKED = {
    "group": "a group: for libraries, not for tools",
    "draft-transformer": "the 2022 draft is not part of Zarr v3",
}
SHOWN, KEPT, FLOOD, LONGEST, ROOM, MOST_LOSSES = 200, 4000, 16 << 20, 1 << 20, 64 << 20, 20
REFUSAL_SECONDS, LOOK, MARK, HELLO = 20, 0.05, "SHARDKIT_CONFORMANCE", 60
HELLO_LATE = f"no answer within {HELLO} s"


# What a signal must end: started processes, and folders of a run.
LIVE, FOLDERS = set(), set()


class Trouble(Exception):
    """The run cannot go on; one line says why."""


# ---------------------------------------------------------------- fixtures


def cases(file):
    """The rows of a manifest, unchecked."""
    try:
        with open(file, encoding="utf-8") as f:
            manifest = json.load(f)
    except OSError as e:
        raise Trouble(f"{file} cannot be read: {e.strerror}") from e
    except (ValueError, RecursionError) as e:
        raise Trouble(f"{file} is not a manifest: expected JSON, found {e}") from e
    if not isinstance(manifest, dict) or not isinstance(manifest.get("cases"), list):
        raise Trouble(f'{file} is not a manifest: expected a list of rows as "cases"')
    version = manifest.get("manifest_version", 1)
    if type(version) is not int or version != 1:
        found = json.dumps(version)[:100]
        raise Trouble(f"{file}: expected manifest_version 1, found {found}; use the runner that comes with it")
    return manifest["cases"]


def rows(folder):
    found = []
    for name in ("manifest.json", "malformed.json"):
        file = os.path.join(folder, name)
        if os.path.exists(file):
            found += [checked(file, r) for r in cases(file)]
    if not found:
        raise Trouble(f"{folder} has no manifest.json and no malformed.json with rows")
    ids = set()
    for r in found:
        if r["id"] in ids:
            raise Trouble(f"{folder}: expected rows with different ids, found {r['id']} twice")
        ids.add(r["id"])
    return found


def texts(value):
    return isinstance(value, list) and all(isinstance(x, str) for x in value)


def spans(value):
    """Whether it is a box: two whole numbers for each dimension."""
    if not isinstance(value, list):
        return False
    return all(isinstance(s, list) and len(s) == 2 and all(type(n) is int for n in s) for s in value)


def checked(file, row):
    if not isinstance(row, dict):
        raise Trouble(f"{file}: expected an object as row, found {json.dumps(row)[:100]}")

    def need(where, member, good, form):
        if not good(where.get(member)):
            found = json.dumps(where[member])[:100] if member in where else "nothing"
            raise Trouble(f"{file}: row {row.get('id')}: expected {form} in {member}, found {found}")

    row.setdefault("kind", "array")
    row.setdefault("tags", [])
    row.setdefault("array_path", "/")
    for member in ("id", "store", "array_path"):
        need(row, member, lambda x: isinstance(x, str), "a string")
    need(row, "kind", lambda x: x in ("array", "malformed", *UNASKED), "array, malformed, group or draft-transformer")
    need(row, "tags", texts, "a list of strings")
    need(row, "selection", lambda x: x is None or spans(x), "a list of [start, stop]")
    need(row, "expected", lambda x: isinstance(x, dict), "an object")
    expected = row["expected"]
    if row["kind"] == "malformed":
        need(expected, "stage", lambda x: x in ("open", "read", "either"), "open, read or either")
        need(expected, "faults", lambda x: x is None or texts(x), "a list of strings")
    else:
        need(expected, "file", lambda x: isinstance(x, str), "a string")
        need(expected, "format", lambda x: x in FORMATS, f"one of {', '.join(FORMATS)}")
        need(expected, "sha256", lambda x: x is None or isinstance(x, str), "a string")
    row["folder"] = "/".join(x for x in (row["store"], row["array_path"].strip("/")) if x)
    return row


def checksums(folder):
    sums = {}
    file = os.path.join(folder, "SHA256SUMS")
    if os.path.exists(file):
        with open(file, encoding="utf-8", errors="replace") as f:
            for line in f.read().splitlines():
                if len(line) < 67 or line[64:66] != "  ":
                    raise Trouble(f"{file} holds no checksums: expected a SHA-256, two blanks and a name")
                sums.setdefault(os.path.dirname(line[66:]), {})[line[66:]] = line[:64]
    return sums


def damage(folder, sums, row):
    """What is wrong with the row's files, or an empty string."""
    expected = row.get("expected", {})
    files = [] if row["kind"] == "malformed" else [(expected["file"], expected.get("sha256"))]
    own = {}
    for parent, inside in sums.items():
        if parent == row["folder"] or parent.startswith(row["folder"] + "/"):
            own.update(inside)
    files += [(row["folder"], None), *sorted(own.items())]
    for name, sum_ in files:
        file = os.path.join(folder, name)
        if not (os.path.isdir(file) if name == row["folder"] else os.path.isfile(file)):
            return f"the fixture {name} is missing"
        if sum_ and digest(file) != sum_:
            return f"the fixture {name} does not match its checksum"
    return stranger(folder, row["folder"], own) if own else ""


def stranger(folder, inside, sums):
    """What is wrong if a file lies there without a checksum; hidden ones are the system's."""
    found = []
    for parent, _, names in os.walk(os.path.join(folder, inside)):
        there = os.path.relpath(parent, folder).replace(os.sep, "/")
        found += [f"{there}/{n}" for n in names if not n.startswith(".")]
    more = sorted(set(found) - sums.keys())
    return f"{more[0]} has no checksum: it does not belong to the fixtures" if more else ""


def digest(file):
    try:
        with open(file, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()
    except OSError:
        return "unreadable"


# ---------------------------------------------------------------- values


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def difference(found, file, form):
    if not os.path.isfile(found):
        return "success, but no output file"
    size, want_size = os.path.getsize(found), os.path.getsize(file)
    with open(file, "rb") as f:
        want = f.read()
    if form != "json":
        if size != want_size:
            return f"expected {want_size} bytes, found {size}"
        with open(found, "rb") as f:
            got = f.read()
        at = next((i for i in range(size) if got[i] != want[i]), -1) if got != want else -1
        return "" if at < 0 else f"byte {at} of {size}: expected {want[at]:02x}, found {got[at]:02x}"
    if size > 6 * want_size + (1 << 20):
        return f"expected JSON of about {want_size} bytes, found {size}"
    try:
        with open(found, "rb") as f:
            got = json.loads(f.read().decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError) as e:
        return f"expected JSON: {e}"
    try:
        got, want = got if isinstance(got, dict) else {}, json.loads(want)
    except ValueError as e:
        raise Trouble(f"{file} holds no expected values: {e}") from e
    for member in ("encoding", "shape"):
        if compact(got.get(member)) != compact(want[member]):
            return f"{member}: expected {compact(want[member])}, found {found_in(got, member)}"
    values, want = got.get("values"), want["values"]
    values = values if isinstance(values, list) else []
    for i, value in enumerate(want):
        if i >= len(values) or compact(values[i]) != compact(value):
            return f"value {i}: expected {compact(value)}, found {compact(values[i]) if i < len(values) else 'nothing'}"
    return "" if len(values) == len(want) else f"expected {len(want)} values, found {len(values)}"


def found_in(document, member):
    return compact(document[member]) if member in document else "nothing"


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def cut(text):
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


# ---------------------------------------------------------------- processes


def words(text):
    """Splits as a shell does, with quotes; a backslash keeps the next character, but not within single quotes."""
    found, word, quote, i = [], None, "", 0
    while i < len(text):
        c = text[i]
        if c == "\\" and quote != "'" and i + 1 < len(text):
            i += 1
            word = (word or "") + text[i]
        elif quote:
            quote, word = ("", word) if c == quote else (quote, word + c)
        elif c in "\"'":
            quote, word = c, word or ""
        elif c.isspace():
            found += [] if word is None else [word]
            word = None
        else:
            word = (word or "") + c
        i += 1
    if quote:
        raise Trouble(f"the quote {quote} is not closed: {text}")
    return found + ([] if word is None else [word])


def proc(pid, name, mode="rb"):
    return open(f"/proc/{pid}/{name}", mode)


def tree(pid):
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with proc(pid, f"task/{task}/children") as f:
                for child in f.read().split():
                    found += tree(int(child))
    except OSError:
        pass
    return found


def peak(pid):
    """The peak of resident memory of a process and its children; None where the system does not tell."""
    total = None
    for p in tree(pid):
        try:
            with proc(p, "status") as f:
                for line in f:
                    if line.startswith(b"VmHWM:"):
                        total = (total or 0) + 1024 * int(line.split()[1])
        except OSError:
            pass
    return total


def peak_from_here(pid):
    for p in tree(pid):
        try:
            with proc(p, "clear_refs", "w") as f:
                f.write("5")
        except OSError:
            pass
    return peak(pid)


class Running:
    """A started process; what it and its descendants print, and their end."""

    def __init__(self, command, merge):
        self.mark = uuid.uuid4().hex
        self.lines, self.kept, self.ended = queue.Queue(64), [], False
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merge else subprocess.PIPE,
                env={**os.environ, MARK: self.mark},
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as e:
            raise Trouble(f"the tool cannot be started: {e}") from e
        LIVE.add(self)
        target = self.drain if merge else self.read_lines
        self.reader = threading.Thread(target=target, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        if not merge:
            threading.Thread(target=self.drain, args=(self.process.stderr,), daemon=True).start()

    def drain(self, stream):
        try:
            while data := stream.read1(KEPT):
                self.keep(data.decode("utf-8", "replace"))
        except (OSError, ValueError):
            pass

    def keep(self, text):
        if sum(map(len, self.kept)) < KEPT:
            self.kept.append(text)

    def said(self):
        return "".join(self.kept)[:KEPT].strip()

    def read_lines(self, stream):
        try:
            while line := stream.readline(LONGEST):
                while not self.ended:
                    try:
                        self.lines.put(line, timeout=1)
                        break
                    except queue.Full:
                        pass
        except (OSError, ValueError):
            pass

    def kill(self):
        """Kills it and, on Linux, whatever carries its mark; gives the number of processes that outlived it."""
        self.ended = True
        alive, pids = self.process.poll() is None, tree(self.process.pid)[1:]
        self.process.kill()
        for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
            try:
                with proc(name, "environ") as f:
                    if name.isdigit() and f"{MARK}={self.mark}".encode() in f.read():
                        pids.append(int(name))
            except OSError:
                pass
        strays = set(pids) - {self.process.pid}
        for pid in strays:
            try:
                os.kill(pid, 9)
            except OSError:
                pass
        self.process.wait()
        LIVE.discard(self)
        return 0 if alive else len(strays)

    def status(self):
        """The exit status; 128 plus the signal for a killed process, as shells report it."""
        status = self.process.returncode
        return 128 - status if os.name == "posix" and status < 0 else status


class Answer:
    def __init__(self, end, detail="", kind=None, output="", grown=None):
        self.end, self.detail, self.kind, self.output, self.grown = end, detail, kind, output, grown
        self.seconds = 0.0


class Limits:
    """What a tool may cost in a row."""

    def __init__(self, a, folder, row, out):
        malformed = row["kind"] == "malformed"
        self.out, self.seconds, self.memory, self.bytes = out, a.timeout, None, ROOM
        if malformed:
            self.seconds, self.memory = min(a.timeout, REFUSAL_SECONDS), a.memory << 20
        else:
            self.bytes += 8 * os.path.getsize(os.path.join(folder, row["expected"]["file"]))

    def is_larger(self, grown):
        return grown is not None and self.memory is not None and grown > self.memory

    def costly(self):
        return f"took more than {self.memory >> 20} MiB of memory"

    def passed(self, seconds, grown):
        """An answer if a limit is passed, else None."""
        if self.is_larger(grown):
            return Answer("costly", self.costly(), grown=grown)
        try:
            if os.path.getsize(self.out) > self.bytes:
                return Answer("different", f"wrote more than {self.bytes} bytes of values")
        except OSError:
            pass
        return Answer("timeout", f"no answer within {self.seconds:g} s") if seconds >= self.seconds else None


class CommandTool:
    def __init__(self, template):
        self.template = words(template)
        for placeholder in ("{path}", "{out}"):
            if not any(placeholder in w for w in self.template[1:]):
                raise Trouble(f"the command needs an argument {placeholder}: {template}")
        self.takes_selection = "{selection}" in template

    def ask(self, row, folder, limits):
        box = ",".join(f"{a}:{b}" for a, b in row.get("selection") or [])
        chosen = [w for w in self.template if row.get("selection") is not None or "{selection}" not in w]
        names = {"{path}": folder, "{out}": limits.out, "{selection}": box}
        for old, new in names.items():
            chosen = [w.replace(old, new) for w in chosen]
        start, run, grown, passed = time.monotonic(), Running(chosen, True), None, None
        run.process.stdin.close()
        while passed is None:
            try:
                run.process.wait(0.01)
                break
            except subprocess.TimeoutExpired:
                grown = peak(run.process.pid) or grown
                passed = limits.passed(time.monotonic() - start, grown)
        left = run.kill()
        seconds = time.monotonic() - start
        run.reader.join(2)
        status = run.status()
        end = "values" if status == 0 else "crash" if status < 0 or status >= 129 else "refused"
        answer = passed or Answer(end, "" if end == "values" else f"exit status {status}", grown=grown)
        answer.output, answer.seconds = run.said(), seconds
        answer.detail = joined(answer.detail, f"killed {left} processes that outlived the tool" if left else "")
        return answer

    def close(self):
        pass


class BatchTool:
    takes_selection = True
    # Why the tool never said hello; the other jobs need not wait for it too.
    silent = None

    def __init__(self, command):
        self.command, self.run, self.started, self.losses = words(command), None, False, 0
        if not self.command:
            raise Trouble("the command is empty")

    def ask(self, row, folder, limits):
        question = {"id": row["id"], "path": folder, "out": limits.out}
        if row.get("selection") is not None:
            question["selection"] = row["selection"]
        return self.put(question, limits)

    def put(self, question, limits):
        """The answer to a question of any kind."""
        if self.losses >= MOST_LOSSES:
            return Answer("skipped", f"not asked: the tool has answered none of {self.losses} rows before")
        if self.run is None:
            if BatchTool.silent and not self.started:
                raise Trouble(BatchTool.silent)
            self.run = Running(self.command, False)
            hello = argparse.Namespace(passed=lambda s, g: Answer("timeout", HELLO_LATE) if s >= HELLO else None)
            first = self.reply(hello, None)
            if not isinstance(first, dict) or type(first.get("protocol")) is not int or first["protocol"] != 1:
                why = first.detail if isinstance(first, Answer) else cut(compact(first))
                said = [x for x in self.run.said().splitlines() if x.strip()][-1:]
                why = f'the tool sent no hello line, {{"protocol": 1, ...}}: {why}'
                why += "".join(f"; it printed: {cut(x)}" for x in said)
                self.close()
                if not self.started:
                    BatchTool.silent = why
                    raise Trouble(why)
                self.losses += 1
                return Answer("crash", "started again, " + why)
            self.started = True
        answer = self.answer(question, limits)
        lost = answer.end not in ("values", "refused")
        self.losses = self.losses + 1 if lost else 0
        if lost:
            self.close()
        return answer

    def answer(self, question, limits):
        self.run.kept.clear()
        before, start = peak_from_here(self.run.process.pid), time.monotonic()
        try:
            self.run.process.stdin.write((json.dumps(question) + "\n").encode())
            self.run.process.stdin.flush()
            found = self.reply(limits, before)
        except OSError:
            found = self.gone()
        answer = found if isinstance(found, Answer) else self.judged(found, question)
        answer.grown = answer.grown if answer.grown is not None else self.growth(before)
        answer.output, answer.seconds = self.run.said(), time.monotonic() - start
        return answer

    @staticmethod
    def judged(found, question):
        if found.get("id") != question["id"]:
            return Answer("crash", f"answered another question: {cut(compact(found))}")
        error = found.get("error")
        if isinstance(error, dict):
            kind, message = (x if isinstance(x, str) else None for x in (error.get("kind"), error.get("message")))
            return Answer("refused", cut(message or ""), kind)
        if found.get("out") != question["out"]:
            return Answer("crash", f'neither the file "out" nor an "error": {cut(compact(found))}')
        return Answer("values")

    def growth(self, before):
        now = peak(self.run.process.pid)
        return None if before is None or now is None else max(0, now - before)

    def gone(self):
        try:
            self.run.process.wait(5)
        except subprocess.TimeoutExpired:
            return Answer("crash", "closed its output")
        return Answer("crash", f"ended with status {self.run.status()} in place of an answer")

    def reply(self, limits, before):
        """The next JSON object, or an Answer that says why there is none."""
        start, counted = time.monotonic(), 0
        while True:
            alive = self.run.process.poll() is None
            try:
                line = self.run.lines.get(timeout=LOOK if alive else 0.5)
                counted += len(line)
                line = line.decode("utf-8", "replace")
                try:
                    found = json.loads(line, parse_constant=no_constant)
                except (ValueError, RecursionError):
                    found = None
                if isinstance(found, dict):
                    return found
                self.run.keep(line)
            except queue.Empty:
                if not alive or not self.run.reader.is_alive():
                    return self.gone()
            if counted > FLOOD:
                return Answer("crash", f"printed {FLOOD} bytes without an answer")
            passed = limits.passed(time.monotonic() - start, self.growth(before))
            if passed:
                return passed

    def close(self):
        if self.run:
            self.run.kill()
        self.run = None


# ---------------------------------------------------------------- verdicts


def judge(row, folder, limits, answer):
    verdict, detail = {"values": "equal"}.get(answer.end, answer.end), answer.detail
    malformed, expected = row["kind"] == "malformed", row.get("expected", {})
    faults = set(expected.get("faults", ()))
    if verdict == "equal" and malformed:
        verdict = "accepted" if "choice" in row["tags"] else "different"
        detail = joined("success on a malformed array: " + row.get("special", ""), detail)
    elif verdict == "equal":
        wrong = difference(limits.out, os.path.join(folder, expected["file"]), expected["format"])
        verdict, detail = "different" if wrong else "equal", joined(wrong, detail)
    elif verdict == "refused" and malformed and faults:
        other = answer.kind in FAULTS and answer.kind not in faults
        if other or (answer.kind == "data" and faults <= {"metadata", "unsupported"}):
            verdict = "misnamed"
            named = f'named "{answer.kind}", expected one of [{", ".join(sorted(faults))}]'
            detail = joined(named, detail)
    if verdict not in FAILURES and limits.is_larger(answer.grown):
        verdict, detail = "costly", joined(limits.costly(), detail)
    return verdict, detail


def joined(*parts):
    return "; ".join(p for p in parts if p)


def ask(a, row, folder, sums, idle, work):
    """The outcome of a row."""
    outcome = {"id": row["id"], "kind": row["kind"], "output": "", "seconds": 0.0}
    outcome.update(tags=sorted(row["tags"]), special=row.get("special", ""))
    tool = idle.get()
    own = tempfile.mkdtemp(dir=work)
    try:
        reason = UNASKED.get(row["kind"], "")
        if not reason and row.get("selection") is not None and not tool.takes_selection:
            reason = "only a part is to be read, and the command has no {selection}"
        hurt = "" if reason else damage(folder, sums, row)
        if reason or hurt:
            verdict, detail = ("skipped", reason) if reason else ("damaged", hurt)
        else:
            limits = Limits(a, folder, row, os.path.join(own, "out"))
            answer = tool.ask(row, os.path.join(folder, row["folder"]), limits)
            verdict, detail = judge(row, folder, limits, answer)
            hurt = damage(folder, sums, row)
            if hurt:
                verdict, detail = "different", joined("the tool changed the fixtures: " + hurt, detail)
            outcome.update(output=answer.output, seconds=round(answer.seconds, 3))
            if answer.grown is not None:
                outcome["bytes"] = answer.grown
    finally:
        shutil.rmtree(own, ignore_errors=True)
        idle.put(tool)
    good = ("refused", "accepted") if row["kind"] == "malformed" else ("equal",)
    outcome.update(verdict=verdict, passed=verdict in good, detail=" ".join(detail.split()))
    return outcome


# ---------------------------------------------------------------- reports


def counts(outcomes):
    return {v: sum(o["verdict"] == v for o in outcomes) for v in VERDICTS}


def markup(text):
    """Text for XML and HTML; what neither can hold becomes a replacement character."""
    return html.escape(
        re.sub("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\U00010000-\U0010ffff]", "\ufffd", text), quote=True
    )


def junit(a, outcomes, out):
    """JUnit XML: failures fail, other rows that do not pass are skipped tests."""
    out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="{markup(a.batch or a.command)}">\n')
    for name in ("sound arrays", "malformed arrays"):
        some = [o for o in outcomes if (o["kind"] == "malformed") == (name == "malformed arrays")]
        failed = sum(o["verdict"] in FAILURES for o in some)
        skipped = sum(not o["passed"] and o["verdict"] not in FAILURES for o in some)
        out.write(f'<testsuite name="{name}" tests="{len(some)}" failures="{failed}" errors="0" skipped="{skipped}"')
        out.write(f' time="{sum(o["seconds"] for o in some):.3f}">\n')
        for o in some:
            group, _, row = o["id"].rpartition("/")
            named = f'classname="{markup(group.replace("/", ".") or "fixtures")}" name="{markup(row)}"'
            out.write(f'<testcase {named} time="{o["seconds"]:.3f}">')
            message = markup(": ".join(x for x in (o["verdict"], o["detail"]) if x))
            if o["verdict"] in FAILURES:
                out.write(f'<failure type="{o["verdict"]}" message="{message}">{markup(o["output"])}</failure>')
            elif not o["passed"]:
                out.write(f'<skipped message="{message}"/>')
            if o["verdict"] not in FAILURES and o["output"]:
                out.write(f"<system-out>{markup(o['output'])}</system-out>")
            out.write("</testcase>\n")
        out.write("</testsuite>\n")
    out.write("</testsuites>\n")


STYLE = """body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;
padding:.2em .5em;text-align:left;vertical-align:top}.good{background:#e3f4e3}.bad{background:#f9d6d5}
.other{background:#fdf3d0}pre{margin:0;white-space:pre-wrap;max-height:12em;overflow:auto}"""


def page(a, outcomes, groups, summary, out):
    """One self-contained HTML page."""
    out.write(
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="UTF-8"><title>Zarr v3 conformance</title><style>{STYLE}'
    )
    out.write(f"</style></head><body>\n<h1>Zarr v3 conformance</h1><p><code>{markup(a.batch or a.command)}</code></p>")
    out.write(f"<p>{summary}</p>\n<table><tr><th>rows</th>{''.join(f'<th>{v}</th>' for v in VERDICTS)}</tr>\n")
    for name, c in groups.items():
        out.write(f"<tr><td>{markup(name)}</td>{''.join(f'<td>{c[v] or str()}</td>' for v in VERDICTS)}</tr>\n")
    out.write("</table>\n<table><tr><th>row</th><th>verdict</th><th>seconds</th><th>MiB</th><th>detail</th><th>output</th></tr>\n")
    for o in outcomes:
        look = "good" if o["passed"] else "bad" if o["verdict"] in FAILURES else "other"
        out.write(
            f'<tr><td title="{markup(o.get("special", ""))}">{markup(o["id"])}</td><td class="{look}">{o["verdict"]}'
        )
        mib = f"{o['bytes'] / 2**20:.1f}" if "bytes" in o else ""
        out.write(f"</td><td>{o['seconds'] or ''}</td><td>{mib}</td><td>{markup(o['detail'])}</td><td><pre>{markup(o['output'])}</pre></td></tr>\n")
    out.write("</table>\n</body></html>\n")


def report(a, outcomes, out):
    sound = counts([o for o in outcomes if o["kind"] != "malformed"])
    malformed = counts([o for o in outcomes if o["kind"] == "malformed"])
    failures = sum(o["verdict"] in FAILURES for o in outcomes)
    good = failures == 0 and not (sound["equal"] == 0 and sound["refused"] > 0)
    tags = {
        t: counts([o for o in outcomes if t in o["tags"]]) for t in sorted({t for o in outcomes for t in o["tags"]})
    }
    none_read = "" if good or failures else ": no sound array was read"
    summary = f"{failures} failures; {'good' if good else 'not good' + none_read}"
    if a.report == "json":
        facts = {"command": a.batch or a.command, "fixtures": a.fixtures, "good": good, "failures": failures}
        json.dump({**facts, "sound": sound, "malformed": malformed, "tags": tags, "rows": outcomes}, out, indent=1)
        out.write("\n")
    elif a.report == "junit":
        junit(a, outcomes, out)
    elif a.report == "html":
        page(a, outcomes, {"sound arrays": sound, "malformed arrays": malformed, **tags}, summary, out)
    else:
        for o in outcomes:
            if not o["passed"]:
                out.write(f"{o['verdict']:9}  {o['id']}  {o['detail'][:200]}\n")
        out.write("\n" + " " * 20 + "".join(f"{v:>10}" for v in VERDICTS) + "\n")
        for name, c in {"sound arrays": sound, "malformed arrays": malformed, **tags}.items():
            out.write(f"{name:20}" + "".join(f"{c[v] or '.':>10}" for v in VERDICTS) + "\n")
        out.write(f"\n{summary}\n")
    return good and not (a.strict and (sound["refused"] or malformed["misnamed"]))


def write_report(a, outcomes, more=None):
    """Writes the report, and in text what `more(outcomes, out)` adds; gives whether the run is good."""
    with open(a.file, "w", encoding="utf-8") if a.file else contextlib.nullcontext(sys.stdout) as out:
        good = report(a, outcomes, out)
        if more and a.report == "text":
            more(outcomes, out)
    return good


# ---------------------------------------------------------------- the program


def add_options(p):
    p.add_argument("--tags", default="", help="only rows with one of these tags")
    p.add_argument("--without-tags", default="", help="only rows with none of these tags")
    p.add_argument("--list", action="store_true", help="list the rows, run nothing")
    p.add_argument("--report", choices=["text", "json", "junit", "html"], default="text")
    p.add_argument("-o", dest="file", help="write the report to a file")
    p.add_argument("--timeout", type=float, default=60, help="seconds for each row")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many tools at a time")
    p.add_argument("--strict", action="store_true", help="refusing a sound array fails too")
    p.add_argument("--memory", type=int, default=256, help="MiB by which a tool may grow for a malformed array")


def choose(a, every):
    """The rows that the tags want."""
    tags, without = ({t for t in x.split(",") if t} for x in (a.tags, a.without_tags))
    unknown = sorted((tags | without) - {t for r in every for t in r["tags"]})
    chosen = [r for r in every if (not tags or tags & set(r["tags"])) and not without & set(r["tags"])]
    if not chosen:
        there = ", ".join(sorted({t for r in every for t in r["tags"]}))
        raise Trouble(f"none of {len(every)} rows has such tags; there are {there}")
    if unknown and not a.list:
        print(f"run.py: no row has the tag {', '.join(unknown)}", file=sys.stderr)
    return chosen


def show(chosen):
    for r in chosen:
        print(f"{r['id']}  {','.join(sorted(r['tags']))}  {r.get('special', '')}")
    return 0


def check_report(a):
    """Refuses a report that cannot be written, before the run."""
    folder = os.path.dirname(os.path.abspath(a.file or "report"))
    if a.file and (os.path.isdir(a.file) or not os.path.isdir(folder)):
        raise Trouble(f"the report {a.file} cannot be written: expected a file in an existing folder")


def collect(futures):
    try:
        return [f.result() for f in futures]
    except BaseException:
        for f in futures:
            f.cancel()
        raise


KINDS = ("reading", "writing", "partial")


def kit(kind):
    """The module that lists and judges rows of a kind; those of writing and partial reading lie beside this file."""
    here = sys.modules[__name__]
    sys.modules.setdefault("run", here)
    try:
        return here if kind == "reading" else importlib.import_module(kind)
    except ImportError as e:
        raise Trouble(f"rows of {kind} need {e.name}.py beside run.py") from e


def every_row(a):
    return rows(os.path.realpath(a.fixtures))


def outcomes_of(a, chosen):
    folder = os.path.realpath(a.fixtures)
    idle, work, sums = queue.Queue(), os.path.realpath(tempfile.mkdtemp()), checksums(folder)
    FOLDERS.add(work)
    for _ in range(a.jobs):
        idle.put(CommandTool(a.command) if a.command else BatchTool(a.batch))
    try:
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            return collect([pool.submit(ask, a, r, folder, sums, idle, work) for r in chosen])
    finally:
        while not idle.empty():
            idle.get().close()
        shutil.rmtree(work, ignore_errors=True)


def check_use(a, kinds):
    if "writing" in kinds and not (a.batch and a.reader):
        raise Trouble("give the tool by --batch and at least one --reader; --jobs and --timeout are above 0")
    if "partial" in kinds and not a.batch:
        raise Trouble("give the tool by --batch; --jobs and --timeout are above 0")
    if (a.command is None) == (a.batch is None) or min(a.jobs, a.timeout, a.memory) <= 0:
        raise Trouble("give the tool by either --command or --batch; --jobs, --timeout and --memory are above 0")
    check_report(a)


def main(kinds="reading", about=__doc__):
    here = os.path.dirname(os.path.abspath(__file__))
    p = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--fixtures", default=here, help="the folder with the manifests (default: where this file is)")
    p.add_argument("--command", help="the tool with its placeholders, run once for each row; reading only")
    p.add_argument("--batch", help="the tool that answers all rows from one process")
    p.add_argument("--rows", default=kinds, help=f"{', '.join(KINDS)}, joined by commas (default: {kinds})")
    p.add_argument("--reader", action="append", default=[], help="a batch tool that reads what was written; repeatable")
    add_options(p)
    a = p.parse_args()
    kinds = [k for k in a.rows.split(",") if k]
    if not kinds or not set(kinds) <= set(KINDS):
        raise Trouble(f"expected {', '.join(KINDS)} in --rows, found {a.rows}")
    found = [(kit(k), kit(k).every_row(a)) for k in KINDS if k in kinds]
    chosen = choose(a, [r for _, some in found for r in some])
    if a.list:
        return show(chosen)
    check_use(a, kinds)
    wanted, outcomes = {r["id"] for r in chosen}, []
    for module, some in found:
        outcomes += module.outcomes_of(a, [r for r in some if r["id"] in wanted])
    return 0 if write_report(a, outcomes, kit("partial").table if "partial" in kinds else None) else 1


def stop(number, _):
    """Ends the run at a signal: no tool and no folder stays. The status is that of shells."""
    for running in list(LIVE):
        running.kill()
    for folder in FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)
    os.write(2, f"run.py: stopped by signal {number}; no report was written\n".encode())
    os._exit(128 + number)


def guard(main):
    """Runs a program; trouble is one line. A closed pipe behind `--list` ends it silently."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    try:
        status = main()
        sys.stdout.flush()
        sys.exit(status)
    except BrokenPipeError:
        os._exit(141)
    except Trouble as trouble:
        print(f"{os.path.basename(sys.argv[0])}: {trouble}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    guard(main)
