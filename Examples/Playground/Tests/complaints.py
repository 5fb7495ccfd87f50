# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The errors in the browser's own log. A part of browser.py."""
import re

FAILED = r"/api/\S* - Failed to load resource: "
# Failures that the page shows, and the browser logs as well: a server that cannot be reached, or refuses.
TOLD = FAILED + r"the server responded with a status of 502 "
# The same in some tests only: the process is killed, refuses more uploads, or is called by a foreign page.
KILLED = FAILED + r"net::ERR_"
FULL = FAILED + r"the server responded with a status of 503 "
REFUSED = FAILED + r"(the server responded with a status of 403 |net::ERR_)"
# The Playground's page cannot read the inspector, which has another origin.
STRANGE = r"(violates the (following|document.s) Content Security Policy|blocked by CORS policy|/api/info - )"


def complaints(person, *expected):
    """Returns the unexpected errors since the last call."""
    return [
        entry["message"] for entry in person.driver.get_log("browser")
        if entry["level"] == "SEVERE" and not any(re.search(one, entry["message"]) for one in (TOLD, *expected))
    ]
