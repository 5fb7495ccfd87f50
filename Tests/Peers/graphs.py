"""Three third-party GraphQL servers on one port, selected by the path.

    graphs.py PORT

  /strawberry   strawberry: graphql-transport-ws and the older graphql-ws
  /hasty        the same, with a timeout of zero for connection_init
  /ariadne      ariadne: graphql-transport-ws
  /http/strawberry, /http/ariadne
                the same over HTTP as well: uploads, server-sent events; strawberry has multipart subscriptions, @defer and @stream
  /apq/strawberry, /apq/ariadne
                those with automatic persisted queries, which this file adds in front of them
  /http/undine  undine, which has them itself, and responds with application/graphql-response+json (undines.py)

query { hello(name) broken ended(name) bird { name song } birds }, mutation { add(a, b) upload(file, files) refuse },
subscription { count(target, delay, name) fail(after) big(n, size) token }; of the subscriptions ariadne has only count, and neither
bird nor birds. `token` returns the token of connection_init, and `ended` waits until a subscription with that name has ended on the
server.
"""
import asyncio
import hashlib
import json
import sys
import urllib.parse
from collections import defaultdict
from datetime import timedelta
from typing import AsyncGenerator, List, Optional

import strawberry
import undines
import uvicorn
from ariadne import MutationType, QueryType, SubscriptionType, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL as Ariadne
from ariadne.asgi.handlers import GraphQLHTTPHandler, GraphQLTransportWSHandler
from ariadne.contrib.sse import SSESubscriptionHandler
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL)


subscriptions = defaultdict(asyncio.Event)


async def has_ended(name):
    await asyncio.wait_for(subscriptions[name].wait(), 30)
    return True


@strawberry.type
class Bird:
    name: str

    @strawberry.field
    async def song(self) -> str:
        await asyncio.sleep(0.05)
        return 'tereu'


@strawberry.type
class Query:
    @strawberry.field
    def hello(self, name: str = 'world') -> str:
        return f'hello {name}'

    @strawberry.field
    def broken(self) -> Optional[str]:
        raise ValueError('boom')

    @strawberry.field
    async def ended(self, name: str) -> bool:
        return await has_ended(name)

    @strawberry.field
    def bird(self) -> Bird:
        return Bird(name='hoopoe')

    @strawberry.field
    async def birds(self) -> strawberry.Streamable[str]:
        for name in ('hoopoe', 'owl', 'finch'):
            yield name
            await asyncio.sleep(0.02)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, a: int, b: int) -> int:
        return a + b

    @strawberry.mutation
    async def upload(self, file: Optional[Upload] = None, files: Optional[List[Upload]] = None) -> List[str]:
        return [f'{one.filename}:{(await one.read()).decode()}' for one in ([file] if file else []) + (files or [])]

    @strawberry.mutation
    def refuse(self) -> int:
        raise ValueError('refused')


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, target: int = 3, delay: float = 0.01, name: str = '') -> AsyncGenerator[int, None]:
        try:
            for i in range(target):
                yield i
                await asyncio.sleep(delay)
        finally:
            subscriptions[name].set()

    @strawberry.subscription
    async def fail(self, after: int = 1) -> AsyncGenerator[int, None]:
        for i in range(after):
            yield i
        raise ValueError('boom')

    @strawberry.subscription
    async def big(self, n: int = 3, size: int = 1000) -> AsyncGenerator[str, None]:
        for _ in range(n):
            yield 'x' * size

    @strawberry.subscription
    async def token(self, info: strawberry.Info) -> AsyncGenerator[str, None]:
        yield str((info.context.get('connection_params') or {}).get('token'))


ariadne_types = '''
    scalar Upload
    type Query { hello(name: String = "world"): String! broken: String ended(name: String!): Boolean! }
    type Mutation { add(a: Int!, b: Int!): Int! upload(file: Upload, files: [Upload!]): [String!]! refuse: Int! }
    type Subscription { count(target: Int, name: String): Int! }
'''
ariadne_query = QueryType()
ariadne_mutation = MutationType()
ariadne_subscription = SubscriptionType()


@ariadne_query.field('hello')
def hello(_, info, name='world'):
    return f'hello {name}'


@ariadne_query.field('broken')
def broken(_, info):
    raise ValueError('boom')


@ariadne_query.field('ended')
async def ended(_, info, name):
    return await has_ended(name)


@ariadne_mutation.field('add')
def add(_, info, a, b):
    return a + b


