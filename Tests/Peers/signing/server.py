"""A server that verifies signatures with Python's own libraries.

    server.py PORT

POST /messages verifies an HTTP message signature (RFC 9421) with http-message-signatures, and answers 200 or 401;
GET /messages answers with a signed response; POST /draft knows only draft-cavage-http-signatures-12;
GET /v2/credentials and /latest/… are the endpoints that give AWS credentials to a container and to an instance.
"""

import base64
import datetime
import hashlib
import json
import pathlib
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from http_message_signatures import (
    HTTPMessageSigner, HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms, exceptions)

# The keys of RFC 9421, appendix B.1.
ED25519 = load_pem_private_key(b"""-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
""", None)
P256 = load_pem_private_key(b"""-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
-----END EC PRIVATE KEY-----
""", None)
# The RSA keys are in a Swift file of the tests.
KEYS = (pathlib.Path(__file__).parents[2] / "SimorghSigningTests/Helpers/RFC9421Keys+RSA.swift").read_text()


def rsa_key(name):
    text = re.search(name + r' = """\n(.*?)"""', KEYS, re.DOTALL)[1]
    return load_pem_private_key("\n".join(line.strip() for line in text.splitlines()).strip().encode() + b"\n", None)


RSA, RSA_PSS = rsa_key("rsa"), rsa_key("rsaPSS")
SECRET = base64.b64decode("uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==")
ALGORITHMS = {
    "test-key-ed25519": algorithms.ED25519, "test-key-ecc-p256": algorithms.ECDSA_P256_SHA256,
    "test-shared-secret": algorithms.HMAC_SHA256, "test-key-rsa": algorithms.RSA_V1_5_SHA256,
    "test-key-rsa-pss": algorithms.RSA_PSS_SHA512,
}


class Keys(HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id):
        return {
            "test-key-ed25519": ED25519, "test-key-ecc-p256": P256, "test-shared-secret": SECRET, "test-key-rsa": RSA,
            "test-key-rsa-pss": RSA_PSS,
        }[key_id]

    def resolve_public_key(self, key_id):
        key = self.resolve_private_key(key_id)
        return key if isinstance(key, bytes) else key.public_key()


class Headers(dict):
    """Header fields whose names have any case."""

    def __init__(self, items):
        super().__init__((name.lower(), value) for name, value in items)

    def __contains__(self, name):
        return super().__contains__(name.lower())

    def __getitem__(self, name):
        return super().__getitem__(name.lower())

    def get(self, name, default=None):
        return super().get(name.lower(), default)

    def __setitem__(self, name, value):
        super().__setitem__(name.lower(), value)


class Request:
    def __init__(self, handler, body):
        self.method = handler.command
        self.url = f"http://{handler.headers['Host']}{handler.path}"
        self.headers = Headers(handler.headers.items())
        self.body = body


class Response:
    def __init__(self, status, headers, request):
        self.status_code = status
        self.headers = headers
        self.request = request
        self.url = request.url


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, text="", fields=()):
        body = text.encode()
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def read(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def do_POST(self):
        body = self.read()
        path = self.path.split("?")[0]
        if path == "/messages":
            return self.verify(Request(self, body))
        if path == "/draft":
            return self.verify_draft(body)
        self.answer(404)

    def verify(self, request):
        try:
            key_id = re.search(r';keyid="([^"]*)"', request.headers["Signature-Input"])[1]
            verifier = HTTPMessageVerifier(signature_algorithm=ALGORITHMS[key_id], key_resolver=Keys())
            results = verifier.verify(request, body=request.body)
            self.answer(200, json.dumps(sorted(results[0].covered_components)))
        except (exceptions.HTTPMessageSignaturesException, InvalidSignature, KeyError, TypeError) as error:
            self.answer(401, repr(error))

    def verify_draft(self, body):
        """Verifies draft-cavage-http-signatures-12 with Ed25519 or RSA."""
        if "Signature-Input" in self.headers or "Signature" not in self.headers:
            return self.answer(401, "only the draft is known")
        pairs = dict(part.split("=", 1) for part in self.headers["Signature"].split(","))
        values = {name: value.strip('"') for name, value in pairs.items()}
        if self.headers.get("Digest") != "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode():
            return self.answer(400, "digest")
        lines = []
        for name in values["headers"].split():
            value = f"{self.command.lower()} {self.path}" if name == "(request-target)" else self.headers[name]
            lines.append(f"{name}: {value}")
        signature, text = base64.b64decode(values["signature"]), "\n".join(lines).encode()
        try:
            if (values["keyId"], values["algorithm"]) == ("test-key-rsa", "rsa-sha256"):
                RSA.public_key().verify(signature, text, padding.PKCS1v15(), hashes.SHA256())
            else:
                ED25519.public_key().verify(signature, text)
        except InvalidSignature:
            return self.answer(401, "invalid")
        self.answer(200, values["headers"])

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/messages":
            return self.sign_response()
        if path == "/v2/credentials" and self.headers.get("Authorization") == "container-token":
            return self.credentials()
        roles = "/latest/meta-data/iam/security-credentials/"
        if path.startswith(roles):
            if self.headers.get("X-aws-ec2-metadata-token") != "instance-token":
                return self.answer(401)
            return self.credentials() if path == roles + "birds" else self.answer(200, "birds\n")
        self.answer(200 if path == "/" else 404)

    def do_PUT(self):
        self.read()
        if self.path == "/latest/api/token" and self.headers.get("X-aws-ec2-metadata-token-ttl-seconds"):
            return self.answer(200, "instance-token")
        self.answer(404)

    def credentials(self):
        expiration = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        self.answer(200, json.dumps({
            "Code": "Success", "AccessKeyId": "AKIDPEER", "SecretAccessKey": "peer-secret", "Token": "peer-token",
            "Expiration": expiration.strftime("%Y-%m-%dT%H:%M:%SZ")}))

    def sign_response(self):
        key_id = self.path.split("?")[1]
        body = '{"bird": "simorgh"}'
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        fields = Headers([("Content-Type", "application/json"), ("Content-Digest", f"sha-256=:{digest}:")])
        response = Response(200, fields, Request(self, b""))
        signer = HTTPMessageSigner(signature_algorithm=ALGORITHMS[key_id], key_resolver=Keys())
        signer.sign(
            response, key_id=key_id, covered_component_ids=("@status", "content-type", "content-digest"), label="sig1",
            body=body.encode(), use_existing_digest=True)
        self.answer(200, body, response.headers.items())


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
