#!/usr/bin/env python3
# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""Tests the Playground in a headless Chromium as a user would operate it, and keeps screenshots.

browser.py PROGRAM FOLDER: starts PROGRAM, and puts the screenshots into FOLDER. Needs selenium, chromium and
chromedriver; scripts/playground installs them. No test sleeps: each waits for a text or state of the page.
"""
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

sys.dont_write_bytecode = True
from complaints import FULL, KILLED, REFUSED, STRANGE, complaints
from elsewhere import elsewhere
from inspector import inspector
from limits import leftovers, looked_at, pages, uploads
from looks import colours, keyed, large, narrow, ordered, previews, readable, spoken
from parts import parts
from sockets import realtime, sockets_elsewhere, subscription
from strangers import strangers

PROGRAM, PICTURES = sys.argv[1], pathlib.Path(sys.argv[2])
TABS = pathlib.Path(__file__).resolve().parent.parent / "Sources/playground/Tabs"
PATIENCE = 120  # Seconds; only a wait that fails takes this long.


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


class Playground:
    """The process, which can be killed and restarted with the same ports and folder."""

    def __init__(self, folder):
        self.environment = dict(
            os.environ, PLAYGROUND_PORT=str(free_port()), PLAYGROUND_WORLD_PORT=str(free_port()),
            PLAYGROUND_FOLDER=folder)
        self.start()

    def start(self):
        self.process = subprocess.Popen([PROGRAM], env=self.environment, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("Playground: http://"), f"unexpected first line {line!r}"
        self.url = line.split(": ", 1)[1].strip()

    def second(self, **settings):
        """Returns the result of a second process at the same port, or with other settings."""
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(self.environment, PLAYGROUND_WORLD_PORT="0", PLAYGROUND_FOLDER=folder, **settings)
            return subprocess.run([PROGRAM], env=environment, capture_output=True, text=True, timeout=PATIENCE)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)

    def get(self, path):
        with urllib.request.urlopen(self.url + path) as response:
            return response.read()


class Person:
    """The actions of a user of the page."""

    def __init__(self, playground):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900"):
            options.add_argument(argument)
        # Given explicitly, so that selenium does not search for them on the internet.
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.playground = playground
        self.open()

    def open(self):
        self.driver.get(self.playground.url)
        self.wait(lambda: self.one("body").get_attribute("data-ready") == "yes", "the page to be ready")

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def wait(self, holds, what):
        WebDriverWait(self.driver, PATIENCE, 0.1).until(lambda _: holds(), f"waited for {what}")

    def wait_for(self, selector, words):
        try:
            self.wait(lambda: words in self.text(selector), f"{words!r} in {selector}")
        except Exception as error:
            raise AssertionError(f"{selector} shows {self.text(selector)!r}, not {words!r}") from error

    def press(self, selector):
        self.one(selector).click()

    def write(self, selector, text):
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def tab(self, name):
        self.press(f"#tab-{name}")
        assert self.one(f"#{name}").is_displayed(), f"the panel {name} is hidden"
        self.code(name)

    def code(self, name):
        """The code shown is that between the two marks of the file, and not empty."""
        marked = (TABS / f"{name.capitalize()}Tab.swift").read_text().split("// shown: begin\n", 1)[1]
        code = marked.split("// shown: end", 1)[0].strip("\n")
        assert "struct" in code or "actor" in code, f"the file of {name} shows nothing: {code!r}"
        self.press(f"#{name} details.code summary")
        shown = lambda: self.one(f"#{name} details.code code").get_property("textContent")
        self.wait(lambda: shown() == code, f"the code of {name}")
        assert self.one(f"#{name} details.code pre").is_displayed(), f"the code of {name} is hidden"
        self.press(f"#{name} details.code summary")

    def picture(self, name):
        self.driver.save_screenshot(str(PICTURES / f"{name}.png"))


def posts(person):
    person.tab("posts")
    person.press("#load-posts")
    person.wait_for("#posts-status", "3 posts")
    first = person.text("#posts-status")
    person.press("#load-posts")
    person.wait(lambda: "hit" in person.text("#posts-status"), "an answer of the cache")
    assert "hit" not in first.split("Cache:")[1], f"the first answer came from the cache: {first}"
    person.write("#new-post input[name=title]", "Attar's birds")
    person.write("#new-post textarea", "A poem of 1177.")
    person.press("#new-post button")
    person.wait_for("#posts-status", "Posted as number 4")
    Select(person.one("#strategy")).select_by_value("reload")
    person.press("#load-posts")
    person.wait_for("#posts-list", "Attar's birds")
    person.picture("posts")
    # A refusal of the server, and a server that cannot be reached, are shown as text.
    person.press("#new-post button")
    person.wait_for("#posts-status", "a post needs a title")
    person.press("#elsewhere summary")
    person.write("#base", "http://127.0.0.1:1")
    person.press("#load-posts")
    person.wait_for("#posts-status", "refused")
    person.one("#base").clear()
    person.press("#elsewhere summary")


def row(person, name):
    for item in person.all("#downloads-list > li"):
        if item.find_element(By.TAG_NAME, "h3").text == name:
            return item
    raise AssertionError(f"{name} is not in the list")


def state(person, name):
    return row(person, name).get_attribute("data-state")


def do(person, name, action):
    row(person, name).find_element(By.CSS_SELECTOR, f"[data-do={action}]").click()


def same_bytes(person, playground, name):
    identity = row(person, name).get_attribute("data-id")
    world = json.loads(playground.get("/api/settings"))["world"]
    there = hashlib.sha256(urllib.request.urlopen(f"{world}/files/{name}").read()).hexdigest()
    here = hashlib.sha256(playground.get(f"/api/downloads/{identity}/file")).hexdigest()
    assert here == there, f"{name} differs from the server's file"


def downloads(person, playground):
    names = ["report.pdf", "film.mp4", "song.mp3", "feather.png", "valleys.gif", "birds.svg", "archive.zip"]
    person.tab("downloads")
    ordered(person, "report.pdf")
    person.wait(lambda: len(person.all("#downloads-list > li")) == len(names), "all downloads")
    labels(person)
    assert "(critical)" in row(person, "report.pdf").text and "(low)" in row(person, "archive.zip").text
    person.wait(lambda: state(person, "film.mp4") == "downloading", "the film to begin")
    bar = lambda: int(row(person, "film.mp4").find_element(By.CSS_SELECTOR, ".bar").get_attribute("data-parts"))
    person.wait(lambda: bar() >= 2, "two parts of the film in the bar")
    do(person, "film.mp4", "pause")
    person.wait(lambda: state(person, "film.mp4") == "paused", "the film to pause")
    keyed(person, "Resume film.mp4")
    # The reason of a refusal stays visible while the list changes.
    person.driver.execute_script("for (const box of document.querySelectorAll('#files input')) box.checked = false")
    person.write("#other-url", "ftp://127.0.0.1/birds")
    person.press("#catalogue button")
    person.wait_for("#downloads-status", "1 of 1 were not queued")
    person.one("#other-url").clear()
    # The others continue; the screenshot shows those that were enqueued first.
    person.wait(lambda: state(person, "song.mp3") == "completed", "the song to be complete")
    assert "1 of 1 were not queued" in person.text("#downloads-status"), person.text("#downloads-status")
    person.driver.execute_script("arguments[0].scrollIntoView({ block: 'end' })", row(person, "film.mp4"))
    person.picture("downloads")
    person.wait(lambda: state(person, "report.pdf") == "completed", "the critical one to be complete")
    begun = person.driver.execute_script("return begun")
    assert "archive.zip" not in begun[:begun.index("report.pdf")], f"a critical one waited for a batch: {begun}"
    do(person, "film.mp4", "resume")
    person.wait(lambda: state(person, "film.mp4") in ("queued", "downloading"), "the film to go on")
    person.press("#restart")
    person.wait(lambda: state(person, "film.mp4") == "downloading", "the film to go on after the restart")
    # The same with the whole process, which is killed.
    playground.kill()
    playground.start()
    person.open()
    person.press("#tab-downloads")
    person.wait(lambda: len(person.all("#downloads-list > li")) == len(names), "the list to be there again")
    person.wait(lambda: all(state(person, name) == "completed" for name in names), "all to be complete")
    for name in names:
        same_bytes(person, playground, name)
    parts(playground, row(person, "birds.svg").get_attribute("data-id"), "birds.svg")
    shown = lambda: person.driver.execute_script("return document.querySelector('#preview img')?.naturalWidth")
    for name, width in [("valleys.gif", 160), ("birds.svg", 320), ("feather.png", 64)]:
        do(person, name, "preview")
        person.wait(lambda: shown() == width, f"the picture {name}")
        assert person.driver.switch_to.active_element.text == f"Preview of {name}", "the preview does not have the focus"
    person.picture("downloads-complete")
    drawing = f"{playground.url}/api/downloads/{row(person, 'birds.svg').get_attribute('data-id')}/file"
    with urllib.request.urlopen(drawing) as answer:
        assert answer.headers["Content-Security-Policy"].endswith("sandbox"), "a script in an SVG may run"
    do(person, "film.mp4", "preview")
    person.wait(
        lambda: person.driver.execute_script(
            "const film = document.querySelector('#preview video'); return film?.readyState >= 2 && film.videoWidth")
        == 320, "the first picture of the film")
    person.driver.execute_script("document.querySelector('#preview video').play()")
    person.wait(
        lambda: person.driver.execute_script("return document.querySelector('#preview video').currentTime") > 0.5,
        "the film to be played")
    person.picture("film")
    previews(person, playground, lambda name: do(person, name, "preview"))
    large(person, playground, lambda name: state(person, name), PATIENCE)
    # Checks the layout of the list while it has entries.
    readable(person, "downloads")
    size = person.driver.get_window_size()
    person.driver.set_window_size(390, 844)
    narrow(person, "downloads")
    person.picture("phone-downloads-complete")
    person.driver.set_window_size(size["width"], size["height"])
    do(person, "song.mp3", "cancel")
    keyed(person, "Preview ")
    person.press("#clear")
    person.wait(lambda: not person.all("#downloads-list > li"), "the list to be empty")


def upload(person, folder):
    person.tab("upload")
    file = pathlib.Path(folder) / "birds é.bin"
    file.write_bytes(os.urandom(5_000_000))
    person.one("#upload-file").send_keys(str(file))
    # Like a browser that cannot iterate over streams.
    person.driver.execute_script("delete ReadableStream.prototype[Symbol.asyncIterator]")
    person.press("#upload-form button")
    person.wait_for("#upload-status", "arrived")
    answer = json.loads(person.text("#upload-answer"))
    part = next(part for part in answer["parts"] if part["name"] == "file")
    assert part["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest(), "other bytes arrived"
    assert part["filename"] == "birds é.bin", part["filename"]
    assert next(part for part in answer["parts"] if part["name"] == "note")["text"] == "from the Playground"
    assert person.one("#upload-progress").get_attribute("value") == "1"
    person.picture("upload")


def stream(person):
    person.tab("stream")
    for kind in ("lines", "events"):
        person.press(f"#stream-{kind}")
        # Some words have arrived, but not all: they are shown one by one.
        person.wait_for("#stream-text", "All the birds")
        assert "long." not in person.text("#stream-text"), "all words arrived at once"
        if kind == "lines":
            person.picture("stream")
        person.wait_for("#stream-status", "words received")
        assert person.text("#stream-text").endswith("the way is long."), person.text("#stream-text")
    person.press("#stream-lines")
    person.press("#stream-stop")
    person.wait_for("#stream-status", "Stopped")


def network(person):
    person.tab("network")
    person.wait_for("#network-facts", "VPN in use")
    person.wait(lambda: person.text("#network-status") != "Loading…", "a status")
    # In one step, since the status may change at any time.
    status, facts = person.driver.execute_script("""
        const facts = [...document.querySelectorAll("#network-facts dt")]
          .map((name) => [name.textContent, name.nextElementSibling.textContent]);
        return [document.getElementById("network-status").textContent, Object.fromEntries(facts)];
        """)
    is_away = facts["Connectivity"] == "disconnected"
    words = "No internet connection." if is_away else f"The machine is {facts['Connectivity']}."
    assert status == words, f"{status!r}, and {facts}"
    assert {facts["VPN in use"], facts["VPN present"]} <= {"yes", "no"}, facts
    assert all(name in facts["Interfaces"] for _, name in socket.if_nameindex()), facts
    person.picture("network")


def keys_and_sizes(person):
    """By keyboard only, on a phone, and in dark mode."""
    person.press("#tab-posts")
    person.one("#tab-posts").send_keys(Keys.ARROW_LEFT)
    assert person.driver.switch_to.active_element.get_attribute("id") == "tab-network"
    person.driver.switch_to.active_element.send_keys(Keys.HOME)
    assert person.one("#posts").is_displayed()
    spoken(person)
    colours(person)
    person.driver.set_window_size(390, 844)
    for name in [tab.get_attribute("aria-controls") for tab in person.all("[role=tab]")]:
        person.press(f"#tab-{name}")
        narrow(person, name)
        person.picture(f"phone-{name}")


def labels(person):
    """Every control has an accessible name."""
    nameless = person.driver.execute_script("""
        return [...document.querySelectorAll("button, input, select, textarea, progress")].filter((one) =>
            !one.textContent.trim() && !one.getAttribute("aria-label") && !one.labels?.length).map((one) => one.outerHTML)
        """)
    assert not nameless, f"controls without accessible name: {nameless}"


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        playground = Playground(folder)
        person = None
        try:
            second = playground.second()
            assert second.returncode == 1 and "in use" in second.stderr, f"a port in use is not reported: {second}"
            for port in ("abc", "70000", "-1", " 80"):
                other = playground.second(PLAYGROUND_PORT=port)
                told = f"PLAYGROUND_PORT={port} is not a port" in other.stderr
                assert other.returncode == 1 and told, f"{port}: {other}"
            person = Person(playground)
            labels(person)
            for name, use, *expected in [
                ("posts", lambda: posts(person)), ("realtime", lambda: realtime(person)),
                ("subscription", lambda: subscription(person)),
                ("downloads", lambda: downloads(person, playground), KILLED),
                ("upload", lambda: upload(person, folder)),
                ("uploads", lambda: uploads(person, playground, folder), FULL, KILLED),
                ("stream", lambda: stream(person)), ("elsewhere", lambda: elsewhere(person, folder)),
                ("sockets elsewhere", lambda: sockets_elsewhere(person)),
                ("network", lambda: network(person)),
                ("keys and sizes", lambda: keys_and_sizes(person)),
                ("pages", lambda: pages(person)), ("looked at", lambda: looked_at(person)),
                ("strangers", lambda: strangers(person, playground), REFUSED),
                ("inspector", lambda: inspector(person, playground), STRANGE),
                ("leftovers", lambda: leftovers(PROGRAM)),
            ]:
                use()
                said = complaints(person, *expected)
                assert not said, f"{name}: the browser complains: {said}"
                print(f"playground: {name}", flush=True)
            # It ends while an open page has a stream.
            person.press("#tab-network")
            person.wait(lambda: person.text("#network-status") != "Loading…", "a stream to be open")
            assert playground.stop() == 0, "SIGTERM did not end it"
        except BaseException:
            if person:
                person.picture("failure")
            raise
        finally:
            if person:
                person.driver.quit()
            if playground.process.poll() is None:
                playground.kill()
    print("playground: all tabs pass")


main()
