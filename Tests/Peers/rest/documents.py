# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server for conditional requests, patches and digests: documents.py PORT

GET, HEAD, PUT, PATCH, DELETE /documents/NAME   a JSON document with a strong ETag, made by a PUT with If-None-Match: *.
    A write of an existing document needs If-Match: 428 without it; 412 with the current document and its ETag if it
    does not match. PATCH takes application/merge-patch+json (json-merge-patch) and application/json-patch+json
    (jsonpatch); a patch that cannot be applied is a 409, another media type a 415.
    If the request accepts gzip, the response is compressed and its ETag weak, as that of nginx.
PUT /echo   returns the body.
Every request with a body is checked against its Content-Digest and Repr-Digest, in the header or the trailer: 400 with
    an explanation if one is wrong. The response has Digests-Checked, their number.
Responses have a Content-Digest if the request wants one (Want-Content-Digest). In the query: digest=wrong sends a wrong
    one, digest=trailer sends it in the trailer.
"""

import base64
import gzip
import hashlib
import itertools
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import json_merge_patch
import jsonpatch

documents = {}
versions = itertools.count(1)
lock = threading.Lock()
hashes = {"sha-256": hashlib.sha256, "sha-512": hashlib.sha512}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def read_body(self):
        trailers = {}
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0))), trailers
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while line := self.rfile.readline().strip():
            name, _, value = line.decode().partition(":")
            trailers[name.lower()] = value.strip()
        return body, trailers

    def check(self, body, trailers):
        """Returns what is wrong with the digests; counts them in self.checked."""
        self.checked = 0
        for name in ("Content-Digest", "Repr-Digest"):
            value = self.headers.get(name) or trailers.get(name.lower())
            for member in value.split(",") if value else []:
                algorithm, _, text = member.strip().partition("=")
                if algorithm not in hashes or not text.startswith(":") or not text.endswith(":"):
                    return f"{name}: {member}"
                if base64.b64decode(text[1:-1]) != hashes[algorithm](body).digest():
                    return f"{name} is not that of {len(body)} bytes"
                self.checked += 1
        return None

    def answer(self, status, value=None, tag=None, fields=()):
        data = b"" if value is None else json.dumps(value).encode()
        query = parse_qs(urlsplit(self.path).query)
        kind = query.get("digest", [""])[0]
        self.send_response(status)
        if data and "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data)
            self.send_header("Content-Encoding", "gzip")
            tag = tag and "W/" + tag
        if tag:
            self.send_header("ETag", tag)
        for name, text in fields:
            self.send_header(name, text)
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Digests-Checked", str(getattr(self, "checked", 0)))
        hashed = hashlib.sha256(data + b"x" if kind == "wrong" else data).digest()
        digest = f"sha-256=:{base64.b64encode(hashed).decode()}:"
        has_body = status not in (204, 304) and self.command != "HEAD"
        if has_body and kind == "trailer":
            self.send_header("Content-Type", "application/json")
            self.send_header("Trailer", "Content-Digest")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n0\r\nContent-Digest: %s\r\n\r\n" % (len(data), data, digest.encode()))
            return
        if has_body and self.headers.get("Want-Content-Digest"):
            self.send_header("Content-Digest", digest)
        if status not in (204, 304):
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if has_body:
            self.wfile.write(data)

    def patched(self, current, body):
        kind = self.headers.get("Content-Type")
        if kind == "application/merge-patch+json":
            return json_merge_patch.merge(current, json.loads(body))
        if kind == "application/json-patch+json":
            return jsonpatch.apply_patch(current, json.loads(body))
        return None

    def handle_document(self, body, trailers):
        path = urlsplit(self.path).path
        if fault := self.check(body, trailers):
            return self.answer(400, {"error": fault})
        if path == "/":
            return self.answer(200, {})
        if path == "/echo":
            return self.answer(200, {"size": len(body)})
        if not path.startswith("/documents/"):
            return self.answer(404, {})
        with lock:
            known = documents.get(path)
            if self.command in ("GET", "HEAD"):
                if not known:
                    return self.answer(404, {})
                value, tag = known
                if self.headers.get("If-None-Match", "").removeprefix("W/") == tag:
                    return self.answer(304, tag=tag)
                return self.answer(200, value, tag)
            if self.headers.get("If-None-Match") == "*":
                if known:
                    return self.answer(412, known[0], known[1])
            elif condition := self.headers.get("If-Match"):
                if not known or condition not in ("*", known[1]):
                    return self.answer(412, *(known or ({"error": "there is no such document"}, None)))
            elif known:
                return self.answer(428, {"error": "a condition is required"}, known[1])
            if self.command == "DELETE":
                documents.pop(path, None)
                return self.answer(204)
            if self.command == "PATCH":
                if not known:
                    return self.answer(404, {})
                try:
                    # A copy, because the libraries may change it.
                    value = self.patched(json.loads(json.dumps(known[0])), body)
                except Exception as error:
                    return self.answer(409, {"error": repr(error)})
                if self.headers.get("Content-Type") not in (
                        "application/merge-patch+json", "application/json-patch+json"):
                    return self.answer(415, {}, fields=[
                        ("Accept-Patch", "application/merge-patch+json, application/json-patch+json")])
            else:
                value = json.loads(body)
            documents[path] = (value, f'"{next(versions)}"')
            self.answer(200 if known else 201, *documents[path])

    def do_GET(self):
        body, trailers = self.read_body()
        self.handle_document(body, trailers)

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_POST = do_GET


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
