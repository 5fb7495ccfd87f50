# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""A foreign server with WebSockets, which disconnects on request. A part of browser.py."""
import base64
import contextlib
import hashlib
import http.server
import json
import socket
import threading

ANSWER = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # Appended to the client's key (RFC 6455, section 4.2.2).
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Market(http.server.BaseHTTPRequestHandler):
    """/echo answers in capitals; /trades sends three invalid prices, and then five of about seven."""

    protocol_version = "HTTP/1.1"
    # The requests to /trades, and the open connections.
    orders, open = [], set()

    def do_GET(self):
        key = self.headers.get("Sec-WebSocket-Key")
        if self.path not in ("/echo", "/trades") or not key:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.close_connection = True
        self.send_response(101, "Switching Protocols")
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        accept = base64.b64encode(hashlib.sha1((key + ANSWER).encode()).digest())
        self.send_header("Sec-WebSocket-Accept", accept.decode())
        self.end_headers()
        Market.open.add(self.connection)
        try:
            self.talk()
        except ConnectionError:
            pass  # The client disconnected.
        finally:
            Market.open.discard(self.connection)

    def talk(self):
        if self.path == "/echo":
            self.say("a bird from elsewhere")
        while frame := self.heard():
            kind, body = frame
            if kind == PING:
                self.put(PONG, body)
            elif kind == CLOSE:
                return self.put(CLOSE, body)
            elif self.path == "/echo":
                self.say(body.decode().upper())
            else:
                self.obey(json.loads(body))

    def obey(self, order):
        symbol = order["params"][0].split("@")[0].upper()
        Market.orders.append((order["method"], symbol))
        self.say(json.dumps({"result": None, "id": order["id"]}))
        if order["method"] == "SUBSCRIBE":
            for price in ("1e999", "-7", "birds"):
                self.say(json.dumps({"e": "trade", "s": symbol, "p": price, "T": 0}))
            for number in range(5):
                self.say(json.dumps({"e": "trade", "s": symbol, "p": f"7.0{number}", "T": number}))

    def heard(self):
        """Returns a frame, unmasked; None at the end of the connection."""
        head = self.rfile.read(2)
        if len(head) < 2:
            return None
        count = head[1] & 127
        if count >= 126:
            count = int.from_bytes(self.rfile.read(2 if count == 126 else 8), "big")
        mask, body = self.rfile.read(4), self.rfile.read(count)
        return head[0] & 15, bytes(byte ^ mask[index % 4] for index, byte in enumerate(body))

    def say(self, text):
        self.put(TEXT, text.encode())

    def put(self, kind, body):
        assert len(body) < 126, "a longer frame has another header"
        self.wfile.write(bytes([0x80 | kind, len(body)]) + body)

    def log_message(self, *arguments):
        pass


def hang_up():
    """Closes every connection without a Close frame."""
    for connection in list(Market.open):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def market():
    """Runs the server, and yields its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Market)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"ws://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        hang_up()
        server.server_close()
