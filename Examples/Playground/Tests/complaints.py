# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""What the browser complains of by itself. A part of browser.py."""
import re

FAILED = r"/api/\S* - Failed to load resource: "
# What the page tells in words, and the browser notes, too: a server that cannot be reached, or refuses.
TOLD = FAILED + r"the server responded with a status of 502 "
# The same in some uses alone: the process is killed under the page, takes no more, or is asked by a stranger.
KILLED = FAILED + r"net::ERR_"
FULL = FAILED + r"the server responded with a status of 503 "
REFUSED = FAILED + r"(the server responded with a status of 403 |net::ERR_)"


def complaints(person, *expected):
    """What it said since it was asked last, and nobody expects."""
    return [
        entry["message"] for entry in person.driver.get_log("browser")
        if entry["level"] == "SEVERE" and not any(re.search(one, entry["message"]) for one in (TOLD, *expected))
    ]
