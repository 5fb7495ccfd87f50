# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The inspector: beside the tabs, and as a page of its own. A part of browser.py."""
import concurrent.futures
import json
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from looks import forget, memory, narrow, readable
from sockets import keys
from strangers import status

CALLS = 10_000
KEPT = 1000  # Inspector.Configuration.maximumCalls.
MARKUP = "<img src=x onerror=document.title='owned'>"


def rows(person):
    return person.all("#rows > .row")


def row(person, words):
    """Returns the last row with these words."""
    found = [one for one in rows(person) if words in one.text]
    assert found, f"no row has {words!r}: {[one.text for one in rows(person)][-5:]}"
    return found[-1]


def choose(person, one):
    person.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", one)
    one.click()
    person.wait(lambda: person.one("#detail").is_displayed(), "the details")


def press_tab(person, name, words):
    person.press(f"#tab-{name}")
    person.wait_for(f"#{name}", words)


def ask(person, path, **options):
    """Returns the JSON that the page's own request gets."""
    return person.driver.execute_async_script(
        "const [path, options, done] = arguments; fetch(path, options).then((one) => one.json()).then(done)", path, options)


def beside(person):
    """The frame beside the tabs shows the calls of the visible tab only."""
    size = person.driver.get_window_size()
    person.driver.set_window_size(1500, 900)
    person.press("#tab-posts")
    if person.one("#traffic-toggle").get_attribute("aria-pressed") == "false":
        person.press("#traffic-toggle")
    person.press("#load-posts")
    person.wait_for("#posts-status", "posts in")
    person.write("#new-post input[name=title]", MARKUP)
    person.write("#new-post textarea", "a poem")
    person.press("#new-post button")
    person.wait_for("#posts-status", "Posted as number")
    frame = lambda: person.driver.switch_to.frame(person.one("#traffic iframe"))
    frame()
    person.wait(lambda: any("/posts" in one.text for one in rows(person)), "the calls of the posts")
    person.driver.switch_to.default_content()
    person.press("#tab-realtime")
    person.press("#socket-open")
    person.wait_for("#socket-status", "The connection: connected")
    person.write("#socket-text", "thirty birds")
    person.press("#socket-form button")
    frame()
    person.wait(lambda: rows(person) and all("/echo" in one.text for one in rows(person)), "only the calls of the tab")
    choose(person, row(person, "/echo"))
    press_tab(person, "messages", "thirty birds")
    person.driver.switch_to.default_content()
    person.picture("traffic")
    person.press("#socket-close")
    person.wait_for("#socket-status", "The connection is closed")
    # The network tab calls nothing.
    person.press("#tab-network")
    assert not person.one("#traffic").is_displayed(), "the tab without calls shows traffic"
    person.press("#tab-posts")
    person.press("#traffic-toggle")
    assert not person.one("#traffic").is_displayed(), "the traffic cannot be hidden"
    person.driver.set_window_size(size["width"], size["height"])


def protected(person, address):
    """Without the token, with another host name, or from a page of another origin, the inspector answers nothing."""
    home = address.rsplit("/", 2)[0]
    assert status(f"{home}/") == 404 and status(f"{home}/{'0' * 32}/api/info") == 404, "the token is not needed"
    assert status(address) == 200 and status(f"{address}api/info") == 200, "a program is refused"
    for fields in [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"}, {"Host": "evil.example"},
    ]:
        assert status(f"{address}api/info", **fields) == 403, f"{fields} may read"
        assert status(f"{address}api/clear", "POST", **fields) == 403, f"{fields} may act"
    # The page of the Playground, which frames it, cannot read it either.
    read = person.driver.execute_async_script("""
        const [address, done] = arguments;
        fetch(address + "api/info").then((one) => done(one.status), () => done("refused"));
        """, address)
    assert read == "refused", f"the page of another origin reads {read}"


