# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The page with another server, which has only posts and uploads, and with an unreachable one. A part of browser.py."""
import http.server
import json
import pathlib
import threading

POSTS = [{"id": 1, "title": "A bird from elsewhere", "body": "It came from another server."}]


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A server with posts, with uploads that wait for an event, and nothing else."""

    takes = threading.Event()
    # Set when the reader of the endless stream has disconnected.
    is_left = threading.Event()

    def do_POST(self):
        left = int(self.headers["Content-Length"])
        Elsewhere.takes.wait()
        while left > 0:
            left -= len(self.rfile.read(min(left, 1024 * 1024))) or left
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_HEAD(self):
        self.answer(with_body=False)

    def do_GET(self):
        if self.path == "/tokens":
            self.tokens()
        else:
            self.answer(with_body=True)

    def tokens(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()
        try:
            while not Elsewhere.is_left.wait(0.02):
                self.wfile.write(b'{"index": 0, "token": "bird"}\n')
        except ConnectionError:
            Elsewhere.is_left.set()

    def answer(self, with_body):
        has = self.path == "/posts"
        body = json.dumps(POSTS).encode() if has else b"{}"
        self.send_response(200 if has else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def refused(person, status):
    """An unreachable server is shown as a failure with its reason."""
    person.wait_for(status, "refused")
    assert "bad" in person.one(status).get_attribute("class").split(), f"{status} does not look like a failure"


def stopped(person):
    """Stopping an endless stream, or choosing another tab, closes its connection."""
    person.tab("stream")
    for stop in ("#stream-stop", "#tab-posts"):
        Elsewhere.is_left.clear()
        person.press("#stream-lines")
        person.wait_for("#stream-text", "bird bird bird")
        assert not Elsewhere.is_left.is_set(), "the stream has no reader"
        person.press(stop)
        assert Elsewhere.is_left.wait(60), f"{stop}: the connection is still open"
        person.press("#tab-stream")
        assert person.text("#stream-status") == "Stopped.", person.text("#stream-status")


def elsewhere(person, folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}"
    try:
        person.press("#elsewhere summary")
        person.write("#base", home)
        person.tab("posts")
        person.press("#load-posts")
        person.wait_for("#posts-list", "A bird from elsewhere")
        person.wait_for("#posts-status", "1 post in")
        # A download that does not exist fails at once, with the status of the server.
        person.tab("downloads")
        person.write("#other-url", f"{home}/gone.bin")
        person.press("#catalogue button")
        failed = lambda: [
            item for item in person.all("#downloads-list > li[data-state=failed]") if "gone.bin" in item.text]
        person.wait(lambda: failed(), "the download to fail")
        assert "404" in failed()[0].text, f"the reason is not shown: {failed()[0].text}"
        failed()[0].find_element("css selector", "[data-do=cancel]").click()
        person.wait(lambda: not person.all("#downloads-list > li"), "the list to be empty")
        person.one("#other-url").clear()
        # More than the socket buffers of a server that does not read: the progress stays between 0 and 1.
        person.tab("upload")
        file = pathlib.Path(folder) / "large.bin"
        file.write_bytes(bytes(32 * 1024 * 1024))
        person.one("#upload-file").send_keys(str(file))
        person.press("#upload-form button")
        share = lambda: float(person.one("#upload-progress").get_attribute("value"))
        person.wait(lambda: 0 < share() < 1 and "% sent" in person.text("#upload-status"), "a part of it to be sent")
        person.picture("upload-on-its-way")
        Elsewhere.takes.set()
        person.wait_for("#upload-status", "large.bin arrived: 32.0 MB.")
        assert share() == 1, f"it has arrived, and the bar shows {share()}"
        stopped(person)
    finally:
        Elsewhere.takes.set()
        Elsewhere.is_left.set()
        server.shutdown()
        server.server_close()
    person.write("#base", "http://127.0.0.1:1")
    person.tab("stream")
    for kind in ("lines", "events"):
        person.press(f"#stream-{kind}")
        refused(person, "#stream-status")
        # Stop has no effect, and the reason stays visible.
        person.press("#stream-stop")
        refused(person, "#stream-status")
    person.tab("upload")
    file = pathlib.Path(folder) / "refused.bin"
    file.write_bytes(b"thirty birds")
    person.one("#upload-file").send_keys(str(file))
    person.press("#upload-form button")
    refused(person, "#upload-status")
    person.one("#base").clear()
    person.press("#elsewhere summary")
