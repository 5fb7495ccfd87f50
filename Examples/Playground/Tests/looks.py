# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The look of the Playground's page: previews, colors, and keyboard focus. A part of browser.py."""
import http.server
import threading
import urllib.request

# The elements of the visible tab whose text has too little contrast to its background (WCAG 2.2, 1.4.3).
FAINT = """
    const light = (color) => {
      const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (one) => {
      for (; one; one = one.parentElement) {
        const color = getComputedStyle(one).backgroundColor;
        if (!/^rgba\\(.*, 0\\)$/.test(color)) return color;
      }
      return "rgb(255, 255, 255)";
    };
    return [...document.body.querySelectorAll("*")].filter((one) =>
      one.checkVisibility() && !one.disabled && !one.closest("svg") && one.tagName !== "OPTION"
      && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())
    ).map((one) => {
      const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), one.outerHTML.slice(0, 120)];
    }).filter(([contrast]) => contrast < 4.5);
    """


def readable(person, name):
    """All text of the visible tab has enough contrast."""
    faint = person.driver.execute_script(FAINT)
    assert not faint, f"{name} is hard to read: {faint}"


def narrow(person, name):
    """The page does not scroll horizontally."""
    wide = person.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"{name} is {wide} pixels too wide for a phone"


def colours(person):
    """Every tab is readable in light and in dark mode; keeps a screenshot of each in dark mode, and leaves that on."""
    for scheme in ("light", "dark"):
        person.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        for name in [tab.get_attribute("aria-controls") for tab in person.all("[role=tab]")]:
            person.press(f"#tab-{name}")
            readable(person, f"{name} in the {scheme}")
            if scheme == "dark":
                person.picture(f"dark-{name}")


def spoken(person):
    """A screen reader announces a tab with role and name, its panel with that name, and the panel's status."""
    for tab in person.all("[role=tab]"):
        tab.click()
        name = tab.text
        said = (tab.aria_role, tab.accessible_name, tab.get_attribute("aria-selected"))
        assert said == ("tab", name, "true"), f"{name} is told as {said}"
        panel = person.one(f"#{tab.get_attribute('aria-controls')}")
        said = (panel.aria_role, panel.accessible_name)
        assert said == ("tabpanel", name), f"the panel of {name} is told as {said}"
        statuses = [status.aria_role for status in panel.find_elements("css selector", "p.status")]
        assert statuses == ["status"], f"the status of {name} is not announced: {statuses}"


def previews(person, playground, preview):
    """Previews of other types: the browser plays audio, and shows a document in a frame."""
    preview("song.mp3")
    seconds = "const song = document.querySelector('#preview audio'); return song?.readyState >= 1 ? song.duration : 0"
    person.wait(lambda: 55 < person.driver.execute_script(seconds) < 65, "the song's minute to be known")
    preview("report.pdf")
    frame = person.one("#preview iframe")
    assert frame.get_attribute("title") == "Preview of report.pdf" and frame.size["height"] > 100, "the document has no room"
    with urllib.request.urlopen(frame.get_attribute("src")) as answer:
        assert answer.headers["Content-Type"] == "application/pdf", answer.headers["Content-Type"]
        assert answer.headers["Content-Disposition"] == "inline", "it would be saved instead of shown"
        assert answer.read(5) == b"%PDF-", "it is not a PDF"
    # The browser itself draws it: visible in the screenshot only.
    person.picture("document")


def keyed(person, words):
    """The keyboard focus is at a button with this name, not at the beginning of the page."""
    # In one step, because the page replaces elements at any time.
    label = lambda: person.driver.execute_script("return document.activeElement?.getAttribute('aria-label') ?? ''")
    person.wait(lambda: label().startswith(words), f"the focus to be at {words}")


def ordered(person, hurried):
    """Enqueues a batch, and immediately afterwards a single critical download; `begun` in the page records their order.

    In one step, so that the batch is still running when a slow machine enqueues the second."""
    person.driver.execute_script("""
        const [hurried] = arguments;
        const list = document.getElementById("downloads-list");
        window.begun = [];
        new MutationObserver((changes) => {
          for (const { target } of changes) {
            const name = target.querySelector("h3").textContent;
            if (target.dataset.state !== "queued" && !begun.includes(name)) begun.push(name);
          }
        }).observe(list, { subtree: true, attributeFilter: ["data-state"] });
        for (const [priority, isAlone] of [["low", false], ["critical", true]]) {
          for (const box of document.querySelectorAll("#files input")) box.checked = (box.value === hurried) === isAlone;
          document.getElementById("priority").value = priority;
          document.getElementById("catalogue").requestSubmit();
        }
        """, hurried)


class Large(http.server.BaseHTTPRequestHandler):
    """A server with one large file of zeros."""

    SIZE = 96 * 1024 * 1024

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(self.SIZE))
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        piece = bytes(1024 * 1024)
        try:
            for _ in range(self.SIZE // len(piece)):
                self.wfile.write(piece)
        except ConnectionError:
            pass  # The client disconnected.

    def log_message(self, *arguments):
        pass


def forget(playground):
    """Resets the peak memory of the process, which an earlier peak would otherwise hide."""
    try:
        with open(f"/proc/{playground.process.pid}/clear_refs", "w") as counters:
            counters.write("5")
    except OSError:
        pass  # Not on this system.


def memory(playground):
    """Returns the peak memory of the process since forget(), in bytes; None if the system does not report it."""
    try:
        with open(f"/proc/{playground.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return None


def large(person, playground, state, patience):
    """A large file is sent to the browser in pieces."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Large)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        person.write("#other-url", f"http://127.0.0.1:{server.server_port}/large.bin")
        for box in person.all("#files input:checked"):
            box.click()
        person.press("#catalogue button")
        person.wait(lambda: any(item.text == "large.bin" for item in person.all("#downloads-list h3")), "the large file")
        person.wait(lambda: state("large.bin") == "completed", "the large file to be there")
        item = next(item for item in person.all("#downloads-list > li") if "large.bin" in item.text)
        forget(playground)
        before, count = memory(playground), 0
        url = f"{playground.url}/api/downloads/{item.get_attribute('data-id')}/file"
        with urllib.request.urlopen(url, timeout=patience) as answer:
            while piece := answer.read(1024 * 1024):
                count += len(piece)
        assert count == Large.SIZE, f"{count} bytes received"
        if before is not None:
            grown = memory(playground) - before
            assert grown < Large.SIZE // 2, f"the process took {grown} bytes more to show a file of {Large.SIZE}"
    finally:
        server.shutdown()
        server.server_close()
    person.one("#other-url").clear()
