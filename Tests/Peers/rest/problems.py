# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An interop server for problem details (RFC 9457) and linked pages: problems.py PORT

/problems/NAME answers with a problem of the RFC, as XML if Accept contains xml or the query has as=xml, else as JSON:

  out-of-credit    403, section 3: the example with extensions
  validation       422, section 3: the example with an array of objects
  blank            404, only a title: the type is about:blank
  relative         400, the type is a relative URI
  wrong-types      500, members of types that the RFC does not allow
  controls         502, control characters, a token and a very long detail
  broken           500, the media type of a problem, and a body that is cut off

/birds?page=N&count=COUNT&total=TOTAL answers with page N of a list, and with Link fields for the pages around it. With
per=field each link is in a field of its own; with origin=URL the links are absolute, to that origin.
"""

import json
import sys
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

from answers import Handler, Server

PROBLEMS = {
    "out-of-credit": (403, {
        "type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
        "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc", "status": 403,
        "balance": 30, "accounts": ["/account/12345", "/account/67890"]}),
    "validation": (422, {
        "type": "https://example.net/validation-error", "title": "Your request is not valid.",
        "errors": [
            {"detail": "must be a positive integer", "pointer": "#/age"},
            {"detail": "must be 'green', 'red' or 'blue'", "pointer": "#/profile/color"}]}),
    "blank": (404, {"title": "Not Found", "status": 404}),
    "relative": (400, {"type": "../probs/a%20b", "title": "Relative", "instance": "#here"}),
    "wrong-types": (500, {
        "type": 7, "title": ["a"], "status": "500", "detail": {"a": 1}, "instance": None, "extra": True}),
    "controls": (502, {"title": "a\u001b[31m\nb\u202ec", "detail": "access_token=s3cretS3cret " + "x" * 5000}),
}


def element(name, value):
    node = ElementTree.Element(name)
    if isinstance(value, dict):
        node.extend(element(key, part) for key, part in value.items())
    elif isinstance(value, list):
        node.extend(element("i", part) for part in value)
    else:
        node.text = str(value)
    return node


class ProblemHandler(Handler):
    def do_GET(self):
        target = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(target.query).items()}
        if target.path.startswith("/problems/"):
            self.problem(target.path.removeprefix("/problems/"), query)
        elif target.path == "/birds":
            self.birds(query)
        else:
            self.reply(200, [("Content-Type", "application/json")], b'{"name": "problems"}')

    def problem(self, name, query):
        if name == "broken":
            self.reply(500, [("Content-Type", "application/problem+json")], b'{"title": "cut')
            return
        status, problem = PROBLEMS[name]
        if query.get("as") == "xml" or "xml" in (self.headers.get("Accept") or ""):
            root = element("problem", problem)
            root.set("xmlns", "urn:ietf:rfc:7807")
            body = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
            self.reply(status, [("Content-Type", "application/problem+xml; charset=utf-8")], body)
        else:
            self.reply(status, [("Content-Type", "Application/Problem+JSON")], json.dumps(problem).encode())

    def birds(self, query):
        page, count, total = (int(query.get(name, default)) for name, default in [("page", 1), ("count", 2), ("total", 5)])
        last = max(1, -(-total // count))
        origin = query.get("origin", "")

        def link(number, relation):
            target = urlencode({**query, "page": number})
            return f'<{origin}{"/birds" if origin else ""}?{target}>; title*=UTF-8\'fa\'%D8%B5; rel="{relation}"'

        links = [link(last, "last"), link(1, "first")]
        if page < last:
            links.insert(0, link(page + 1, "next"))
        if page > 1:
            links.append(link(page - 1, "prev"))
        fields = [("Content-Type", "application/json")]
        fields += [("Link", one) for one in links] if query.get("per") == "field" else [("Link", ", ".join(links))]
        items = list(range(total))[(page - 1) * count : page * count]
        self.reply(200, fields, json.dumps([{"id": item} for item in items]).encode())


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[1])), ProblemHandler).serve_forever()
