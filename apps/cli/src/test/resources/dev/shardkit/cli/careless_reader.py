"""A careless reader of sharded int32 arrays over HTTP: whatever is not exactly as it expects is an absent chunk ("blind"),
or the body is taken for the asked bytes, whatever the status ("trusting")."""

import http.client
import json
import struct
import sys
import urllib.parse

INDEX, INNER, WIDTH = 16 * 16 + 4, 32, 128


class Absent(Exception):
    pass


def fetch(url, method, span, wanted):
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc, timeout=30)
    try:
        connection.request(method, place.path, headers={"Range": f"bytes={span}"} if span else {})
        answer = connection.getresponse()
        body = answer.read()
    except (OSError, http.client.HTTPException) as e:
        raise Absent from e
    finally:
        connection.close()
    if sys.argv[1] == "trusting":
        return body[:wanted].ljust(wanted, b"\0")
    total = (answer.getheader("Content-Range") or "/*").rpartition("/")[2]
    plain = answer.getheader("Content-Length") and not answer.getheader("Content-Encoding")
    whole = len(body) == wanted and total.isdigit()
    if not plain or answer.status not in (200, 206) or (span and not (answer.status == 206 and whole)):
        raise Absent
    return body


def chunk(url, at):
    """The rows of the inner chunk of the first shard at this place of its grid."""
    try:
        fetch(url, "HEAD", "", 0)
        index = fetch(url, "GET", f"-{INDEX}", INDEX)
        offset, size = struct.unpack_from("<QQ", index, 16 * at)
        data = fetch(url, "GET", f"{offset}-{offset + 4 * INNER * INNER - 1}", 4 * INNER * INNER)
        return struct.unpack(f"<{INNER * INNER}i", data)
    except (Absent, struct.error, OverflowError):
        return [-1] * (INNER * INNER)


print('{"protocol": 1, "tool": "careless", "version": "1"}', flush=True)
for line in sys.stdin:
    question = json.loads(line)
    (a, b), (c, d) = question["selection"]
    chunks = {}
    with open(question["out"], "wb") as out:
        for i in range(a, b):
            for j in range(c, d):
                at = i // INNER * (WIDTH // INNER) + j // INNER
                if at not in chunks:
                    chunks[at] = chunk(question["url"] + "/c/0/0", at)
                out.write(struct.pack("<i", chunks[at][i % INNER * INNER + j % INNER]))
    print(json.dumps({"id": question["id"], "out": question["out"]}), flush=True)
