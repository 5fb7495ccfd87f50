"""An interop server for downloads: its files are cut off, change and are served incorrectly on demand. Started by
scripts/with-test-servers with its port. All files are generated from a seed, so that a test knows their content.

GET  /file/ID?…    a file, with options in the query:
    size, seed     its length, and the seed of its content (1)
    validator      strong (a strong ETag), weak, date (Last-Modified alone), none
    cut            the first response breaks off after that many bytes
    hold           the first response stops after that many bytes until POST /release/ID; hold-each: each response
    changed        from the second response on it is another file of this length
    change-at      the same, from the response with this number on
    fault          the fault from the second response on; before: the fault of the first one
                   ignore-range, ignore-if-range, if-range-never, wrong-start, no-content-range, short, short-star,
                   multipart, 416-page, 416-total, gzip, chunked, short-body, endless, redirect, close, length-lies,
                   always-206 (the whole file with 206 for any request), or a status and a page: once-503, always-503
    digest         right or wrong: a Repr-Digest
    rate           bytes per second
    busy           the first response is 503 with this Retry-After
    name           a Content-Disposition with these bytes in its filename
GET  /facts/ID     the number of requests, their ranges, and the number of bytes sent
GET  /sha256?…     the hash of the file of a size and a seed
POST /release/ID   continues a held response
"""

import gzip
import hashlib
import json
import random
import socket
import struct
import sys
import threading
import time
from base64 import b64encode
from functools import lru_cache
from urllib.parse import parse_qs, urlsplit

from rest.answers import Handler, Server

changed = threading.Condition()
facts = {}
released = set()


@lru_cache(maxsize=16)
def content(size, seed):
    return random.Random(seed).randbytes(size)


class DownloadHandler(Handler):
    def page(self, status, fields=()):
        self.reply(status, [("Content-Type", "text/html"), *fields], b"<html>no file here</html>")

    def do_POST(self):
        with changed:
            released.add(self.path.rsplit("/", 1)[1])
            changed.notify_all()
        self.reply(204)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query, encoding="latin-1").items()}
        if parts.path == "/":
            return self.reply(200)
        if parts.path == "/sha256":
            whole = content(int(query["size"]), int(query.get("seed", 1)))
            return self.reply(200, body=hashlib.sha256(whole).hexdigest().encode())
        identifier = parts.path.rsplit("/", 1)[1]
        with changed:
            known = facts.setdefault(identifier, {"requests": 0, "sent": 0, "ranges": [], "connections": 0})
            if parts.path.startswith("/facts/"):
                return self.reply(200, body=json.dumps(known).encode())
            known["requests"] += 1
            known["ranges"].append(self.headers.get("Range"))
            number = known["requests"]
        try:
            self.serve(query, identifier, known, number, parts)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def serve(self, query, identifier, known, number, parts):
        size, seed = int(query["size"]), int(query.get("seed", 1))
        version = 1
        change_at = int(query.get("change-at", 2))
        if "changed" in query and number >= change_at:
            size, seed, version = int(query["changed"]), seed + 1, 2
        whole = content(size, seed)
        fault = query.get("before" if number == 1 else "fault", "")
        if "busy" in query and number == 1:
            return self.page(503, [("Retry-After", query["busy"])])
        if fault.startswith("always-") and fault != "always-206" or fault.startswith("once-") and number == 2:
            return self.page(int(fault.rsplit("-", 1)[1]))
        if fault == "redirect" and "signed" not in query:
            with changed:
                known["requests"] -= 1
            return self.reply(302, [("Location", f"{parts.path}?{parts.query}&signed={number}")])
        fields = [("Accept-Ranges", "bytes"), ("Content-Type", "application/octet-stream")]
        validator = query.get("validator", "strong")
        tag = f'"{identifier}-{version}"'
        modified = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(1736157600 + version))
        if validator == "strong":
            fields.append(("ETag", tag))
        elif validator == "weak":
            fields.append(("ETag", "W/" + tag))
        elif validator == "date":
            fields.append(("Last-Modified", modified))
        if "digest" in query:
            digest = hashlib.sha256(whole + (b"x" if query["digest"] == "wrong" else b"")).digest()
            fields.append(("Repr-Digest", f"sha-256=:{b64encode(digest).decode()}:"))
        if "name" in query:
            fields.append(("Content-Disposition", f'attachment; filename="{query["name"]}"'))
        status, body, start = 200, whole, 0
        wanted, condition = self.headers.get("Range"), self.headers.get("If-Range")
        if fault == "always-206":
            status = 206
            fields.append(("Content-Range", f"bytes 0-{size - 1}/{size}"))
        elif fault != "ignore-range" and wanted:
            same = condition is None or condition in (tag, modified) or fault == "ignore-if-range"
            if fault == "if-range-never" and condition:
                same = False
            if self.headers.get("If-Match", tag) != tag:
                return self.page(412)
            first, last = (wanted.removeprefix("bytes=").split("-") + [""])[:2]
            start, end = int(first), min(int(last) + 1 if last else size, size)
            if same and fault == "416-page":
                return self.page(416)
            if same and fault == "416-total":
                return self.page(416, [("Content-Range", f"bytes */{size}")])
            if same and start >= size:
                return self.page(416, [("Content-Range", f"bytes */{size}")])
            if same:
                status = 206
                if fault == "wrong-start":
                    start = max(0, start - 7)
                if fault in ("short", "short-star"):
                    end = start + max(1, (end - start) // 3)
                body = whole[start:end]
                if fault == "multipart":
                    body = b"\r\n--x\r\nContent-Range: bytes %d-%d/%d\r\n\r\n" % (start, end - 1, size) + body + b"\r\n--x--\r\n"
                    fields[1] = ("Content-Type", "multipart/byteranges; boundary=x")
                elif fault != "no-content-range":
                    total = "*" if fault == "short-star" else size
                    fields.append(("Content-Range", f"bytes {start}-{end - 1}/{total}"))
        if fault == "gzip":
            body = gzip.compress(body)
            fields.append(("Content-Encoding", "gzip"))
        self.send(query, identifier, known, number, fault, status, fields, body)

    def send(self, query, identifier, known, number, fault, status, fields, body):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        chunked = fault in ("chunked", "endless")
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif fault == "close":
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(len(body) + (100 if fault == "length-lies" else 0)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if fault == "short-body":
            body = body[:-100]
        stops = len(body)
        for name in ("cut", "hold", "hold-each"):
            if name in query and (number == 1 or name == "hold-each"):
                stops = min(stops, int(query[name]))
        rate = float(query.get("rate", 0))
        begun, sent = time.monotonic(), 0
        while sent < len(body):
            if sent == stops and stops < len(body):
                if "cut" in query:
                    break
                with changed:
                    changed.wait_for(lambda: identifier in released)
            end = len(body) if sent >= stops else stops
            piece = body[sent:min(end, sent + 65536)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            sent += len(piece)
            with changed:
                known["sent"] += len(piece)
            if rate:
                time.sleep(max(0, begun + sent / rate - time.monotonic()))
        if sent == len(body) and fault not in ("endless", "short-body", "close", "length-lies"):
            if chunked:
                self.wfile.write(b"0\r\n\r\n")
            return
        self.close_connection = True
        self.wfile.flush()
        if fault not in ("close", "short-body"):
            # A reset instead of a clean close, after the bytes in flight.
            time.sleep(0.05)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


Server(("127.0.0.1", int(sys.argv[1])), DownloadHandler).serve_forever()
