# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The tabs with WebSockets, by mouse and by keyboard, with the local server and another one. A part of browser.py."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from elsewhere import refused
from market import Market, hang_up, market

SYMBOLS = {"btcusdt": "BTC/USDT", "ethusdt": "ETH/USDT"}
# URLs that permanently have no WebSocket, and the messages shown.
WRONG = [
    ("http://127.0.0.1:1", "the URL scheme of a WebSocket must be ws or wss, not http"),
    ("birds", "the URL is incomplete"),
]


def lines(person, log):
    """Returns the lines of a log, newest first."""
    return person.driver.execute_script(
        "return [...document.querySelectorAll(arguments[0] + ' > li')].map((one) => one.textContent)", log)


def since(person, log):
    """Returns a function that returns the lines of a log added from now on."""
    before = len(lines(person, log))
    return lambda: lines(person, log)[:-before or None]


def heard(person, news, words, times=1):
    try:
        person.wait(lambda: sum(words in line for line in news()) >= times, f"{words!r}")
    except Exception as error:
        raise AssertionError(f"{words!r} was not logged {times} times: {news()}") from error


def keys(person, *pressed):
    ActionChains(person.driver).send_keys(*pressed).perform()


def go_by_keys(person, tab, name):
    """Moves the focus from a tab to a control of its panel by keyboard; the focus is visible."""
    person.one(f"#tab-{tab}").send_keys(Keys.TAB)
    for _ in range(20):
        if person.driver.switch_to.active_element.get_attribute("id") == name:
            break
        keys(person, Keys.TAB)
    else:
        raise AssertionError(f"no key leads to {name}")
    outline = person.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", f"the focus of {name} is not visible"


def is_bad(person, status):
    return "bad" in person.one(status).get_attribute("class").split()


def failed(person, status, words):
    """The status shows a failure with its reason, possibly after the end of the connection."""
    person.wait_for(status, words)
    person.wait(lambda: is_bad(person, status), f"{status} to look like a failure")


def realtime(person):
    person.tab("realtime")
    for button in ("#socket-ping", "#socket-bytes", "#socket-form button"):
        person.driver.execute_script("document.getElementById('socket-status').textContent = ''")
        person.press(button)
        failed(person, "#socket-status", "connect first")
    news = since(person, "#socket-log")
    person.press("#socket-open")
    person.wait_for("#socket-status", "The connection: connected")
    person.write("#socket-text", "thirty birds")
    person.press("#socket-form button")
    heard(person, news, "text: thirty birds")
    person.press("#socket-bytes")
    heard(person, news, "data: 12 bytes: 74 68 69 72 74 79")
    person.press("#socket-ping")
    heard(person, news, "round-trip time")
    person.press("#socket-drop")
    heard(person, news, "lost: attempt 1 in 0.5 s: ")
    heard(person, news, "state: connected", times=2)
    person.wait_for("#socket-status", "The connection: connected")
    assert not is_bad(person, "#socket-status"), "a restored connection looks like a failure"
    person.picture("realtime")
    # The longest message that the page accepts, in characters of two bytes each.
    long = "سیمرغ" * 2000
    person.driver.execute_script("document.getElementById('socket-text').value = arguments[0]", long)
    person.press("#socket-form button")
    heard(person, news, f"text: {long}")
    person.write("#socket-text", "thirty birds")
    # The restored connection works, also by keyboard.
    go_by_keys(person, "realtime", "socket-text")
    keys(person, "by keys", Keys.ENTER)
    heard(person, news, "by keys")
    go_by_keys(person, "realtime", "socket-close")
    keys(person, Keys.ENTER)
    heard(person, news, "state: closed: 1000")
    person.wait_for("#socket-status", "The connection is closed")
    person.press("#socket-form button")
    failed(person, "#socket-status", "there is no open connection")


def points(person, symbol):
    return len(person.one(f"#line-{symbol}").get_attribute("points").split())


def drawn(person, symbol):
    """The line of a symbol is visible, from left to right, and within the chart."""
    places = [
        [float(part) for part in place.split(",")]
        for place in person.one(f"#line-{symbol}").get_attribute("points").split()
    ]
    rights = [right for right, _ in places]
    assert rights == sorted(set(rights)) and 0 <= rights[0] and rights[-1] <= 600, f"{symbol} goes back: {places}"
    assert all(0 <= down <= 220 for _, down in places), f"{symbol} leaves the chart: {places}"
    size = person.one(f"#line-{symbol}").rect
    assert size["width"] > 100, f"the line of {symbol} is not visible: {size}"


