# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""How much the Playground takes, and that it leaves nothing behind. Parts of browser.py."""
import contextlib
import os
import pathlib
import socket
import subprocess
import tempfile

from sockets import failed, heard, since

AT_A_TIME = 4  # Uploads; UploadTray.limit.
LARGEST = 256 * 1024 * 1024  # In bytes; UploadTray.largest.


@contextlib.contextmanager
def sender(playground, length, sent, query=""):
    """A browser that says how long its file is, sends so much of it, and stays."""
    host = playground.url.removeprefix("http://")
    name, port = host.rsplit(":", 1)
    with socket.create_connection((name, int(port))) as connection:
        connection.settimeout(60)
        head = f"POST /api/upload?name=half.bin{query} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n"
        connection.sendall(head.encode() + bytes(sent))
        yield connection


def answered(connection):
    """The status of what comes."""
    return int(connection.makefile("rb").readline().split()[1])


def uploads(person, playground, folder):
    """Only so many at a time; and the file of an upload goes with the upload, however that ends."""
    kept = lambda: os.listdir(pathlib.Path(folder) / ".uploads")
    assert not kept(), f"an upload that is over left its file: {kept()}"
    for length, status in [(LARGEST + 1, 413), (10 ** 12, 413), (-1, 400), (10 ** 30, 400)]:
        with sender(playground, length, 0) as connection:
            said = answered(connection)
            assert said == status, f"{length} bytes are answered with {said}"
    with sender(playground, 10, 10, "&base=http://127.0.0.1:1") as connection:
        assert answered(connection) == 200, "what was sent whole is not taken"
    person.wait(lambda: not kept(), "an upload that fails to go")
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
    person.wait(lambda: not kept(), "the files of those that went away to go")
    person.press("#upload-form button")
    person.wait_for("#upload-status", "small.bin arrived: 12 B.")
    person.wait(lambda: not kept(), "the file to go when it was sent")
    # The same where the file is here, and the server that it goes to does not answer.
    with socket.create_server(("127.0.0.1", 0)) as mute:
        base = f"&base=http://127.0.0.1:{mute.getsockname()[1]}"
        with sender(playground, 1000, 1000, base) as connection:
            assert answered(connection) == 200, "what is on its way is not told"
            assert len(kept()) == 1, f"the file is gone before it was sent: {kept()}"
        person.wait(lambda: not kept(), "the file to go with the browser")
    with sender(playground, 1000, 500):
        person.wait(lambda: kept(), "an upload to begin")
        playground.kill()
    assert kept(), "nothing is left that could be removed"
    playground.start()
    assert not kept(), f"the next process keeps what the one before it left: {kept()}"
    person.open()


def pages(person):
    """Two pages of one browser have its connections together: what is too much is told, and calls are answered."""
    crowded = "this browser listens to as much as it can"
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
        # The first page may be hidden, and has let go of one then.
        for symbol in ("btcusdt", "ethusdt"):
            person.press(f"#trade-{symbol}")
        heard(person, news, crowded)
        person.tab("posts")
        person.press("#load-posts")
        person.wait_for("#posts-status", "posts in")
    finally:
        person.driver.close()
        person.driver.switch_to.window(first)
    # What another page had is free when the page is gone.
    person.tab("network")
    person.wait(lambda: person.text("#network-status") != "Asking…", "the network to be told")
    person.tab("downloads")
    person.tab("subscription")
    for symbol in ("btcusdt", "ethusdt"):
        person.press(f"#trade-{symbol}")
    person.wait_for("#trade-status", "Nothing is followed")
    person.tab("realtime")
    person.press("#socket-close")
    person.wait_for("#socket-status", "The connection is closed")


def looked_at(person):
    """What nobody looks at is let go; it is there again when somebody does, wherever in the page they were."""
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
        person.wait(lambda: held() == 1, f"{name} to be listened to")
        # As the link to the content does.
        run("location.hash = 'panels'")
        run("hide(true)")
        person.wait(lambda: held() == 0, f"{name} to be let go with its page")
        run("hide(false)")
        person.wait(lambda: held() == 1, f"{name} to be there again with its page")
    # What was asked for is done when something else is looked at.
    run("""
        const ask = window.fetch;
        window.fetch = async (...wanted) => {
          window.fetch = ask;
          const answer = await ask(...wanted);
          document.getElementById("tab-posts").click();
          return answer;
        };
        document.getElementById("clear").click();
        """)
    person.wait(lambda: person.one("#posts").is_displayed(), "what was asked for to be done")
    person.press("#load-posts")
    person.wait_for("#posts-status", "posts in")
    assert held() == 0, "somebody listens to downloads that nobody looks at"
    run("delete document.hidden")


def leftovers(program):
    """The folder that goes with the process: one that was killed leaves it to the next, which removes it."""
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
            assert line.startswith("Playground: http://"), f"it said {line!r}"
            new = folders() - before
            assert len(new) == 1, f"it made {new}"
            return process, new

        first, of_first = start()
        second, of_second = start()
        assert folders() == of_first | of_second, "one that runs lost its folder"
        first.kill()
        first.wait()
        assert folders() == of_first | of_second, "nothing is left that could be removed"
        third, of_third = start()
        assert folders() == of_second | of_third, f"the folder of one that was killed stays: {folders()}"
        for process in (second, third):
            process.terminate()
            assert process.wait() == 0, "it did not end as it was told to"
        assert not folders(), f"one that ended leaves {folders()}"