@ariadne_mutation.field('upload')
async def upload(_, info, file=None, files=None):
    return [f'{one.filename}:{(await one.read()).decode()}' for one in ([file] if file else []) + (files or [])]


@ariadne_mutation.field('refuse')
def refuse(_, info):
    raise ValueError('refused')


@ariadne_subscription.source('count')
async def numbers(_, info, target=3, name=''):
    try:
        for i in range(target):
            yield i
            await asyncio.sleep(0.01)
    finally:
        subscriptions[name].set()


@ariadne_subscription.field('count')
def count(value, info, target=3, name=''):
    return value


def by_strawberry(patience, http=False):
    config = StrawberryConfig(enable_experimental_incremental_execution=http)
    protocols = [GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL]
    return GraphQL(
        strawberry.Schema(Query, Mutation, Subscription, config=config),
        subscription_protocols=protocols + ([GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL] if http else []),
        multipart_uploads_enabled=http,
        connection_init_wait_timeout=timedelta(seconds=patience), keep_alive=True, keep_alive_interval=0.2)


def by_ariadne(http=False):
    schema = make_executable_schema(
        ariadne_types, ariadne_query, ariadne_mutation, ariadne_subscription, upload_scalar)
    handlers = [SSESubscriptionHandler()] if http else []
    return Ariadne(
        schema, execute_get_queries=http, http_handler=GraphQLHTTPHandler(subscription_handlers=handlers),
        websocket_handler=GraphQLTransportWSHandler())


def persisted(app):
    """Automatic persisted queries in front of a server that has none."""
    known = {}

    async def answer(send, status, value):
        body = json.dumps(value).encode()
        await send({'type': 'http.response.start', 'status': status, 'headers': [(b'content-type', b'application/json')]})
        await send({'type': 'http.response.body', 'body': body})

    async def wrapped(scope, receive, send):
        if scope['type'] != 'http':
            return await app(scope, receive, send)
        body, more = b'', scope['method'] == 'POST'
        while more:
            message = await receive()
            body, more = body + message.get('body', b''), message.get('more_body', False)
        query = dict(urllib.parse.parse_qsl(scope['query_string'].decode()))
        data = json.loads(body) if body else {**query, 'extensions': json.loads(query.get('extensions', '{}'))}
        digest = (data.get('extensions') or {}).get('persistedQuery', {}).get('sha256Hash')
        if digest and 'query' in data:
            if hashlib.sha256(data['query'].encode()).hexdigest() != digest:
                return await answer(send, 400, {'errors': [{'message': 'provided sha does not match query'}]})
            known[digest] = data['query']
        elif digest:
            if digest not in known:
                error = {'message': 'PersistedQueryNotFound', 'extensions': {'code': 'PERSISTED_QUERY_NOT_FOUND'}}
                return await answer(send, 200, {'errors': [error]})
            data['query'] = known[digest]
        if body:
            body = json.dumps(data).encode()
            headers = [(name, value) for name, value in scope['headers'] if name != b'content-length']
            scope = {**scope, 'headers': headers + [(b'content-length', str(len(body)).encode())]}
        else:
            data = {name: value if isinstance(value, str) else json.dumps(value) for name, value in data.items()}
            scope = {**scope, 'query_string': urllib.parse.urlencode(data).encode()}
        replayed = False

        async def replay():
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {'type': 'http.request', 'body': body, 'more_body': False}

        await app(scope, replay, send)

    return wrapped


APPS = {
    '/strawberry': by_strawberry(60),
    '/hasty': by_strawberry(0),
    '/ariadne': by_ariadne(),
    '/http/strawberry': by_strawberry(60, http=True),
    '/http/ariadne': by_ariadne(http=True),
}
APPS['/http/undine'] = undines.app
APPS['/apq/strawberry'] = persisted(APPS['/http/strawberry'])
APPS['/apq/ariadne'] = persisted(APPS['/http/ariadne'])


async def app(scope, receive, send):
    if scope['type'] == 'lifespan':
        while True:
            message = await receive()
            await send({'type': message['type'] + '.complete'})
            if message['type'] == 'lifespan.shutdown':
                return
    served = APPS.get(scope['path'])
    if served is None:
        await send({'type': 'http.response.start', 'status': 200, 'headers': []})
        return await send({'type': 'http.response.body', 'body': b'here'})
    await served(scope, receive, send)


if __name__ == '__main__':
    uvicorn.run(app, host='127.0.0.1', port=int(sys.argv[1]), ws='websockets', log_level='error')
