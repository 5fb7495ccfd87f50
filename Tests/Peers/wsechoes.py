"""An interop server for WebSockets: the server of Python's `websockets`, a third-party implementation.

    wsechoes.py PORT CERTIFICATES      started by scripts/with-test-servers
    wsechoes.py victim [PORT]          listens on that port or a free one and prints it; for tests that kill and stop it

/close/CODE closes with that code, /flood sends without end, and any other path echoes each message. GET / returns, as
JSON, the ports with other settings: bits9 to bits15 negotiate that many window bits, forgets has no context takeover,
plain no compression, small accepts 1,000 bytes at most, tls speaks TLS with the certificates of the folder.
"""
import asyncio
import json
import os
import pathlib
import ssl
import sys

from websockets.asyncio.server import serve
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.http11 import Response
from websockets.datastructures import Headers

places = {}


async def handle(socket):
    path = socket.request.path.split("?")[0]
    if path.startswith("/close/"):
        return await socket.close(int(path.rsplit("/", 1)[1]), "as asked")
    if path == "/flood":
        while True:
            await socket.send(b"x" * 65536)
    async for message in socket:
        await socket.send(message)


def answer(connection, request):
    if request.headers.get("Upgrade", "").lower() == "websocket":
        return None
    body = json.dumps(places).encode()
    return Response(200, "OK", Headers({"Content-Type": "application/json", "Content-Length": str(len(body))}), body)


def factory(bits=None, forgets=False):
    return ServerPerMessageDeflateFactory(
        server_max_window_bits=bits, client_max_window_bits=bits, server_no_context_takeover=forgets,
        client_no_context_takeover=forgets)


async def listen(port, **options):
    # One port per kind of negotiation: the library negotiates before it looks at the path.
    server = await serve(handle, "127.0.0.1", port, process_request=answer, ping_interval=None,
                         **{"compression": None, "max_size": 2**26, **options})
    return server, server.sockets[0].getsockname()[1]


async def main():
    servers = []
    if sys.argv[1] == "victim":
        server, port = await listen(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
        print(port, flush=True)
        return await server.serve_forever()
    folder = pathlib.Path(sys.argv[2])
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(folder / "good.pem", folder / "good.key")
    kinds = {f"bits{bits}": {"extensions": [factory(bits)]} for bits in range(9, 16)}
    kinds |= {
        "forgets": {"extensions": [factory(forgets=True)]},
        "plain": {},
        "deflate": {"compression": "deflate"},
        "small": {"max_size": 1000},
        "tls": {"ssl": secure},
    }
    for name, options in kinds.items():
        server, places[name] = await listen(0, **options)
        servers.append(server)
    places["root"] = str(folder / "root.pem")
    places["victim"] = [sys.executable, os.path.abspath(__file__), "victim"]
    server, _ = await listen(int(sys.argv[1]), compression="deflate")
    await server.serve_forever()


asyncio.run(main())
