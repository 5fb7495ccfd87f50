#!/usr/bin/env python3
"""An HTTP/2 server that violates the protocol on demand, as the path of a request asks.

    h2faults.py PORT PLAIN-PORT CERTIFICATE KEY

It speaks TLS on the first port and cleartext HTTP/2 on the second, where an HTTP/1 request gets an empty 200. A client
that chooses HTTP/1.1 over TLS gets the body "over http1.1". Valid frames are written by the `h2` package, invalid ones
as bytes. GET /seen returns the number of connections, and the streams that clients have reset.
"""
import collections
import json
import random
import socket
import ssl
import struct
import sys
import threading

import h2.config
import h2.connection
import h2.events
import h2.exceptions

DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, ACK = 1, 4, 1

lock = threading.Lock()
seen = collections.Counter()
# The uploads and connections whose connection window was not returned, with the missing bytes.
hoards = collections.Counter()


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def rst(stream, code):
    return frame(RST, 0, stream, struct.pack(">I", code))


def goaway(last, code):
    return frame(GOAWAY, 0, 0, struct.pack(">II", last, code))


def window(stream, increment):
    return frame(WINDOW, 0, stream, struct.pack(">I", increment))


def first_time(key):
    """Returns True if this key is seen for the first time."""
    with lock:
        seen[key] += 1
        return seen[key] == 1


class Gone(Exception):
    """The scenario closes the connection."""


class Connection(h2.connection.H2Connection):
    """Responses bypass the library, which would count their streams as open forever and refuse the 101st."""

    open_inbound_streams = 0


class Peer:
    def __init__(self, sock):
        self.sock = sock
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8", validate_inbound_headers=False)
        self.conn = Connection(config=config)
        self.paths = {}
        self.fields_of = {}
        self.sizes = collections.Counter()
        self.is_deaf = False
        self.turn = threading.RLock()
        # The bytes that echo streams still have to send, and the streams whose request is complete.
        self.echoes = {}
        self.whole = set()

    def raw(self, *frames):
        self.flush()
        self.sock.sendall(b"".join(frames))

    def flush(self):
        data = self.conn.data_to_send()
        if data:
            self.sock.sendall(data)

    def fields(self, *fields):
        """Encodes a field block, and keeps the dynamic table of the connection in sync."""
        return self.conn.encoder.encode(list(fields))

    def head(self, stream, *fields, status="200", flags=END_HEADERS):
        return frame(HEADERS, flags, stream, self.fields((":status", status), *fields))

    def answer(self, stream, body=b"ok", status="200"):
        self.raw(
            self.head(stream, ("content-length", str(len(body))), status=status),
            frame(DATA, END_STREAM, stream, body))

    def echo(self):
        """Echoes the received bytes, as far as the windows allow."""
        for stream, data in list(self.echoes.items()):
            while data:
                most = min(self.conn.local_flow_control_window(stream), self.conn.max_outbound_frame_size)
                if most <= 0:
                    break
                self.conn.send_data(stream, bytes(data[:most]))
                del data[:most]
            if not data and stream in self.whole:
                del self.echoes[stream]
                self.conn.end_stream(stream)

    def close(self):
        raise Gone

    def run(self):
        self.conn.initiate_connection()
        self.flush()
        while True:
            data = self.sock.recv(65536)
            if not data:
                return
            if self.is_deaf:
                continue
            with self.turn:
                for event in self.conn.receive_data(data):
                    self.take(event)
                self.echo()
                self.flush()

    def take(self, event):
        if isinstance(event, h2.events.RequestReceived):
            path = dict(event.headers)[":path"]
            self.paths[event.stream_id] = path
            self.fields_of[event.stream_id] = dict(event.headers)
            begin(self, event.stream_id, path.split("?")[0].strip("/").split("/"), path)
        elif isinstance(event, h2.events.DataReceived):
            self.sizes[event.stream_id] += len(event.data)
            if event.stream_id in self.echoes:
                self.echoes[event.stream_id] += event.data
            path = self.paths.get(event.stream_id, "")
            if path.startswith("/hoard"):
                # The stream's window is returned, and the connection's is not.
                if event.flow_controlled_length:
                    with lock:
                        hoards[path, self] += event.flow_controlled_length
                    if event.stream_ended is None:
                        self.conn.increment_flow_control_window(event.flow_controlled_length, event.stream_id)
            elif not path.startswith("/unread"):
                if event.flow_controlled_length:
                    self.conn.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, h2.events.TrailersReceived):
            self.fields_of[event.stream_id].update(dict(event.headers))
        elif isinstance(event, h2.events.StreamEnded):
            end(self, event.stream_id, self.paths.get(event.stream_id, "/"))
        elif isinstance(event, h2.events.StreamReset):
            self.echoes.pop(event.stream_id, None)
            if event.remote_reset:
                with lock:
                    seen[f"reset {self.paths.get(event.stream_id, '?').split('?')[0]} {int(event.error_code)}"] += 1
        elif isinstance(event, h2.events.ConnectionTerminated):
            with lock:
                seen[f"goaway {int(event.error_code)}"] += 1


