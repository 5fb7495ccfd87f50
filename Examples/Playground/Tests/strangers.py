# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The refusal of requests from pages of other origins. A part of browser.py."""
import http.client
import http.server
import json
import threading
import urllib.error
import urllib.request


class Stranger(http.server.BaseHTTPRequestHandler):
    """A foreign server with a page; it records its requests."""

    asked = []

    def do_GET(self):
        Stranger.asked.append(self.path)
        body = b"[]" if self.path == "/posts" else b"<!doctype html><title>A stranger</title>"
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if self.path == "/posts" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def status(url, method="GET", **fields):
    """Returns the status of a request with these header fields."""
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    request = urllib.request.Request(url, method=method, headers=headers, data=b"" if method == "POST" else None)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def is_socket(url, **fields):
    """Returns True if a WebSocket opens with these header fields."""
    connection = http.client.HTTPConnection(url.removeprefix("ws://"), timeout=60)
    connection.request("GET", "/echo", headers={
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **fields})
    try:
        return connection.getresponse().status == 101
    except (http.client.HTTPException, ConnectionError):
        return False
    finally:
        connection.close()


def strangers(person, playground):
    """No request of a page of another origin has an effect."""
    settings, drop = playground.url + "/api/settings", playground.url + "/api/socket/drop"
    assert status(settings) == 200 and status(drop, "POST") == 200, "a program that is not a browser is refused"
    assert status(drop, "POST", Origin=playground.url) == 200, "the page itself is refused"
    for fields in [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": playground.url + "0"},
        {"Origin": playground.url.replace("http:", "https:")}, {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"}, {"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"},
    ]:
        assert status(settings, **fields) == 403, f"{fields} may read"
        assert status(drop, "POST", **fields) == 403, f"{fields} may act"
        slashes = settings.replace("/api", "//api")
        assert status(slashes, **fields) == 403, f"{fields} may read with another path"
        assert status(playground.url + "/api/posts", "HEAD", **fields) == 403, f"{fields} may send HEAD"
    assert status(playground.url + "/", Sec_Fetch_Site="cross-site") == 200, "a link to the page is refused"
    # The local servers answer every client, but store no post of a page, and refuse its WebSockets.
    known = json.loads(playground.get("/api/settings"))
    for origin in (playground.url, "http://evil.example", "null"):
        assert status(known["world"] + "/posts", "POST", Origin=origin) == 403, f"{origin} may write posts"
        assert not is_socket(known["sockets"], Origin=origin), f"{origin} can open a WebSocket"
    assert is_socket(known["sockets"]), "a program that is not a browser cannot open a WebSocket"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        home = f"http://127.0.0.1:{server.server_port}"
        path = f"{playground.url}/api/posts?strategy=reload&base={home}"
        playground.get(path.removeprefix(playground.url))
        assert Stranger.asked == ["/posts"], f"a program cannot choose another server: {Stranger.asked}"
        Stranger.asked.clear()
        person.driver.get(home)
        person.driver.execute_async_script("""
            const [url, done] = arguments;
            const image = new Image();
            image.onload = image.onerror = () => fetch(url, { mode: "no-cors" }).then(() => done(), () => done());
            image.src = url;
            """, path)
        assert "/posts" not in Stranger.asked, "a foreign page made the process call its server"
    finally:
        server.shutdown()
        server.server_close()
    person.open()