def details(person):
    """The details of a call: text that looks like markup stays text, and the controls do what they say."""
    choose(person, row(person, "POST"))
    press_tab(person, "request", "onerror")
    press_tab(person, "response", "201")
    assert not person.all("img"), "a body became markup"
    assert "owned" not in person.driver.title, "a script in a body ran"
    person.press("#tab-overview")
    person.wait_for("#overview", "First byte")
    person.picture("inspector")
    person.press("#replay")
    person.wait(lambda: person.one("#confirm").is_displayed(), "the question before a POST")
    person.press("#confirm-no")
    person.wait(lambda: not person.one("#confirm").is_displayed(), "the question to be gone")
    count = len(rows(person))
    person.press("#replay")
    person.press("#confirm-yes")
    person.wait(lambda: len(rows(person)) > count and "again:" in rows(person)[-1].text, "the repeated POST")
    for name, words in [("curl", "The curl command is copied."), ("swift", "The Swift code is copied.")]:
        person.press(f"#copy-{name}")
        person.wait_for("#detail-status", words)
    choose(person, row(person, "GET"))
    before = len(rows(person))
    person.press("#replay")
    person.wait(lambda: len(rows(person)) > before and "again:" in rows(person)[-1].text, "the repeated call")
    curl = person.driver.execute_async_script(
        "const [done] = arguments; fetch('api/curl?number=' + document.querySelector('[aria-selected=true].row').dataset.number)"
        ".then((one) => one.text()).then(done)")
    assert curl.startswith("curl ") and "/posts" in curl, curl
    # One entry for each attempt: none for a call that the cache answered.
    numbers = [one.get_attribute("data-number") for one in rows(person)]
    attempts = sum(len(ask(person, f"api/call?number={number}")["attempts"]) for number in numbers)
    file = ask(person, "api/har", method="POST")
    entries = file["log"]["entries"]
    assert file["log"]["version"] == "1.2" and len(entries) == attempts, f"{len(entries)} entries for {attempts} attempts"


def slow(person):
    """While the details of a call are loaded, the title and the actions are those of the chosen call, and its last change is shown."""
    # The answers for details wait until the test lets them through.
    person.driver.execute_script("""
        window.held = [];
        window.fetched = window.fetch;
        window.fetch = async (path, options) => {
          if (window.held && path.startsWith("api/call")) await new Promise((release) => window.held.push(release));
          return window.fetched(path, options);
        };
        """)
    choose(person, row(person, "GET"))
    choose(person, row(person, "POST"))
    assert person.text("#detail-title").startswith("POST"), "the title is that of another call"
    count = len(rows(person))
    person.press("#replay")
    person.wait(lambda: person.one("#confirm").is_displayed(), "the question before a POST whose details are not loaded")
    person.press("#confirm-no")
    assert person.text("#overview") == "", "the details are not slow"
    person.driver.execute_script("for (const release of window.held.splice(0)) release(); window.held = null;")
    person.wait_for("#overview", "First byte")
    person.press("#tab-request")
    person.wait_for("#request", "onerror")
    assert len(rows(person)) == count, "a POST was sent again without an answer to the question"
    person.driver.execute_script("window.fetch = window.fetched")


def scripts(person):
    """The scripts of the page with hostile data."""
    failure = person.driver.execute_async_script("""
        const done = arguments[0];
        import("./common.js").then(({ block, make, renew, tokens }) => {
          const shown = (text) => block(text, true).textContent;
          const check = (holds, words) => { if (!holds) throw new Error(words); };
          for (const text of ['{"a":1}}', "[info] done}", "]", "}{"]) check(shown(text) === text, `${text} is shown as ${shown(text)}`);
          check(tokens('{"a":{"b":"c"}}').filter((one) => one.kind === "key").map((one) => one.text).join() === '"a","b"', "the names");
          const start = performance.now();
          shown(`[${":".repeat(190000)}]`);
          shown(`[${'"a":'.repeat(45000)}]`);
          check(performance.now() - start < 5000, "a hostile body blocks the page");
          const panel = make("div");
          document.body.append(panel);
          renew(panel, [make("p", "one"), make("pre", "a\\n".repeat(400), { tabindex: "0" })]);
          const [first, pre] = panel.children;
          pre.focus();
          pre.scrollTop = 50;
          getSelection().selectAllChildren(first);
          renew(panel, [make("p", "one"), make("pre", "a\\n".repeat(500), { tabindex: "0" }), make("p", "two")]);
          check(document.activeElement === pre && pre.scrollTop === 50, "the focus or the position is lost");
          check(getSelection().toString().trim() === "one", "the selection is lost");
          check(panel.children.length === 3 && pre.textContent.length === 1000, "the new content is not shown");
          renew(panel, []);
          check(!panel.firstChild, "the old content is still shown");
          panel.remove();
        }).then(() => done(""), (error) => done(`${error}`));
        """)
    assert not failure, failure


def controls(person):
    """The filter, the search in bodies, and the pause."""
    person.write("#filter", "method:post")
    person.wait(lambda: rows(person) and all("POST" in one.text for one in rows(person)), "only POST")
    person.write("#filter", "nothing-has-this")
    person.wait(lambda: not rows(person) and person.one("#unfilter").is_displayed(), "no call")
    person.press("#unfilter")
    person.wait(lambda: rows(person), "all calls again")
    person.press("#deep")
    person.write("#filter", "owned")
    person.wait(lambda: rows(person) and len(rows(person)) < 20, "the calls with a word in their body")
    count = len(rows(person))
    person.write("#filter", "owned -nothing-has-this")
    person.wait(lambda: len(rows(person)) == count, "the same calls, without those that contain an absent word")
    person.press("#deep")
    # Not a name of a filter, but one that every object has.
    person.write("#filter", "__proto__:x")
    person.wait(lambda: not rows(person), "no call")
    person.one("#filter").send_keys(Keys.ESCAPE)
    person.wait(lambda: rows(person), "all calls after Escape")
    person.press("#pause")
    person.wait_for("#status", "Paused")
    person.press("#pause")
    person.wait(lambda: "Paused" not in person.text("#status"), "the recording to go on")