def subscription(person):
    person.tab("subscription")
    news = since(person, "#trade-log")
    for symbol in SYMBOLS:
        go_by_keys(person, "subscription", f"trade-{symbol}")
        keys(person, Keys.SPACE)
        pressed = person.one(f"#trade-{symbol}").get_attribute("aria-pressed")
        assert pressed == "true", f"the subscription of {symbol} is not announced"
    # 15 seconds of trades, so that the chart shows a line.
    person.wait(lambda: all(points(person, symbol) > 60 for symbol in SYMBOLS), "trades of both")
    person.wait_for("#trade-status", "Subscribed to BTC/USDT and ETH/USDT.")
    for symbol in SYMBOLS:
        drawn(person, symbol)
    person.picture("subscription")
    person.press("#trade-drop")
    for name in SYMBOLS.values():
        heard(person, news, f"{name}: interrupted: ")
        heard(person, news, f"{name}: subscribed again")
    person.wait_for("#trade-status", "Subscribed to BTC/USDT and ETH/USDT.")
    assert not is_bad(person, "#trade-status"), "a restored connection looks like a failure"
    prices = lambda: [person.text(f"#price-{symbol}") for symbol in SYMBOLS]
    before = prices()
    person.wait(lambda: all(now != then for now, then in zip(prices(), before)), "trades of both after reconnecting")
    person.press("#trade-btcusdt")
    stopped, other = prices()
    person.wait(lambda: prices()[1] != other, "more trades of the subscribed symbol")
    assert prices()[0] == stopped, "trades of an unsubscribed symbol arrive"
    person.wait_for("#trade-status", "Subscribed to ETH/USDT.")
    person.press("#trade-ethusdt")
    person.wait_for("#trade-status", "No subscriptions")


def realtime_elsewhere(person):
    person.tab("realtime")
    news = since(person, "#socket-log")
    person.press("#socket-open")
    heard(person, news, "text: a bird from elsewhere")
    person.write("#socket-text", "thirty birds")
    person.press("#socket-form button")
    heard(person, news, "text: THIRTY BIRDS")
    person.press("#socket-ping")
    heard(person, news, "round-trip time")
    person.press("#socket-drop")
    failed(person, "#socket-status", "Only the embedded server disconnects")
    hang_up()
    heard(person, news, "lost: attempt 1 in 0.5 s: ")
    heard(person, news, "text: a bird from elsewhere", times=2)
    person.picture("realtime-elsewhere")
    person.press("#socket-close")
    heard(person, news, "state: closed: 1000")


def subscription_elsewhere(person):
    person.tab("subscription")
    news = since(person, "#trade-log")
    for symbol in SYMBOLS:
        person.press(f"#trade-{symbol}")
    person.wait_for("#price-btcusdt", "BTC 7.04")
    person.wait_for("#price-ethusdt", "ETH 7.04")
    assert [points(person, symbol) for symbol in SYMBOLS] == [5, 5], "the chart does not show five trades of each"
    for price in ("1e999", "-7", "birds"):
        heard(person, news, f"BTC/USDT: invalid price: {price}")
    asked = lambda method, symbol: Market.orders.count((method, symbol.upper()))
    assert all(asked("SUBSCRIBE", symbol) == 1 for symbol in SYMBOLS), f"unexpected requests: {Market.orders}"
    # Unsubscribes from one, which the server receives; the other continues, and reconnects when it is lost.
    person.press("#trade-btcusdt")
    person.wait(lambda: asked("UNSUBSCRIBE", "btcusdt") == 1, "the server to receive the first UNSUBSCRIBE")
    person.wait_for("#trade-status", "Subscribed to ETH/USDT.")
    hang_up()
    heard(person, news, "ETH/USDT: interrupted: ")
    heard(person, news, "ETH/USDT: subscribed again")
    person.wait(lambda: points(person, "ethusdt") == 10, "the trades of the second connection")
    assert asked("SUBSCRIBE", "btcusdt") == 1, "an unsubscribed symbol is back"
    assert not any(line.startswith("BTC/USDT: interrupted") for line in news()), f"BTC/USDT is logged: {news()}"
    person.picture("subscription-elsewhere")
    person.press("#trade-ethusdt")
    person.wait(lambda: asked("UNSUBSCRIBE", "ethusdt") == 1, "the server to receive the second UNSUBSCRIBE")
    person.wait_for("#trade-status", "No subscriptions")


def wrong(person, cases):
    """Without a WebSocket, both tabs show the reason."""
    for base, words in cases:
        person.write("#socket-base", base)
        person.tab("realtime")
        person.press("#socket-open")
        failed(person, "#socket-status", words)
        person.tab("subscription")
        person.press("#trade-btcusdt")
        failed(person, "#trade-status", words)
        assert person.one("#trade-btcusdt").get_attribute("aria-pressed") == "false", "the button is pressed"
    # A transient failure is retried until the user stops, and its reason shown at once.
    person.write("#socket-base", "ws://127.0.0.1:1")
    person.tab("realtime")
    person.press("#socket-open")
    refused(person, "#socket-status")
    person.picture("realtime-refused")
    person.press("#socket-close")
    person.wait_for("#socket-status", "The connection is closed")
    person.tab("subscription")
    person.press("#trade-btcusdt")
    refused(person, "#trade-status")
    person.picture("subscription-refused")
    person.press("#trade-btcusdt")
    person.wait_for("#trade-status", "No subscriptions")


def sockets_elsewhere(person):
    person.press("#elsewhere summary")
    with market() as home:
        person.write("#socket-base", home)
        realtime_elsewhere(person)
        subscription_elsewhere(person)
        wrong(person, [(f"{home}/nowhere", "was answered with 404"), *WRONG])
    # An empty field selects the embedded server.
    person.one("#socket-base").clear()
    person.tab("realtime")
    news = since(person, "#socket-log")
    person.press("#socket-open")
    heard(person, news, 'text: {"text":"welcome"}')
    person.press("#socket-close")
    heard(person, news, "state: closed: 1000")
    person.press("#elsewhere summary")
