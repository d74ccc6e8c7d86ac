"""A server of arrays on 127.0.0.1 that counts requests and bytes, and misbehaves as it is told.  Standard library only."""

import gzip
import http.server
import re
import threading


class Site:
    """What lies below one prefix: {key: (bytes, etag)}, a fault, and a log of the requests."""

    def __init__(self, files, fault="", later=None, tags=True):
        self.files = {k: (v, f'"1-{len(v)}"') for k, v in files.items()}
        self.fault, self.later, self.tags = fault, later, tags
        self.log, self.lock = [], threading.Lock()
        self.hits = 0

    def is_data(self, key):
        return key.startswith("c/")

    def change(self):
        """After the first answer with data, the later objects take the place of the first."""
        if self.later is not None:
            for key in [k for k in self.files if self.is_data(k)]:
                del self.files[key]
            self.files.update({k: (v, f'"2-{len(v)}"') for k, v in self.later.items()})
            self.later = None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.serve(False)

    def do_GET(self):
        self.serve(True)

    def span(self, size):
        """(first, after the last) of the asked range; None: no range; "bad": none that can be satisfied."""
        text = self.headers.get("Range")
        m = re.fullmatch(r"bytes=(\d*)-(\d*)", text.replace(" ", "")) if text else None
        if not m or m.groups() == ("", ""):
            return None
        if not m[1]:
            n = min(int(m[2]), size)
            return (size - n, size) if n else "bad"
        first, after = int(m[1]), min(int(m[2]) + 1, size) if m[2] else size
        return (first, after) if first < after else "bad"

    def serve(self, body):
        name, _, key = self.path.split("?")[0].lstrip("/").partition("/")
        site = self.server.sites.get(name)
        if site is None:
            return self.reply(404, b"")
        key = key.split("/", 1)[1] if "/" in key else ""
        with site.lock:
            found = site.files.get(key)
            data = site.is_data(key)
            span = self.span(len(found[0])) if found else None
            entry = {"key": key, "head": not body, "range": self.headers.get("Range"), "found": bool(found), "bytes": 0}
            site.log.append(entry)
            # HEAD has no body that could end early: such a fault waits for the first GET.
            hit = data and bool(found) and (body or not site.fault.startswith("close"))
            first, self.entry = hit and not site.hits, entry
            site.hits += hit
        fault = site.fault if data and found else ""
        self.answer(site, found, span, body, fault, first)
        if data and found and body:
            with site.lock:
                site.change()

    def answer(self, site, found, span, body, fault, first):
        if not found:
            return self.reply(404, b"<html>not here</html>", body, {"Content-Type": "text/html"})
        data, etag = found
        fixed = {"Last-Modified": "Mon, 23 Nov 2026 09:00:00 GMT"}
        headers = {**fixed, "Accept-Ranges": "bytes", **({"ETag": etag} if site.tags else {})}
        if etag in (self.headers.get("If-None-Match") or ""):
            return self.reply(304, b"", False, headers)
        match = self.headers.get("If-Match")
        if match and match != "*" and etag not in match:
            return self.reply(412, b"", body, headers)
        if self.headers.get("If-Range") and self.headers["If-Range"] not in (etag, fixed["Last-Modified"]):
            span = None
        if fault and self.misbehave(fault, data, span, body, first, headers):
            return None
        if span == "bad":
            return self.reply(416, b"", body, {**headers, "Content-Range": f"bytes */{len(data)}"})
        if span is None:
            return self.reply(200, data, body, headers)
        return self.reply(206, data[span[0] : span[1]], body, {**headers, **self.content_range(span, len(data))})

    @staticmethod
    def content_range(span, size):
        return {"Content-Range": f"bytes {span[0]}-{span[1] - 1}/{size}"}

    def reply(self, status, content, body=True, headers=(), length=None):
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        if body and self.command != "HEAD":
            try:
                self.wfile.write(content)
            except OSError:
                pass
            if hasattr(self, "entry"):
                self.entry["bytes"] += len(content)

    def cut(self):
        self.wfile.flush()
        self.close_connection = True
        try:
            self.connection.shutdown(2)
        except OSError:
            pass

    def misbehave(self, fault, data, span, body, first, headers):
        """Whether the fault took the place of the answer."""
        size = len(data)
        whole = span is None or span == "bad"
        a, b = (0, size) if whole else span
        part, ranged = data[a:b], {**headers, **({} if whole else self.content_range((a, b), size))}
        status = 200 if whole else 206
        name, _, when = fault.partition("@")
        if when == "once" and not first:
            return False
        if name.isdigit():
            more = {"Retry-After": "0"} if name in ("503", "429") else {}
            self.reply(int(name), b"trouble", body, more)
        elif name == "no_head" and not body:
            self.reply(405, b"", False)
        elif name == "no_suffix" and re.match(r"bytes=-", self.headers.get("Range") or ""):
            self.reply(501, b"", body)
        elif not body or name in ("no_head", "no_suffix"):
            return False
        elif name == "ranges_ignored":
            self.reply(200, data, body, headers)
        elif name == "close_before_headers":
            self.cut()
        elif name == "close_before_body":
            self.reply(status, b"", body, ranged, len(part))
            self.cut()
        elif name == "close_in_body":
            self.reply(status, part[: len(part) // 2], body, ranged, len(part))
            self.cut()
        elif name == "shifted" and not whole and a:
            self.reply(206, data[a - 1 : b - 1], body, {**headers, **self.content_range((a - 1, b - 1), size)})
        elif name == "too_short" and len(part) > 1:
            span = (a, b - 1)
            self.reply(status, part[:-1], body, headers if whole else {**headers, **self.content_range(span, size)})
        elif name == "too_long" and not whole and b < size:
            self.reply(206, data[a : b + 1], body, {**headers, **self.content_range((a, b + 1), size)})
        elif name == "no_content_range" and not whole:
            self.reply(206, part, body, headers)
        elif name == "unknown_total" and not whole:
            self.reply(206, part, body, {**headers, "Content-Range": f"bytes {a}-{b - 1}/*"})
        elif name == "gzip":
            self.reply(status, gzip.compress(part), body, {**ranged, "Content-Encoding": "gzip"})
        elif name == "redirect" and "?" not in self.path:
            self.reply(307, b"", body, {"Location": self.path + "?again"})
        elif name == "redirect_loop":
            self.reply(307, b"", body, {"Location": self.path})
        elif name == "garbage":
            self.wfile.write(b"this is no HTTP\r\n\r\n")
            self.cut()
        elif name == "empty":
            self.reply(200, b"", body, headers)
        elif name == "portal":
            self.reply(200, b"<html>please log in</html>", body, {"Content-Type": "text/html"})
        elif name in ("chunked", "chunked_cut"):
            self.chunked(status, part, ranged, name == "chunked")
        else:
            return False
        return True

    def chunked(self, status, part, headers, complete):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        half = len(part) // 2
        for piece in (part[:half], part[half:] if complete else b""):
            if piece:
                self.wfile.write(b"%x\r\n" % len(piece) + piece + b"\r\n")
        self.entry["bytes"] += len(part)
        if complete:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.cut()


class Quiet(http.server.ThreadingHTTPServer):
    """Connections that a tool breaks off are no news."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class Server:
    """Serves sites on a free port until it is closed."""

    def __init__(self):
        self.http = Quiet(("127.0.0.1", 0), Handler)
        self.http.sites = {}
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def open(self, site):
        """The address of an array, which no other row has."""
        name = f"r{len(self.http.sites)}"
        self.http.sites[name] = site
        return f"http://127.0.0.1:{self.http.server_address[1]}/{name}/array.zarr"

    def close(self):
        self.http.shutdown()
        self.http.server_close()
