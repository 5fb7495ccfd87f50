"""Stand-ins for subscription servers, written from their protocol documentation, on one port, selected by the path.

    subscriptions.py PORT              started by scripts/with-test-servers
    subscriptions.py victim [PORT]     listens on that port or a free one and prints it; for tests that kill and stop it

  /graphql            AWS AppSync GraphQL (subprotocol graphql-ws; credentials in the query or in a subprotocol)
  /event/realtime     AWS AppSync Events (subprotocols aws-appsync-event-ws and header-…)
  /ws, /stream        Binance, raw and combined
  /socket/websocket   Phoenix channels, versions 1 and 2; Absinthe on the topic __absinthe__:control
  /app/KEY            Pusher 7
  /plain              GraphQL over graphql-transport-ws and the older graphql-ws

Any of these may be prefixed with /with/NAME=VALUE,…: the faults of that connection.
  drop_after=n     the connection breaks off after n data messages, but only the first `drops` times (any number)
  ka_stop_after=n  no keep-alive after the n-th, sent or requested; ka_ms=… their interval (200)
  timeout_ms=…     the announced keep-alive timeout (300000)
  ack_delay=…      seconds before the handshake, or without one the subscription, is confirmed; ack_never=1: never
  start_error=1    subscriptions are refused
  tick_ms=…        the interval of data (20); ticks=n ends after n; AppSync Events sends data only with ticks
  together=n       no data before n subscriptions were requested
  shutdown_after=n Binance announces the end of the connection after n events
  crash_after=n    a Phoenix channel crashes after n events, once
  journal=NAME     records the client's messages; GET /journal/NAME returns them as lists, one per connection

GET /victim returns the command that starts a victim.
"""
import asyncio
import base64
import http
import itertools
import json
import os
import sys
import time
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

journals = {}
drops = {}


def compact(value):
    return json.dumps(value, separators=(',', ':'))


class Peer:
    def __init__(self, ws, faults):
        self.ws, self.faults, self.tasks, self.sent, self.signs = ws, faults, {}, 0, 0
        self.fed, self.is_whole = 0, asyncio.Event()
        self.journal = None
        if 'journal' in faults:
            self.journal = []
            journals.setdefault(faults['journal'], []).append(self.journal)

    def fault(self, name, default=0):
        return float(self.faults.get(name, default))

    async def messages(self):
        async for text in self.ws:
            if self.journal is not None and len(self.journal) < 10_000:
                self.journal.append(text)
            yield text

    async def send(self, message):
        await self.ws.send(compact(message))

    async def data(self, message):
        await self.send(message)
        self.sent += 1
        if self.sent == self.fault('drop_after'):
            name = self.faults.get('journal', '')
            drops[name] = drops.get(name, 0) + 1
            if drops[name] <= self.fault('drops', 1e9):
                self.ws.transport.abort()

    def start(self, key, coroutine):
        self.stop(key)
        self.tasks[key] = asyncio.create_task(coroutine)

    def stop(self, key):
        task = self.tasks.pop(key, None)
        if task:
            task.cancel()

    async def feed(self, make, end=None):
        self.fed += 1
        if self.fed >= self.fault('together'):
            self.is_whole.set()
        await self.is_whole.wait()
        for n in range(int(self.fault('ticks', 1e9))):
            await self.data(make(n))
            await asyncio.sleep(self.fault('tick_ms', 20) / 1000)
        if end:
            await self.send(end)

    async def acknowledges(self):
        if self.fault('ack_never'):
            return False
        await asyncio.sleep(self.fault('ack_delay'))
        return True

    def lives(self):
        """Returns True if a requested keep-alive is answered."""
        self.signs += 1
        return self.signs <= self.fault('ka_stop_after', 1e9)

    async def keep_alive(self):
        for n in itertools.count(1):
            if n > self.fault('ka_stop_after', 1e9):
                return
            await self.send({'type': 'ka'})
            await asyncio.sleep(self.fault('ka_ms', 200) / 1000)


def authorization_of(ws, query):
    for name in (ws.request.headers.get('Sec-WebSocket-Protocol') or '').split(','):
        name = name.strip()
        if name.startswith('header-'):
            text = name[len('header-'):]
            return json.loads(base64.urlsafe_b64decode(text + '=' * (-len(text) % 4)))
    return json.loads(base64.b64decode(query['header'][0])) if 'header' in query else None