def begin(peer, stream, parts, path):
    """Handles the head of a request."""
    kind, what = parts[0], parts[1] if len(parts) > 1 else ""
    early = peer.head(stream, status="413" if what == "error" else "200") + frame(DATA, END_STREAM, stream, b"early")
    if kind == "stream-echo":
        peer.conn.send_headers(stream, [(":status", "200")])
        peer.echoes[stream] = bytearray()
    elif kind == "early":
        if what in ("no-error", "error"):
            peer.raw(early, rst(stream, 0))
        elif what == "cancel":
            peer.raw(early, rst(stream, 8))
        elif what == "end":
            peer.raw(early)
        elif what == "goaway":
            peer.raw(early, goaway(stream, 0))
        elif what == "close":
            peer.raw(early)
            peer.close()
    elif kind == "reset":
        code = int(parts[2])
        if what == "head":
            peer.raw(rst(stream, code))
        elif what == "body":
            peer.raw(peer.head(stream), rst(stream, code))
        elif what == "inside":
            peer.raw(peer.head(stream, ("content-length", "10")), frame(DATA, 0, stream, b"12345"), rst(stream, code))
    elif kind == "refuse-once":
        if first_time(path):
            peer.raw(rst(stream, 7))
        else:
            peer.answer(stream)
    elif kind == "http1":
        if what == "goaway":
            peer.raw(goaway(0, 13))
            peer.close()
        else:
            peer.raw(rst(stream, 13))
    elif kind == "continue":
        asks = "expect" in peer.fields_of[stream]
        if what == "asked" and asks:
            peer.raw(peer.head(stream, status="100"))
        elif what == "refused":
            peer.raw(peer.head(stream, ("content-length", "0"), status="401", flags=END_HEADERS | END_STREAM))
        elif what == "unexpected" and asks:
            peer.raw(peer.head(stream, ("content-length", "0"), status="417", flags=END_HEADERS | END_STREAM))
    elif kind == "goaway":
        if what == "below":
            if first_time(path):
                peer.raw(goaway(max(0, stream - 2), 0))
            else:
                peer.answer(stream)
        elif what == "all":
            if first_time(path):
                peer.raw(goaway(0, 0))
                peer.close()
            else:
                peer.answer(stream)
        elif what == "answered":
            peer.raw(goaway(stream, 0))
            peer.answer(stream)
        elif what == "error":
            peer.raw(goaway(stream, 1))
            peer.close()
        elif what == "calm":
            peer.raw(goaway(stream, 11))
            peer.close()
        elif what == "inside":
            peer.raw(peer.head(stream), frame(DATA, 0, stream, b"12345"), goaway(stream, 2))
            peer.close()
    elif kind == "close":
        if what == "head":
            peer.close()
        elif what == "body":
            peer.raw(peer.head(stream))
            peer.close()
        elif what == "inside":
            peer.raw(peer.head(stream), frame(DATA, 0, stream, b"12345"))
            peer.close()
        elif what == "frame":
            peer.raw(peer.head(stream), frame(DATA, END_STREAM, stream, b"1" * 1000)[:500])
            peer.close()
    elif kind == "overflow":
        if what == "stream":
            peer.raw(peer.head(stream), *[frame(DATA, 0, stream, b"x" * 16384)] * 64)
        elif what == "window":
            peer.raw(window(stream, 0x7FFFFFFF))
        elif what == "connection":
            peer.raw(window(0, 0x7FFFFFFF))
        elif what == "settings":
            peer.raw(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0x80000000)))
        elif what == "zero":
            peer.raw(window(stream, 0))
        elif what == "zero-connection":
            peer.raw(window(0, 0))
    elif kind == "frame":
        peer.raw({
            "large": lambda: frame(DATA, 0, stream, b"x" * 20000),
            "short-ping": lambda: frame(PING, 0, 0, b"1234567"),
            "odd-settings": lambda: frame(SETTINGS, 0, 0, b"12345"),
            "settings-on-stream": lambda: frame(SETTINGS, 0, stream, b""),
            "headers-on-none": lambda: frame(HEADERS, END_HEADERS, 0, b"\x88"),
            "data-on-idle": lambda: frame(DATA, 0, stream + 1000, b"x"),
            "headers-on-idle": lambda: frame(HEADERS, END_HEADERS, stream + 1000, b"\x88"),
            "even-stream": lambda: frame(HEADERS, END_HEADERS, 2, b"\x88"),
            "reset-idle": lambda: rst(stream + 1000, 8),
            "push": lambda: frame(PUSH, END_HEADERS, stream, struct.pack(">I", 2) + b"\x82"),
            "continuation": lambda: frame(CONTINUATION, END_HEADERS, stream, b"\x88"),
            "push-on": lambda: frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 1)),
            "push-odd": lambda: frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 2)),
            "push-off": lambda: frame(SETTINGS, 0, 0, struct.pack(">HI", 2, 0)) + peer.head(stream)
            + frame(DATA, END_STREAM, stream, b"ok"),
            "interrupted": lambda: frame(HEADERS, 0, stream, b"\x88") + frame(PING, 0, 0, b"12345678"),
            "padding": lambda: frame(DATA, 8, stream, b"\xff1234"),
            "bad-fields": lambda: frame(HEADERS, END_HEADERS, stream, b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
            "bomb": lambda: frame(HEADERS, END_HEADERS, stream, b"\x88" + b"\x40\x01a\x7f\xa1\x1e" + b"y" * 4000
                                  + b"\xbe" * 12000),
            "garbage": lambda: bytes(range(256)) * 40,
            "http1": lambda: b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
            "unknown": lambda: frame(200, 255, stream, b"whatever") + peer.head(stream)
            + frame(DATA, END_STREAM, stream, b"ok"),
            "data-first": lambda: frame(DATA, END_STREAM, stream, b"before the head"),
            "padding-alone": lambda: peer.head(stream) + frame(DATA, 8, stream, b"\xff" + b"\0" * 255) * 400
            + frame(DATA, END_STREAM, stream, b"ok"),
            "padded": lambda: frame(HEADERS, END_HEADERS | 8 | 32, stream, b"\x05" + b"\0" * 5 + b"\x88" + b"\0" * 5)
            + frame(DATA, 8, stream, b"\x03o\0\0\0") + frame(DATA, END_STREAM | 8, stream, b"\x03k\0\0\0"),
        }[what]())
    elif kind == "fields":
        peer.raw({
            "uppercase": lambda: peer.head(stream, ("X-Upper", "1"), flags=END_HEADERS | END_STREAM),
            "connection": lambda: peer.head(stream, ("connection", "close"), flags=END_HEADERS | END_STREAM),
            "chunked": lambda: peer.head(stream, ("transfer-encoding", "chunked"), flags=END_HEADERS | END_STREAM),
            "no-status": lambda: frame(
                HEADERS, END_HEADERS | END_STREAM, stream, peer.fields(("server", "none"))),
            "two-status": lambda: peer.head(stream, (":status", "200"), flags=END_HEADERS | END_STREAM),
            "late-status": lambda: frame(
                HEADERS, END_HEADERS | END_STREAM, stream, peer.fields(("server", "none"), (":status", "200"))),
            "bad-status": lambda: peer.head(stream, status="2000", flags=END_HEADERS | END_STREAM),
            "switching": lambda: peer.head(stream, status="101", flags=END_HEADERS | END_STREAM),
            "interim-end": lambda: peer.head(stream, status="103", flags=END_HEADERS | END_STREAM),
            "control": lambda: peer.head(stream, ("x-bad", "a\r\nb"), flags=END_HEADERS | END_STREAM),
            "control-kept": lambda: peer.head(stream, ("x-odd", "a\x1b\x7fb")) + frame(DATA, END_STREAM, stream, b"ok"),
            "blank-first": lambda: peer.head(stream, ("x-bad", " v"), flags=END_HEADERS | END_STREAM),
            "blank-last": lambda: peer.head(stream, ("x-bad", "v "), flags=END_HEADERS | END_STREAM),
            "tab-first": lambda: peer.head(stream, ("x-bad", "\tv"), flags=END_HEADERS | END_STREAM),
            "tab-last": lambda: peer.head(stream, ("x-bad", "v\t"), flags=END_HEADERS | END_STREAM),
            "blank-alone": lambda: peer.head(stream, ("x-bad", " "), flags=END_HEADERS | END_STREAM),
            "blank-length": lambda: peer.head(stream, ("content-length", " 2")) + frame(DATA, END_STREAM, stream, b"ok"),
            "blank-trailer": lambda: peer.head(stream) + frame(DATA, 0, stream, b"ok") + frame(
                HEADERS, END_HEADERS | END_STREAM, stream, peer.fields(("x-bad", "v "))),
            "no-content": lambda: peer.head(stream, status="204") + frame(DATA, END_STREAM, stream, b"boo"),
            "no-content-length": lambda: peer.head(stream, ("content-length", "3"), status="204")
            + frame(DATA, END_STREAM, stream, b"boo"),
            "not-modified": lambda: peer.head(stream, status="304") + frame(DATA, END_STREAM, stream, b"boo"),
            "second-head": lambda: peer.head(stream) + peer.head(stream),
            "many": lambda: blocks(peer, stream, peer.fields(
                (":status", "200"), *[(f"x-{n}", str(n)) for n in range(400)])),
            "huge": lambda: blocks(peer, stream, peer.fields(
                (":status", "200"), *[(f"x-{n}", "v" * 1000) for n in range(100)])),
            "long-length": lambda: peer.head(stream, ("content-length", "10")) + frame(DATA, END_STREAM, stream, b"ok"),
            "short-length": lambda: peer.head(stream, ("content-length", "1")) + frame(DATA, END_STREAM, stream, b"ok"),
            "no-body": lambda: peer.head(stream, ("content-length", "9"), flags=END_HEADERS | END_STREAM),
            "two-lengths": lambda: peer.head(stream, ("content-length", "2"), ("content-length", "3"))
            + frame(DATA, END_STREAM, stream, b"ok"),
            "length-twice": lambda: peer.head(stream, ("content-length", "2"), ("content-length", "2"))
            + frame(DATA, END_STREAM, stream, b"ok"),
        }[what]())
    elif kind == "flood":
        flood(peer, stream, what)
    elif kind == "random":
        peer.raw(*scribble(peer, stream, random.Random(path)))
        peer.close()
    elif kind == "unread":
        peer.raw(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0)))
    elif kind == "silent":
        peer.is_deaf = True
    elif kind == "settings":
        if what == "one-stream":
            peer.raw(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 1)))
        elif what == "no-table":
            peer.raw(frame(SETTINGS, 0, 0, struct.pack(">HI", 1, 0)))
        elif what == "more-streams":
            peer.raw(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 1)), frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 50)))


