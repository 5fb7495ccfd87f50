"""moto as an S3 that verifies signatures.

    s3.py PORT

The user zal may do everything: access key AKIDPEER, secret key peer-secret. moto verifies the field Authorization with botocore;
it does not verify presigned URLs, and not the hash of a body.
"""

import sys

from moto import settings
from moto.iam.models import iam_backends
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

ACCOUNT = "123456789012"
EVERYTHING = '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}'

backend = iam_backends[ACCOUNT]["aws"]
backend.create_user(region_name="us-east-1", user_name="zal")
backend.put_user_policy("zal", "everything", EVERYTHING)
key = backend.create_access_key("zal")
backend.access_keys.pop(key.access_key_id, None)
key.access_key_id, key.secret_access_key = "AKIDPEER", "peer-secret"
backend.access_keys[key.access_key_id] = key
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
run_simple(
    "127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=True)
