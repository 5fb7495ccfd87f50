# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""Range requests (RFC 9110, section 14) for files of the page and of the local servers. A part of browser.py."""
import json
import urllib.error
import urllib.request

BEYOND = 2 ** 63  # One more than Int64.max.


def answer(url, **fields):
    """Returns status, fields and body of a response with any status."""
    headers = {name.replace("_", "-"): value for name, value in fields.items()}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def parts_of(url):
    """Tests range requests to a URL."""
    status, headers, whole = answer(url)
    count, tag = len(whole), headers["ETag"]
    assert status == 200 and count > 1000, f"{url}: {status}, {count} bytes"
    assert headers["Accept-Ranges"] == "bytes" and tag.startswith('"'), f"{url} does not announce ranges: {headers}"

    def is_part(first, end, **fields):
        status, headers, body = answer(url, **fields)
        said = f"{url}, {fields}: {status}, {headers['Content-Range']}, {len(body)} bytes"
        assert status == 206 and headers["Content-Range"] == f"bytes {first}-{end - 1}/{count}", said
        assert body == whole[first:end] and headers["Content-Length"] == str(end - first), said
        assert headers["ETag"] == tag, f"{url}, {fields}: a range of {headers['ETag']}, not of {tag}"

    def is_whole(**fields):
        status, headers, body = answer(url, **fields)
        assert status == 200 and body == whole, f"{url}, {fields}: {status}, {len(body)} of {count} bytes"
        assert headers["Content-Range"] is None, f"{url}, {fields}: {headers['Content-Range']}"

    for field, first, end in [
        ("bytes=0-99", 0, 100), ("bytes=5-5", 5, 6), ("BYTES=5-6", 5, 7), (f"bytes={count - 10}-", count - 10, count),
        ("bytes=-50", count - 50, count), (f"bytes=-{count + 1}", 0, count), (f"bytes=-{BEYOND}", 0, count),
        (f"bytes={count - 3}-{count}", count - 3, count), (f"bytes={count - 3}-{BEYOND - 1}", count - 3, count),
        (f"bytes={count - 3}-{BEYOND}", count - 3, count),
    ]:
        is_part(first, end, Range=field)
    # Several ranges, another unit, and invalid ranges: they may be ignored, and are.
    for field in ("bytes=0-1,5-6", "lines=0-1", "bytes=9-1", "bytes=-", "bytes=+1-2", "bytes=0"):
        is_whole(Range=field)
    for field in (f"bytes={count}-", f"bytes={BEYOND}-", "bytes=-0"):
        status, headers, body = answer(url, Range=field)
        assert status == 416 and not body, f"{url}, {field}: {status}, {len(body)} bytes"
        assert headers["Content-Range"] == f"bytes */{count}", f"{url}, {field}: {headers['Content-Range']}"
    # A client with a range of another version gets the whole file.
    is_part(10, 20, Range="bytes=10-19", If_Range=tag)
    for other in (f"W/{tag}", '"another"', "Sun, 06 Nov 1994 08:49:37 GMT"):
        is_whole(Range="bytes=10-19", If_Range=other)
        is_whole(Range=f"bytes={count}-", If_Range=other)


def is_head(url):
    """A HEAD response has the same fields."""
    with urllib.request.urlopen(url) as whole:
        count, type = str(len(whole.read())), whole.headers["Content-Type"]
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as head:
        said = head.status, head.headers["Content-Length"], head.headers["Content-Type"]
        assert said == (200, count, type) and not head.read(), f"HEAD {url}: {said}"


def parts(playground, identity, name):
    """Tests HEAD and ranges of a downloaded file, at the page's server and at the server it came from."""
    for path in ("/", "/app.js", f"/api/downloads/{identity}/file"):
        is_head(playground.url + path)
    world = json.loads(playground.get("/api/settings"))["world"]
    for url in (f"{playground.url}/api/downloads/{identity}/file", f"{world}/files/{name}"):
        parts_of(url)
