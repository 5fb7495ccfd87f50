"""Servers that speak TLS correctly or incorrectly, one port per variant.

    tls.py PORT FOLDER

answers on PORT, in cleartext, with JSON of the ports by name; FOLDER has the files of certificates.py. Each of the
ports answers any request with JSON of its handshake: the requested name, the version, the client's certificate.
"""
import http.server
import json
import pathlib
import socket
import ssl
import sys
import threading

folder = pathlib.Path(sys.argv[2])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        connection = self.connection
        certificate = connection.getpeercert() if isinstance(connection, ssl.SSLSocket) else None
        subject = dict(pair[0] for pair in certificate["subject"])["commonName"] if certificate else None
        self.answer({
            "sni": getattr(connection, "asked", None),
            "version": connection.version(),
            "cipher": connection.cipher()[0],
            "protocol": connection.selected_alpn_protocol(),
            "client": subject,
        })

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, context):
        self.context = context
        # The numbers of completed and failed handshakes.
        self.completed, self.failed = 0, 0
        super().__init__(("127.0.0.1", 0), Handler)

    def process_request_thread(self, request, address):
        try:
            request = self.context.wrap_socket(request, server_side=True)
        except (ssl.SSLError, OSError):
            request.close()
            self.failed += 1
            return
        self.completed += 1
        super().process_request_thread(request, address)

    def handle_error(self, *_):
        pass


def context(name, oldest=ssl.TLSVersion.TLSv1_2, newest=ssl.TLSVersion.TLSv1_3, clients=None, protocols=("http/1.1",)):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Some of the ports exist for weak or old settings.
    made.set_ciphers("ALL:@SECLEVEL=0")
    made.minimum_version, made.maximum_version = oldest, newest
    made.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    made.set_alpn_protocols(list(protocols))
    made.sni_callback = lambda connection, asked, _: setattr(connection, "asked", asked)
    if clients:
        made.verify_mode = ssl.CERT_REQUIRED if clients == "required" else ssl.CERT_OPTIONAL
        made.load_verify_locations(folder / "root.pem")
    return made


def plain(answer):
    """Starts a server that does not speak TLS, and returns its port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            connection, _ = listener.accept()
            connection.recv(1024)
            connection.sendall(answer)
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


TLS = ssl.TLSVersion
contexts = {name: context(name) for name in (
    "good", "expired", "notyet", "wronghost", "missing", "usage", "weak", "sha1", "sha1middle", "oldmiddle", "stranger",
    "selfsigned", "named", "demanded", "unmet", "othermet", "met", "metlater", "needless", "anymet", "anyunmet", "renamed",
    "unrenamed", "names", "odd", "wildcard", "underscore", "partial", "wide", "dotted", "commonname", "otherkinds",
    "wildexpired", "wildstranger", "wildselfsigned")}
contexts |= {
    # A connection whose certificate is refused ends in the handshake, so nothing has to speak HTTP/2 after it.
    f"{name}h2": context(name, protocols=("h2", "http/1.1")) for name in (
        "wronghost", "partial", "commonname", "wildexpired", "wildstranger", "wildselfsigned")}
contexts |= {
    "tls11": context("good", TLS.TLSv1_1, TLS.TLSv1_1),
    "tls12": context("good", TLS.TLSv1_2, TLS.TLSv1_2),
    "tls13": context("good", TLS.TLSv1_3, TLS.TLSv1_3),
    # Their certificates are for another host; a client that continued would reveal its own certificate.
    "client12wrong": context("wronghost", TLS.TLSv1_2, TLS.TLSv1_2, clients="required"),
    "client13wrong": context("wronghost", TLS.TLSv1_3, TLS.TLSv1_3, clients="required"),
    "client12": context("good", TLS.TLSv1_2, TLS.TLSv1_2, clients="required"),
    "client13": context("good", TLS.TLSv1_3, TLS.TLSv1_3, clients="required"),
    "client13h2": context("good", TLS.TLSv1_3, TLS.TLSv1_3, clients="required", protocols=("h2", "http/1.1")),
    "optional": context("good", clients="optional"),
}
ports = {}
servers = {}
for title, made in contexts.items():
    server = Server(made)
    ports[title] = server.server_address[1]
    servers[title] = server
    threading.Thread(target=server.serve_forever, daemon=True).start()
ports["garbage"] = plain(b"HTTP/1.1 400 Bad Request\r\n\r\n")
ports["silent"] = plain(b"")


class Index(Handler):
    def do_GET(self):
        self.answer({
            "ports": ports, "pins": json.loads((folder / "pins.json").read_text()), "folder": str(folder),
            "completed": {title: server.completed for title, server in servers.items()},
            "failed": {title: server.failed for title, server in servers.items()},
        })


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Index).serve_forever()
