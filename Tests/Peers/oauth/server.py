# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""An OAuth 2.0 authorization server of Authlib, and an API that accepts its tokens: server.py PORT

Clients: machine (secret "feather:1 %", by Basic or form), tour (public), signer and revoker (private_key_jwt), behind and ahead (as signer,
validated by clocks that differ by 25 s), old (as signer, by a clock that is an hour ahead).

/token, /authorize, /device, /revoke   the endpoints; /.well-known/oauth-authorization-server describes them
/authorize   redirects at once. login_hint=deny, wrong-state, no-state, other-issuer, no-issuer or twice changes the redirect.
/approve?user_code=CODE&approved=1     decides on a device; /expire?user_code=CODE lets its code expire
/keys?client=ID   POST of a public key in PEM
/protected   200 with a token, 401 without; /tokens counts the tokens by grant; /forget?token=TOKEN lets a token expire
/dpop/token, /dpop/protected   the same with proofs of possession (RFC 9449), which need a nonce

A refresh token works once: with its second use all tokens of the sign-in are revoked. Access tokens live 3600 s.
"""

import base64
import collections
import hashlib
import json
import logging
import os
import sys
import threading
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.security import generate_token
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6749.errors import InvalidClientError, InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerClientAssertion, JWTBearerGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, Response, jsonify, redirect, request
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey
from werkzeug.serving import WSGIRequestHandler, make_server

port = int(sys.argv[1])
issuer = f"http://127.0.0.1:{port}"
lock = threading.Lock()
keys, codes, devices, decisions, jtis, nonces = {}, {}, {}, {}, set(), set()
tokens = []
counts = collections.Counter()
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
# Authlib has no setting for the algorithms of assertions; without this it refuses EdDSA.
jws.JWSRegistry.recommended.append("EdDSA")
DRIFTS = {"behind": -25, "ahead": 25, "old": 3600}


class Client(ClientMixin):
    def __init__(self, name, methods, secret=None):
        self.name, self.methods, self.secret = name, methods, secret

    def get_client_id(self):
        return self.name

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return " ".join(part for part in (scope or "birds").split() if part in ("birds", "eggs"))

    def check_redirect_uri(self, uri):
        return urlsplit(uri).hostname == "127.0.0.1"

    def check_client_secret(self, secret):
        return self.secret is not None and secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method in self.methods

    def check_response_type(self, kind):
        return kind == "code"

    def check_grant_type(self, kind):
        return True


signed = [JWTBearerClientAssertion.CLIENT_AUTH_METHOD]
clients = {
    "machine": Client("machine", ["client_secret_basic", "client_secret_post"], "feather:1 %"),
    "tour": Client("tour", ["none"]),
    **{name: Client(name, signed) for name in ("signer", "revoker", "behind", "ahead", "old")},
}


class Token(TokenMixin):
    def __init__(self, client, user, family, fields):
        self.client, self.user, self.family, self.fields = client, user, family, fields
        self.expires = time.time() + fields["expires_in"]
        self.used = self.revoked = False

    def check_client(self, client):
        return self.client.name == client.name

    def get_scope(self):
        return self.fields.get("scope", "")

    def get_expires_in(self):
        return self.fields["expires_in"]

    def is_expired(self):
        return self.expires <= time.time()

    def is_revoked(self):
        return self.revoked


def save_token(fields, oauth_request):
    old = getattr(oauth_request, "refresh_token", None)
    with lock:
        counts[oauth_request.payload.grant_type] += 1
        family = old.family if old else generate_token(16)
        tokens.append(Token(oauth_request.client, oauth_request.user, family, fields))


def find(name, value):
    return next((token for token in tokens if value and token.fields.get(name) == value), None)


def revoke_family(token):
    for other in tokens:
        if other.family == token.family:
            other.revoked = True


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"client_credentials": 3600, "authorization_code": 3600, JWT_BEARER: 3600}
server = AuthorizationServer(app, clients.get, save_token)


class Code(dict):
    def get_redirect_uri(self):
        return self["redirect_uri"]

    def get_scope(self):
        return self["scope"]


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]

    def save_authorization_code(self, code, oauth_request):
        payload = oauth_request.payload
        codes[code] = Code(
            code=code, client=oauth_request.client.name, redirect_uri=payload.redirect_uri, scope=payload.scope or "birds",
            user=oauth_request.user, code_challenge=payload.data.get("code_challenge"),
            code_challenge_method=payload.data.get("code_challenge_method"), key=payload.data.get("dpop_jkt"))

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found["client"] == client.name else None

    def delete_authorization_code(self, code):
        codes.pop(code["code"], None)

    def authenticate_user(self, code):
        return code["user"]


class S256Only(CodeChallenge):
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]

    def get_authorization_code_challenge(self, code):
        return code["code_challenge"]

    def get_authorization_code_challenge_method(self, code):
        return code["code_challenge_method"]


class RefreshTokenGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, value):
        with lock:
            token = find("refresh_token", value)
            if token and token.used:
                revoke_family(token)
            if not token or token.revoked:
                return None
            # Taken at once, so that of two simultaneous uses one is the second.
            token.used = True
            return token

    def authenticate_user(self, token):
        return token.user

    def revoke_old_credential(self, token):
        pass


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    EXPIRES_IN = 600
    INTERVAL = 1

    def get_verification_uri(self):
        return issuer + "/verify"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=time.time() + self.EXPIRES_IN, asked=0, slowed=False, **data)


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, code):
        return devices.get(code)

    def query_user_grant(self, user_code):
        return decisions.get(user_code)

    def should_slow_down(self, credential):
        # Once for each sign-in.
        credential["asked"] += 1
        slow = credential["asked"] == 2 and credential.get_scope() == "eggs"
        return slow


class Assertion(JWTBearerClientAssertion):
    def get_audiences(self):
        return [issuer + "/token", issuer]

    def verify_claims(self, claims):
        drift = DRIFTS.get(claims.get("sub"), 0)
        now = int(time.time()) + drift
        try:
            jwt.JWTClaimsRegistry(
                now=now, leeway=0, iss={"essential": True}, sub={"essential": True},
                aud={"essential": True, "values": self.get_audiences()}, exp={"essential": True}).validate(claims)
        except JoseError as error:
            raise InvalidClientError(description=error.description) from error
        if claims.get("iat", 0) > now or claims["exp"] > now + 600:
            raise InvalidClientError(description="the assertion is of the future")
        if claims["sub"] != claims["iss"] or not self.validate_jti(claims, claims.get("jti")):
            raise InvalidClientError(description="the assertion was used before")

    def validate_jti(self, claims, jti):
        with lock:
            fresh = bool(jti) and jti not in jtis
            jtis.add(jti)
        return fresh

    def resolve_client_public_key(self, client):
        return keys[client.name]


class AssertionGrant(JWTBearerGrant):
    def resolve_issuer_client(self, name):
        return clients.get(name)

    def resolve_client_public_key(self, client):
        return keys[client.name]

    def authenticate_user(self, subject):
        return subject

    def has_granted_permission(self, client, user):
        return user != "stranger"

    def get_audiences(self):
        return [issuer + "/token"]


class ExchangeGrant(grants.BaseGrant, grants.TokenEndpointMixin):
    GRANT_TYPE = EXCHANGE
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

    def validate_token_request(self):
        self.request.client = self.authenticate_token_endpoint_client()
        form = self.request.form
        if form.get("subject_token_type") != "urn:ietf:params:oauth:token-type:access_token":
            raise InvalidRequestError("the type of the subject's token")
        token = find("access_token", form.get("subject_token"))
        if not token or token.revoked or token.is_expired():
            raise InvalidRequestError("the subject's token")
        self.request.user = token.user

    def create_token_response(self):
        token = self.generate_token(user=self.request.user, scope=self.request.payload.scope, include_refresh_token=False)
        token["issued_token_type"] = "urn:ietf:params:oauth:token-type:access_token"
        self.save_token(token)
        return 200, token, self.TOKEN_RESPONSE_HEADER


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", *signed]

    def query_token(self, value, hint):
        return find("refresh_token", value) or find("access_token", value)

    def revoke_token(self, token, _):
        with lock:
            revoke_family(token)


class Issuer(IssuerParameter):
    def get_issuer(self):
        return issuer


server.register_client_auth_method(JWTBearerClientAssertion.CLIENT_AUTH_METHOD, Assertion())
for grant in (grants.ClientCredentialsGrant, RefreshTokenGrant, DeviceGrant, ExchangeGrant):
    if grant is grants.ClientCredentialsGrant:
        grant.TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", *signed]
    server.register_grant(grant)
server.register_grant(AssertionGrant)
server.register_grant(AuthorizationCodeGrant, [S256Only(required=True)])
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
server.register_extension(Issuer())


@app.get("/")
def root():
    return "oauth"


@app.get("/.well-known/oauth-authorization-server")
def metadata():
    return jsonify(
        issuer=issuer, token_endpoint=issuer + "/token", authorization_endpoint=issuer + "/authorize",
        device_authorization_endpoint=issuer + "/device", revocation_endpoint=issuer + "/revoke",
        response_types_supported=["code"], code_challenge_methods_supported=["S256"],
        authorization_response_iss_parameter_supported=True)


@app.get("/.well-known/oauth-authorization-server/other")
def other_metadata():
    # The metadata of another issuer than the one that was asked.
    return metadata()


@app.get("/.well-known/oauth-protected-resource/protected")
def resource_metadata():
    return jsonify(resource=issuer + "/protected", authorization_servers=[issuer], scopes_supported=["birds", "eggs"])


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response("device_authorization")


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.get("/authorize")
def authorize():
    hint = request.args.get("login_hint", "")
    grant = server.get_consent_grant(end_user="zal")
    response = server.create_authorization_response(grant_user=None if hint == "deny" else "zal", grant=grant)
    where, _, query = response.location.partition("?")
    fields = dict(parse_qsl(query))
    if hint == "wrong-state":
        fields["state"] = fields["state"][::-1]
    if hint == "no-state":
        del fields["state"]
    if hint == "other-issuer":
        fields["iss"] = "https://attacker.example"
    if hint == "no-issuer":
        del fields["iss"]
    pairs = list(fields.items()) + ([("code", "other")] if hint == "twice" else [])
    return redirect(where + "?" + urlencode(pairs))


@app.post("/approve")
def approve():
    decisions[request.args["user_code"]] = ("zal", request.args["approved"] == "1")
    return ""


@app.post("/expire")
def expire():
    for credential in devices.values():
        if credential["user_code"] == request.args["user_code"]:
            credential["expires_at"] = time.time() - 1
    return ""


@app.post("/keys")
def register_key():
    pem = request.get_data()
    for kind in (ECKey, OKPKey, RSAKey):
        try:
            keys[request.args["client"]] = kind.import_key(pem)
            return ""
        except (ValueError, TypeError, JoseError):
            continue
    return "no key", 400


@app.get("/tokens")
def count():
    with lock:
        return jsonify(counts)


@app.post("/forget")
def forget():
    token = find("access_token", request.args["token"])
    token.expires = 0
    return ""


def holder(scheme):
    kind, _, value = request.headers.get("Authorization", "").partition(" ")
    token = find("access_token", value)
    return token if kind == scheme and token and not token.revoked and not token.is_expired() else None


@app.get("/protected")
def protected():
    token = holder("Bearer")
    if not token:
        return Response("", 401, {"WWW-Authenticate": 'Bearer error="invalid_token"'})
    return jsonify(user=token.user, scope=token.get_scope(), client=token.client.name)


def thumbprint(key):
    return key.thumbprint() if hasattr(key, "thumbprint") else key.kid


def proof_error(path, value=None):
    """Checks the proof of a request; returns an error, or None and the thumbprint of the key."""
    text = request.headers.get("DPoP", "")
    try:
        obj = jws.extract_compact(text.encode())
        headers = obj.headers()
        key = ECKey.import_key(headers["jwk"])
        if headers["typ"] != "dpop+jwt" or headers["alg"] != "ES256" or "d" in headers["jwk"]:
            return "invalid_dpop_proof", None
        claims = jwt.decode(text, key, algorithms=["ES256"]).claims
    except (JoseError, KeyError, ValueError) as error:
        return "invalid_dpop_proof", None
    expected = base64.urlsafe_b64encode(hashlib.sha256(value.encode()).digest()).rstrip(b"=").decode() if value else None
    with lock:
        if claims.get("jti") in jtis or claims["htm"] != request.method or claims["htu"] != issuer + path \
                or abs(claims["iat"] - time.time()) > 60 or claims.get("ath") != expected:
            return "invalid_dpop_proof", None
        jtis.add(claims["jti"])
        if claims.get("nonce") not in nonces:
            return "use_dpop_nonce", None
        # A nonce works three times.
        counts["nonce " + claims["nonce"]] += 1
        if counts["nonce " + claims["nonce"]] >= 3:
            nonces.discard(claims["nonce"])
    return None, thumbprint(key)


def fresh_nonce():
    nonce = generate_token(16)
    nonces.add(nonce)
    return nonce


@app.post("/dpop/token")
def dpop_token():
    error, key = proof_error("/dpop/token")
    if error:
        return Response(json.dumps({"error": error}), 400, {"DPoP-Nonce": fresh_nonce(), "Content-Type": "application/json"})
    code = codes.get(request.form.get("code"))
    # RFC 9449, section 10.
    if code and code["key"] and code["key"] != key:
        return jsonify(error="invalid_grant", error_description="the key is not that of dpop_jkt"), 400
    refreshed = find("refresh_token", request.form.get("refresh_token"))
    # RFC 9449, section 5: the refresh token of a public client is bound to the key.
    if refreshed and getattr(refreshed, "key", key) != key:
        return jsonify(error="invalid_grant", error_description="the key is not that of the refresh token"), 400
    response = server.create_token_response()
    fields = response.get_json(force=True)
    if response.status_code == 200:
        find("access_token", fields["access_token"]).key = key
        fields["token_type"] = "DPoP"
        response.set_data(json.dumps(fields))
    return response


@app.get("/dpop/protected")
def dpop_protected():
    token = holder("DPoP")
    if not token:
        return Response("", 401, {"WWW-Authenticate": 'DPoP error="invalid_token"'})
    error, key = proof_error("/dpop/protected", token.fields["access_token"])
    if not error and key != token.key:
        error = "invalid_token"
    if error:
        return Response("", 401, {"WWW-Authenticate": f'DPoP error="{error}"', "DPoP-Nonce": fresh_nonce()})
    return jsonify(user=token.user, scope=token.get_scope())


class Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_):
        pass


logging.basicConfig(level=logging.WARNING)
make_server("127.0.0.1", port, app, threaded=True, request_handler=Handler).serve_forever()