def is_authorized(fields):
    return bool(fields) and 'host' in fields and bool({'x-api-key', 'Authorization'} & set(fields))


async def appsync(peer, path, query):
    def error(kind, **more):
        return {'errors': [{'errorType': kind, **more}]}

    if not is_authorized(authorization_of(peer.ws, query)):
        await peer.send({'type': 'connection_error', 'payload': error('UnauthorizedException', errorCode=401)})
        return await peer.ws.close(4401, 'Unauthorized')
    async for text in peer.messages():
        message = json.loads(text)
        kind, i = message.get('type'), message.get('id')
        if kind == 'connection_init':
            if not await peer.acknowledges():
                continue
            timeout = int(peer.fault('timeout_ms', 300_000))
            await peer.send({'type': 'connection_ack', 'payload': {'connectionTimeoutMs': timeout}})
            peer.start('keep-alive', peer.keep_alive())
        elif kind == 'start':
            document = json.loads(message['payload']['data'])  # a string that contains JSON
            authorized = is_authorized(message['payload'].get('extensions', {}).get('authorization'))
            if not authorized or peer.fault('start_error'):
                why = 'MaxSubscriptionsReachedError' if authorized else 'UnauthorizedException'
                await peer.send({'id': i, 'type': 'error', 'payload': error(why, message='refused')})
                continue
            await peer.send({'type': 'start_ack', 'id': i})
            if 'silent' not in document['query']:
                peer.start(i, peer.feed(
                    lambda n, i=i: {'type': 'data', 'id': i, 'payload': {'data': {'onTick': {'n': n}}}},
                    {'type': 'complete', 'id': i}))
        elif kind == 'stop':
            peer.stop(i)
            await peer.send({'type': 'complete', 'id': i})
        else:
            await peer.send({'type': 'error', 'payload': error('UnsupportedOperation', message=str(kind))})


async def events(peer, path, query):
    channels = {}
    if not is_authorized(authorization_of(peer.ws, query)):
        await peer.send({'type': 'connection_error', 'errors': [{'errorType': 'UnauthorizedException'}]})
        return await peer.ws.close(4401, 'Unauthorized')
    async for text in peer.messages():
        message = json.loads(text)
        kind, i = message.get('type'), message.get('id')
        if kind == 'connection_init':
            if not await peer.acknowledges():
                continue
            await peer.send({'type': 'connection_ack', 'connectionTimeoutMs': int(peer.fault('timeout_ms', 300_000))})
            peer.start('keep-alive', peer.keep_alive())
        elif kind == 'subscribe':
            if not is_authorized(message.get('authorization')) or i in channels or peer.fault('start_error'):
                why = 'DuplicatedOperationError' if i in channels else 'UnauthorizedException'
                await peer.send({'id': i, 'type': 'subscribe_error', 'errors': [{'errorType': why, 'message': ''}]})
            else:
                channels[i] = message['channel']
                await peer.send({'id': i, 'type': 'subscribe_success'})
                if 'ticks' in peer.faults:
                    peer.start(i, peer.feed(lambda n, i=i: {'id': i, 'type': 'data', 'event': compact({'n': n})}))
        elif kind == 'unsubscribe':
            peer.stop(i)
            known = channels.pop(i, None)
            await peer.send({'id': i, 'type': 'unsubscribe_success' if known else 'unsubscribe_error'})
        elif kind == 'publish':
            if not is_authorized(message.get('authorization')) or len(message['events']) > 5:
                await peer.send({'id': i, 'type': 'publish_error', 'errors': [{'errorType': 'BadRequestException'}]})
                continue
            done = [{'identifier': str(k), 'index': k} for k in range(len(message['events']))]
            await peer.send({'id': i, 'type': 'publish_success', 'successful': done, 'failed': []})
            for subscription, channel in list(channels.items()):
                wild = channel.endswith('/*') and message['channel'].startswith(channel[:-1])
                if wild or channel == message['channel']:
                    for event in message['events']:
                        await peer.data({'id': subscription, 'type': 'data', 'event': event})


