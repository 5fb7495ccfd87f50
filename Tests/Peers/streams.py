"""An interop server for streams: writes events one by one, each after the previous one was acknowledged, and reads
streams with third-party parsers. Started by scripts/with-test-servers with its port.

GET  /lock/ID?events=N&framing=chunked|close&coding=gzip   N events, in lock step
GET  /cut/ID?events=N&at=K&framing=&coding=                N events, cut off after K bytes for the first who asks, and
                                                           whole from the one after Last-Event-ID for the others
GET  /size?events=N&coding=                                how many bytes they are
POST /ack/ID                                               the client has event `body`: the next one may be written
POST /parse/sse                                            the events of the body, as httpx-sse reads them
POST /parse/ndjson                                         the records of the body, as Python's json reads them
"""

import json
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from httpx_sse._decoders import SSEDecoder, SSELineDecoder

acknowledged = {}
changed = threading.Condition()
cut = set()


def packed(first, count, coding):
    """Returns the events from one number to another, each flushed separately."""
    packer = zlib.compressobj(wbits=31) if coding == "gzip" else None
    body = b""
    for number in range(first, count + 1):
        event = b"id: %d\ndata: event %d\n\n" % (number, number)
        body += packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH) if packer else event
    return body + packer.flush(zlib.Z_FINISH) if packer else body


def events_of(body):
    """Returns the events of a stream: type, data and last id of each.

    httpx-sse also dispatches events without data, unlike the standard: they are left out by checking for a data line.
    """
    lines, decoder = SSELineDecoder(), SSEDecoder()
    text = body.decode("utf-8-sig", errors="replace")
    events, has_data = [], False
    # Flushed, because the decoder holds back a line that ends in CR until it knows the next byte.
    for line in lines.decode(text) + lines.flush() if text else []:
        has_data = has_data or line == "data" or line.startswith("data:")
        event = decoder.decode(line)
        if line:
            continue
        if event is not None and has_data:
            events.append({"event": event.event or "message", "data": event.data, "id": event.id})
        has_data = False
    return events


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 3600

    def log_message(self, *arguments):
        pass

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = urlsplit(self.path).path.split("/")
        if parts[1] == "ack":
            with changed:
                acknowledged[parts[2]] = int(body)
                changed.notify_all()
            self.answer(None)
        elif parts[1:] == ["parse", "sse"]:
            self.answer(events_of(body))
        elif parts[1:] == ["parse", "ndjson"]:
            self.answer([json.loads(line) for line in body.split(b"\n") if line.strip()])
        else:
            self.send_error(404)

    def do_GET(self):
        url = urlsplit(self.path)
        parts = url.path.split("/")
        options = {name: values[0] for name, values in parse_qs(url.query).items()}
        if parts[1] == "lock":
            self.lock_step(parts[2], options)
        elif parts[1] == "cut":
            self.cut_off(parts[2], options)
        elif parts[1] == "size":
            self.answer(len(packed(1, int(options["events"]), options.get("coding"))))
        else:
            self.answer(None)

    def cut_off(self, name, options):
        count, coding = int(options["events"]), options.get("coding")
        after = int(self.headers.get("Last-Event-ID") or 0)
        with changed:
            is_first = name not in cut
            cut.add(name)
        if after >= count:
            self.send_response(204)
            self.end_headers()
            return
        body = packed(after + 1, count, coding)
        chunked = options.get("framing", "chunked") == "chunked"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        if coding:
            self.send_header("Content-Encoding", coding)
        self.send_header(*("Transfer-Encoding", "chunked") if chunked else ("Connection", "close"))
        self.end_headers()
        if is_first:
            body = body[: int(options["at"])]
        self.wfile.write(b"%x\r\n%b\r\n" % (len(body), body) if chunked and body else body)
        if chunked and not is_first:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = not chunked or is_first

    def lock_step(self, name, options):
        chunked = options.get("framing", "chunked") == "chunked"
        packer = zlib.compressobj(wbits=31) if options.get("coding") == "gzip" else None
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        if packer:
            self.send_header("Content-Encoding", "gzip")
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()

        def write(data, last=False):
            if packer:
                data = packer.compress(data) + packer.flush(zlib.Z_FINISH if last else zlib.Z_SYNC_FLUSH)
            if chunked and data:
                data = b"%x\r\n%b\r\n" % (len(data), data)
            self.wfile.write(data)

        for number in range(1, int(options["events"]) + 1):
            write(b"id: %d\ndata: event %d\n\n" % (number, number))
            with changed:
                changed.wait_for(lambda: acknowledged.get(name, 0) >= number)
        write(b"", last=True)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
