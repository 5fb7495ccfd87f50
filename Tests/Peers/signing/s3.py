"""moto as an S3 that verifies signatures.

    s3.py PORT

The user zal may do everything: access key AKIDPEER, secret key peer-secret. moto verifies the field Authorization with botocore, but
not presigned URLs, and not the hash of a body. This program verifies presigned URLs, too, and gives them a field Authorization.
"""

import datetime
import sys
import urllib.parse

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto import settings
from moto.iam.models import iam_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

ACCOUNT = "123456789012"
EVERYTHING = '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}'
CREDENTIALS = Credentials("AKIDPEER", "peer-secret")


class Presigned:
    """Verifies the signature in the query of a URL."""

    def __init__(self, application):
        self.application = application

    def __call__(self, environ, start_response):
        query = environ.get("QUERY_STRING", "")
        if "X-Amz-Signature=" not in query:
            return self.application(environ, start_response)
        kept = [item for item in query.split("&") if not item.startswith("X-Amz-")]
        values = {name: value[0] for name, value in urllib.parse.parse_qs(query).items()}
        path = environ["RAW_URI"].split("?")[0]
        host = f"http://{environ['HTTP_HOST']}"
        headers = {
            name: environ["CONTENT_TYPE" if name == "content-type" else "HTTP_" + name.upper().replace("-", "_")]
            for name in values["X-Amz-SignedHeaders"].split(";")
        }
        unsigned = "&".join(item for item in query.split("&") if not item.startswith("X-Amz-Signature="))
        request = AWSRequest(method=environ["REQUEST_METHOD"], url=f"{host}{path}?{unsigned}", headers=headers)
        request.context["timestamp"] = values["X-Amz-Date"]
        region, service = values["X-Amz-Credential"].split("/")[2:4]
        verifier = S3SigV4QueryAuth(CREDENTIALS, service, region)
        expected = verifier.signature(
            verifier.string_to_sign(request, verifier.canonical_request(request)), request)
        start = datetime.datetime.strptime(values["X-Amz-Date"] + "+0000", "%Y%m%dT%H%M%SZ%z")
        age = (datetime.datetime.now(datetime.timezone.utc) - start).total_seconds()
        if expected != values["X-Amz-Signature"] or age > int(values["X-Amz-Expires"]):
            start_response("403 Forbidden", [("Content-Type", "text/plain")])
            return [b"SignatureDoesNotMatch"]
        environ["QUERY_STRING"] = "&".join(kept)
        target = path + ("?" + environ["QUERY_STRING"] if kept else "")
        environ["RAW_URI"] = environ["REQUEST_URI"] = target
        signed = AWSRequest(method=environ["REQUEST_METHOD"], url=host + target)
        S3SigV4Auth(CREDENTIALS, service, region).add_auth(signed)
        for name, value in signed.headers.items():
            environ["HTTP_" + name.upper().replace("-", "_")] = value
        return self.application(environ, start_response)


backend = iam_backends[ACCOUNT]["aws"]
backend.create_user(region_name="us-east-1", user_name="zal")
backend.put_user_policy("zal", "everything", EVERYTHING)
key = backend.create_access_key("zal")
backend.access_keys.pop(key.access_key_id, None)
key.access_key_id, key.secret_access_key = CREDENTIALS.access_key, CREDENTIALS.secret_key
backend.access_keys[key.access_key_id] = key
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
run_simple(
    "127.0.0.1", int(sys.argv[1]), Presigned(DomainDispatcherApplication(create_backend_app)), threaded=True)
