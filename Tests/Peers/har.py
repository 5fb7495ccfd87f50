"""Judges a HAR file from the standard input by a published schema, that of har-schema: `har.py FOLDER`, where its files are.

Each fault is a line of the standard output; a good file has none.
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
