"""Validates a HAR file on standard input against a published schema, that of har-schema, in a folder: `har.py FOLDER`.

Prints one line per fault; a valid file prints nothing.
"""

import json
import pathlib
import sys

from jsonschema import Draft6Validator
from referencing import Registry, Resource

files = {path.name: json.loads(path.read_text()) for path in pathlib.Path(sys.argv[1]).glob("*.json")}
registry = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in files.items())
judge = Draft6Validator(files["har.json"], registry=registry, format_checker=Draft6Validator.FORMAT_CHECKER)
for fault in judge.iter_errors(json.load(sys.stdin)):
    print(f"{fault.json_path}: {fault.message}")
