"""A server for rare features: protocol upgrades, compressed request bodies, Unix sockets.

    wire.py PORT FOLDER SOCKETS

answers on PORT. GET / returns the other addresses as JSON: the same server over TLS (with the certificates in FOLDER),
and on Unix sockets in SOCKETS, in cleartext and over TLS. GET /echo with "Upgrade: echo" switches to a protocol that
echoes each byte in uppercase, and sends "HELLO " in the packet of the response. POST /body returns the facts of the
received body.
"""
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import socketserver
import ssl
import sys
import threading
import zlib

folder, sockets = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
places = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = False

    def do_GET(self):
        if self.path == "/echo" and self.headers.get("Upgrade") == "echo":
            return self.echo()
        self.answer({"places": places, "headers": dict(self.headers), "path": self.path})

    def echo(self):
        if self.headers.get("Connection") != "Upgrade":
            return self.answer({"fault": "no Connection: Upgrade"}, 400)
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nHELLO ")
        self.close_connection = True
        while data := self.connection.recv(65536):
            self.wfile.write(data.upper())

    def do_POST(self):
        chunks = []
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline().split(b";")[0], 16):
                chunks.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
        else:
            chunks.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        raw = b"".join(chunks)
        coding = self.headers.get("Content-Encoding")
        plain = {"gzip": gzip.decompress, "deflate": zlib.decompress}.get(coding, bytes)(raw)
        self.answer({
            "coding": self.headers.get_all("Content-Encoding") or [],
            "length": self.headers.get("Content-Length"),
            "transfer": self.headers.get("Transfer-Encoding"),
            "type": self.headers.get("Content-Type"),
            "raw": len(raw),
            "plain": len(plain),
            "sha256": hashlib.sha256(plain).hexdigest(),
        })

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self):
        return "peer"

    def log_message(self, *_):
        pass


class Secure:
    """Wraps accepted connections in TLS, in the thread of the connection."""

    def process_request_thread(self, request, address):
        try:
            request = self.context.wrap_socket(request, server_side=True)
        except (ssl.SSLError, OSError):
            request.close()
            return
        super().process_request_thread(request, address)

    def handle_error(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


class SecureServer(Secure, Server):
    pass


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


class SecureUnixServer(Secure, UnixServer):
    pass


def speaking(*protocols):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(folder / "good.pem", folder / "good.key")
    made.set_alpn_protocols(list(protocols))
    return made


class OfferingServer(SecureServer):
    """Offers HTTP/2 without speaking it: for clients that must not choose it."""


Secure.context = speaking("http/1.1")
OfferingServer.context = speaking("h2", "http/1.1")


def run(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address


places["tls"] = run(SecureServer(("127.0.0.1", 0), Handler))[1]
places["offering"] = run(OfferingServer(("127.0.0.1", 0), Handler))[1]
places["root"] = str(folder / "root.pem")
for name, kind in {"plain": UnixServer, "secure": SecureUnixServer}.items():
    places[name] = str(sockets / f"{name} wire.sock")
    run(kind(places[name], Handler))
    os.chmod(places[name], 0o666)

Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
