# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server that counts requests, on two ports and so two origins: counting.py PORT OTHER_PORT

/a/KEY and everything below it answers as its query says, and is counted under KEY; both ports share the count. The
values between commas (or bars, if a comma may be part of a value) are for the first, second, … request of that key;
the last value applies to all further ones.

  status=503,503,200       the statuses; default: 200
  retry-after=1|Wed, …     Retry-After of an answer that is not 2xx; an empty one sends none
  location={other}/a/KEY   Location of an answer that is not 2xx; {self} and {other} are the two origins (bars)
  set-cookie=a=1|a=2       Set-Cookie (bars); the parameter may be repeated, for several in one answer
  header=Name: value       any other field (bars); may be repeated
  body=text|text           the body (bars); default: the received request as JSON
  size=100000              a body of that many bytes
  delay=0,300              milliseconds before the answer
  close=1,0                1 closes the connection after the answer, "before" instead of it, "body" in the middle of it
  cut=1000,                closes the connection after reading that many bytes of the request's body
  early=1,0                answers before the request's body is read, and closes
  token=T                  401 with a Bearer challenge unless Authorization is "Bearer T" (commas: any of them is right)
  www-authenticate=…       the challenge of a 401 (bars); may be repeated

/report?key=KEY lists the requests as JSON: {"key", "count", "requests": [{"index", "server", "method", "path", "query",
"headers": [[name, value], …], "bodyLength", "bodySHA256", "isComplete", "status", "connection"}, …]}, where server is
"main" or "other", and status is 0 if the connection was closed instead. /origins returns the two origins.
"""

import hashlib
import itertools
import json
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

from rest.answers import AnyMethodHandler, Server

KEPT = 20_000
lock = threading.Lock()
counts = {}
reports = {}
connections = itertools.count(1)


class Closed(Exception):
    """The connection is closed without another byte."""


class CountingHandler(AnyMethodHandler):
    def setup(self):
        super().setup()
        self.connection_number = next(connections)

    def version_string(self):
        return "counting"

    def answer(self):
        try:
            self.route()
        except (Closed, ConnectionError, TimeoutError):
            self.close_connection = True

    def route(self):
        target = urlsplit(self.path)
        self.parameters = parse_qs(target.query, keep_blank_values=True)
        segments = target.path.split("/")
        if segments[1] == "a" and len(segments) > 2 and segments[2]:
            self.counted(target, segments[2])
            return
        self.read_body(hashlib.sha256(), None)
        if target.path == "/report":
            key = self.parameters.get("key", [""])[0]
            with lock:
                content = {"key": key, "count": counts.get(key, 0), "requests": list(reports.get(key, []))}
        elif target.path == "/origins":
            content = {"main": origin("main"), "other": origin("other")}
        elif target.path == "/":
            content = {"name": "counting"}
        else:
            self.reply(404, [], b"{}")
            return
        self.reply(200, [("Content-Type", "application/json")], json.dumps(content).encode())

    def counted(self, target, key):
        with lock:
            turn = counts.get(key, 0)
            counts[key] = turn + 1
            entry = {
                "index": turn,
                "server": self.server.label,
                "method": self.command,
                "path": target.path,
                "query": target.query,
                "headers": [[name, value] for name, value in self.headers.items()],
                "bodyLength": 0,
                "bodySHA256": hashlib.sha256().hexdigest(),
                "isComplete": False,
                "status": 0,
                "connection": self.connection_number,
            }
            entries = reports.setdefault(key, [])
            if len(entries) < KEPT:
                entries.append(entry)

        early = self.nth("early", turn, ",") == "1"
        if early:
            self.close_connection = True
        else:
            digest = hashlib.sha256()
            cut = self.nth("cut", turn, ",")
            try:
                self.read_body(digest, int(cut) if cut else None, entry)
            finally:
                entry["bodySHA256"] = digest.hexdigest()
        delay = self.nth("delay", turn, ",")
        if delay:
            time.sleep(int(delay) / 1000)
        close = self.nth("close", turn, ",")
        if close == "before":
            raise Closed

        status = int(self.nth("status", turn, ",") or 200)
        fields = []
        if "token" in self.parameters and status == 200:
            right = ["Bearer " + token for token in self.parameters["token"][0].split(",")]
            if self.headers.get("Authorization") not in right:
                status = 401
                fields.append(("WWW-Authenticate", 'Bearer realm="counting", error="invalid_token"'))
        if not 200 <= status < 300:
            for name in ("Retry-After", "Location"):
                value = self.nth(name.lower(), turn, "|")
                if value:
                    fields.append((name, self.filled(value)))
        if status == 401:
            fields += [("WWW-Authenticate", value) for value in self.all_nth("www-authenticate", turn)]
        fields += [("Set-Cookie", self.filled(value)) for value in self.all_nth("set-cookie", turn)]
        for line in self.all_nth("header", turn):
            name, _, value = line.partition(":")
            fields.append((name.strip(), self.filled(value.strip())))
        entry["status"] = status

        size = self.nth("size", turn, ",")
        text = self.nth("body", turn, "|")
        if size:
            body = b"x" * int(size)
        elif text is not None:
            body = self.filled(text).encode()
        else:
            body = json.dumps(entry).encode()
            if not any(name.lower() == "content-type" for name, _ in fields):
                fields.append(("Content-Type", "application/json"))
        if close == "1" or early:
            fields.append(("Connection", "close"))
        self.reply(status, fields, body, cut_off=close == "body")

    def nth(self, name, turn, separator):
        """Returns the value of a parameter for the request with this number, or None."""
        if name not in self.parameters:
            return None
        values = self.parameters[name][0].split(separator)
        return values[min(turn, len(values) - 1)]

    def all_nth(self, name, turn):
        for text in self.parameters.get(name, []):
            values = text.split("|")
            value = values[min(turn, len(values) - 1)]
            if value:
                yield value

    def filled(self, text):
        other = "other" if self.server.label == "main" else "main"
        return text.replace("{self}", origin(self.server.label)).replace("{other}", origin(other))

    def read_body(self, digest, limit, entry=None):
        """Reads the request's body, or closes the connection after a number of bytes."""
        length = 0

        def take(count):
            nonlocal length
            while count > 0:
                wanted = min(count, 65536 if limit is None else min(65536, max(1, limit - length)))
                piece = self.rfile.read1(wanted)
                if not piece:
                    raise Closed
                digest.update(piece)
                count -= len(piece)
                length += len(piece)
                if entry is not None:
                    entry["bodyLength"] = length
                if limit is not None and length >= limit:
                    raise Closed

        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            while True:
                line = self.rfile.readline(1024)
                if not line:
                    raise Closed
                count = int(line.split(b";")[0], 16)
                if count == 0:
                    break
                take(count)
                self.rfile.readline(8)
            while self.rfile.readline(65536) not in (b"\r\n", b"\n", b""):
                pass
        else:
            take(int(self.headers.get("Content-Length") or 0))
        if entry is not None:
            entry["isComplete"] = True

    def reply(self, status, fields, body, cut_off=False):
        bodiless = self.command == "HEAD" or status in (204, 304) or status < 200
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status not in (204,) and status >= 200 and not (status == 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not bodiless:
            self.wfile.write(body[: len(body) // 2] if cut_off else body)
        self.wfile.flush()
        if cut_off:
            raise Closed


class CountingServer(Server):
    def __init__(self, port, label):
        super().__init__(("127.0.0.1", port), CountingHandler)
        self.label = label


servers = {}


def origin(label):
    return f"http://127.0.0.1:{servers[label].server_port}"


if __name__ == "__main__":
    for label, port in zip(("main", "other"), sys.argv[1:3]):
        servers[label] = CountingServer(int(port), label)
    threading.Thread(target=servers["other"].serve_forever, daemon=True).start()
    servers["main"].serve_forever()
