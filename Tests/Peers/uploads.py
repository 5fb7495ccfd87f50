# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server for uploads: uploads.py PORT

POST /multipart/werkzeug, /multipart/python-multipart   reads a form with that library, and returns its parts as JSON:
    [{"name", "filename", "type", "size", "sha256", "text" (Latin 1, of short parts)}, …]
POST or PUT /count   reads a body, discards it, and returns {"size", "length" (Content-Length), "sha256"}; with
    ?plain=1 it does not hash

POST /draft   creates an upload as in draft-ietf-httpbis-resumable-upload, interop version 8: an interim 104 has
    its location, and the final response follows at the end. In the query: cut=1000,500 closes the connection of its
    first, second, … request after that many bytes; quiet=1 sends no 104; limit=1000 sets a max-append-size;
    elsewhere=1 uses a location on another origin; relative=1 a location relative to the request.
POST /moved/away   reads a body, discards it, and redirects to /draft with the same query, by 307
HEAD, PATCH, DELETE /draft/ID as in the draft; GET /draft/ID returns {"received", "size", "sha256", "complete",
    "requests"}, where received counts all received bytes.
"""

import hashlib
import io
import itertools
import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import python_multipart
from werkzeug.formparser import FormDataParser

uploads = {}
numbers = itertools.count(1)
lock = threading.Lock()


class Upload:
    def __init__(self, length, cuts, limit):
        self.data = bytearray()
        self.length = length
        self.cuts = cuts
        self.limit = limit
        self.is_complete = False
        self.received = 0
        self.requests = 0
        self.busy = threading.Lock()


class Cut(Exception):
    pass


def part(name, filename, kind, data):
    text = data.decode("latin-1") if len(data) < 4096 else None
    return {"name": name, "filename": filename, "type": kind, "size": len(data),
            "sha256": hashlib.sha256(data).hexdigest(), "text": text}


def by_werkzeug(kind, length, stream):
    from werkzeug.http import parse_options_header
    mime, options = parse_options_header(kind)
    _, form, files = FormDataParser(silent=False).parse(stream, mime, length, options)
    parts = [part(n, None, None, v.encode()) for n, v in form.items(multi=True)]
    return parts + [part(n, f.filename, f.content_type, f.read()) for n, f in files.items(multi=True)]


def by_python_multipart(kind, length, stream):
    parts = []
    headers = {"Content-Type": kind.encode()}

    def field(found):
        parts.append(part(found.field_name.decode(), None, None, found.value or b""))

    def file(found):
        found.file_object.seek(0)
        name = found.file_name.decode() if found.file_name is not None else None
        parts.append(part(found.field_name.decode(), name, None, found.file_object.read()))

    python_multipart.parse_form(headers, stream, field, file)
    return parts


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 3600
    rbufsize = 1 << 20

    def log_message(self, *_):
        pass

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except (Cut, ConnectionError, TimeoutError):
            self.close_connection = True
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def body(self, most=None):
        """Yields the body in pieces; after `most` bytes the connection is closed."""
        count = 0
        for piece in self.pieces():
            if most is not None and count + len(piece) > most:
                yield piece[:most - count]
                raise Cut
            count += len(piece)
            yield piece

    def pieces(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            while size := int(self.rfile.readline().split(b";")[0], 16):
                while size > 0:
                    piece = self.rfile.read1(min(size, 1 << 20))
                    if not piece:
                        raise ConnectionError
                    size -= len(piece)
                    yield piece
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return
        left = int(self.headers.get("Content-Length", 0))
        while left > 0:
            piece = self.rfile.read1(min(left, 1 << 20))
            if not piece:
                raise ConnectionError
            left -= len(piece)
            yield piece

    def answer(self, status, value=None, fields=()):
        data = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in fields:
            self.send_header(name, text)
        if status != 204:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    # Forms and counts

    def do_GET(self):
        path = urlsplit(self.path).path
        if upload := self.upload():
            with upload.busy:
                return self.answer(200, self.report(upload))
        self.answer(200 if path == "/" else 404, {})

    def do_PUT(self):
        self.do_POST()

    def do_POST(self):
        target = urlsplit(self.path)
        if target.path == "/draft":
            return self.create(parse_qs(target.query))
        if target.path == "/moved/away":
            for _ in self.pieces():
                pass
            return self.answer(307, None, [("Location", f"/draft?{target.query}")])
        if target.path == "/count":
            hashed = None if "plain" in target.query else hashlib.sha256()
            size = 0
            for piece in self.pieces():
                size += len(piece)
                if hashed:
                    hashed.update(piece)
            length = self.headers.get("Content-Length")
            return self.answer(200, {"size": size, "length": length and int(length),
                                     "sha256": hashed and hashed.hexdigest()})
        readers = {"/multipart/werkzeug": by_werkzeug, "/multipart/python-multipart": by_python_multipart}
        data = b"".join(self.pieces())
        if target.path not in readers:
            return self.answer(404, {})
        try:
            parts = readers[target.path](self.headers["Content-Type"], len(data), io.BytesIO(data))
        except Exception as error:
            return self.answer(400, {"error": repr(error)})
        self.answer(200, parts)

    # The draft

    def upload(self):
        return uploads.get(urlsplit(self.path).path)

    def report(self, upload):
        return {"received": upload.received, "size": len(upload.data), "complete": upload.is_complete,
                "requests": upload.requests, "sha256": hashlib.sha256(upload.data).hexdigest()}

    def append(self, upload):
        cut = upload.cuts.pop(0) if upload.cuts else None
        upload.requests += 1
        for piece in self.body(cut):
            upload.received += len(piece)
            upload.data += piece
        upload.is_complete = self.headers.get("Upload-Complete") == "?1"

    def limits(self, upload):
        return [("Upload-Limit", f"max-age=3600, max-append-size={upload.limit}")] if upload.limit else []

    def create(self, query):
        if self.headers.get("Upload-Draft-Interop-Version") != "8":
            return self.answer(400, {"error": "another version of the draft"})
        cuts = [int(cut) for cut in query.get("cut", [""])[0].split(",") if cut]
        upload = Upload(int(self.headers["Upload-Length"]), cuts, int(query.get("limit", [0])[0]))
        with lock:
            place = f"/draft/{next(numbers)}"
            uploads[place] = upload
        location = f"http://elsewhere.test{place}" if "elsewhere" in query else place
        location = location[1:] if "relative" in query else location
        with upload.busy:
            if "quiet" not in query:
                lines = [("Location", location)] + self.limits(upload)
                text = "".join(f"{name}: {value}\r\n" for name, value in lines)
                self.wfile.write(f"HTTP/1.1 104 Upload Resumption Supported\r\n{text}\r\n".encode())
                self.wfile.flush()
            self.append(upload)
            self.answer(200 if upload.is_complete else 201, {"place": place} | self.report(upload), [
                ("Location", location), ("Upload-Offset", str(len(upload.data))),
                ("Upload-Complete", "?1" if upload.is_complete else "?0")] + self.limits(upload))

    def do_HEAD(self):
        upload = self.upload()
        if not upload:
            return self.answer(404)
        with upload.busy:
            self.answer(204, None, [
                ("Upload-Offset", str(len(upload.data))), ("Upload-Length", str(upload.length)),
                ("Upload-Complete", "?1" if upload.is_complete else "?0"), ("Cache-Control", "no-store"),
            ] + self.limits(upload))

    def do_PATCH(self):
        upload = self.upload()
        if not upload:
            for _ in self.pieces():
                pass
            return self.answer(404)
        with upload.busy:
            if int(self.headers.get("Upload-Offset", -1)) != len(upload.data) or upload.is_complete:
                for _ in self.pieces():
                    pass
                return self.answer(409, None, [("Upload-Offset", str(len(upload.data)))])
            if self.headers.get("Content-Type") != "application/partial-upload":
                return self.answer(415)
            self.append(upload)
            place = urlsplit(self.path).path
            self.answer(200 if upload.is_complete else 201, {"place": place} | self.report(upload), [
                ("Upload-Offset", str(len(upload.data))),
                ("Upload-Complete", "?1" if upload.is_complete else "?0")])

    def do_DELETE(self):
        self.answer(204 if uploads.pop(urlsplit(self.path).path, None) else 404)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