async def binance(peer, path, query):
    streams, combined = [], path.startswith('/stream')
    if combined and 'streams' in query:
        streams += query['streams'][0].split('/')
    elif path.startswith('/ws/'):
        streams += path[len('/ws/'):].split('/')
    received = 0

    async def feed():
        count = 0
        for n in itertools.count():
            for stream in list(streams):
                symbol, _, event = stream.partition('@')
                data = {'e': event, 'E': int(time.time() * 1000), 's': symbol.upper(), 't': n, 'p': '0.001', 'q': '100'}
                await peer.data({'stream': stream, 'data': data} if combined else data)
                count += 1
                if count == peer.fault('shutdown_after') and len(journals.get(peer.faults.get('journal'), [1])) < 2:
                    await peer.send({'e': 'serverShutdown', 'E': int(time.time() * 1000)})
            await asyncio.sleep(peer.fault('tick_ms', 20) / 1000)

    peer.start('feed', feed())
    async for text in peer.messages():
        # Counted from before the client knows that it is connected: however this machine batches the messages, only a
        # client that really sends more than five per second exceeds the limit.
        received += 1
        if received > 5 + 5 * (time.monotonic() - peer.ws.asked_at):
            return await peer.ws.close(1008, 'Too many requests')
        try:
            message = json.loads(text)
            method, i, params = message['method'], message.get('id'), message.get('params', [])
        except (ValueError, KeyError, TypeError, AttributeError):
            await peer.send({'code': 3, 'msg': 'Invalid JSON: expected value at line 1 column 1'})
            continue
        result = None
        if method == 'SUBSCRIBE' and not all('@' in s for s in params):
            await peer.send({'error': {'code': 2, 'msg': 'Invalid request: no such stream'}, 'id': i})
            continue
        if method == 'SUBSCRIBE':
            if not await peer.acknowledges():
                continue
            streams += [s for s in params if s not in streams]
        elif method == 'UNSUBSCRIBE':
            streams[:] = [s for s in streams if s not in params]
        elif method == 'LIST_SUBSCRIPTIONS':
            result = streams
        else:
            await peer.send({'error': {'code': 2, 'msg': f'Invalid request: unknown variant {method}'}, 'id': i})
            continue
        await peer.send({'result': result, 'id': i})


async def phoenix(peer, path, query):
    v2 = query.get('vsn', ['1.0.0'])[0].startswith('2')

    def frame(join, ref, topic, event, payload):
        return [join, ref, topic, event, payload] if v2 else \
            {'join_ref': join, 'ref': ref, 'topic': topic, 'event': event, 'payload': payload}

    def tick(topic, n):
        return frame(None, None, topic, 'subscription:data', {'subscriptionId': topic, 'result': {'data': {'tick': n}}})

    crashes = []

    async def room(join, topic):
        for n in itertools.count():
            await peer.data(frame(None, None, topic, 'tick', {'n': n}))
            await asyncio.sleep(peer.fault('tick_ms', 20) / 1000)
            if n + 1 == peer.fault('crash_after') and not crashes:
                crashes.append(topic)
                return await peer.send(frame(join, join, topic, 'phx_error', {}))

    async for text in peer.messages():
        m = json.loads(text)
        join, ref, topic, event, payload = m if v2 else \
            (m.get('join_ref'), m.get('ref'), m['topic'], m['event'], m.get('payload'))

        async def reply(response, status='ok'):
            await peer.send(frame(join, ref, topic, 'phx_reply', {'status': status, 'response': response}))

        if event == 'heartbeat':
            if peer.lives():
                await reply({})
        elif event == 'phx_join':
            if peer.fault('start_error') and topic.startswith('room:'):
                await reply({'reason': 'unauthorized'}, 'error')
                continue
            if not await peer.acknowledges():
                continue
            await reply({})
            if topic.startswith('room:'):
                peer.start(topic, room(join, topic))
        elif event == 'phx_leave':
            peer.stop(topic)
            await reply({})
            await peer.send(frame(join, None, topic, 'phx_close', {}))
        elif event == 'echo':
            await reply(payload)
        elif event == 'doc' and peer.fault('start_error'):
            await reply({'errors': [{'message': 'refused'}]}, 'error')
        elif event == 'doc' and 'subscription' in payload['query']:
            subscription = f'__absinthe__:doc:{ref}'
            await reply({'subscriptionId': subscription})
            peer.start(subscription, peer.feed(lambda n, s=subscription: tick(s, n)))
        elif event == 'doc':
            await reply({'data': {'hello': 'world'}})
        elif event == 'unsubscribe':
            peer.stop(payload['subscriptionId'])
            await reply({'subscriptionId': payload['subscriptionId']})
        else:
            await reply({'reason': 'unmatched'}, 'error')


