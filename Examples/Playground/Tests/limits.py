# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The limits of the Playground, and the removal of its files. Parts of browser.py."""
import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile

from sockets import failed, heard, since

AT_A_TIME = 4  # Uploads; UploadStorage.limit.
LARGEST = 256 * 1024 * 1024  # In bytes; UploadStorage.largest.


@contextlib.contextmanager
def sender(playground, length, sent, query=""):
    """A client that announces a length, sends part of it, and stays connected."""
    host = playground.url.removeprefix("http://")
    name, port = host.rsplit(":", 1)
    with socket.create_connection((name, int(port))) as connection:
        connection.settimeout(60)
        head = f"POST /api/upload?name=half.bin{query} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(head.encode() + bytes(sent))
        yield connection


def answered(connection):
    """Returns the status of the response."""
    return int(connection.makefile("rb").readline().split()[1])


def uploads(person, playground, folder):
    """The number of uploads is limited, and the file of an upload is removed at its end, whatever that is."""
    kept = lambda: os.listdir(pathlib.Path(folder) / ".uploads")
    assert not kept(), f"a finished upload left its file: {kept()}"
    for length, status in [(LARGEST + 1, 413), (10 ** 12, 413), (-1, 400), (10 ** 30, 400)]:
        with sender(playground, length, 0) as connection:
            said = answered(connection)
            assert said == status, f"{length} bytes are answered with {said}"
    with sender(playground, 10, 10, "&base=http://127.0.0.1:1") as connection:
        assert answered(connection) == 200, "a complete upload is refused"
    person.wait(lambda: not kept(), "the file of the failed upload to be removed")
    file = pathlib.Path(folder) / "small.bin"
    file.write_bytes(b"thirty birds")
    person.tab("upload")
    person.one("#upload-file").send_keys(str(file))
    with contextlib.ExitStack() as senders:
        for _ in range(AT_A_TIME):
            senders.enter_context(sender(playground, 1000, 500))
        person.wait(lambda: len(kept()) == AT_A_TIME, "the uploads to begin")
        person.press("#upload-form button")
        failed(person, "#upload-status", f"takes {AT_A_TIME} files at a time")
    person.wait(lambda: not kept(), "the files of disconnected clients to be removed")
    person.press("#upload-form button")
    person.wait_for("#upload-status", "small.bin arrived: 12 B.")
    person.wait(lambda: not kept(), "the file to be removed after the upload")
    # The same if the file is stored, and the server it is uploaded to does not answer.
    with socket.create_server(("127.0.0.1", 0)) as mute:
        base = f"&base=http://127.0.0.1:{mute.getsockname()[1]}"
        with sender(playground, 1000, 1000, base) as connection:
            assert answered(connection) == 200, "the running upload is not reported"
            assert len(kept()) == 1, f"the file was removed before it was sent: {kept()}"
        person.wait(lambda: not kept(), "the file to be removed when the client disconnects")
    with sender(playground, 1000, 500):
        person.wait(lambda: kept(), "an upload to begin")
        playground.kill()
    assert kept(), "no file is left to test the removal"
    playground.start()
    assert not kept(), f"the next process keeps the files of the previous one: {kept()}"
    person.open()


def pages(person):
    """Two pages of one browser share its connections: a stream too many is refused with a message, and calls work."""
    crowded = "this browser has 4 open streams"
    first = person.driver.current_window_handle
    person.open()
    person.tab("realtime")
    person.press("#socket-open")
    person.wait_for("#socket-status", "The connection: connected")
    person.tab("subscription")
    for symbol in ("btcusdt", "ethusdt"):
        person.press(f"#trade-{symbol}")
    person.wait_for("#trade-status", "Subscribed to BTC/USDT and ETH/USDT.")
    person.tab("network")
    person.wait_for("#network-facts", "VPN in use")
    person.driver.switch_to.new_window("window")
    try:
        person.open()
        person.tab("subscription")
        news = since(person, "#trade-log")
        # The first page may be hidden, and has closed one stream then.
        for symbol in ("btcusdt", "ethusdt"):
            person.press(f"#trade-{symbol}")
        heard(person, news, crowded)
        person.tab("posts")
        person.press("#load-posts")
        person.wait_for("#posts-status", "posts in")
    finally:
        person.driver.close()
        person.driver.switch_to.window(first)
    # The streams of a closed page are released.
    person.tab("network")
    person.wait(lambda: person.text("#network-status") != "Loading…", "the network status")
    person.tab("downloads")
    person.tab("subscription")
    for symbol in ("btcusdt", "ethusdt"):
        person.press(f"#trade-{symbol}")
    person.wait_for("#trade-status", "No subscriptions")
    person.tab("realtime")
    person.press("#socket-close")
    person.wait_for("#socket-status", "The connection is closed")


def looked_at(person):
    """The stream of a hidden panel is closed, and opened again with the panel, whatever the URL's fragment is."""
    person.open()
    run = person.driver.execute_script
    held = lambda: run("return navigator.locks.query().then((all) => all.held.length)")
    run("""
        window.hide = (hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
    for name in ("network", "downloads"):
        person.tab(name)
        person.wait(lambda: held() == 1, f"the stream of {name} to be open")
        # Like the link to the content.
        run("location.hash = 'panels'")
        run("hide(true)")
        person.wait(lambda: held() == 0, f"the stream of {name} to be closed with its page")
        run("hide(false)")
        person.wait(lambda: held() == 1, f"the stream of {name} to be open again with its page")
    # An action completes after another panel was chosen.
    run("""
        const ask = window.fetch;
        window.fetch = async (...wanted) => {
          window.fetch = ask;
          const answer = await ask(...wanted);
          document.getElementById("tab-posts").click();
          return answer;
        };
        // Without completed downloads it is off.
        document.getElementById("clear").disabled = false;
        document.getElementById("clear").click();
        """)
    person.wait(lambda: person.one("#posts").is_displayed(), "the action to be done")
    person.press("#load-posts")
    person.wait_for("#posts-status", "posts in")
    assert held() == 0, "the stream of the hidden downloads is open"
    run("delete document.hidden")


def leftovers(program):
    """The temporary folder: that of a killed process is removed by the next one."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as running:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PLAYGROUND_")}
        environment["TMPDIR"] = folder
        folders = lambda: {name for name in os.listdir(folder) if name.startswith("simorgh-playground-")}

        def start():
            before = folders()
            process = subprocess.Popen([program], env=environment, stdout=subprocess.PIPE, text=True)
            running.callback(process.wait)
            running.callback(process.kill)
            line = process.stdout.readline()
            assert line.startswith("Playground: http://"), f"unexpected first line {line!r}"
            new = folders() - before
            assert len(new) == 1, f"new folders: {new}"
            return process, new

        first, of_first = start()
        second, of_second = start()
        assert folders() == of_first | of_second, "a running process lost its folder"
        first.kill()
        first.wait()
        assert folders() == of_first | of_second, "no file is left to test the removal"
        third, of_third = start()
        assert folders() == of_second | of_third, f"the folder of the killed process stays: {folders()}"
        for process in (second, third):
            process.terminate()
            assert process.wait() == 0, "SIGTERM did not end it"
        assert not folders(), f"a process that ended leaves {folders()}"