def release(path):
    """Returns the connection windows that uploads to /hoard/NAME have used, for /release/NAME."""
    kept = []
    with lock:
        for key in [key for key in hoards if key[0].removeprefix("/hoard") == path.removeprefix("/release")]:
            kept.append((key[1], hoards.pop(key)))
    for peer, size in kept:
        # In another thread, since two connections that release each other would deadlock.
        threading.Thread(target=give_back, args=(peer, size), daemon=True).start()


def give_back(peer, size):
    with peer.turn:
        peer.conn.increment_flow_control_window(size)
        try:
            peer.flush()
        except OSError:
            pass


def blocks(peer, stream, block):
    """Returns a large field block in frames of 16 KiB, and the end of the stream."""
    pieces = [block[at:at + 16384] for at in range(0, len(block), 16384)]
    frames = []
    for number, piece in enumerate(pieces):
        flags = END_HEADERS if number == len(pieces) - 1 else 0
        frames.append(frame(CONTINUATION if number else HEADERS, flags | (0 if number else END_STREAM), stream, piece))
    return b"".join(frames)


def scribble(peer, stream, dice):
    """Yields frames of all types, mostly for the stream, some of them valid."""
    yield peer.head(stream) if dice.random() < 0.7 else b""
    for _ in range(dice.randrange(1, 40)):
        kind = dice.choice([DATA, DATA, HEADERS, PRIORITY, RST, SETTINGS, PING, GOAWAY, WINDOW, CONTINUATION, 77])
        size = {RST: 4, WINDOW: 4, PING: 8, SETTINGS: 6 * dice.randrange(4), GOAWAY: 8, PRIORITY: 5}.get(
            kind, dice.randrange(60))
        if dice.random() < 0.05:
            size = dice.randrange(20000)
        about = 0 if kind in (SETTINGS, PING, GOAWAY) else dice.choice([stream] * 8 + [0, 1, stream + 2, 2])
        body = bytes(dice.randrange(256) if dice.random() < 0.3 else dice.randrange(3) for _ in range(size))
        yield frame(kind, dice.choice([0, 0, END_STREAM, END_HEADERS, 5, 8, 0x2D]), about, body)
    yield bytes(dice.randrange(256) for _ in range(dice.randrange(20)))


