# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""A server of somebody else with WebSockets, which hangs up when it is told to. A part of browser.py."""
import base64
import contextlib
import hashlib
import http.server
import json
import socket
import threading

ANSWER = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # What is joined to a client's key (RFC 6455, section 4.2.2).
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Market(http.server.BaseHTTPRequestHandler):
    """/echo answers in capitals; /trades says three things that are no price, and sells for about seven, five times."""

    protocol_version = "HTTP/1.1"
    # What was asked of /trades, and the connections that are open.
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
            pass  # Whoever wanted no more of it has gone.
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
        """A frame, without its mask; None where there is no more."""
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
        assert len(body) < 126, "a longer frame has another head"
        self.wfile.write(bytes([0x80 | kind, len(body)]) + body)

    def log_message(self, *arguments):
        pass


def hang_up():
    """Ends every connection without a word."""
    for connection in list(Market.open):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def market():
    """Runs the server; its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Market)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"ws://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        hang_up()
        server.server_close()
