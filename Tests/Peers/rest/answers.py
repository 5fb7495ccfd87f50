# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""The parts that several interop servers share: handlers for HTTP/1.1 without a log, and a server with many threads."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 3600

    def log_message(self, *arguments):
        pass

    def reply(self, status, fields=(), body=b""):
        """Sends a response with the length of its body."""
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.wfile.flush()


class AnyMethodHandler(Handler):
    """A handler whose method answer() receives the requests of all methods."""

    wbufsize = 64 * 1024

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        pass
