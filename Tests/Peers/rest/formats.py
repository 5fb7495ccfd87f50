# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server for formats of bodies: formats.py PORT

Speaks XML property lists (application/x-plist), binary ones (application/x-bplist) and JSON. The format of a response is that of
the largest weight in Accept, and 406 if there is none. A request with another Content-Type, or whose body is not in the format
that it names, gets 415 or 400.

  GET /sample    a dictionary; it may be cached, with Vary: Accept
  POST /echo     the value of the body; in the query, as=TYPE says what Content-Type to claim
  GET /error     422 with a dictionary
"""

import json
import plistlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

FORMATS = {
    "application/x-plist": (
        lambda data: plistlib.loads(data, fmt=plistlib.FMT_XML), lambda value: plistlib.dumps(value, fmt=plistlib.FMT_XML)),
    "application/x-bplist": (
        lambda data: plistlib.loads(data, fmt=plistlib.FMT_BINARY), lambda value: plistlib.dumps(value, fmt=plistlib.FMT_BINARY)),
    "application/json": (json.loads, lambda value: json.dumps(value).encode()),
}
SAMPLE = {"name": "simorgh", "birds": 30, "wise": True, "height": 1.5, "tags": ["قاف", "&<>\"'", ""]}


def accepted(field):
    """Returns the format with the largest weight; None if there is none."""
    weights = {}
    for member in field.split(","):
        media, *parameters = (part.strip() for part in member.split(";"))
        weight = next((float(one[2:]) for one in parameters if one.startswith("q=")), 1)
        for name in FORMATS:
            if media in (name, "*/*"):
                weights[name] = max(weight, weights.get(name, 0))
    return max(weights, key=weights.get) if weights else None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 3600

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/sample":
            self.say(200, SAMPLE, [("Cache-Control", "max-age=600"), ("Vary", "Accept")])
        elif path == "/error":
            self.say(422, {"code": 7, "reason": "unknown bird"}, [])
        else:
            self.reply(200, [], b"formats")

    def do_POST(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        types = self.headers.get_all("Content-Type")
        if len(types) != 1 or types[0] not in FORMATS:
            return self.reply(415, [], b"")
        try:
            value = FORMATS[types[0]][0](data)
        except Exception as error:
            return self.reply(400, [], str(error).encode())
        self.say(200, value, [("X-Received", types[0])])

    def say(self, status, value, fields):
        name = accepted(self.headers.get("Accept") or "*/*")
        if not name:
            return self.reply(406, [], b"")
        query = parse_qs(urlsplit(self.path).query)
        self.reply(status, [("Content-Type", query.get("as", [name])[0]), *fields], FORMATS[name][1](value))

    def reply(self, status, fields, body):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    daemon_threads = True


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
