#!/usr/bin/env python3
"""Reads server-sent events with httpx-sse from memory, like bench-streaming:

    bench-streaming sse 1 EVENTS && .build/peers/venv/bin/python Benchmarks/sse.py EVENTS [ROUNDS]
"""

import sys
import time
from pathlib import Path

import httpx
from httpx_sse import EventSource


class Chunks(httpx.SyncByteStream):
    def __init__(self, data, rounds):
        self.chunks = [data[start:start + 65536] for start in range(0, len(data), 65536)]
        self.rounds = rounds

    def __iter__(self):
        for _ in range(self.rounds):
            yield from self.chunks


data = Path(sys.argv[1]).read_bytes()
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1
response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, stream=Chunks(data, rounds))
start = time.process_time()
count = sum(1 for event in EventSource(response).iter_sse() if event.data)
seconds = time.process_time() - start
print(f'{{"form": "httpx-sse", "records": {count}, "cpu": {seconds:.2f}, "recordsPerSecond": {int(count / seconds)}, '
      f'"MiBPerSecond": {len(data) * rounds / seconds / 1048576:.1f}}}')
