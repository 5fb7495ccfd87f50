# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server with idempotency keys, rate limits and QUERY: quotas.py PORT

/orders/NAME (POST, PATCH) requires an Idempotency-Key that is a string of structured fields, and creates one order for
each key: 400 without a valid key, 422 for a key that was used with another body, 409 while the first request with the
key is in progress, and otherwise the stored answer, 201 with {"order": N}.
  lose=N       closes the connection after it has created an order, instead of the first N answers of a key
  hold=MS      takes that long to create an order
  move=N       307 to the same path without move, instead of the first N answers of a key
/limited/NAME (any method) accepts a number of requests per window, and refuses more with 429.
  limit=N      default: 5
  window=S     whole seconds; default: 1
  style=…      the fields: draft, dictionary, triple, delta, epoch, skewed (an epoch by a clock that is an hour fast)
  parts=1      counts the requests below /limited/NAME/a and /limited/NAME/b as two parts of the quota
/search/NAME (QUERY) answers with the content and its media type as JSON, fresh for a minute, and requires both. OPTIONS
lists the media types.
  status=N     redirects to /search/NAME/moved with that status
/search/NAME/moved (QUERY, GET) answers with the method and the content.

/report?name=NAME lists what the server has seen of a name: {"keys": [...], "orders": N, "accepted": N, "refused": N,
"queries": N, "methods": [...]}.
"""

import json
import math
import re
import sys
import threading
import time
from email.utils import formatdate
from urllib.parse import parse_qs, urlsplit

from answers import AnyMethodHandler, Server

lock = threading.Lock()
reports = {}
orders = {}
windows = {}


def report(name):
    return reports.setdefault(
        name, {"keys": [], "orders": 0, "accepted": 0, "refused": 0, "queries": 0, "methods": []})


class QuotaHandler(AnyMethodHandler):
    # Seconds by which the Date of the response is ahead.
    skew = 0

    def date_time_string(self, timestamp=None):
        return formatdate(time.time() + self.skew, usegmt=True)

    def answer(self):
        self.skew = 0
        target = urlsplit(self.path)
        self.query = {name: values[0] for name, values in parse_qs(target.query).items()}
        self.body = self.read_body()
        segments = target.path.strip("/").split("/")
        try:
            if target.path == "/report":
                with lock:
                    self.reply_json(200, report(self.query["name"]))
            elif segments[0] == "orders" and self.command in ("POST", "PATCH"):
                self.order(segments[1], target.path)
            elif segments[0] == "limited":
                self.limited(segments[1], segments[2:])
            elif segments[0] == "search":
                self.search(segments[1], segments[2:], target.path)
            else:
                self.reply_json(200 if target.path == "/" else 404, {"name": "quotas"})
        except ConnectionError:
            self.close_connection = True

    def read_body(self):
        if "chunked" not in (self.headers.get("Transfer-Encoding") or "").lower():
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b""
        while size := int(self.rfile.readline(1024).split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline(8)
        while self.rfile.readline(65536) not in (b"\r\n", b"\n", b""):
            pass
        return body

    def order(self, name, path):
        keys = self.headers.get_all("Idempotency-Key") or []
        if len(keys) != 1 or not re.fullmatch(r'"[ !#-\[\]-~]{8,255}"', keys[0]):
            return self.reply_json(400, {"title": "Idempotency-Key is missing or invalid"})
        key = (name, path, keys[0])
        with lock:
            seen = report(name)["keys"]
            seen.append(keys[0])
            if seen.count(keys[0]) <= int(self.query.get("move", 0)):
                rest = "&".join(f"{name}={value}" for name, value in self.query.items() if name != "move")
                return self.reply_json(307, {"title": "moved"}, [("Location", f"{path}?{rest}")])
            known = orders.get(key)
            isFirst = known is None
            if isFirst:
                known = orders[key] = {"body": self.body, "answer": None, "lost": 0}
            elif known["body"] != self.body:
                return self.reply_json(422, {"title": "Idempotency-Key is already used"})
            elif known["answer"] is None:
                return self.reply_json(409, {"title": "A request is outstanding for this Idempotency-Key"})
        if isFirst:
            time.sleep(int(self.query.get("hold", 0)) / 1000)
            with lock:
                report(name)["orders"] += 1
                known["answer"] = {"order": report(name)["orders"]}
        with lock:
            known["lost"] += 1
            isLost = known["lost"] <= int(self.query.get("lose", 0))
        if isLost:
            self.close_connection = True
            return None
        return self.reply_json(201, known["answer"])

    def limited(self, name, rest):
        limit, length = int(self.query.get("limit", 5)), int(self.query.get("window", 1))
        style = self.query.get("style", "draft")
        part = rest[0] if rest and "parts" in self.query else ""
        with lock:
            now = time.monotonic()
            start, count = windows.get((name, part), (now, 0))
            if now >= start + length:
                start, count = now, 0
            isAccepted = count < limit
            count += isAccepted
            windows[name, part] = (start, count)
            report(name)["accepted" if isAccepted else "refused"] += 1
        left, remaining = max(0, math.ceil(start + length - now)), limit - count
        self.skew = 3600 if style == "skewed" else 0
        key = f';pk=:{part * 4}:' if part else ""
        fields = {
            "draft": [("RateLimit-Policy", f'"p";q={limit};w={length}'), ("RateLimit", f'"p";r={remaining};t={left}{key}')],
            "dictionary": [("RateLimit-Policy", f"{limit};w={length}"),
                           ("RateLimit", f"limit={limit}, remaining={remaining}, reset={left}")],
            "triple": [("RateLimit-Limit", f"{limit}, {limit};w={length}"), ("RateLimit-Remaining", str(remaining)),
                       ("RateLimit-Reset", str(left))],
            "delta": [("X-RateLimit-Limit", str(limit)), ("X-RateLimit-Remaining", str(remaining)),
                      ("X-RateLimit-Reset", str(left))],
            # The end of the window in whole seconds, by the same clock as Date.
            "epoch": [("X-RateLimit-Limit", str(limit)), ("X-RateLimit-Remaining", str(remaining)),
                      ("X-RateLimit-Reset", str(int(time.time() + self.skew) + left + 1))],
        }
        self.reply_json(200 if isAccepted else 429, {}, fields["epoch" if style == "skewed" else style])

    def search(self, name, rest, path):
        accepted = ("Accept-Query", '"text/plain", application/json;charset="utf-8"')
        if self.command == "OPTIONS":
            return self.reply_json(200, {}, [("Allow", "QUERY, OPTIONS"), accepted])
        with lock:
            report(name)["queries"] += 1
            report(name)["methods"].append(self.command)
        if self.command not in (("QUERY", "GET") if rest else ("QUERY",)):
            return self.reply_json(405, {}, [("Allow", "QUERY, OPTIONS"), accepted])
        if self.command == "QUERY" and not (self.body and self.headers.get("Content-Type")):
            return self.reply_json(400, {"title": "the content or its type is missing"})
        if "status" in self.query:
            return self.reply_json(int(self.query["status"]), {}, [("Location", path + "/moved")])
        content = {"method": self.command, "type": self.headers.get("Content-Type") or "", "content": self.body.decode()}
        return self.reply_json(200, content, [("Cache-Control", "max-age=60")])

    def reply_json(self, status, content, fields=()):
        return self.reply(status, [("Content-Type", "application/json"), *fields], json.dumps(content).encode())


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[1])), QuotaHandler).serve_forever()
