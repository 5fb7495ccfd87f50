"""A WebSocket server with the Python library websockets, for the reconnection tests.

  realtime.py PORT

/echo echoes messages; /echo/N closes after N of them, and so does /later/M/N. /drop/N drops the connection after N
messages. /close/CODE closes with a code after the first message. /send/N sends the numbers below N and closes; /bytes/N
sends N bytes counted from 0. /numbers counts on across connections, ten numbers each, and then drops the connection.
/reject/STATUS refuses the upgrade, with Retry-After if ?after= is given. /token accepts only "Bearer new". /slow/MS
delays the handshake. /later/N refuses the first N upgrades with 503. /open?QUERY returns the number of open connections
with that query, and / that the server runs.
"""
import asyncio
import itertools
import sys

from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.http11 import Response

numbers = itertools.count()
standing = {}
refusals = {}


def answer(status, text, *fields):
    body = text.encode()
    headers = Headers([("Content-Type", "text/plain"), ("Content-Length", str(len(body))), *fields])
    return Response(status, "Answer", headers, body)


async def decide(connection, request):
    path, _, query = request.path.partition("?")
    parts = path.strip("/").split("/")
    if parts == [""]:
        return answer(200, "ready")
    if parts == ["open"]:
        return answer(200, str(standing.get(query, 0)))
    if parts[0] == "reject":
        after = [("Retry-After", query[6:])] if query.startswith("after=") else []
        return answer(int(parts[1]), "not here", *after)
    if parts[0] == "token" and request.headers.get("Authorization") != "Bearer new":
        return answer(401, "expired", ("WWW-Authenticate", "Bearer"))
    if parts[0] == "later":
        refusals[query] = refusals.get(query, 0) + 1
        if refusals[query] <= int(parts[1]):
            return answer(503, "not yet")
    if parts[0] == "slow":
        await asyncio.sleep(int(parts[1]) / 1000)
    return None


async def talk(socket):
    path = socket.request.path.partition("?")[0].strip("/").split("/")
    if path[0] == "send":
        for number in range(int(path[1])):
            await socket.send(str(number))
    elif path[0] == "bytes":
        await socket.send(bytes(range(int(path[1]))))
    elif path[0] == "late":
        # Each answer takes a while, like those of most servers.
        async for message in socket:
            await asyncio.sleep(int(path[1]) / 1000)
            await socket.send(message)
    elif path[0] == "numbers":
        for _ in range(10):
            await socket.send(str(next(numbers)))
        # Written bytes are sent; then the connection ends without a close frame.
        socket.transport.write_eof()
        await asyncio.sleep(0.05)
        socket.transport.abort()
    else:
        count = 0
        async for message in socket:
            if path[0] == "close":
                await socket.close(int(path[1]), "as you wished")
                return
            await socket.send(message)
            count += 1
            last = {"echo": path[1:2], "later": path[2:3]}.get(path[0])
            if last and count == int(last[0]):
                return
            if path[0] == "drop" and count == int(path[1]):
                await asyncio.sleep(0.05)
                socket.transport.abort()
                return


async def handle(socket):
    query = socket.request.path.partition("?")[2]
    standing[query] = standing.get(query, 0) + 1
    try:
        await talk(socket)
    finally:
        standing[query] -= 1


def choose(connection, offered):
    return next((name for name in ("chat.v2", "chat.v1") if name in offered), None)


async def main():
    async with serve(
        handle, "127.0.0.1", int(sys.argv[1]), process_request=decide, select_subprotocol=choose,
        ping_interval=None, max_size=None,
    ):
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
