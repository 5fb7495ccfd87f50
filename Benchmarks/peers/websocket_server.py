"""The echo server for WebSocket clients: picows on uvloop.

    websocket_server.py PORT
"""
import asyncio
import sys

import uvloop
from picows import WSListener, WSMsgType, ws_create_server


class Echo(WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()
        elif frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        else:
            transport.send(frame.msg_type, frame.get_payload_as_bytes())


async def main():
    server = await ws_create_server(lambda request: Echo(), "127.0.0.1", int(sys.argv[1]),
                                    websocket_handshake_timeout=60)
    await server.serve_forever()


uvloop.run(main())