async def pusher(peer, path, query):
    if peer.fault('start_error'):
        await peer.send({'event': 'pusher:error', 'data': {'code': 4001, 'message': 'Application does not exist'}})
        return await peer.ws.close(4001)
    hello = compact({'socket_id': '1.1', 'activity_timeout': peer.fault('activity_s', 2)})
    if await peer.acknowledges():
        await peer.send({'event': 'pusher:connection_established', 'data': hello})
    async for text in peer.messages():
        message = json.loads(text)
        event, data = message['event'], message.get('data') or {}
        if event == 'pusher:ping':
            if peer.lives():
                await peer.send({'event': 'pusher:pong', 'data': {}})
        elif event == 'pusher:subscribe':
            channel = data['channel']
            if channel.startswith('private-') and data.get('auth') != f'key:{channel}:1.1':
                refusal = {'type': 'AuthError', 'error': 'Connection not authorized', 'status': 401}
                await peer.send({'event': 'pusher:subscription_error', 'channel': channel, 'data': refusal})
                continue
            await peer.send({'event': 'pusher_internal:subscription_succeeded', 'channel': channel, 'data': '{}'})
            if 'silent' not in channel:
                peer.start(channel, peer.feed(
                    lambda n, channel=channel: {'event': 'tick', 'channel': channel, 'data': compact({'n': n})}))
        elif event == 'pusher:unsubscribe':
            peer.stop(data['channel'])


async def plain(peer, path, query):
    is_older = peer.ws.subprotocol == 'graphql-ws'
    async for text in peer.messages():
        message = json.loads(text)
        kind, i = message['type'], message.get('id')
        if kind == 'connection_init':
            if not await peer.acknowledges():
                continue
            await peer.send({'type': 'connection_ack'})
            if is_older:
                peer.start('keep-alive', peer.keep_alive())
        elif kind == ('start' if is_older else 'subscribe'):
            if peer.fault('start_error'):
                fault = {'message': 'refused'}
                await peer.send({'type': 'error', 'id': i, 'payload': fault if is_older else [fault]})
            elif 'silent' not in message['payload']['query']:
                event = 'data' if is_older else 'next'
                peer.start(i, peer.feed(
                    lambda n, i=i, event=event: {'type': event, 'id': i, 'payload': {'data': {'tick': n}}},
                    {'type': 'complete', 'id': i}))
        elif kind in ('stop', 'complete'):
            peer.stop(i)
        elif kind == 'ping' and peer.lives():
            await peer.send({'type': 'pong'})


ROUTES = (('/event/realtime', events), ('/graphql', appsync), ('/stream', binance), ('/ws', binance),
          ('/socket', phoenix), ('/app/', pusher), ('/plain', plain))


def faults_of(path):
    """Returns the faults in a path, and the rest of the path."""
    if not path.startswith('/with/'):
        return {}, path
    text, _, rest = path[len('/with/'):].partition('/')
    return dict(part.partition('=')[::2] for part in text.split(',')), '/' + rest


async def handle(ws):
    url = urlsplit(ws.request.path)
    faults, path = faults_of(url.path)
    serve_protocol = next((f for prefix, f in ROUTES if path.startswith(prefix)), None)
    if serve_protocol is None:
        return await ws.close(4404, 'no such endpoint')
    peer = Peer(ws, faults)
    try:
        await serve_protocol(peer, path, parse_qs(url.query))
    except ConnectionClosed:
        pass
    finally:
        for key in list(peer.tasks):
            peer.stop(key)


def answer(connection, request):
    """Answers plain requests: the journals, the victim's command, and anything else to show that the server runs."""
    if request.headers.get('Upgrade'):
        connection.asked_at = time.monotonic()
        return None
    if request.path == '/victim':
        return connection.respond(
            http.HTTPStatus.OK, compact([sys.executable, os.path.abspath(__file__), 'victim']))
    name = request.path.removeprefix('/journal/')
    return connection.respond(http.HTTPStatus.OK, compact(journals.get(name, [])))


def pick_subprotocol(connection, offered):
    known = ('aws-appsync-event-ws', 'graphql-ws', 'graphql-transport-ws')
    return next((o for o in offered if o in known), None)


async def main(port):
    async with serve(
            handle, '127.0.0.1', int(port), select_subprotocol=pick_subprotocol, process_request=answer) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()


if __name__ == '__main__':
    asyncio.run(main(sys.argv[1] if sys.argv[1] != 'victim' else (sys.argv[2:] or ['0'])[0]))
