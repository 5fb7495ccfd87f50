# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

"""tuspyserver, a third-party tus 1.0 server, with a count of the received bytes: tus.py PORT FOLDER

Uploads are created at /files/. /report/ID?after=2 waits until two PATCH requests (default: one) have been received for
the upload and none is in progress, and returns JSON: {"received": the bytes of all its PATCH requests, "size": its
bytes, "sha256": their hash, "requests": count}.

It supports no checksums: those are tested only with the tests' own FakeTus, against a checksum by sha1sum.
"""

import asyncio
import hashlib
import os
import sys
from collections import defaultdict

import uvicorn
from fastapi import FastAPI, HTTPException
from tuspyserver import create_tus_router

port, folder = int(sys.argv[1]), sys.argv[2]
received = defaultdict(int)
requests = defaultdict(int)
active = defaultdict(int)
idle = asyncio.Condition()


class Count:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or scope["method"] != "PATCH":
            return await self.app(scope, receive, send)
        name = scope["path"].rstrip("/").split("/")[-1]
        active[name] += 1
        async with idle:
            requests[name] += 1
            idle.notify_all()

        async def counted():
            message = await receive()
            received[name] += len(message.get("body", b""))
            return message

        try:
            await self.app(scope, counted, send)
        finally:
            async with idle:
                active[name] -= 1
                idle.notify_all()


app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=folder))
app.add_middleware(Count)


@app.get("/report/{name}")
async def report(name: str, after: int = 1):
    def is_over():
        return requests[name] >= after and active[name] == 0

    async with idle:
        await asyncio.wait_for(idle.wait_for(is_over), 30)
    path = os.path.join(folder, os.path.basename(name))
    if not os.path.exists(path):
        raise HTTPException(status_code=404)
    hashed, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            hashed.update(piece)
            size += len(piece)
    return {"received": received[name], "size": size, "sha256": hashed.hexdigest(), "requests": requests[name]}


@app.get("/")
async def index():
    return {"uploads": "/files/"}


uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
