"""undine, a GraphQL server for Django, as an ASGI application at /http/undine.

It responds with application/graphql-response+json, and has automatic persisted queries, both by itself. Its errors always have the
status 200.

query { hello(name) broken }, mutation { add(a, b) refuse }, subscription { count(target) }
"""
import asyncio
from typing import AsyncGenerator, Optional

import django
from django.conf import settings

settings.configure(
    SECRET_KEY='of a test', ALLOWED_HOSTS=['*'], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'file:undine?mode=memory&cache=shared'}},
    INSTALLED_APPS=[
        'django.contrib.contenttypes', 'django.contrib.auth', 'django.contrib.sessions', 'undine',
        'undine.persisted_documents'],
    MIDDLEWARE=[
        'django.contrib.sessions.middleware.SessionMiddleware',
        'django.contrib.auth.middleware.AuthenticationMiddleware'],
    UNDINE={
        'ASYNC': True, 'AUTOMATIC_PERSISTED_QUERIES': True, 'USE_SSE_DISTINCT_CONNECTIONS_FOR_HTTP_1': True,
        'SCHEMA': f'{__name__}.schema'})
django.setup()

from django.core.asgi import get_asgi_application  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.urls import path  # noqa: E402
from undine import Entrypoint, RootType, create_schema  # noqa: E402
from undine.http.views import graphql_view_async  # noqa: E402


class Query(RootType):
    @Entrypoint
    def hello(self, name: str = 'world') -> str:
        return f'hello {name}'

    @Entrypoint
    def broken(self) -> Optional[str]:
        raise ValueError('boom')


class Mutation(RootType):
    @Entrypoint
    def add(self, a: int, b: int) -> int:
        return a + b

    @Entrypoint
    def refuse(self) -> int:
        raise ValueError('refused')


class Subscription(RootType):
    @Entrypoint
    async def count(self, target: int = 3) -> AsyncGenerator[int, None]:
        for i in range(target):
            yield i
            await asyncio.sleep(0.01)


schema = create_schema(query=Query, mutation=Mutation, subscription=Subscription)
urlpatterns = [path('http/undine', graphql_view_async)]
call_command('migrate', verbosity=0)
app = get_asgi_application()
