"""Two third-party GraphQL servers on one port, selected by the path.

    graphs.py PORT

  /strawberry   strawberry: graphql-transport-ws and the older graphql-ws
  /hasty        the same, with a timeout of zero for connection_init
  /ariadne      ariadne: graphql-transport-ws

query { hello(name) }, mutation { add(a, b) }, subscription { count(target, delay) fail(after) big(n, size) token }; ariadne
has only count. `token` returns the token of connection_init.
"""
import asyncio
import sys
from datetime import timedelta
from typing import AsyncGenerator

import strawberry
import uvicorn
from ariadne import SubscriptionType, make_executable_schema
from ariadne.asgi import GraphQL as Ariadne
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from strawberry.asgi import GraphQL
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL


@strawberry.type
class Query:
    @strawberry.field
    def hello(self, name: str = 'world') -> str:
        return f'hello {name}'


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add(self, a: int, b: int) -> int:
        return a + b


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, target: int = 3, delay: float = 0.01) -> AsyncGenerator[int, None]:
        for i in range(target):
            yield i
            await asyncio.sleep(delay)

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


ariadne_types = 'type Query { _x: Boolean } type Subscription { count(target: Int): Int! }'
ariadne_subscription = SubscriptionType()


@ariadne_subscription.source('count')
async def numbers(_, info, target=3):
    for i in range(target):
        yield i
        await asyncio.sleep(0.01)


@ariadne_subscription.field('count')
def count(value, info, target=3):
    return value


def by_strawberry(patience):
    return GraphQL(
        strawberry.Schema(Query, Mutation, Subscription),
        subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_WS_PROTOCOL],
        connection_init_wait_timeout=timedelta(seconds=patience), keep_alive=True, keep_alive_interval=0.2)


APPS = {
    '/strawberry': by_strawberry(60),
    '/hasty': by_strawberry(0),
    '/ariadne': Ariadne(
        make_executable_schema(ariadne_types, ariadne_subscription), websocket_handler=GraphQLTransportWSHandler()),
}


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
