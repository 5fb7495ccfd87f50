"""Signs requests with botocore, for the tests of AWS Signature Version 4.

    botocore_signatures.py random SEED COUNT   prints COUNT random requests and their signatures, one JSON object a line
    botocore_signatures.py given               reads JSON objects of the same form, without signatures, and prints them signed
"""

import datetime
import json
import random
import sys
import urllib.parse

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
NAMES = ["X-Amz-Meta-Bird", "X-Amz-Target", "Content-Type", "Range", "If-Match", "My-Header", "X-Amz-Acl", "Accept"]


def freeze(seconds):
    """Makes botocore sign with a date."""
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).replace(tzinfo=None)
    auth.get_current_datetime = lambda remove_tzinfo=True: moment


def signed(case):
    freeze(case["date"])
    credentials = Credentials(case["id"], case["secret"], case.get("token"))
    request = AWSRequest(
        method=case["method"], url=f"https://{case['host']}{case['target']}", data=case["body"].encode())
    for name, value in case["fields"]:
        request.headers.add_header(name, value)
    if case["kind"] == "header":
        signer = auth.SigV4Auth(credentials, case["service"], case["region"])
    elif case["kind"] == "s3":
        signer = auth.S3SigV4Auth(credentials, case["service"], case["region"])
        request.context["payload_signing_enabled"] = True
    elif case["kind"] == "query":
        signer = auth.SigV4QueryAuth(credentials, case["service"], case["region"], expires=case["expires"])
    else:
        signer = auth.S3SigV4QueryAuth(credentials, case["service"], case["region"], expires=case["expires"])
    signer.add_auth(request)
    if case["kind"] in ("header", "s3"):
        case["authorization"] = request.headers["Authorization"]
    else:
        query = urllib.parse.urlsplit(request.url).query
        case["signature"] = urllib.parse.parse_qs(query)["X-Amz-Signature"][0]
    return case


def text(rng, alphabet, shortest, longest):
    return "".join(rng.choice(alphabet) for _ in range(rng.randint(shortest, longest)))


def escaped(rng, keeping=""):
    characters = UNRESERVED + " !$&'()*+,;=:@/é☃%" + keeping
    return urllib.parse.quote(text(rng, characters, 0, 12), safe="-._~")


def disguised(rng, text, raw, plus=False):
    """Returns another form of an escaped text that a server decodes to the same bytes."""
    tokens, index = [], 0
    while index < len(text):
        if text[index] == "%":
            token, character = text[index:index + 3], chr(int(text[index + 1:index + 3], 16))
            index += 3
            if rng.random() < 0.5:
                token = "+" if character == " " and plus else character if character in raw else token.lower()
        else:
            token = text[index]
            index += 1
            if rng.random() < 0.1:
                token = rng.choice(["%%%02x", "%%%02X"]) % ord(token)
        tokens.append(token)
    return "".join(tokens)


def disguised_query(rng, query):
    items = []
    for item in query.split("&"):
        name, _, value = item.partition("=")
        raw = "!$'()*,;:@/?"
        value = disguised(rng, value, raw + "=", plus=True)
        sign = "" if not value and rng.random() < 0.5 else "="
        items.append(disguised(rng, name, raw, plus=True) + sign + value)
        if rng.random() < 0.2:
            items.insert(rng.randint(0, len(items)), "")
    return "&".join(items)


def disguised_path(rng, path):
    return "/".join(disguised(rng, segment, "!$&'()*+,;=:@") for segment in path.split("/"))


def random_case(rng):
    kind = rng.choice(["header", "s3", "query", "s3query"])
    segments = [rng.choice(["", ".", "..", "a"]) if rng.random() < 0.1 and kind in ("header", "query") else escaped(rng)
                for _ in range(rng.randint(0, 4))]
    query = ""
    if rng.random() < 0.6:
        items = [(escaped(rng) or "n", escaped(rng)) for _ in range(rng.randint(1, 5))]
        if kind in ("query", "s3query"):
            # A query signature of botocore keeps one item of each name.
            items = list(dict(items).items())
        query = "&".join(f"{name}={value}" for name, value in items)
    path = "/" + "/".join(segments)
    # Services other than S3 sign a path as it was sent; botocore signs all else as it was sent, and so only one form of it.
    if kind in ("header", "query") and rng.random() < 0.5:
        path = disguised_path(rng, path)
    sent_path, sent_query = path, query
    if rng.random() < 0.5:
        sent_path = disguised_path(rng, path) if kind in ("s3", "s3query") else path
        sent_query = query and disguised_query(rng, query)
    fields = []
    for name in rng.sample(NAMES, rng.randint(0, 4)):
        value = text(rng, UNRESERVED + "  \t,;=/+\"", 1, 20).strip(" \t") or "x"
        fields.append([rng.choice([name, name.lower(), name.upper()]), value])
    if fields and rng.random() < 0.2:
        fields.append([fields[0][0], "second  value"])
    # A query signature of botocore moves form fields into the query, so that it has no body here.
    body = "" if kind in ("query", "s3query") else text(rng, UNRESERVED + "\n é", 0, 50)
    if kind in ("query", "s3query"):
        fields = [field for field in fields if field[0].lower() != "content-type"]
    return {
        "kind": kind, "method": rng.choice(["GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"]),
        "host": rng.choice(["birds.s3.eu-west-1.amazonaws.com", "example.amazonaws.com", "127.0.0.1:8443"]),
        "target": path + (query and "?" + query), "sent": sent_path + (sent_query and "?" + sent_query),
        "fields": fields, "body": body,
        "id": "AKID" + text(rng, "ABCDEFGHJKLMNP234567", 4, 16), "secret": text(rng, UNRESERVED + "/+", 10, 40),
        "token": text(rng, UNRESERVED + "/+=", 20, 60) if rng.random() < 0.5 else None,
        "region": rng.choice(["us-east-1", "eu-central-2", "aws-global"]),
        "service": "s3" if kind in ("s3", "s3query") else rng.choice(["execute-api", "appsync", "es", "service"]),
        "date": rng.randint(0, 4_000_000_000), "expires": rng.randint(1, 604_800),
    }


if sys.argv[1] == "random":
    numbers = random.Random(int(sys.argv[2]))
    for _ in range(int(sys.argv[3])):
        print(json.dumps(signed(random_case(numbers))))
else:
    for line in sys.stdin:
        print(json.dumps(signed(json.loads(line))))