def by_keys(person):
    """By keyboard only: to the filter, to a call, to its details and back."""
    person.one("body").send_keys("/")
    active = lambda: person.driver.switch_to.active_element
    assert active().get_attribute("id") == "filter", "/ does not lead to the filter"
    person.driver.execute_script("document.querySelector('#rows > .row').focus()")
    keys(person, Keys.ARROW_DOWN)
    second = rows(person)[1].get_attribute("id")
    assert active().get_attribute("id") == second, "the arrow does not lead to the next call"
    keys(person, Keys.ENTER)
    person.wait(lambda: person.one("#detail").is_displayed(), "the details")
    person.one("#tab-overview").send_keys(Keys.ARROW_RIGHT)
    assert active().get_attribute("id") == "tab-request", "the arrow does not lead to the next tab"
    keys(person, Keys.ESCAPE)
    assert not person.one("#detail").is_displayed(), "Escape does not close the details"
    assert active().get_attribute("id") == second, "the focus is not at the call again"
    keys(person, Keys.END)
    assert active().get_attribute("id") == rows(person)[-1].get_attribute("id"), "End does not lead to the last call"


def looks(person):
    """Readable in light and in dark mode, and on a narrow window."""
    size = person.driver.get_window_size()
    for scheme in ("light", "dark"):
        person.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        readable(person, f"the list in the {scheme}")
        choose(person, row(person, "POST"))
        for name in ("overview", "request", "response"):
            person.press(f"#tab-{name}")
            readable(person, f"{name} in the {scheme}")
        person.picture(f"inspector-{scheme}")
        person.driver.set_window_size(390, 844)
        narrow(person, f"the details in the {scheme}")
        person.picture(f"phone-inspector-detail-{scheme}")
        person.press("#close")
        narrow(person, f"the list in the {scheme}")
        person.picture(f"phone-inspector-{scheme}")
        person.driver.set_window_size(size["width"], size["height"])
    person.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def heap(person):
    """Returns the memory of the page's script after a garbage collection, in bytes, and the number of its elements."""
    person.driver.execute_cdp_cmd("HeapProfiler.enable", {})
    person.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    person.driver.execute_cdp_cmd("Performance.enable", {})
    values = {one["name"]: one["value"] for one in person.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
    return values["JSHeapUsedSize"], person.driver.execute_script("return document.querySelectorAll('*').length")


def many(person, playground):
    """Ten thousand calls: the list has the last thousand, and neither the process nor the page grows."""
    def call(_):
        with urllib.request.urlopen(f"{playground.url}/api/posts?strategy=reload") as response:
            response.read()

    def burst(count):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(call, range(count)))
        last = lambda: rows(person)[-1].get_attribute("data-number")
        total = lambda: ask(person, "api/info")["total"]
        person.wait(lambda: last() == str(total()), "the last call")

    burst(CALLS // 4)
    forget(playground)
    before, (used, elements) = memory(playground), heap(person)
    burst(CALLS - CALLS // 4)
    assert len(rows(person)) == KEPT, f"the list has {len(rows(person))} calls"
    if before is not None:
        grown = memory(playground) - before
        assert grown < 64 * 1024 * 1024, f"the process took {grown} bytes more for {CALLS} calls"
    more, now = heap(person)
    assert more - used < 8 * 1024 * 1024 and now - elements < 200, f"the page grew by {more - used} bytes, {now - elements} elements"


def inspector(person, playground):
    size = person.driver.get_window_size()
    beside(person)
    # On a narrower window the details of a call cover the list.
    person.driver.set_window_size(1100, 900)
    address = json.loads(playground.get("/api/settings"))["inspector"]
    protected(person, address)
    person.driver.get(address)
    person.wait(lambda: person.one("body").get_attribute("data-ready") == "yes" and rows(person), "the inspector")
    details(person)
    slow(person)
    scripts(person)
    controls(person)
    by_keys(person)
    looks(person)
    many(person, playground)
    person.press("#clear")
    person.wait(lambda: not rows(person), "the list to be empty")
    assert person.driver.find_element(By.ID, "empty").is_displayed(), "the empty list says nothing"
    assert person.driver.switch_to.active_element.get_attribute("id") == "filter", "the focus is lost with the last call"
    person.driver.set_window_size(size["width"], size["height"])
    person.open()
