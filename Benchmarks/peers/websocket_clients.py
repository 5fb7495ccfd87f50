"""Other WebSocket clients, with the arguments of bench-websocket: prints messages per second.

    websocket_clients.py picows|aiohttp URL SIZE IN-FLIGHT MESSAGES [--text|--cyrillic|--chinese]
"""
import asyncio
import sys
import time

import uvloop

kind, url, size, in_flight, count = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
phrases = {"--text": "x", "--cyrillic": "Съешь же ещё этих мягких булок, ", "--chinese": "天地玄黃宇宙洪荒日月盈昃，"}
phrase = next((phrases[flag] for flag in sys.argv[6:] if flag in phrases), None)
is_text = phrase is not None
if is_text:
    length = len(phrase.encode())
    words = phrase * (size // length) + "x" * (size % length)
    expected = len(words)
else:
    expected = size


async def with_picows():
    from picows import WSListener, WSMsgType, ws_connect
    payload = words.encode() if is_text else b"x" * size
    opcode = WSMsgType.TEXT if is_text else WSMsgType.BINARY

    class Client(WSListener):
        def start(self, number):
            self.left, self.received, self.number = number, 0, number
            self.done = asyncio.get_running_loop().create_future()
            for _ in range(min(in_flight, number)):
                self.left -= 1
                self.transport.send(opcode, payload)

        def on_ws_connected(self, transport):
            self.transport = transport

        def on_ws_frame(self, transport, frame):
            text = frame.get_payload_as_utf8_text() if is_text else frame.get_payload_as_bytes()
            assert len(text) == expected
            self.received += 1
            if self.left > 0:
                self.left -= 1
                transport.send(opcode, payload)
            elif self.received == self.number:
                self.done.set_result(None)

    transport, client = await ws_connect(Client, url)
    client.start(max(in_flight, count // 10))
    await client.done
    begin = time.perf_counter()
    client.start(count)
    await client.done
    print(int(count / (time.perf_counter() - begin)))
    transport.disconnect()


async def with_aiohttp():
    import aiohttp
    payload = words if is_text else b"x" * size
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(url, max_msg_size=2**26, compress=0) as socket:
            send = socket.send_str if is_text else socket.send_bytes
            for number in (max(in_flight, count // 10), count):
                begin, sent = time.perf_counter(), 0
                while sent < min(in_flight, number):
                    await send(payload)
                    sent += 1
                for _ in range(number):
                    message = await socket.receive()
                    assert len(message.data) == expected
                    if sent < number:
                        await send(payload)
                        sent += 1
            print(int(count / (time.perf_counter() - begin)))


uvloop.run(with_picows() if kind == "picows" else with_aiohttp())