def flood(peer, stream, what):
    one = {
        "ping": lambda: frame(PING, 0, 0, b"12345678"),
        "ping-answers": lambda: frame(PING, ACK, 0, b"12345678"),
        "settings": lambda: frame(SETTINGS, 0, 0, b""),
        "settings-answers": lambda: frame(SETTINGS, ACK, 0, b""),
        "empty-data": lambda: frame(DATA, 0, stream, b""),
        "empty-ends": lambda: frame(DATA, END_STREAM, 1, b""),
        "continuation": lambda: frame(CONTINUATION, 0, stream, b""),
        "resets": lambda: rst(1, 8),
        "windows": lambda: window(0, 1),
        "priorities": lambda: frame(PRIORITY, 0, stream, b"\0" * 5),
        "unknown": lambda: frame(99, 0, 0, b""),
        "interim": lambda: peer.head(stream, status="103"),
    }[what]
    if what == "empty-data":
        peer.raw(peer.head(stream))
    if what == "continuation":
        peer.raw(frame(HEADERS, 0, stream, b"\x88"))
    for _ in range(200):
        peer.raw(b"".join(one() for _ in range(100)))


def end(peer, stream, path):
    """Handles the end of a request."""
    kind = path.split("?")[0].strip("/").split("/")[0]
    if kind == "stream-echo":
        peer.whole.add(stream)
    elif kind == "release":
        release(path)
        peer.answer(stream)
    elif kind in ("ok", "echo", "settings", "hoard"):
        peer.answer(stream, f"{peer.sizes[stream]}".encode() if kind == "echo" else b"ok")
    elif kind == "seen":
        with lock:
            peer.answer(stream, json.dumps(seen).encode())
    elif kind == "told":
        peer.answer(stream, json.dumps(peer.fields_of[stream]).encode())
    elif kind == "continue":
        asks = "expect" in peer.fields_of[stream]
        if path != "/continue/refused" and not (asks and path == "/continue/unexpected"):
            peer.answer(stream, f"{peer.sizes[stream]} {'asked' if asks else 'unasked'}".encode())
    elif kind == "interim":
        peer.raw(peer.head(stream, ("link", "</a.css>; rel=preload"), status="103"))
        peer.answer(stream)
    elif kind == "trailers":
        peer.raw(peer.head(stream), frame(DATA, 0, stream, b"ok"), frame(
            HEADERS, END_HEADERS | END_STREAM, stream, peer.fields(("x-checksum", "abc"))))
    elif kind == "bodiless":
        peer.raw({
            "/bodiless/no-content": lambda: peer.head(stream, status="204") + frame(DATA, END_STREAM, stream, b""),
            "/bodiless/no-content-length": lambda: peer.head(
                stream, ("content-length", "3"), status="204", flags=END_HEADERS | END_STREAM),
            # The server must not send this body; it is framed like any other, and no rule makes a client refuse it.
            "/bodiless/reset-content": lambda: peer.head(stream, status="205") + frame(DATA, END_STREAM, stream, b"boo"),
            # Requested by HEAD only.
            "/bodiless/head": lambda: peer.head(stream) + frame(DATA, END_STREAM, stream, b"boo"),
        }[path]())
    elif kind == "empty":
        peer.raw(peer.head(stream, status="204", flags=END_HEADERS | END_STREAM))
    elif kind == "drip":
        peer.raw(peer.head(stream), *[frame(DATA, 0, stream, b"x")] * 2000, frame(DATA, END_STREAM, stream, b"x"))


def serve_http1(sock):
    file = sock.makefile("rb")
    while line := file.readline():
        length = 0
        while (field := file.readline().strip().lower()):
            if field.startswith(b"content-length:"):
                length = int(field.split(b":")[1])
        file.read(length)
        with lock:
            seen[f"http/1.1 {line.split()[1].decode()}"] += 1
        sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nover http1.1")


def serve(sock, context):
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            sock = context.wrap_socket(sock, server_side=True)
            if sock.selected_alpn_protocol() == "http/1.1":
                return serve_http1(sock)
        elif sock.recv(3, socket.MSG_PEEK) != b"PRI":
            sock.recv(65536)
            sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        with lock:
            seen["connections"] += 1
        Peer(sock).run()
    except (OSError, Gone, h2.exceptions.H2Error):
        pass
    finally:
        try:
            sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        sock.close()


def listen(port, context):
    listener = socket.create_server(("127.0.0.1", port), backlog=256)

    def accept():
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=serve, args=(sock, context), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    return thread


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    context.set_alpn_protocols(["h2", "http/1.1"])
    listen(int(sys.argv[1]), context)
    listen(int(sys.argv[2]), None).join()


main()
